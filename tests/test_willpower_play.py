"""Any play at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from tests.support.samples_willpower import SWORD, Taps
from webapp.projection.picture import Picture
from webapp.rules.dice import SeededDice
from webapp.rules.document import Side, body_of
from webapp.rules.games.willpower.sheet import Sheet
from webapp.rules.knots import close_to
from webapp.rules.state import Habits
from webapp.store import Store

GAME = "willpower"
SEEDS = int(os.environ.get("GRITBOARD_GAMES", "4"))
TAPS = 80


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


def test_whoever_bolts_is_in_nobody_s_face_any_more(store: Store) -> None:
    bench = Bench(store, game=GAME)
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
