"""What is offered on cards, what the book holds, and what must not be known."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from tests.support.samples_willpower import SWORD, a_willpower_table
from webapp.projection.picture import Picture
from webapp.rules.blocks import Menu, Note, Place
from webapp.rules.document import Side, body_of
from webapp.rules.games.willpower.sheet import Attribute, Sheet, State
from webapp.rules.questions_view import question_view
from webapp.rules.text import render
from webapp.store import Store
from webapp.ui.markup import ICONS, PLAIN

GAME = "willpower"


def test_the_attack_button_shows_the_chance_and_the_repeat_its_risk(store: Store) -> None:
    bench = a_willpower_table(store)
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": GAME, "values": {"melee": 12}})
    attack = block(bench, "Ann", "ann", "willpower.attack")
    assert [tab.key for tab in attack.tabs] == ["sword", "hands"]
    assert attack.tabs[0].buttons[0].chance in (Fraction(11, 20), "even")
    bench.do({"move": "willpower.act", "actor": "Ann", "does": "move"}, "ann")
    again = block(bench, "Ann", "ann", "willpower.act").tabs[0].buttons[0]
    assert again.label.template == "{label} again: Willpower"
    assert again.chance == Fraction(2, 3)


def test_the_hidden_are_no_targets_and_the_dead_neither(store: Store) -> None:
    bench = a_willpower_table(store)
    pages = json.dumps([block.model_dump(mode="json") for block in blocks(bench, "Ann", "ann")], default=str)
    assert bench.ids["Rat"] in pages
    assert bench.ids["Ghost"] not in pages


def test_between_turns_a_hero_sees_the_targets_and_is_not_buried_in_forms(store: Store) -> None:
    bench = a_willpower_table(store)
    up = {one.key for one in blocks(bench, "Ann", "ann") if getattr(one, "place", None) is Place.FIGHT}
    waiting = {one.key for one in blocks(bench, "Ben", "ben") if getattr(one, "place", None) is Place.FIGHT}
    assert {"willpower.effect", "willpower.attack.any", "willpower.act", "willpower.other"} <= up
    assert waiting == {"willpower.attack"}


def test_what_hampers_a_hero_is_told_once_with_what_it_does(store: Store) -> None:
    bench = a_willpower_table(store)
    for state in State:
        bench.do({"move": "willpower.set_state", "character": "Ann", "state": state.value, "on": True})
    names = {f"willpower.{state.name}" for state in State} | {f"willpower.fight.{state.name}" for state in State}
    told = [one for one in blocks(bench, "Ann", "ann") if one.key in names]
    assert len(told) == len(State)
    assert all(isinstance(one, Note) and ": " in render(one.words, PLAIN) for one in told)


def test_a_hand_is_offered_to_one_s_own_side_and_a_disarmed_foe_can_be_armed_again(store: Store) -> None:
    bench = a_willpower_table(store)
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


def test_the_fearsome_who_are_up_are_there_to_be_faced_once(store: Store) -> None:
    bench = Bench(store, game=GAME)
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


def test_the_head_of_a_hero_shows_hp_and_the_die(store: Store) -> None:
    bench = Bench(store, game=GAME)
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
    bench = a_willpower_table(store)
    assert blocks(bench, "Ann", "ben") == []
    assert blocks(bench, "Ann", SCREEN) == []
    assert blocks(bench, "Rat", GM)


def blocks(bench: Bench, who: str, person: str) -> list[Any]:
    picture = Picture(bench.table, viewer(person))
    return [one for _, found in picture.blocks(bench.ids[who]) for one in found]


def block(bench: Bench, who: str, person: str, key: str) -> Any:
    return next(one for one in blocks(bench, who, person) if one.key == key)


def test_every_state_has_a_word_and_a_picture(store: Store) -> None:
    bench = Bench(store, game=GAME)
    bench.hero("Ann")
    for state in State:
        bench.do({"move": "willpower.set_state", "character": "Ann", "state": state.value, "on": True})
    card = Picture(bench.table, viewer("ann")).card(bench.ids["Ann"])
    assert card is not None
    assert len(card.notes) == len(State)
    assert all(note.icon in ICONS and note.brief for note in card.notes)


def test_the_rest_of_a_pack_lets_go_of_one_who_is_down(store: Store) -> None:
    bench = Bench(store, game=GAME)
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


def test_a_foe_may_strike_and_stay_hidden(store: Store) -> None:
    """What is felt is told to everybody, who did it and how high its level is to the GM."""
    bench = Bench(store, game=GAME)
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


def test_a_foe_that_strikes_comes_into_sight_unless_told_otherwise(store: Store) -> None:
    bench = Bench(store, game=GAME)
    bench.hero("Ann", weapons=SWORD)
    bench.foe("Lurker", damage=4, hidden=True)
    bench.do({"move": "willpower.foe_attacks", "foe": "Lurker", "target": "Ann"})
    assert not bench.state.is_hidden(bench.ids["Lurker"])


def test_where_figures_are_hidden_no_sum_tells_a_foe_s_level(store: Store) -> None:
    bench = Bench(store, game=GAME)
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


def test_a_spend_that_cannot_help_is_offered_where_its_lack_would_tell_a_level(store: Store) -> None:
    bench = Bench(store, game=GAME)
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    bench.hero("Ann", melee=5)
    bench.foe("Knight", damage=4, level=9)
    bench.do({"move": "willpower.attack", "actor": "Ann", "target": "Knight"}, "ann", faces=[12])
    assert bench.question.kind() == "willpower.spend"


def test_nobody_is_offered_to_help_themselves_up(store: Store) -> None:
    bench = Bench(store, game=GAME)
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
