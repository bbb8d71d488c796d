"""What holds whatever anybody does: found out by random play.

GRITBOARD_GAMES=1000 plays more games than the usual few; a failing seed is in the name of its test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.support import samples_pools, samples_willpower
from tests.support.play import BOOK, GM, SCREEN, Bench, EvenDice, Message, quick_store
from tests.support.wild import PEOPLE, Wild, secrets, seen_by, shown
from webapp.history import Entry, undoing
from webapp.rules.document import Body, Change, body_of, changes
from webapp.rules.encounter import Phase, Slot
from webapp.rules.move import Leave, Move
from webapp.rules.moves import next_label, what_next
from webapp.rules.scene import Habits
from webapp.rules.text import render
from webapp.store import Store

GAMES = int(os.environ.get("GRITBOARD_GAMES", "24"))
TAPS = 100
FIGHTS = max(8, GAMES // 4)


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with quick_store() as store:
        yield store


# --- any play at all ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(GAMES))
def test_in_any_play_refusals_change_nothing_undo_restores_and_nothing_hidden_leaks(store: Store, seed: int) -> None:
    game = Contract(store, seed)
    for _ in range(TAPS):
        game.tap()
    game.comes_back_from_the_store()


class Contract:
    """Wild play, with an eye on every tap."""

    def __init__(self, store: Store, seed: int) -> None:
        self.wild = Wild(store, seed)
        self.bench = self.wild.bench
        self.any = self.wild.any
        self.before: dict[str, dict[str, Body]] = {}
        self.shown: set[str] = set()
        self.bodies = self.bench.table._bodies()

    def tap(self) -> None:
        chance = self.any.random()
        if chance < 0.05:
            self.undo_some_row()
        else:
            move, as_, reply = self.wild.anything()
            said = f"{as_}: {move}"
            if reply.ok:
                self.accepted(said)
                if chance < 0.2:
                    self.undo_it_and_undo_that()
            else:
                assert reply.say, said
                self.nothing_changed(said)
        self.look()

    def accepted(self, said: str) -> None:
        entry = self.bench.table.entries[-1]
        self.before.setdefault(entry.id, self.bodies)
        assert entry.number == self.bench.table.revision, said
        assert self.bench.bodies() == self.bench.table._bodies(), said
        self.bodies = self.bench.table._bodies()
        for who in self.bench.state.characters():
            sheet = self.bench.state.find(BOOK.games["squad"].sheet, who.id)
            assert sheet is None or 0 <= sheet.hp.now <= sheet.hp.full, said

    def nothing_changed(self, said: str) -> None:
        assert self.bench.table._bodies() == self.bodies, said
        assert self.bench.bodies() == self.bodies, said
        row = self.bench.store.table(self.bench.table.id)
        last = self.bench.store.entries(self.bench.table.id, most=1)
        assert row is not None
        assert row.revision == self.bench.table.revision == last[-1].number, said
        assert Entry.of(last[-1]) == self.bench.table.entries[-1], said

    def undo_it_and_undo_that(self) -> None:
        after, row = self.bodies, self.bench.table.entries[-1]
        assert self.bench.undo(row).ok, row.move
        assert differ(self.bench.table._bodies(), self.before[row.id]) == [], f"undo of {row.move}"
        self.accepted("undo")
        assert self.bench.undo().ok
        assert differ(self.bench.table._bodies(), after) == [], f"undo of the undo of {row.move}"
        self.accepted("undo of the undo")
        assert self.bench.store.entry(self.bench.table.id, row.id) == row.row()

    def undo_some_row(self) -> None:
        row = self.any.choice(self.bench.table.entries[-12:])
        way = self.any.choice([None, "what can", "back"])
        reply = self.bench.undo(row, self.any.choice(PEOPLE), way=way)
        if not reply.ok:
            self.nothing_changed(f"undo {way} of {row.move}")
            return
        if way == "back" and row.id in self.before:
            assert differ(self.bench.table._bodies(), self.before[row.id]) == [], f"back to before {row.move}"
        self.accepted(f"undo {way} of {row.move}")

    def look(self) -> None:
        """Every page can be drawn, and none knows too much."""
        self.shown |= shown(self.bench)
        if self.any.random() < 0.85:
            return
        assert render(next_label(self.bench.state), self.bench.sight())
        assert seen_by(self.bench, self.any.choice([GM, "s1"]))
        for person in ("s3", SCREEN):
            page = seen_by(self.bench, person)
            assert [secret for secret in secrets(self.bench, self.shown) if secret in page] == [], person

    def comes_back_from_the_store(self) -> None:
        table = self.bench.table
        entries, revision = table.entries, table.revision
        self.bench.reopen()
        assert self.bench.table._bodies() == self.bodies
        assert self.bench.table.revision == revision
        assert self.bench.table.entries == entries
        for key, body in self.bodies.items():
            assert body_of(BOOK.document(key, body)) == body


def differ(found: dict[str, Body], wanted: dict[str, Body]) -> list[Change]:
    return [one for key in {**found, **wanted} for one in changes(key, found.get(key), wanted.get(key))]


# --- fights ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(FIGHTS))
def test_in_any_fight_every_chance_comes_once_in_order_and_nobody_is_skipped(store: Store, seed: int) -> None:
    wild = Wild(store, seed + 5000)
    for _ in range(4):
        one_round(wild)


def one_round(wild: Wild) -> None:
    bench = wild.bench
    while bench.phase is Phase.ORDER:
        wild.fight_on()
    all_slots = bench.state.slots()
    turns: list[Slot] = []
    while bench.phase is Phase.TURNS:
        up = bench.battle.active
        if up and (not turns or turns[-1].id != up):
            turns.append(next(slot for slot in bench.state.slots() if slot.id == up))
        move, as_, reply = wild.fight_on()
        if bench.battle.active != up:
            assert reply.ok
            assert passes_the_turn(move, up), f"{as_}: {move} ended {up}"
    numbers = [(-slot.number, [one.id for one in all_slots].index(slot.id)) for slot in turns]
    assert numbers == sorted(set(numbers)), "each chance once, from the highest number down"
    had, left = {slot.id for slot in turns}, bench.state.slots()
    assert {slot.id for slot in left} <= had, "those who still stand had all their chances"
    assert all(slot.spent for slot in left)
    for member in bench.battle.members:
        spent = bench.state.sheet(BOOK.games["squad"].sheet, member).spent
        assert len(spent) == len(set(spent)), "no chance is used twice"
    wild.bench.next()


def passes_the_turn(move: Message, up: str | None) -> bool:
    """Only who is up, the GM's Next, or what settles an open blow moves the turn on."""
    if move["move"] in ("table.next", "table.answer", "table.tell_faces"):
        return True
    return move["move"] in ("squad.attack", "squad.pass", "squad.hold") and (
        up is None or move["actor"] == up.rpartition(":")[0]
    )


def test_nearly_all_hits_can_be_undone_many_rows_later(store: Store) -> None:
    hits = {1: [0, 0], 4: [0, 0], 8: [0, 0]}
    for seed in range(FIGHTS):
        bench = fought(store, seed + 9000)
        rows = bench.table.entries
        for entry in rows:
            if any(line.outcome == "hurt" for line in entry.lines):
                for later in (later for later in hits if entry.number + later <= rows[-1].number):
                    hits[later][1] += 1
                    hits[later][0] += hit_can_be_undone(bench, entry, later)
    shares = {later: good / every for later, (good, every) in hits.items()}
    print({f"{later} rows later": f"{share:.1%} of {hits[later][1]}" for later, share in shares.items()})  # noqa: T201
    assert all(share >= 0.95 for share in shares.values()), shares


def fought(store: Store, seed: int) -> Bench:
    """Nothing but fight, of people who can take a lot of blows."""
    wild = Wild(store, seed)
    for one in wild.bench.state.characters():
        values = {"hp.full": 99, "hp.now": 99}
        wild.bench.do({"move": "table.edit", "actor": one.id, "game_id": "squad", "values": values})
    for _ in range(80):
        wild.fight_on()
    return wild.bench


def hit_can_be_undone(bench: Bench, entry: Entry, later: int) -> bool:
    """Was anything in the way when only this many rows had followed?"""
    table = bench.table
    rows = [row for row in table.entries if entry.number <= row.number]
    now = table._bodies()
    then = undoing(rows[later + 1 :], now, table._model_of).bodies
    bodies = {key: body for key, body in (now | then).items() if body is not None}
    thread = [row for row in rows[: later + 1] if row.thread == entry.thread]
    return not undoing(thread, bodies, table._model_of).in_the_way


# --- who may do what ---------------------------------------------------------------------------------------


def a_fight(store: Store) -> Bench:
    """Ann is up on 8; then the rat, then Ben. Cat sits idle without a player, a ghost hides."""
    bench = Bench(store, dice=EvenDice())
    bench.hero("Ann", stw=12, devices={"sword": "melee d8"})
    bench.hero("Ben")
    bench.hero("Cat", seat="")
    bench.foe("Rat", monster=12, devices={"bite": "melee d4"})
    bench.foe("Ghost", monster=4, hidden=True)
    bench.fight(Ann=8, Rat=5, Ben=4)
    return bench


def fight_for(store: Store, kind: str) -> Bench:
    """A fight of the game this move belongs to."""
    game = kind.partition(".")[0]
    if game not in TABLES:
        return a_fight(store)
    bench = Bench(store, dice=EvenDice(), game=game)
    TABLES[game](bench)
    return bench


def a_blow(bench: Bench) -> Message:
    bench.do({"move": "squad.pass", "actor": "Ann"})
    bench.attack("Rat", "Ann", "bite")
    return {"question": bench.question.id, "choice": "hit"}


def dice_to_tell(bench: Bench) -> Message:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    return {"question": bench.question.id, "faces": [3]}


def a_notice(bench: Bench) -> Message:
    a_blow(bench)
    bench.next()
    return ANN


def no_fight(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    return {}


def no_initiative(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    return {}


ANN = {"actor": "Ann"}
SAMPLES: dict[str, Callable[[Bench], Message]] = {
    "table.answer": a_blow,
    "table.tell_faces": dice_to_tell,
    "table.noted": a_notice,
    "table.next": lambda bench: {"seen": what_next(bench.state)},
    "table.start_fight": no_fight,
    "table.end_fight": lambda bench: {},
    "table.join_fight": lambda bench: {"character": "Cat"},
    "table.leave_fight": lambda bench: {"character": "Ben"},
    "table.make_hero": lambda bench: {"name": "Dot", "sheets": {"squad": {"hp": {"now": 9, "full": 9}}}},
    "table.add_characters": lambda bench: {"name": "Dog", "sheets": {"squad": {"hp": {"now": 9, "full": 9}}}},
    "table.claim": lambda bench: {"character": "Cat"},
    "table.assign": lambda bench: {"character": "Ann", "seats": ["ben"]},
    "table.rename": lambda bench: {**ANN, "name": "Anna"},
    "table.remove_character": lambda bench: {"character": "Ben"},
    "table.reveal": lambda bench: {"character": "Ghost"},
    "table.edit": lambda bench: {**ANN, "game_id": "squad", "values": {"tuf": 12}},
    "table.edit_table": lambda bench: {"key": "squad.house/squad", "values": {"parry": False}},
    "table.adjust": lambda bench: {**ANN, "game_id": "squad", "path": ["hp", "now"], "amount": -1},
    "squad.task": lambda bench: {**ANN, "attribute": "TUF", "difficulty": 4},
    "squad.initiative": lambda bench: no_initiative(bench) | ANN,
    "squad.roll_initiative": no_initiative,
    "squad.hold": lambda bench: ANN,
    "squad.pass": lambda bench: ANN,
    "squad.attack": lambda bench: {**ANN, "target": "Rat", "device": "sword"},
}
SAMPLES |= samples_pools.SAMPLES | samples_willpower.SAMPLES
TABLES: dict[str, Callable[[Bench], None]] = {
    "pools": samples_pools.a_pools_fight,
    "willpower": samples_willpower.a_willpower_fight,
}
WHOM = {"actor", "target", "character", "patient", "foe", "against", "targets", "patients"}
MOVES = {kind: step for kind, step in BOOK.steps.items() if issubclass(step, Move)}
ROLES = (GM, "ann", "ben", "a newcomer", "", SCREEN)
ALLOWED = {
    Leave.GM: (GM,),
    Leave.OWNER: (GM, "ann"),
    Leave.ADDRESSEE: (GM, "ann"),
    Leave.SEATED: (GM, "ann", "ben", "a newcomer"),
}


@pytest.mark.parametrize("kind", MOVES)
def test_a_move_is_made_by_those_who_may_refused_to_all_others_and_can_be_undone(store: Store, kind: str) -> None:
    assert kind in SAMPLES, f"write a sample of {kind}"
    bench = fight_for(store, kind)
    move = {"move": kind, **SAMPLES[kind](bench)}
    allowed, before = ALLOWED[MOVES[kind].by], bench.table._bodies()
    for role in ROLES:
        if role not in allowed:
            assert bench.refused(move, role)
    for role in allowed:
        bench.do(move, role)
        assert bench.undo().ok
        assert bench.table._bodies() == before


def test_steps_that_follow_by_themselves_are_no_moves(store: Store) -> None:
    bench = a_fight(store)
    for kind in BOOK.steps.keys() - MOVES.keys():
        assert bench.refused({"move": kind}, GM) == "This table knows no such move."


@pytest.mark.parametrize("kind", MOVES)
def test_unseen_and_unknown_characters_are_refused_alike(store: Store, kind: str) -> None:
    bench = fight_for(store, kind)
    move = {"move": kind, **SAMPLES[kind](bench)}
    for role in ("ann", "ben", "", SCREEN):
        for field in WHOM & move.keys():
            said = [bench.refused({**move, field: whom(field, who)}, role) for who in ("Ghost", "nobody")]
            assert said[0] == said[1]


def whom(field: str, who: str) -> str | list[str]:
    return [who] if field.endswith("s") else who
