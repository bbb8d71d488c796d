"""Willpower at a table: who may do what, what is offered at what price, and what holds whatever anybody does."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from tests.support.play import BOOK, GM, Bench, viewer
from tests.support.samples_willpower import LIGHT, SAMPLES, SWORD, a_willpower_table
from webapp.projection.picture import Picture
from webapp.rules.games.willpower.blows import AttackRoll
from webapp.rules.games.willpower.defence import DefenceRoll
from webapp.rules.games.willpower.fear import GutsRoll
from webapp.rules.games.willpower.house import House, SpendAtD4
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.rolls import Edge, Outcome
from webapp.rules.games.willpower.sheet import Attribute
from webapp.rules.games.willpower.tasks import TestRoll as TaskRoll
from webapp.rules.games.willpower.trial import Trial
from webapp.rules.games.willpower.turns import InitiativeRoll
from webapp.rules.move import Move
from webapp.rules.odds import chance
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.state import Habits
from webapp.rules.text import text
from webapp.store import Store

GAME = "willpower"


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store, game=GAME)


# --- the worked example ------------------------------------------------------------------------------------


def test_a_failed_roll_offers_to_spend_with_the_exact_chance_and_its_price(bench: Bench) -> None:
    bench.hero("Ann", dexterity=11)
    bench.do({"move": "willpower.test", "actor": "Ann", "attribute": "dexterity"}, "ann", faces=[13])
    view = Picture(bench.table, viewer("ann")).questions()[0]
    assert view.ask == "Dexterity: 13 (needs under 11). Spend Willpower?"
    stand, spend = view.choices
    assert (stand.label, stand.default) == ("Let it stand", True)
    assert spend.label == "Spend Willpower, d6"
    assert spend.chance == Fraction(4, 6)
    assert spend.price == "needs 3 or more; the die goes down to a d4"
    bench.answer("spend", "ann", faces=[3])
    assert bench.words("ann") == [
        "Ann spends Willpower: 13 − 3 = 10 (needs under 11), success. The die is now a d4.",
    ]
    assert bench.sheet("Ann").willpower == 4
    assert bench.undo(as_="ann").ok
    assert bench.sheet("Ann").willpower == 6
    assert bench.question.kind() == "willpower.spend"


def test_a_spend_that_means_panic_says_so(bench: Bench) -> None:
    bench.hero("Ann", dexterity=11, willpower=4)
    bench.do({"move": "willpower.test", "actor": "Ann", "attribute": "dexterity"}, "ann", faces=[13])
    spend = Picture(bench.table, viewer("ann")).questions()[0].choices[1]
    assert spend.price == "needs 3 or more; it runs out: certain Panic"


def test_the_worked_example_plays_with_dice_from_the_table(bench: Bench) -> None:
    bench.hero("Ann", dexterity=11)
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.do({"move": "willpower.test", "actor": "Ann", "attribute": "dexterity"}, "ann")
    bench.tell(13, as_="ann")
    bench.answer("spend", "ann")
    bench.tell(3, as_="ann")
    assert bench.sheet("Ann").willpower == 4
    assert bench.lines()[-1].rolls[0].by_hand


def test_a_standing_order_never_to_spend_is_not_asked(bench: Bench) -> None:
    bench.hero("Ann", dexterity=11)
    bench.crowd.of["ann"] = Habits(orders={"spend": "never"})
    bench.do({"move": "willpower.test", "actor": "Ann", "attribute": "dexterity"}, "ann", faces=[13])
    assert bench.state.questions() == []


def test_guts_stand_and_spend_are_one_card(bench: Bench) -> None:
    bench.hero("Ann", guts=10)
    bench.do({"move": "willpower.face_it"})
    bench.answer("roll", "ann", faces=[12])
    view = Picture(bench.table, viewer("ann")).questions()[0]
    found = [(choice.id, choice.chance, choice.price, choice.default) for choice in view.choices]
    assert found == [
        ("flee", None, "both actions of your next turn go into it", True),
        ("hold", Fraction(2, 3), "Willpower: on 1 or 2 the die goes down to a d4", False),
        ("spend", Fraction(4, 6), "needs 3 or more; the die goes down to a d4", False),
    ]


def test_paying_the_last_hp_is_offered_with_a_warning(bench: Bench) -> None:
    bench.hero("Ann", hp="1 of 9", spells=LIGHT)
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "light"}, "ann", faces=[2])
    pay = Picture(bench.table, viewer("ann")).questions()[0].choices[1]
    assert (pay.label, pay.price) == ("Pay 1 HP", "your last 1 HP: you go down, but the die holds")


def test_a_parry_and_a_dodge_show_their_chances_and_the_better_one_is_the_default(bench: Bench) -> None:
    bench.hero("Ann", melee=8, dexterity=12, shield=True)
    bench.foe("Knight", damage=4, level=3)
    bench.do({"move": "willpower.foe_attacks", "foe": "Knight", "target": "Ann"})
    dodge, parry = Picture(bench.table, viewer(GM)).questions()[0].choices
    assert dodge.chance == Fraction(9, 20)
    assert parry.chance == 1 - Fraction(15, 20) ** 2
    assert (dodge.default, parry.default) == (True, False)
    bench.next(faces=[4])
    assert bench.words("ann")[-1].startswith("Ann rolls Dexterity, to dodge: 4 + 2 = 6 (needs under 12 against")


def test_a_secret_test_asks_nobody_and_costs_what_it_costs(bench: Bench) -> None:
    bench.hero("Ann", guts=10)
    bench.do({"move": "willpower.call_test", "attribute": "guts", "secret": True}, faces=[12])
    assert bench.state.questions() == []
    bench.do({"move": "willpower.call_test", "attribute": "guts", "secret": True}, faces=[20, 1])
    assert bench.words("ann") == []
    assert len(bench.words(GM)) == 3
    assert bench.sheet("Ann").willpower == 4


def test_a_roll_explains_its_total(bench: Bench) -> None:
    bench.hero("Ann", guts=10)
    bench.foe("Ghoul", damage=3, level=3, fearsome=True)
    bench.do({"move": "willpower.face_it", "foe": "Ghoul"})
    bench.answer("roll", "ann", faces=[9])
    asked = Picture(bench.table, viewer("ann")).questions()[0].ask
    assert asked == "Guts: 9 + 2 = 11 (needs under 10 against Ghoul). Stand your ground, or flee?"
    bench.answer("spend", "ann", faces=[1])
    asked = Picture(bench.table, viewer("ann")).questions()[0].ask
    assert asked.startswith("Guts: 9 + 2 − 1 = 10 (needs under 10 against Ghoul).")
    assert bench.lines(GM, of=bench.table.entries[-2])[0].rolls[0].target == "Guts 10, facing Ghoul"


def test_a_shaken_hero_s_last_action_is_at_disadvantage_with_dice_from_the_table_too(bench: Bench) -> None:
    bench.hero("Ann", melee=12, weapons=SWORD)
    bench.foe("Rat", damage=2)
    bench.fight(Ann=3, Rat=2)
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "move"}, "ann")
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": GAME, "values": {"states": {"shaken": 1}}})
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.do({"move": "willpower.attack", "actor": "Ann", "target": "Rat"}, "ann")
    assert Picture(bench.table, viewer("ann")).questions()[0].dice == (20, 20)
    bench.tell(3, 19, as_="ann")
    assert bench.lines()[0].words == "Ann rolls Melee with Sword: 19 (needs under 12 against Rat), failure."
    assert bench.sheet("Ann").states == {}


def test_hp_that_hold_the_die_are_in_the_sum(bench: Bench) -> None:
    bench.hero("Ann", spells=LIGHT)
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "light"}, "ann", faces=[1])
    bench.answer("pay", "ann")
    assert "Ann · Light: Willpower 1 + 2 HP = 3, the die holds." in bench.words("ann")


def test_a_spell_that_is_lost_to_panic_finds_no_other_target(bench: Bench) -> None:
    bench.hero("Ann", willpower=4, spells=LIGHT)
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "light"}, "ann", faces=[2])
    bench.answer("no", "ann", faces=[1, 3])
    assert "There is no spell left to go astray." in bench.words("ann")
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "light"}, "ann", faces=[2, 3])
    bench.answer("no", "ann", faces=[6, 3])
    assert "The spell of Ann goes to another target: the GM picks it." in bench.words("ann")


def test_one_who_bolts_while_pinned_down_stays_where_they_are(bench: Bench) -> None:
    bench.hero("Ann")
    bench.hero("Ben")
    bench.foe("Rat", damage=2)
    bench.fight(Ann=3, Ben=3, Rat=2)
    values = {"states": {"bolting": 1, "pinned": 1}}
    bench.do({"move": "table.edit", "actor": "Ben", "game_id": GAME, "values": values})
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    assert "Ben would bolt but is pinned down: the turn goes by." in bench.words("ben")


# --- every d20 roll ----------------------------------------------------------------------------------------


def trials(bench: Bench) -> dict[str, Trial]:
    """One of each kind of d20 roll there is."""
    bench.hero("Ann", weapons=SWORD, melee=12, shooting=12)
    bench.foe("Rat", damage=2, level=3)
    ann, rat = bench.ids["Ann"], bench.ids["Rat"]
    return {
        **{one.value: TaskRoll(actor=ann, attribute=one) for one in Attribute},
        "against": TaskRoll(actor=ann, attribute=Attribute.GUTS, against=rat),
        "face it": GutsRoll(actor=ann, against=rat),
        "initiative": InitiativeRoll(actor=ann),
        "blow": AttackRoll(actor=ann, against=rat, attribute=Attribute.MELEE, weapon="sword"),
        "shot": AttackRoll(actor=ann, against=rat, attribute=Attribute.SHOOTING, weapon="bow"),
        "hands": AttackRoll(actor=ann, against=rat, attribute=Attribute.MELEE, weapon="hands"),
        "parry": DefenceRoll(actor=ann, against=rat, attribute=Attribute.MELEE, ranged=False),
        "dodge": DefenceRoll(actor=ann, against=rat, attribute=Attribute.DEXTERITY, ranged=True),
    }


def test_a_natural_20_and_1_count_on_every_kind_of_d20_roll_in_either_place_when_kept(bench: Bench) -> None:
    for name, trial in trials(bench).items():
        for edge, faces in product(Edge, [(20, 7), (7, 20), (1, 7), (7, 1), (20, 1), (1, 20), (20, 20), (1, 1)]):
            ask = trial.model_copy(update={"edge": edge}).ask(bench.state)
            kept = {Edge.NONE: faces[0], Edge.ADVANTAGE: min(faces), Edge.DISADVANTAGE: max(faces)}[edge]
            roll = Roll(ask=ask, faces=faces[: len(ask.dice)])
            fallen = trial.model_copy(update={"roll": roll})
            critical = {20: Outcome.CRITICAL_FAILURE, 1: Outcome.CRITICAL_SUCCESS}.get(kept)
            assert fallen.natural == kept, (name, edge, faces)
            assert (fallen.outcome in (Outcome.CRITICAL_SUCCESS, Outcome.CRITICAL_FAILURE)) == (critical is not None)
            assert critical in (None, fallen.outcome), (name, edge, faces)
            assert fallen.won == (kept == 1 or (kept != 20 and roll.total < (ask.target or 0)))


def test_every_d20_roll_is_tested_so_that_other_games_penalties_count(bench: Bench) -> None:
    found = trials(bench)
    bare = {name: trial.ask(bench.state).bonus for name, trial in found.items()}
    bench.do({"move": "table.set_games", "games": ["willpower", "dread"]})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"fear": "scared"}})
    penalty = BOOK.games["dread"].modifiers(
        bench.state.find(BOOK.games["dread"].sheet, bench.ids["Ann"]), Ask(what=text(""), dice=())
    )
    worse = -sum(one.amount for one in penalty)
    assert worse > 0
    for name, trial in found.items():
        assert trial.ask(bench.state).bonus == bare[name] + worse, name
    assert willpower(bench.state, bench.ids["Ann"]).bonus == 0


def test_chances_are_those_of_brute_force(bench: Bench) -> None:
    for trial in trials(bench).values():
        for edge, more in product(Edge, (-25, -3, 0, 2, 25)):
            ask = trial.model_copy(update={"edge": edge, "modifier": more}).ask(bench.state)
            rolls = [Roll(ask=ask, faces=faces) for faces in product(range(1, 21), repeat=len(ask.dice))]
            assert chance(ask) == Fraction(sum(roll.success for roll in rolls), len(rolls))


def test_the_die_of_nerve_drops_as_often_as_the_rules_say(bench: Bench) -> None:
    bench.hero("Ann")
    for die, plain, worse in ((6, Fraction(1, 3), Fraction(5, 9)), (4, Fraction(1, 2), Fraction(3, 4))):
        bench.do({"move": "table.edit", "actor": "Ann", "game_id": GAME, "values": {"willpower": 8}})
        bench.do({"move": "table.edit", "actor": "Ann", "game_id": GAME, "values": {"willpower": die}})
        assert 1 - chance(willpower(bench.state, bench.ids["Ann"])) == plain
        assert 1 - chance(willpower(bench.state, bench.ids["Ann"], worse=True)) == worse


def test_faces_that_always_or_never_win_leave_other_rolls_alone() -> None:
    plain = Ask(what=text(""), dice=(20,), wins=Wins.UNDER, target=30)
    assert chance(plain) == 1
    assert chance(plain.model_copy(update={"never": 20})) == Fraction(19, 20)
    assert chance(plain.model_copy(update={"target": 0, "always": 1})) == Fraction(1, 20)


# --- tables and house rules --------------------------------------------------------------------------------


def test_a_row_of_the_panic_table_can_be_changed_and_plays_as_changed(bench: Bench) -> None:
    bench.hero("Ann", willpower=4)
    key = "willpower.house/willpower"
    values = {"panic.on_1.words": "A scream", "panic.on_1.does": "shake", "panic.on_1.action": "goes on"}
    bench.do({"move": "table.edit_table", "key": key, "values": values})
    bench.do({"move": "willpower.test", "actor": "Ann", "attribute": "guts"}, faces=[20, 1, 1])
    assert "Ann panics (1). A scream." in bench.words()
    assert bench.sheet("Ann").states == {"shaken": 0}
    assert bench.refused({"move": "table.edit_table", "key": key, "values": {"panic.on_1.does": "dance"}})
    row = {"words": "More", "does": "shake", "action": "goes on"}
    assert bench.refused({"move": "table.edit_table", "key": key, "values": {"panic.on_7": row}})


def test_a_row_may_put_the_action_in_hand_at_disadvantage_and_nothing_else(bench: Bench) -> None:
    bench.hero("Ann", willpower=4, melee=12)
    bench.foe("Rat", damage=2)
    bench.fight(Ann=3, Rat=2)
    key = "willpower.house/willpower"
    bench.do({"move": "table.edit_table", "key": key, "values": {"panic.on_4.does": "nothing"}})
    attack = {"move": "willpower.attack", "actor": "Ann", "target": "Rat"}
    bench.do(attack, "ann", faces=[5, 1])
    bench.do(attack, "ann", faces=[1, 4, 3, 11, 2])
    assert bench.sheet("Ann").states == {}
    assert bench.hp("Rat") == 12


def test_a_chaos_row_may_make_the_spell_fail(bench: Bench) -> None:
    bench.hero("Ann", willpower=4, spells=LIGHT)
    values = {"chaos.on_5.spell_works": False}
    bench.do({"move": "table.edit_table", "key": "willpower.house/willpower", "values": values})
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "light"}, faces=[1])
    entry = bench.answer("no", faces=[6, 5])
    assert "spell failed" in [line.outcome for line in entry.lines]


def test_house_rules_have_a_form_with_the_tables_in_it() -> None:
    from webapp.rules.forms import inputs

    names = {one.name for one in inputs(House())}
    assert {"spend_at_d4", "butcher", "panic.on_1.does", "chaos.on_6.words"} <= names
    assert House().spend_at_d4 is SpendAtD4.PANIC


def test_house_rules_are_offered_in_words(bench: Bench) -> None:
    from webapp.rules.forms import inputs

    sight = bench.sight()
    found = {one.name: one for one in inputs(House())}
    options = {name: [sight.words(words) for _, words in found[name].options] for name in found}
    assert options["spend_at_d4"] == ["It runs out: Panic", "It can't be spent", "It stays a d4"]
    assert options["cast_hp_scope"] == ["On every cast", "From the second cast of a day on"]
    assert options["panic.on_1.does"][0] == "Freeze: no actions next turn"
    assert sight.words(found["panic.on_1.action"].label) == "Panic, on a 1: this action"


# --- who may do what ---------------------------------------------------------------------------------------

MOVES = {kind: step for kind, step in BOOK.steps.items() if issubclass(step, Move) and step.game == GAME}


def test_the_gm_is_refused_for_an_unknown_character_with_a_sentence(store: Store) -> None:
    for kind in MOVES:
        bench = a_willpower_table(store)
        move = {"move": kind, **SAMPLES[kind](bench)}
        for field in {"actor", "target", "character", "patient", "foe", "against"} & move.keys():
            assert bench.refused({**move, field: "nobody"}, GM)
