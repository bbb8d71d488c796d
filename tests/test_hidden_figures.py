"""Figures of foes that a table hides."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import SCREEN, Bench, Message
from webapp.rules.questions_view import question_view
from webapp.store import Store


def told_of(store: Store, game: str, foe: Message, moves: list[tuple[Message, list[int]]]) -> list[str]:
    """All that a player and the TV read and are asked while a foe with such a sheet does all this."""
    bench = Bench(store, game=game)
    bench.hero("Ann", seat="ann", **({"attacks": {"axe": "martial 2"}} if game == "pools" else {}))
    bench.foe("Rat", **foe)
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    told = []
    for move, faces in moves:
        if move.keys() == {"choice"}:
            asked = bench.question
            told.append(question_view(bench.sight("ann"), asked).model_dump_json(exclude={"id"}))
            bench.answer(move["choice"], "ann", faces=faces)
        else:
            bench.do(move, faces=faces)
        told += [line.model_dump_json() for who in ("ann", SCREEN) for line in bench.lines(who)]
    return told


BITE = {"bite": "martial 2"}


HOT_BITE = {"bite": {"of": "martial 2 S", "element": "fire"}}


STRIKE = {"move": "pools.strike", "actor": "Rat", "attack": "bite", "target": "Ann"}


STRUCK = {"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}


@pytest.mark.parametrize(
    ("game", "foes", "moves"),
    [
        (
            "pools",
            ({"attacks": BITE}, {"attacks": {"bite": "martial 3"}, "martial": 2, "afflictions": {"fatigued": 2}}),
            ([(STRIKE, [5, 1, 6, 2])], [(STRIKE, [7, 2, 1, 6, 2, 2])]),
        ),
        (
            "pools",
            ({}, {"elude": 2, "afflictions": {"unaware": 2}}),
            ([(STRUCK, [9, 7]), ({"choice": "all"}, [5, 4])], [(STRUCK, [9, 9, 3]), ({"choice": "all"}, [5, 4])]),
        ),
        (
            "pools",
            (
                {"attacks": HOT_BITE, "vulnerable": ["fire"]},
                {"attacks": HOT_BITE, "vulnerable": ["fire", "physical"]},
            ),
            ([(STRIKE, [8, 3, 5, 4])],) * 2,
        ),
        (
            "dread",
            ({}, {"charisma": 3, "fear": "scared"}),
            (
                [({"move": "dread.check", "actor": "Rat", "attribute": "charisma"}, [6, 2])],
                [({"move": "dread.check", "actor": "Rat", "attribute": "charisma"}, [6, 2])],
            ),
        ),
    ],
    ids=["what is thrown and comes off", "what a defence suffers", "a weakness", "attributes"],
)
def test_where_figures_are_hidden_no_roll_of_a_foe_tells_them(
    store: Store, game: str, foes: tuple[Message, Message], moves: tuple[Any, Any]
) -> None:
    left, right = (told_of(store, game, *one) for one in zip(foes, moves, strict=True))
    assert left == right
    assert left
