"""Offers: a move as a button, with why it can't be made and what its chance is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from webapp.rules.blocks import Button, Menu, Odds, Place, Reach, Tab
from webapp.rules.document import Duty
from webapp.rules.move import Move
from webapp.rules.state import State
from webapp.rules.text import Text


def offer(state: State, move: Move, label: Text, odds: Odds = None, *, danger: bool = False) -> Button:
    return Button(label=label, move=message(move), chance=odds, why_not=move.refusal(state), danger=danger)


def message(move: Move) -> dict[str, Any]:
    """As a browser sends it: what stands at its default is left out."""
    return {"move": move.kind(), **move.model_dump(mode="json", exclude_none=True, exclude_defaults=True)}


def lone(
    key: str,
    label: Text,
    *buttons: Button,
    place: Place = Place.FIGHT,
    switches: tuple[tuple[str, Text], ...] = (),
    reach: Reach = Reach.OWNER,
    duty: Duty | None = None,
) -> Menu:
    """A menu of one tab."""
    tab = Tab(key="only", label=label, buttons=buttons)
    return Menu(key=key, label=label, place=place, switches=switches, reach=reach, duty=duty, tabs=(tab,))


def with_switches(build: Callable[[frozenset[str]], Button], keys: Sequence[str]) -> Button:
    """The button as it is with any of these switches on; `build` makes it of those that are."""
    return _switched(build, keys, frozenset())


def _switched(build: Callable[[frozenset[str]], Button], keys: Sequence[str], on: frozenset[str]) -> Button:
    ways = {key: _switched(build, keys[nth:], on | {key}) for nth, key in enumerate(keys, 1)}
    return build(on).model_copy(update={"switched": ways})
