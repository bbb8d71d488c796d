"""Nights, in one rule set and in several."""

from __future__ import annotations

import pytest

from tests.support.play import ALL_GAMES, GM, HERO, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Form
from webapp.rules.nights import Rest, night_outlook
from webapp.store import Store


def test_a_night_tells_of_no_hp_where_none_are_missing(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad={**HERO, "hp": "5 of 15"}, dread={}, pools={}, willpower={"willpower": 4})
    rest = Rest(hours=8, how={"safe": True, "first_aid": True})
    told = [bench.sight().words(one) for one in dict(night_outlook(bench.state, rest))[bench.ids["Ann"]]]
    assert [words for words in told if "HP" in words] == ["1 or 2 HP back"]
    bench.do({"move": "table.rest", "hours": 8, "how": rest.how}, faces=[2])
    said = [line.words for line in bench.lines(GM) if "HP back" in line.words]
    assert said == ["Ann gets 2 HP back, 7 of 15 left."]


def test_whom_a_night_gives_nothing_is_told_so_too(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", hp="15 of 15")
    bench.hero("Ben", hp="5 of 15")
    rest = Rest(hours=8, how={"first_aid": True})
    told = [bench.sight().words(one.value) for one in Picture(bench.table, viewer(GM)).preview(rest)]
    assert told == ["nothing changes", "1 or 2 HP back"]


def test_full_pools_recover_nothing_in_a_night(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann")
    assert dict(night_outlook(bench.state, Rest(hours=8))) == {bench.ids["Ann"]: ()}


def test_one_night_rests_in_all_rule_sets(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero(
        "Ann",
        squad={**HERO, "hp": "5 of 15"},
        dread={"temporary": 3},
        pools={"grit": {"now": 2, "full": 9}},
        willpower={"willpower": 4, "hp": {"now": 3, "full": 10}},
    )
    rest = Rest(hours=8, how={"safe": True, "first_aid": True})
    told = dict(night_outlook(bench.state, rest))
    words = [bench.sight().words(one) for one in told[bench.ids["Ann"]]]
    assert words == [
        "1 or 2 HP back",
        "3 insanity heals",
        "8 of 8 hours heal, where a die shows 6 or more",
        "7 HP back",
        "the Willpower die is a d6 again",
    ]
    bench.do({"move": "table.rest", "hours": 8, "new_day": True, "how": rest.how}, faces=[2, *[6] * 8])
    assert bench.sheet("Ann").hp.now == 7
    assert bench.sheet("Ann", "dread").temporary == 0
    assert bench.sheet("Ann", "pools").grit.now == 9
    assert bench.sheet("Ann", "pools").recoveries == 0
    assert (bench.sheet("Ann", "willpower").willpower, bench.sheet("Ann", "willpower").hp.now) == (6, 10)
    bench.undo()
    assert bench.sheet("Ann").hp.now == 5
    assert bench.sheet("Ann", "willpower").willpower == 4


def test_a_night_in_the_wild_is_a_short_rest_and_heals_no_fright(store: Store) -> None:
    bench = Bench(store, games=("willpower", "dread"))
    bench.hero("Ann", willpower={"strength": 9, "willpower": 4, "hp": {"now": 3, "full": 9}}, dread={"temporary": 2})
    bench.do({"move": "table.rest", "hours": 8, "how": {"safe": False}})
    assert (bench.sheet("Ann").willpower, bench.sheet("Ann").hp.now) == (4, 7)
    assert bench.sheet("Ann", "dread").temporary == 2


def test_what_a_night_asks_twice_is_one_field(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
    form = next(one for one in Picture(bench.table, viewer(GM)).gm_blocks() if one.key == "night")
    assert isinstance(form, Form)
    names = [field.name for field in form.fields]
    assert names == [
        "hours",
        "how.first_aid",
        "how.repair",
        "how.safe",
        "how.armour_off",
        "how.allowed",
        "new_day",
        "resting[]",
    ]


@pytest.mark.parametrize(
    "wrong",
    [{"hours": 0}, {"hours": 241}, {"how": {"safe": "perhaps"}}, {"resting": ["nobody"]}, {"how": [1]}],
)
def test_a_night_that_makes_no_sense_is_refused(store: Store, wrong: dict[str, object]) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
    assert bench.refused({"move": "table.rest", "hours": 8, **wrong})
