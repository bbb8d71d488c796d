"""Willpower at a table: who may do what, what is offered at what price, and what holds whatever anybody does."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench, EvenDice, viewer
from tests.support.samples_willpower import LIGHT, SAMPLES, SWORD, Taps, a_willpower_fight
from webapp.projection.picture import Picture
from webapp.rules.blocks import Menu, Note, Place
from webapp.rules.dice import SeededDice
from webapp.rules.document import Side, body_of
from webapp.rules.games.willpower.blows import AttackRoll
from webapp.rules.games.willpower.defence import DefenceRoll
from webapp.rules.games.willpower.fear import GutsRoll
from webapp.rules.games.willpower.house import House, SpendAtD4
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.rolls import Edge, Outcome
from webapp.rules.games.willpower.sheet import Attribute, Sheet, State
from webapp.rules.games.willpower.tasks import TestRoll as TaskRoll
from webapp.rules.games.willpower.trial import Trial
from webapp.rules.games.willpower.turns import InitiativeRoll
from webapp.rules.knots import close_to
from webapp.rules.move import Move
from webapp.rules.odds import chance
from webapp.rules.questions_view import question_view
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.state import Habits
from webapp.rules.text import render, text
from webapp.store import Store
from webapp.ui.markup import ICONS, PLAIN

GAME = "willpower"
SEEDS = int(os.environ.get("GRITBOARD_GAMES", "4"))
TAPS = 80


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


def a_fight(store: Store) -> Bench:
    bench = Bench(store, dice=EvenDice(), game=GAME)
    a_willpower_fight(bench)
    return bench


def test_the_gm_is_refused_for_an_unknown_character_with_a_sentence(store: Store) -> None:
    for kind in MOVES:
        bench = a_fight(store)
        move = {"move": kind, **SAMPLES[kind](bench)}
        for field in {"actor", "target", "character", "patient", "foe", "against"} & move.keys():
            assert bench.refused({**move, field: "nobody"}, GM)


# --- what is offered ---------------------------------------------------------------------------------------


def test_the_attack_button_shows_the_chance_and_the_repeat_its_risk(store: Store) -> None:
    bench = a_fight(store)
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": GAME, "values": {"melee": 12}})
    attack = block(bench, "Ann", "ann", "willpower.attack")
    assert [tab.key for tab in attack.tabs] == ["sword", "hands"]
    assert attack.tabs[0].buttons[0].chance in (Fraction(11, 20), "even")
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "move"}, "ann")
    again = block(bench, "Ann", "ann", "willpower.act").tabs[0].buttons[0]
    assert again.label.template == "{label} again: Willpower"
    assert again.chance == Fraction(2, 3)


def test_the_hidden_are_no_targets_and_the_dead_neither(store: Store) -> None:
    bench = a_fight(store)
    pages = json.dumps([block.model_dump(mode="json") for block in blocks(bench, "Ann", "ann")], default=str)
    assert bench.ids["Rat"] in pages
    assert bench.ids["Ghost"] not in pages


def test_between_turns_a_hero_sees_the_targets_and_is_not_buried_in_forms(store: Store) -> None:
    bench = a_fight(store)
    up = {one.key for one in blocks(bench, "Ann", "ann") if getattr(one, "place", None) is Place.FIGHT}
    waiting = {one.key for one in blocks(bench, "Ben", "ben") if getattr(one, "place", None) is Place.FIGHT}
    assert {"willpower.effect", "willpower.attack.any", "willpower.act", "willpower.other"} <= up
    assert waiting == {"willpower.attack"}


def test_what_hampers_a_hero_is_told_once_with_what_it_does(store: Store) -> None:
    bench = a_fight(store)
    for state in State:
        bench.do({"move": "willpower.set_state", "character": "Ann", "state": state.value, "on": True})
    names = {f"willpower.{state.name}" for state in State} | {f"willpower.fight.{state.name}" for state in State}
    told = [one for one in blocks(bench, "Ann", "ann") if one.key in names]
    assert len(told) == len(State)
    assert all(isinstance(one, Note) and ": " in render(one.words, PLAIN) for one in told)


def test_a_hand_is_offered_to_one_s_own_side_and_a_disarmed_foe_can_be_armed_again(store: Store) -> None:
    bench = a_fight(store)
    bench.foe("Hound", damage=3)
    for who in ("Cat", "Hound"):
        bench.do({"move": "table.edit", "actor": who, "game_id": GAME, "values": {"hp.now": 0}})
    for who in ("Ben", "Rat"):
        bench.do({"move": "willpower.set_state", "character": who, "state": "bleeding", "on": True})
    buttons = block(bench, "Ann", "ann", "willpower.help").tabs[0].buttons
    assert [bench.sight("ann").words(one.label) for one in buttons] == ["Tend Ben", "Help Cat up"]
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": GAME, "values": {"disarmed": True}})
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    pick = block(bench, "Rat", GM, "willpower.pick_up").tabs[0].buttons[0]
    assert pick.why_not is None
    bench.do(pick.move, by_name=False)
    assert not bench.sheet("Rat").disarmed


def test_the_fearsome_who_are_up_are_there_to_be_faced_once(bench: Bench) -> None:
    bench.hero("Ann")
    for name, more in (("Ghoul", {}), ("Husk", {"hp": "0 of 9"}), ("Ghost", {"hidden": True}), ("Knight", {})):
        bench.foe(name, damage=3, fearsome=True, **more)
    bench.do({"move": "table.add_characters", "name": "Ghoul", "sheets": {GAME: {**fearsome_body(bench)}}})
    assert faces(bench, Place.FIGHT) == ["Ghoul", "Knight"]
    bench.do({"move": "willpower.face_it", "foe": "Ghoul"})
    assert (faces(bench, Place.FIGHT), faces(bench, Place.MORE)) == (["Knight"], ["Ghoul"])


def fearsome_body(bench: Bench) -> dict[str, Any]:
    return {name: held for name, held in body_of(bench.sheet("Ghoul")).items() if name != "id"}


def faces(bench: Bench, place: Place) -> list[str]:
    found = [one for one in Picture(bench.table, viewer(GM)).gm_blocks() if isinstance(one, Menu)]
    menus = [one for one in found if one.key.startswith("willpower.fearsome") and one.place is place]
    return [bench.names[button.move["foe"]] for menu in menus for button in menu.tabs[0].buttons]


def test_the_head_of_a_hero_shows_hp_and_the_die(bench: Bench) -> None:
    bench.hero("Ann", willpower=4)
    bench.foe("Rat", damage=3)
    own, rat = (
        Picture(bench.table, viewer(seat)).card(bench.ids[who]) for seat, who in (("ann", "Ann"), (GM, "Rat"))
    )
    assert own is not None
    assert [(one.label.template, one.shown) for one in own.vitals] == [("HP", "15"), ("Willpower", "d4")]
    assert rat is not None
    assert [one.label.template for one in rat.vitals] == ["HP"]


def test_only_those_who_may_act_are_offered_anything(store: Store) -> None:
    bench = a_fight(store)
    assert blocks(bench, "Ann", "ben") == []
    assert blocks(bench, "Ann", SCREEN) == []
    assert blocks(bench, "Rat", GM)


def blocks(bench: Bench, who: str, person: str) -> list[Any]:
    picture = Picture(bench.table, viewer(person))
    return [one for _, found in picture.blocks(bench.ids[who]) for one in found]


def block(bench: Bench, who: str, person: str, key: str) -> Any:
    return next(one for one in blocks(bench, who, person) if one.key == key)


def test_every_state_has_a_word_and_a_picture(bench: Bench) -> None:
    bench.hero("Ann")
    for state in State:
        bench.do({"move": "willpower.set_state", "character": "Ann", "state": state.value, "on": True})
    card = Picture(bench.table, viewer("ann")).card(bench.ids["Ann"])
    assert card is not None
    assert len(card.notes) == len(State)
    assert all(note.icon in ICONS and note.brief for note in card.notes)


def test_the_rest_of_a_pack_lets_go_of_one_who_is_down(bench: Bench) -> None:
    bench.hero("Ann", hp=3, shield=True)
    for name in ("Rat", "Hound"):
        bench.foe(name, damage=3)
    bench.fight(Ann=1, Rat=2, Hound=2)
    bench.next()
    assert [question.kind() for question in bench.state.questions()] == ["willpower.defend"] * 2
    bench.answer("dodge", "ann", faces=[19])
    assert bench.state.questions() == []
    assert "Ann is down already." in bench.words()
    assert bench.up is None


# --- content -----------------------------------------------------------------------------------------------


def test_there_are_people_foes_gear_and_a_table_to_begin_with() -> None:
    game = BOOK.games[GAME]
    sides = [start.side for start in game.starts()]
    assert sides.count(Side.HERO) >= 4
    assert sides.count(Side.FOE) >= 8
    for start in game.starts():
        sheet = Sheet.model_validate({**start.body, "id": "x"})
        assert (sheet.damage is None) == (start.side is Side.HERO)
        if start.side is Side.HERO:
            assert sorted(sheet.score(one) for one in Attribute) == [8, 9, 10, 10, 11, 11, 12]
            assert sheet.hp.full == sheet.strength
    assert game.samples()[0].games == (GAME,)


# --- any play at all ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(SEEDS))
def test_in_any_play_refusals_change_nothing_undo_restores_and_nothing_hidden_leaks(store: Store, seed: int) -> None:
    bench = a_table(store, seed)
    taps = Taps(bench, seed)
    accepted = 0
    for _ in range(TAPS):
        before = bench.table._bodies()
        move, person = taps.one()
        reply = bench.send(move, person, by_name=False)
        if not reply.ok:
            assert reply.say, move
            assert bench.table._bodies() == before, move
            continue
        accepted += 1
        assert bench.bodies() == bench.table._bodies()
        sane(bench)
        if taps.any.random() < 0.2:
            after = bench.table._bodies()
            assert bench.undo().ok, move
            if len(bench.table.entries[-1].undoes) == 1:  # told dice take the row along that asked for them
                assert bench.table._bodies() == before, move
            assert bench.undo().ok
            assert bench.table._bodies() == after
        if taps.any.random() < 0.1:
            look(bench)
    assert accepted > TAPS // 3
    bodies = bench.table._bodies()
    bench.reopen()
    assert bench.table._bodies() == bodies
    for key, body in bodies.items():
        assert body_of(BOOK.document(key, body)) == body


def a_table(store: Store, seed: int) -> Bench:
    bench = Bench(store, dice=SeededDice(seed), game=GAME)
    for side, name, copies, sheets in BOOK.games[GAME].samples()[0].cast:
        move = {"move": "table.add_characters", "side": side.value, "name": name, "copies": copies, "sheets": sheets}
        bench.do(move, by_name=False)
    for nth, one in enumerate(bench.state.characters(Side.HERO)):
        bench.do({"move": "table.assign", "character": one.id, "seats": [f"s{nth % 2 + 1}"]})
    bench.crowd.of["s2"] = Habits(real_dice=True)
    body = BOOK.games[GAME].blank(Side.FOE) or {}
    bench.do({"move": "table.add_characters", "name": "Lurker!", "sheets": {GAME: body}, "hidden": True})
    bench.do({"move": "table.start_fight"})
    return bench


def sane(bench: Bench) -> None:
    for sheet in bench.state.all(Sheet):
        assert sheet.willpower in (4, 6, 8)
        assert 0 <= sheet.hp.now <= sheet.hp.full
        assert sheet.hp.now > 0 or not sheet.can_act
        assert len(sheet.acts) <= max(sheet.actions, 3)


def look(bench: Bench) -> None:
    """Every page can be drawn, and none of a player or the TV knows of the hidden one."""
    lurkers = [one for one in bench.state.characters() if one.name == "Lurker!"]
    never_seen = not any("Lurker!" in words for words in everything_said(bench, SCREEN))
    for person in (GM, "s1", "s3", SCREEN):
        picture = Picture(bench.table, viewer(person))
        views: list[Any] = [*picture.cards(), *picture.questions(), *picture.calls(), *picture.log()]
        views += [one for card in picture.cards() for _, found in picture.blocks(card.id) for one in found]
        views += [*picture.gm_blocks()] if person == GM else []
        page = "\n".join(repr(view) for view in views)
        if person != GM and never_seen and all(one.hidden for one in lurkers):
            assert "Lurker!" not in page, person
            assert all(one.id not in page for one in lurkers), person


def everything_said(bench: Bench, person: str) -> Iterator[str]:
    for entry in bench.table.entries:
        yield from bench.words(person, of=entry)


@pytest.mark.parametrize("seed", range(max(2, SEEDS // 2)))
def test_a_fight_ends_and_everybody_has_one_turn_a_round(store: Store, seed: int) -> None:
    bench = a_table(store, seed + 100)
    bench.crowd.of.clear()
    taps = Taps(bench, seed)
    for _ in range(400):
        able = [one for one in bench.state.all(Sheet) if one.can_act and one.id in bench.battle.members]
        if len({one.damage is None for one in able}) < 2:
            return
        numbers = [slot.number for slot in bench.state.slots()]
        assert numbers == sorted(numbers, reverse=True)
        assert len({slot.character for slot in bench.state.slots()}) == len(numbers)
        up = bench.battle.active and bench.battle.active.rpartition(":")[0]
        found = bench.state.character(up) if up else None
        if found is None or found.side is Side.FOE or bench.state.held_up():
            bench.next()
            continue
        seat = found.seats[0]
        attacks = [move for move in taps.offered(found, seat) if move["move"] == "willpower.attack"]
        if attacks and "attack" not in bench.state.sheet(Sheet, found.id).acts:
            reply = bench.send(taps.any.choice(attacks), seat, by_name=False)
            if reply.ok:
                continue
        bench.next()
    raise AssertionError("the fight never ends")


def test_whoever_bolts_is_in_nobody_s_face_any_more(bench: Bench) -> None:
    bench.hero("Ann", melee=12, weapons=SWORD)
    bench.hero("Ben")
    bench.foe("Ghoul", damage=4)
    bench.fight(Ann=3, Ghoul=2, Ben=1)
    bench.do({"move": "willpower.attack", "actor": "Ann", "target": "Ghoul"}, "ann", faces=[5, 1])
    assert close_to(bench.state, bench.ids["Ann"]) == (bench.ids["Ghoul"],)
    bench.do({"move": "willpower.set_state", "character": "Ann", "state": "bolting", "on": True})
    for who in ("Ann", "Ghoul", "Ben"):
        bench.do({"move": "table.done", "actor": who})
    bench.next()
    assert bench.up == "Ghoul"
    assert close_to(bench.state, bench.ids["Ann"]) == ()


# --- who must not be known ---------------------------------------------------------------------------------


def test_a_foe_may_strike_and_stay_hidden(bench: Bench) -> None:
    """What is felt is told to everybody, who did it and how high its level is to the GM."""
    bench.hero("Ann", dexterity=14, weapons=SWORD)
    bench.foe("Lurker", damage=4, level=5, hidden=True)
    strike = block(bench, "Lurker", GM, "willpower.strike").tabs[0].buttons[0]
    said = bench.do(strike.switched["stay_hidden"].move, by_name=False)
    assert bench.words("ann", of=said) == ["Something strikes at Ann."]
    dodged = bench.answer("dodge", "ann", faces=[12])
    told = bench.answer("stand", "ann")
    heard = " ".join([*bench.words("ann", of=dodged), *bench.words("ann", of=told)])
    assert "Ann · Dexterity, to dodge: 12, failure." in heard
    assert "Ann takes 4 damage" in heard
    assert "Lurker" not in heard
    assert "16" not in heard
    assert bench.state.is_hidden(bench.ids["Lurker"])
    assert any("Lurker" in words for words in bench.words(GM, of=dodged))


def test_a_foe_that_strikes_comes_into_sight_unless_told_otherwise(bench: Bench) -> None:
    bench.hero("Ann", weapons=SWORD)
    bench.foe("Lurker", damage=4, hidden=True)
    bench.do({"move": "willpower.foe_attacks", "foe": "Lurker", "target": "Ann"})
    assert not bench.state.is_hidden(bench.ids["Lurker"])


def test_where_figures_are_hidden_no_sum_tells_a_foe_s_level(bench: Bench) -> None:
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    bench.hero("Ann", melee=14)
    bench.foe("Knight", damage=4, level=5)
    attack = {"move": "willpower.attack", "actor": "Ann", "target": "Knight"}
    said = bench.do(attack, "ann", faces=[12])
    view = bench.lines("ann", of=said)[0]
    assert "12 + ? = ?" in view.words
    assert (view.rolls[0].total, view.rolls[0].modifiers, view.rolls[0].chance) == (12, (), None)
    asked = question_view(bench.sight("ann"), bench.question)
    assert "16" not in asked.ask
    assert [choice.chance for choice in asked.choices] == [None, "d6"]
    spent = bench.answer("spend", "ann", faces=[2])
    words = " ".join(bench.words("ann", of=spent))
    assert "? − 2 = ?" in words
    assert "16 − 2 = 14" in " ".join(bench.words(GM, of=spent))


def test_a_spend_that_cannot_help_is_offered_where_its_lack_would_tell_a_level(bench: Bench) -> None:
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    bench.hero("Ann", melee=5)
    bench.foe("Knight", damage=4, level=9)
    bench.do({"move": "willpower.attack", "actor": "Ann", "target": "Knight"}, "ann", faces=[12])
    assert bench.question.kind() == "willpower.spend"


def test_nobody_is_offered_to_help_themselves_up(bench: Bench) -> None:
    for who in ("Ann", "Ben"):
        bench.hero(who)
    bench.do(
        {"move": "table.edit", "actor": "Ann", "game_id": "willpower", "values": {"hp.now": 0, "condition": "out"}}
    )
    assert _helps(bench, "Ann") == []
    assert _helps(bench, "Ben") == ["Help Ann up"]


def _helps(bench: Bench, who: str) -> list[str]:
    blocks = [one for _, found in Picture(bench.table, viewer(who.lower())).blocks(bench.ids[who]) for one in found]
    menus = [one for one in blocks if isinstance(one, Menu) and one.key == "willpower.help"]
    return [bench.sight().words(button.label) for menu in menus for button in menu.tabs[0].buttons]
