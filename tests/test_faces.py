"""Faces drawn from names."""

from __future__ import annotations

import re

import pytest

from webapp.rules.document import Side
from webapp.ui.face import face, initials

LONG = "Ordensschwester Philippa Rindfleischetik"


def test_a_face_is_small_silent_and_always_the_same() -> None:
    for side in Side:
        drawn = face(LONG, side)
        assert drawn == face(LONG, side)
        assert 'aria-hidden="true"' in drawn
        assert len(drawn.encode()) < 1200
    assert face(LONG, Side.HERO) != face(LONG, Side.FOE)


def test_a_hundred_names_have_faces_of_their_own() -> None:
    for side in Side:
        drawn = {re.sub(r"<text.*?</text>", "", face(f"Somebody{nth}", side)) for nth in range(100)}
        assert len(drawn) > 95


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Vex", "V"), ("Brother Salt", "BS"), ("Thug A", "TA"), ("ölga von der Au", "ÖA"), ("<b>", "B"), ("…", "?")],
)
def test_initials(name: str, letters: str) -> None:
    assert initials(name) == letters
    assert f">{letters}</text>" in face(name)


def test_those_of_a_kind_look_alike_but_for_their_letter() -> None:
    assert str(face("Ghoul A", Side.FOE)).replace(">GA<", ">GB<") == face("Ghoul B", Side.FOE)
