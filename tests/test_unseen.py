"""What nobody may see: the hidden, their figures, and chances against them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from tests.support.play import GM, SCREEN, Bench, viewer
from tests.support.wild import seen_by
from webapp.projection.picture import Picture
from webapp.rules.blocks import Button, Menu
from webapp.rules.fights_view import fight_view
from webapp.rules.lines_view import line_view
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.store import Store

SECRET = "Nightshade"


@pytest.fixture
def ambush(store: Store) -> Bench:
    """A hidden foe is up; it shares its name with another one that hides, and stands in the order."""
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"sword": "melee d8"})
    bench.foe("Rat", monster=4, hp=4)
    bench.foe(SECRET, hidden=True, monster=8, devices={"needle": "melee d6"})
    bench.fight(**{"Ann": 3, "Rat": 2, SECRET: 8})
    return bench


def test_nothing_of_the_hidden_is_in_any_players_or_screens_view(ambush: Bench) -> None:
    assert ambush.up == SECRET
    ambush.do({"move": "table.edit", "actor": SECRET, "game_id": "squad", "values": {"weakness": SECRET}})
    for person in ("ann", "ben", "", SCREEN):
        page = seen_by(ambush, person, entries=99)
        assert "Ann" in page
        for secret in (SECRET, ambush.ids[SECRET], "Needle"):
            assert secret not in page, person
    assert all(secret in seen_by(ambush, GM, entries=99) for secret in (SECRET, "Needle"))


def test_a_hidden_turn_leaves_no_gap_and_stops_no_clock(ambush: Bench) -> None:
    fight = ambush.battle
    for person in ("ann", SCREEN):
        view = fight_view(ambush.sight(person), fight)
        assert [(slot.number, slot.name) for slot in view.slots] == [(3, "Ann"), (2, "Rat")]
        assert view.up is None
    ambush.next()
    ambush.next()
    assert (ambush.up, ambush.order()) == (SECRET, [f"3 {SECRET}", "2 Rat"])
    assert fight_view(ambush.sight("ann"), ambush.battle).up_name == "Ann"


def test_a_blow_from_hiding_says_one_thing_to_the_gm_and_another_to_all(ambush: Bench) -> None:
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, faces=[6])
    assert ambush.words("ann") == ambush.words(SCREEN) == []
    question = question_view(ambush.sight("ann"), ambush.question)
    assert question.ask == "Something hits Ann with 6: damage ?. 1 more may still strike this round. Parry?"
    ambush.answer("hit", "ann", faces=[5])
    assert ambush.words("ann") == ambush.words(SCREEN) == ["Something strikes Ann: −5, 10 of 15 left."]
    assert ambush.words() == ["Ann takes 5 damage, 10 of 15 left.", "Something strikes Ann: −5, 10 of 15 left."]
    assert SECRET not in seen_by(ambush, "ann", entries=2)


def test_a_parried_blow_from_hiding_tells_no_damage(ambush: Bench) -> None:
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, faces=[6])
    ambush.answer("sword", "ann", faces=[6, 5, 5])
    assert ambush.words("ann") == [
        "Ann parries with Sword: 6 against 6, parried.",
        "Something strikes Ann's Sword.",
    ]


def test_a_hidden_fighter_who_is_asked_looks_like_the_gm(ambush: Bench) -> None:
    ambush.do({"move": "table.assign", "character": SECRET, "seats": ["eve"]})
    ambush.crowd.of["eve"] = Habits(real_dice=True)
    move = {"move": "squad.attack", "actor": SECRET, "target": "Ann", "device": "needle", "stay_hidden": True}
    ambush.do(move, "eve")
    for person in ("ann", SCREEN):
        view = question_view(ambush.sight(person), ambush.question)
        assert (view.addressee, view.name, view.choices, view.dice) == (None, "GM", (), ())
    assert question_view(ambush.sight("eve"), ambush.question).dice == (8,)


def test_an_attack_reveals_unless_the_gm_says_otherwise(ambush: Bench) -> None:
    ambush.attack(SECRET, "Ann", "needle", faces=[1])
    assert ambush.words("ann")[0] == f"{SECRET} comes into sight."
    assert fight_view(ambush.sight("ann"), ambush.battle).slots[0].name == SECRET


def test_revealing_opens_no_old_line(ambush: Bench) -> None:
    said = [entry for entry in ambush.table.entries if any(line.audience.kind == "gm" for line in entry.lines)]
    ambush.do({"move": "table.reveal", "character": SECRET})
    assert said
    for entry in said:
        secret = [line for line in entry.lines if line.audience.kind == "gm"]
        assert [line_view(ambush.sight("ann"), line) for line in secret] == [None] * len(secret)


def test_an_alias_covers_the_true_name_in_every_line(store: Store) -> None:
    bench = Bench(store)
    bench.foe(SECRET, alias="A shape", monster=4)
    bench.do({"move": "table.rename", "actor": SECRET, "name": f"{SECRET} the Second"})
    bench.do({"move": "table.remove_character", "character": SECRET})
    bench.undo()
    for person in ("ann", SCREEN):
        assert SECRET not in seen_by(bench, person, entries=99)
        assert "A shape leaves the table." in bench.words(person, of=bench.table.entries[-2])


def test_letters_tell_apart_only_those_in_sight_and_stay(store: Store) -> None:
    bench = Bench(store)
    for _ in range(2):
        bench.foe("Thug", monster=6)
    bench.foe("Thug", monster=6, hidden=True)
    third = bench.ids["Thug"]
    letters = {one.letter for one in bench.state.characters()}
    assert letters == {"A", "B", ""}
    bench.do({"move": "table.reveal", "character": third})
    assert bench.state.character(third).letter == "C"
    bench.do({"move": "table.reveal", "character": third, "hidden": True})
    bench.foe("Thug", monster=6)
    assert bench.state.character(bench.ids["Thug"]).letter == "D", "C comes back with its letter"


def test_newcomers_of_a_fight_hide_unless_the_table_says_otherwise(bench: Bench) -> None:
    sheets = {"squad": {"hp": {"now": 4, "full": 4}}}
    dog = {"move": "table.add_characters", "name": "Dog", "sheets": sheets}
    bench.do(dog)
    assert bench.state.characters()[-1].hidden
    assert bench.words(SCREEN) == []
    values = {"newcomers_hidden": False}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    bench.do(dog)
    assert not bench.state.characters()[-1].hidden
    assert bench.words(SCREEN) == ["Dog appears.", "Dog joins the fight."]


def test_hidden_figures_are_shown_to_the_gm_alone(bench: Bench) -> None:
    values = {"hide_figures": True}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    bench.attack("Ann", "Thug", "sword", as_="ann", faces=[3])
    (line,) = bench.lines("ann")
    assert "3 against ? (half" in line.words
    assert (line.rolls[0].target, line.rolls[0].chance) == ("? (half of Thug's monster die)", None)
    assert "3 against 4 (half" in bench.words()[0]


def attack_buttons(bench: Bench, who: str, as_: str) -> tuple[Menu, list[Button]]:
    blocks = [block for _, own in Picture(bench.table, viewer(as_)).blocks(bench.ids[who]) for block in own]
    menu = next(block for block in blocks if isinstance(block, Menu) and block.key == "squad.attack")
    return menu, [button for tab in menu.tabs for button in tab.buttons]


def test_chances_are_rough_until_the_first_blow_unless_the_gm_says_otherwise(bench: Bench) -> None:
    def told(as_: str = "ann") -> object:
        return attack_buttons(bench, "Ann", as_)[1][0].chance

    exact, thug = told(GM), {"move": "table.disguise", "character": "Thug"}
    assert isinstance(exact, Fraction)
    assert isinstance(told(), str)
    bench.do({**thug, "odds": "exact"})
    assert told() == exact
    bench.do({**thug, "odds": "own die only"})
    assert re.fullmatch(r"d\d+", str(told()))
    bench.do(thug)
    blow = bench.attack("Ann", "Thug", "sword", as_="ann", faces=[1])
    assert bench.state.character(bench.ids["Thug"]).known
    bench.undo(blow)
    assert not bench.state.character(bench.ids["Thug"]).known


def test_hidden_figures_leave_the_own_die(bench: Bench) -> None:
    values = {"hide_figures": True}
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": values})
    assert re.fullmatch(r"d\d+", str(attack_buttons(bench, "Ann", "ann")[1][0].chance))
    assert isinstance(attack_buttons(bench, "Ann", GM)[1][0].chance, Fraction)


def test_a_hidden_foe_may_attack_and_stay_hidden(ambush: Bench) -> None:
    menu, buttons = attack_buttons(ambush, SECRET, GM)
    assert [(key, ambush.sight().words(label)) for key, label in menu.switches] == [("stay_hidden", "Stay hidden")]
    unseen = buttons[0].switched["stay_hidden"]
    assert unseen.move == {**buttons[0].move, "stay_hidden": True}
    ambush.script.faces += [1]
    assert ambush.table.do(unseen.move, viewer(GM)).ok
    hidden = ambush.state.character(ambush.ids[SECRET])
    assert hidden.hidden
    assert not hidden.known


def test_a_disguise_takes_letters_along_that_would_give_it_away(store: Store) -> None:
    bench = Bench(store)
    for _ in range(2):
        bench.foe("Thug", monster=6)
    second = bench.ids["Thug"]
    bench.do({"move": "table.reveal", "character": second, "hidden": True})
    bench.do({"move": "table.disguise", "character": second, "alias": "A shape"})
    bench.do({"move": "table.reveal", "character": second})
    assert bench.sight("ann").name(second) == "A shape"
    bench.do({"move": "table.disguise", "character": second})
    assert bench.words("ann") == ["A shape turns out to be Thug B."]
