"""Several rule sets at one table: who does what, turns and rounds under another's order, nights, knots, tables."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.support.play import ALL_GAMES, BOOK, FOE, GM, HERO, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Fact, Form, Menu, Place
from webapp.rules.document import Duty
from webapp.rules.next_step import what_next
from webapp.rules.state import TABLE
from webapp.store import Store

ENGINES = ("squad", "pools", "willpower")


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
    for games in combinations(ALL_GAMES, count):
        state = Bench(store, games=games).state
        engines = [name for name in games if name in ENGINES]
        for duty in (Duty.BLOWS, Duty.ORDER):
            assert state.has(duty) == (engines[0] if engines else TABLE), games
        assert state.has(Duty.FEAR) == next((name for name in ("dread", "willpower") if name in games), TABLE)
        assert state.has(Duty.TESTS) == (engines[0] if engines else "dread")


def test_one_button_sneaks_on_a_stack_of_four(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
    assert [key for key in offered(bench, "Ann", Place.DICE) if not key.endswith(".any")] == ["squad.task"]
    waiting = offered(bench, "Ann", Place.MORE)
    assert {"dread.check", "pools.skill", "willpower.test"} <= set(waiting)
    shares_out(bench, tests="willpower")
    assert [key for key in offered(bench, "Ann", Place.DICE) if not key.endswith(".any")] == ["willpower.test"]
    assert "squad.task" in offered(bench, "Ann", Place.MORE)


def test_a_rule_set_without_a_duty_only_lies_on_top(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
    seen = Picture(bench.table, viewer("ann"))
    assert seen.idle() == {"Grit, Energy and Resolve", "Willpower"}
    shares_out(bench, tests="willpower")
    assert seen.idle() == {"Grit, Energy and Resolve"}


def test_what_is_told_of_blows_waits_where_another_has_them(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
    hers = {"pools.pay", "pools.hurt", "pools.begin", "pools.afflict"}
    assert hers <= set(offered(bench, "Ann", Place.MORE))
    shares_out(bench, blows="pools")
    assert hers <= set(offered(bench, "Ann", Place.SHEET))


def test_orders_of_two_rule_sets_have_titles_of_their_own(store: Store) -> None:
    titles = [order.title for order in Picture(Bench(store, games=ALL_GAMES).table, viewer(GM)).standing_orders()]
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
    bench.hero("Ann", squad=HERO)
    bench.foe("Rat", squad=FOE)
    bench.do({"move": "table.start_fight"})
    now = {"tests": "squad", "blows": "squad", "fear": TABLE, "turn": "one slot"}
    assert "End the fight" in bench.refused({"move": "table.share_out", **now, "order": "pools"})
    assert "End the fight" in bench.refused({"move": "table.set_games", "games": ["pools"]})


def test_a_word_that_two_rule_sets_share_is_written_out(store: Store) -> None:
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
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
    bench.hero("Ann", squad=HERO, pools={"afflictions": {"unaware": 4}})
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
    bench.hero("Ann", squad=HERO, pools={"afflictions": {"unaware": 4}})
    bench.foe("Rat", squad=FOE)
    shares_out(bench, turn="all slots of a round")
    bench.fight(Ann=8, Rat=2)
    bench.do({"move": "table.done", "actor": "Ann"})
    assert bench.sheet("Ann", "pools").tiers("unaware") == 4
    bench.do({"move": "table.done", "actor": "Ann"})
    assert bench.sheet("Ann", "pools").tiers("unaware") == 3


def test_what_goes_on_hurts_at_the_end_of_a_round_that_another_runs(store: Store) -> None:
    bench = Bench(store, games=("squad", "pools"))
    bench.hero("Ann", squad=HERO)
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
    bench.hero("Ann", squad={**HERO, "hp": "0 of 15"})
    bench.hero("Ben", squad=HERO)
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
    bench.hero("Ann", squad=HERO)
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
        bench.hero(who, squad=HERO)
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
        bench.hero(who, squad=HERO)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Ben=6, Rat=2)
    fells(bench, "Ann", "willpower")
    assert bench.up == "Ben"


def test_a_held_chance_is_of_no_use_to_whoever_is_down(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    for who in ("Ann", "Ben"):
        bench.hero(who, squad=HERO)
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
        bench.hero(who, squad=HERO)
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Ben=6, Rat=2)
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0}})
    fells(bench, "Ben", "willpower")
    assert what_next(bench.state) == "END"


def test_a_turn_of_which_a_rule_set_wants_something_first_does_not_end(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    bench.hero("Ann", squad=HERO, willpower={"states": {"lashing out": 1}})
    bench.foe("Rat", squad=FOE)
    bench.fight(Ann=8, Rat=2)
    assert "lashes out" in bench.refused({"move": "table.done", "actor": "Ann"}, "ann")


def test_two_actions_are_one_slot_of_a_countdown(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    bench.hero("Ann", squad=HERO)
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
    bench = Bench(store, games=ALL_GAMES)
    bench.hero("Ann", squad=HERO)
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
    bench.hero("Ann", squad=HERO)
    bench.foe("Rat", squad={**FOE, "parry": "never"})
    shares_out(bench, order="pools")
    bench.do({"move": "table.start_fight"})
    for who, number in (("Ann", 9), ("Rat", 6)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": {"priority": number}})
    assert "countdown" in bench.refused({"move": "squad.hold", "actor": "Ann"})
    bench.attack("Ann", "Rat", as_="ann", faces=[1])
    assert bench.up == "Rat"
    assert "turn" in bench.refused({"move": "squad.attack", "actor": "Ann", "target": "Rat"}, "ann")
