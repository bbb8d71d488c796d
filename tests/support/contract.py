"""What must hold at every tap, whoever taps and whatever is played."""

from __future__ import annotations

import random
from typing import Protocol

from tests.support.play import BOOK, GM, SCREEN, Bench, Message
from tests.support.wild import PEOPLE, secrets, seen_by, shown
from webapp.history import Entry
from webapp.log import KEPT
from webapp.rules.document import Body, Change, body_of, changes
from webapp.rules.next_step import next_label
from webapp.rules.text import render
from webapp.table import Reply


class Play(Protocol):
    """Somebody who taps about at a table."""

    bench: Bench
    any: random.Random

    def anything(self) -> tuple[Message, str, Reply]: ...


class Contract:
    """Wild play, with an eye on every tap."""

    def __init__(self, wild: Play) -> None:
        self.wild = wild
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
        undone = self.bench.table.entries[-1].undoes
        latest = [entry.id for entry in self.bench.table.entries[-1 - len(undone) : -1]]
        if set(undone) == set(latest):  # with dice told by hand the row that asked for them goes too
            assert differ(self.bench.table._bodies(), self.before[latest[0]]) == [], f"undo of {row.move}"
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
        assert self.bench.table.entries[-KEPT:] == entries[-KEPT:]
        for key, body in self.bodies.items():
            assert body_of(BOOK.document(key, body)) == body


def differ(found: dict[str, Body], wanted: dict[str, Body]) -> list[Change]:
    return [one for key in {**found, **wanted} for one in changes(key, found.get(key), wanted.get(key))]
