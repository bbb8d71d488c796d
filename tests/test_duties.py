"""Several rule sets at one table: who does what, turns and rounds under another's order, nights, knots, tables."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.support.play import BOOK, GM, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Fact, Form, Menu, Place
from webapp.rules.document import Duty, Side
from webapp.rules.knots import close_to
from webapp.rules.next_step import what_next
from webapp.rules.periods import Rest, night_outlook
from webapp.rules.state import TABLE
from webapp.store import Store

ALL = ("squad", "dread", "pools", "willpower")
ENGINES = ("squad", "pools", "willpower")
SQUAD = {"tuf": 8, "stw": 8, "atn": 8, "hp": 15}
FOE = {"monster": 8, "hp": 12}


def shares_out(bench: Bench, **duties: str) -> None:
    now = {name: bench.state.has(Duty(name)) for name in ("tests", "blows", "fear", "order")}
    bench.do({"move": "table.share_out", **now, "turn": "one slot", **duties})


def offered(bench: Bench, who: str, place: Place) -> list[str]:
    blocks = [block for _, own in Picture(bench.table, viewer(GM)).blocks(bench.ids[who]) for block in own]
    return [block.key for block in blocks if isinstance(block, Menu | Form) and block.place is place]


# --- who does what -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 5))
def test_every_stack_has_good_defaults(store: Store, count: int) -> None:
    """An engine has tests, blows and the order; fear is on top where it is played."""
    for games in combinations(ALL, count):
        state = Bench(store, games=games).state
        engines = [name for name in games if name in ENGINES]
        for duty in (Duty.BLOWS, Duty.ORDER):
            assert state.has(duty) == (engines[0] if engines else TABLE), games
        assert state.has(Duty.FEAR) == next((name for name in ("dread", "willpower") if name in games), TABLE)
        assert state.has(Duty.TESTS) == (engines[0] if engines else "dread")


def test_one_button_sneaks_on_a_stack_of_four(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    assert [key for key in offered(bench, "Ann", Place.DICE) if not key.endswith(".any")] == ["squad.task"]
    waiting = offered(bench, "Ann", Place.MORE)
    assert {"dread.check", "pools.skill", "willpower.test"} <= set(waiting)
    shares_out(bench, tests="willpower")
    assert [key for key in offered(bench, "Ann", Place.DICE) if not key.endswith(".any")] == ["willpower.test"]
    assert "squad.task" in offered(bench, "Ann", Place.MORE)


def test_a_rule_set_without_a_duty_only_lies_on_top(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    seen = Picture(bench.table, viewer("ann"))
    assert seen.idle() == {"Grit, Energy and Resolve", "Willpower"}
    shares_out(bench, tests="willpower")
    assert seen.idle() == {"Grit, Energy and Resolve"}


def test_what_is_told_of_blows_waits_where_another_has_them(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    hers = {"pools.pay", "pools.hurt", "pools.begin", "pools.afflict"}
    assert hers <= set(offered(bench, "Ann", Place.MORE))
    shares_out(bench, blows="pools")
    assert hers <= set(offered(bench, "Ann", Place.SHEET))


def test_orders_of_two_rule_sets_have_titles_of_their_own(store: Store) -> None:
    titles = [order.title for order in Picture(Bench(store, games=ALL).table, viewer(GM)).standing_orders()]
    assert len(set(titles)) == len(titles)
    assert "When a roll of mine fails (Willpower)" in titles
    alone = Picture(Bench(store, game="willpower").table, viewer(GM)).standing_orders()
    assert "When a roll of mine fails" in [order.title for order in alone]


def test_no_two_rule_sets_share_a_standing_order() -> None:
    orders = {(kind.game, kind.standing_order.name) for kind in BOOK.questions if kind.standing_order is not None}
    names = [name for _, name in orders]
    assert len(set(names)) == len(names)


def test_a_duty_is_given_only_to_whoever_can_have_it(store: Store) -> None:
    bench = Bench(store, games=("squad", "dread"))
    for wrong in ({"blows": "dread"}, {"order": "dread"}, {"fear": "squad"}, {"tests": "pools"}, {"blows": TABLE}):
        now = {"tests": "squad", "blows": "squad", "fear": "dread", "order": "squad", "turn": "one slot"}
        assert "can't do that" in bench.refused({"move": "table.share_out", **now, **wrong})


def test_the_order_does_not_change_hands_in_a_fight(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.do({"move": "table.start_fight"})
    now = {"tests": "squad", "blows": "squad", "fear": TABLE, "turn": "one slot"}
    assert "End the fight" in bench.refused({"move": "table.share_out", **now, "order": "pools"})
    assert "End the fight" in bench.refused({"move": "table.set_games", "games": ["pools"]})


def test_a_word_that_two_rule_sets_share_is_written_out(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    (card,) = Picture(bench.table, viewer("ann")).cards()
    words = [bench.sight().words(gauge.label) for gauge in card.vitals]
    assert len(set(words)) == len(words)
    assert {"HP (Shadow Squad)", "HP (Willpower)", "Will Points", "Grit"} <= set(words)


# --- turns and rounds under another's order ------------------------------------------------------------------


def test_the_gm_orders_a_fight_that_no_rule_set_runs(store: Store) -> None:
    bench = Bench(store, game="dread")
    for who in ("Ann", "Ben"):
        bench.hero(who)
    bench.foe("Ghost")
    bench.do({"move": "table.start_fight"})
    assert bench.order() == ["3 Ann", "2 Ben", "1 Ghost"]
    bench.do({"move": "table.acts_before", "character": "Ghost", "before": "Ben"})
    assert bench.order() == ["3 Ann", "2 Ghost", "1 Ben"]
    bench.do({"move": "table.done", "actor": "Ann"}, as_="ann")
    assert bench.up == "Ghost"
    assert "turn" in bench.refused({"move": "table.done", "actor": "Ben"})
    bench.next()
    bench.do({"move": "table.done", "actor": "Ben"}, as_="ben")
    bench.next()
    assert (bench.battle.round, bench.up) == (2, "Ann")
    bench.undo()
    assert bench.battle.round == 1


def test_a_turn_ends_for_every_rule_set_whoever_runs_the_order(store: Store) -> None:
    """Shadow Squad counts down; Unaware falls by 1 at the end of each own slot."""
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=SQUAD, pools={"afflictions": {"unaware": 4}})
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Rat=2)

    def unaware() -> int:
        left: int = bench.sheet("Ann", "pools").tiers("unaware")
        return left

    bench.do({"move": "table.done", "actor": "Ann"})
    assert unaware() == 3
    bench.do({"move": "table.done", "actor": "Ann"})
    assert unaware() == 2
    bench.undo()
    assert unaware() == 3


def test_all_slots_of_a_round_may_be_one_turn(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=SQUAD, pools={"afflictions": {"unaware": 4}})
    bench.foe("Rat", squad=FOE)
    shares_out(bench, turn="all slots of a round")
    bench.fight(Ann=8, Rat=2)
    bench.do({"move": "table.done", "actor": "Ann"})
    assert bench.sheet("Ann", "pools").tiers("unaware") == 4
    bench.do({"move": "table.done", "actor": "Ann"})
    assert bench.sheet("Ann", "pools").tiers("unaware") == 3


def test_what_goes_on_hurts_at_the_end_of_a_round_that_another_runs(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.do({"move": "pools.begin", "target": "Ann", "name": "fire", "dice": 1, "onto": "energy"})
    bench.fight(Ann=1, Rat=2)
    before = bench.sheet("Ann", "pools").energy.now
    bench.passes_on("Rat", "Ann")
    bench.next(faces=[12])
    assert bench.sheet("Ann", "pools").energy.now == before - 1
    assert bench.state.clock.minutes == 6


def test_the_dying_bleed_in_a_fight_that_another_runs(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad={**SQUAD, "hp": "0 of 15"})
    bench.hero("Ben", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    shares_out(bench, order="pools")
    bench.do({"move": "table.start_fight", "members": ["Ann", "Ben", "Rat"]})
    for who, number in (("Ann", 3), ("Ben", 9), ("Rat", 6)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": {"priority": number}})
    left = bench.sheet("Ann").bleeds
    for who in ("Ben", "Rat"):
        bench.do({"move": "table.done", "actor": who})
    bench.next(faces=[1] if not bench.sheet("Ann", "pools").conscious else [])
    assert bench.battle.round == 2
    assert bench.sheet("Ann").bleeds == left - 1


def test_surprise_is_rolled_before_the_first_turn_of_the_gm_s_own_order(store: Store) -> None:
    bench = Bench(store, game="squad")
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    shares_out(bench, order=TABLE, tests="squad", blows="squad")
    bench.do({"move": "table.start_fight"})
    bench.do({"move": "squad.surprise", "ambush": True}, faces=[4])
    assert bench.sheet("Rat").surprised
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    assert "surprised" in bench.refused({"move": "squad.attack", "actor": "Rat", "target": "Ann"})
    assert "before anybody acts" in bench.refused({"move": "squad.surprise", "ambush": True})


# --- down, by whichever rule set ---------------------------------------------------------------------------


def fells(bench: Bench, who: str, game: str) -> None:
    """Somebody is out by one rule set alone."""
    if game == "pools":
        bench.do({"move": "pools.afflict", "target": who, "name": "unconscious", "tiers": 1})
    else:
        bench.do({"move": "table.edit", "actor": who, "game_id": game, "values": {"hp.now": 0}})


@pytest.mark.parametrize("game", ["pools", "willpower"])
def test_whoever_is_down_by_a_rule_set_without_blows_takes_no_turn(store: Store, game: str) -> None:
    bench = Bench(store, games=("squad", game))
    for who in ("Ann", "Ben"):
        bench.hero(who, squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=4, Ben=3, Rat=2)
    fells(bench, "Ben", game)
    tries_to_wake = [1] * bench.sheet("Ben", game).endure if game == "pools" else []
    bench.do({"move": "table.done", "actor": "Ann"}, "ann", faces=tries_to_wake)
    assert bench.up == "Rat"
    assert "Ben is down: the turn goes by." in bench.words()
    assert "turn" in bench.refused({"move": "squad.attack", "actor": "Ben", "target": "Rat"}, "ben")


def test_whoever_goes_down_in_the_middle_of_a_turn_has_no_more_of_it(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    for who in ("Ann", "Ben"):
        bench.hero(who, squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Ben=6, Rat=2)
    fells(bench, "Ann", "willpower")
    assert bench.up == "Ben"


def test_a_held_chance_is_of_no_use_to_whoever_is_down(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    for who in ("Ann", "Ben"):
        bench.hero(who, squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Ben=6, Rat=2)
    bench.do({"move": "squad.hold", "actor": "Ann"}, "ann")
    bench.passes_on("Ben")
    fells(bench, "Ann", "willpower")
    assert "turn" in bench.refused({"move": "squad.attack", "actor": "Ann", "target": "Rat"}, "ann")
    assert "turn" in bench.refused({"move": "table.done", "actor": "Ann"}, "ann")


def test_a_fight_is_over_when_everybody_on_one_side_is_down_by_whichever_rule_set(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    for who in ("Ann", "Ben"):
        bench.hero(who, squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Ben=6, Rat=2)
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0}})
    fells(bench, "Ben", "willpower")
    assert what_next(bench.state) == "END"


def test_a_turn_of_which_a_rule_set_wants_something_first_does_not_end(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    bench.hero("Ann", squad=SQUAD, willpower={"states": {"lashing out": 1}})
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Rat=2)
    assert "lashes out" in bench.refused({"move": "table.done", "actor": "Ann"}, "ann")


def test_two_actions_are_one_slot_of_a_countdown(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=6, Rat=2)
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "move"}, as_="ann")
    assert bench.up == "Ann"
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "other", "name": "look"}, as_="ann")
    bench.passes_on("Rat")
    assert bench.up == "Ann"
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "move"}, as_="ann")
    assert bench.sheet("Ann", "willpower").acts == ("move",)


@pytest.mark.parametrize("order", [*ENGINES, TABLE])
def test_one_way_ends_a_turn_whoever_runs_the_order(store: Store, order: str) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad=FOE)
    if order != "squad":
        shares_out(bench, order=order)
    bench.do({"move": "table.start_fight"})
    numbers = {"squad": "initiative", "pools": "priority", "willpower": "initiative"}
    for who, number in (("Ann", 9), ("Rat", 6)) if order in ("squad", "pools") else ():
        values = {numbers[order]: number}
        bench.do({"move": "table.edit", "actor": who, "game_id": order, "values": values})
    while bench.up is None:
        bench.next(faces=[1] if order == "willpower" else [])
    assert bench.up == "Ann"
    blocks = [block for _, own in Picture(bench.table, viewer("ann")).blocks(bench.ids["Ann"]) for block in own]
    menus = [one for one in blocks if isinstance(one, Menu) and one.place is Place.FIGHT]
    ways = [
        one.label for menu in menus for tab in menu.tabs for one in tab.buttons if one.move["move"] == "table.done"
    ]
    assert len(ways) == 1, ways
    told = [one for one in blocks if isinstance(one, Fact) and one.key == "willpower.actions"]
    assert all((one.place is Place.FIGHT) is (order == "willpower") for one in told)


def test_an_attack_of_one_rule_set_takes_the_slot_of_another(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=SQUAD)
    bench.foe("Rat", squad={**FOE, "parry": "never"})
    shares_out(bench, order="pools")
    bench.do({"move": "table.start_fight"})
    for who, number in (("Ann", 9), ("Rat", 6)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": {"priority": number}})
    assert "countdown" in bench.refused({"move": "squad.hold", "actor": "Ann"})
    bench.attack("Ann", "Rat", as_="ann", faces=[1])
    assert bench.up == "Rat"
    assert "turn" in bench.refused({"move": "squad.attack", "actor": "Ann", "target": "Rat"}, "ann")


# --- nights ------------------------------------------------------------------------------------------------


def test_a_night_tells_of_no_hp_where_none_are_missing(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad={**SQUAD, "hp": "5 of 15"}, dread={}, pools={}, willpower={"willpower": 4})
    rest = Rest(hours=8, how={"safe": True, "first_aid": True})
    told = [bench.sight().words(one) for one in dict(night_outlook(bench.state, rest))[bench.ids["Ann"]]]
    assert [words for words in told if "HP" in words] == ["1 or 2 HP back"]
    bench.do({"move": "table.rest", "hours": 8, "how": rest.how}, faces=[2])
    said = [line.words for line in bench.lines(GM) if "HP back" in line.words]
    assert said == ["Ann gets 2 HP back, 7 of 15 left."]


def test_one_night_rests_in_all_rule_sets(store: Store) -> None:
    bench = Bench(store, games=ALL)
    bench.hero(
        "Ann",
        squad={**SQUAD, "hp": "5 of 15"},
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
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
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
    bench = Bench(store, games=ALL)
    bench.hero("Ann", squad=SQUAD)
    assert bench.refused({"move": "table.rest", "hours": 8, **wrong})


# --- knots -------------------------------------------------------------------------------------------------


def in_a_fight(store: Store) -> Bench:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, squad=SQUAD)
    for foe in ("Rat", "Cat"):
        bench.foe(foe, squad={**FOE, "parry": "never"})
    bench.fight(Ann=8, Ben=7, Rat=6, Cat=4)
    return bench


def knot(bench: Bench, who: str) -> set[str]:
    return {bench.names[other] for other in close_to(bench.state, bench.ids[who])}


def test_a_close_attack_ties_a_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.attack("Ann", "Rat", faces=[1])
    assert knot(bench, "Rat") == {"Ann"}
    bench.attack("Ben", "Rat", faces=[1])
    assert knot(bench, "Ann") == {"Ben", "Rat"}
    bench.undo()
    assert knot(bench, "Ann") == {"Rat"}


def test_whoever_attacks_somebody_else_leaves_the_old_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.attack("Ann", "Rat", faces=[1])
    bench.do({"move": "table.tie", "character": "Ann", "to": "Cat"})
    assert knot(bench, "Ann") == {"Cat"}
    assert knot(bench, "Rat") == set()
    bench.do({"move": "table.tie", "character": "Ann"})
    assert knot(bench, "Cat") == set()
    assert "already" in bench.refused({"move": "table.tie", "character": "Ann"})


def test_whoever_is_in_the_knot_comes_first_for_the_free_blow(store: Store) -> None:
    """The GM may name another all the same: a knot knows only what was played."""
    bench = in_a_fight(store)
    bench.do({"move": "table.tie", "character": "Cat", "to": "Ann"})
    bench.do({"move": "squad.break_off", "actor": "Ann"}, as_="ann")
    nobody, first, *others = (choice.id.partition(":")[0] for choice in bench.question.choices(bench.state))
    assert (nobody, first, others) == ("nobody", bench.ids["Cat"], [bench.ids["Rat"]])


def test_the_unseen_are_in_nobodys_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.do({"move": "table.reveal", "character": "Cat", "hidden": True})
    bench.do({"move": "table.tie", "character": "Cat", "to": "Ann"})
    bench.do({"move": "table.tie", "character": "Ben", "to": "Ann"})
    fight = Picture(bench.table, viewer("ann")).fight()
    assert fight is not None
    assert fight.knots == (("Ann", "Ben"),)
    bench.do({"move": "table.tie", "character": "Ben"})
    fight = Picture(bench.table, viewer("ann")).fight()
    assert fight is not None
    assert fight.knots == ()


# --- random tables -----------------------------------------------------------------------------------------

WEATHER = {"move": "table.keep_table", "name": "Weather", "lines": "1-3 Rain\n4-5 Fog\n6 Sun"}


def test_a_table_of_ones_own_is_kept_rolled_and_thrown_away(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", squad=SQUAD)
    bench.do(WEATHER)
    (found,) = Picture(bench.table, viewer(GM)).tables()
    assert Picture(bench.table, viewer("ann")).tables() == ()
    bench.do({"move": "table.roll_table", "table": found.id}, faces=[5])
    assert bench.words() == ["Weather, 5: Fog"]
    assert "no such table" in bench.refused({"move": "table.roll_table", "table": found.id}, "ann")
    bench.do({**WEATHER, "table": found.id, "shared": True})
    bench.do({"move": "table.roll_table", "table": found.id, "secret": True}, as_="ann", faces=[6])
    assert bench.words("ann") == ["Weather, 6: Sun"]
    assert bench.words("ben") == []
    bench.do({"move": "table.throw_table_away", "table": found.id})
    assert Picture(bench.table, viewer(GM)).tables() == ()
    bench.undo()
    assert len(Picture(bench.table, viewer(GM)).tables()) == 1


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"lines": "1 Rain\nFog"}, "no number"),
        ({"lines": "1-3 Rain\n3 Fog"}, "twice"),
        ({"lines": "7 Rain"}, "can't show 7"),
        ({"lines": "2 Rain", "count": 1, "sides": 1}, "at least 2"),
        ({"lines": "1 Rain", "count": 2}, "can't show 1"),
        ({"lines": "  "}, "empty"),
        ({"table": "nobody's"}, "no such table"),
        ({"lines": "\n".join("Rain" for _ in range(101)), "sides": 100, "count": 2}, "100 rows"),
        ({"lines": "1 " + "x" * 201}, "200 letters"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(store: Store, wrong: dict[str, object], words: str) -> None:
    assert words in Bench(store).refused({**WEATHER, **wrong})


def test_lines_without_numbers_are_counted(store: Store) -> None:
    bench = Bench(store)
    bench.do({**WEATHER, "lines": "Rain\nFog\nSun", "sides": 3})
    (found,) = Picture(bench.table, viewer(GM)).tables()
    assert [(row.lowest, row.words) for row in found.rows] == [(1, "Rain"), (2, "Fog"), (3, "Sun")]


def test_the_rule_sets_show_their_own_tables(store: Store) -> None:
    bench = Bench(store, games=ALL)
    shown = {table.id: table for table in Picture(bench.table, viewer("ann")).tables()}
    assert list(shown) == ["pools.parts", "willpower.panic", "willpower.chaos"]
    assert all(table.row(face) is not None for table in shown.values() for face in range(1, table.dice[0] + 1))
    bench.do({"move": "table.roll_table", "table": "pools.parts"}, as_="ann", faces=[1])
    assert bench.words() == ["Body parts, 1: Head"]


def test_every_rule_set_has_a_side_for_heroes_and_foes() -> None:
    for game in BOOK.games.values():
        assert {start.side for start in game.starts()} == set(Side), game.id
