"""After a fight: what the GM's big button does while nobody is left to fight."""

from __future__ import annotations

import pytest

from tests.support.play import GM, Bench, Message, viewer
from webapp.projection.picture import Picture
from webapp.store import Store

NOBODY = "A fight needs a hero and a foe who can act."


@pytest.fixture
def bench(store: Store) -> Bench:
    """Ann, scared and hurt, after a fight in which the rat fell."""
    bench = Bench(store, games=("squad", "dread"))
    bench.hero("Ann", squad={"tuf": 8, "hp": 15}, dread={})
    bench.foe("Rat", squad={"monster": 4, "hp": 4}, dread={})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 9}})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"fear": "scared"}})
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": "squad", "values": {"hp.now": 0}})
    return bench


def big(bench: Bench) -> tuple[str, str | None]:
    picture = Picture(bench.table, viewer(GM))
    button = picture.big_button()
    assert button is not None
    return button.label, picture.big_button_refused()


def press(bench: Bench) -> Message:
    button = Picture(bench.table, viewer(GM)).big_button()
    assert button is not None
    return button.move


def test_the_scene_is_over_and_then_comes_the_night(bench: Bench) -> None:
    assert big(bench) == ("Scene over", None)
    assert Picture(bench.table, viewer(GM)).round_outlook() == ()
    bench.do(press(bench), by_name=False)
    assert bench.sheet("Ann", "dread").fear == "none"
    assert bench.words()[0] == "The scene is over."
    assert big(bench) == ("Night: 8 hours of rest, then a new day", None)
    assert Picture(bench.table, viewer(GM)).round_outlook() == ("Ann: 1 or 2 HP back",)
    bench.do(press(bench), by_name=False, faces=[2])
    assert bench.hp("Ann") == 11
    assert bench.words()[:1] == ["8 hours of rest."]
    assert bench.undo().ok
    assert bench.hp("Ann") == 9


def test_the_scene_is_over_too_where_the_fallen_were_taken_away_first(bench: Bench) -> None:
    bench.do({"move": "table.remove_character", "character": "Rat"})
    assert big(bench) == ("Scene over", None)
    bench.do(press(bench), by_name=False)
    assert big(bench) == ("Night: 8 hours of rest, then a new day", None)
    bench.foe("Thug", squad={"monster": 4, "hp": 4}, dread={})
    assert big(bench) == ("Start the fight", None)


def test_a_press_meant_for_something_else_is_refused(bench: Bench) -> None:
    scene_over = press(bench)
    bench.do(scene_over, by_name=False)
    assert "moved on" in bench.refused(scene_over)
    night = press(bench)
    bench.foe("Thug", squad={"monster": 4, "hp": 4}, dread={})
    assert big(bench) == ("Start the fight", None)
    assert "moved on" in bench.refused(night)


def test_a_foe_in_hiding_may_still_be_fought(bench: Bench) -> None:
    bench.foe("Thug", hidden=True, squad={"monster": 4, "hp": 4}, dread={})
    assert big(bench) == ("Start the fight", NOBODY)


def test_a_table_without_foes_and_a_hero_nobody_has_helped_wait_for_the_gm(store: Store, bench: Bench) -> None:
    bench.do(
        {"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0, "condition": "dying"}}
    )
    assert big(bench) == ("Start the fight", NOBODY)
    fresh = Bench(store)
    fresh.hero("Ann", tuf=8)
    assert big(fresh) == ("Start the fight", NOBODY)


def test_nobody_but_the_gm_may_press_it(bench: Bench) -> None:
    assert bench.refused(press(bench), "ann")
