"""The log of one table: the newest rows at hand, the older ones in the store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from webapp.history import Entry
from webapp.rules.asking import Faces
from webapp.rules.errors import RuleError
from webapp.rules.memory import Read
from webapp.rules.state import ROW, THREAD
from webapp.rules.text import text
from webapp.store import Among, Store

KEPT = 400
MOST_OLDER = 2_000  # rows that somebody leafs back to stay at hand, up to so many
SEARCHED = 20_000  # so many rows back the log is searched for where a number comes from
NO_ROW = text("There is no such row in the log.")

Marks = Mapping[str, str | None]  # by row, who undid it


class Log:
    """`entries` are the newest, oldest first. A row that doesn't fit any more is a ValueError."""

    def __init__(self, table: str, store: Store) -> None:
        self._table = table
        self._store = store
        self.entries = [Entry.of(stored) for stored in store.entries(table, most=KEPT)]
        self._older: list[Entry] = []
        self._at_hand: dict[str, list[Entry]] = {}
        self._stored: dict[str, list[Entry]] = {}
        self._sort()

    def keep(self, entry: Entry, marked: Marks, *, replaces: bool) -> list[Read]:
        """A row that was saved just now, as the newest or in the place of it; tells what reads otherwise since."""
        rows = {*marked, entry.id}
        if replaces:
            self.entries.pop()
        if self._older:
            self._older = [_marked(one, marked) for one in (*self._older, *self.entries[:-KEPT])][-MOST_OLDER:]
        leaving = self.entries[:-KEPT]
        kept = self.entries[-KEPT:]
        self.entries = [*((_marked(one, marked) for one in kept) if marked else kept), entry]
        if marked or replaces:
            self._sort()
        else:
            self._add(entry, leaving)
        threads = {row.thread for row in (*self._older, *self.entries) if row.id in rows}
        return [*((ROW, row) for row in rows), *((THREAD, thread) for thread in threads)]

    def thread(self, thread: str) -> list[Entry]:
        """The rows of one act, also those that are no longer kept at hand."""
        found = self._at_hand.get(thread, [])
        if self._begins_at_hand(found):
            return found
        if thread not in self._stored:
            self._stored[thread] = self.stored_thread(thread)
        return self._stored[thread]

    def stored_thread(self, thread: str) -> list[Entry]:
        return [Entry.of(row) for row in self._store.entries_of_thread(self._table, thread)]

    def with_its_act(self, entry: Entry) -> list[Entry]:
        """The row, all later ones of its act, and what asked for its dice just before without a word of its own."""
        rows = self.stored_thread(entry.thread)
        earlier = [row for row in rows if row.number < entry.number and row.undone_by is None]
        first = entry.number
        while earlier and _only_asked_for_dice(earlier[-1]):
            first = earlier.pop().number
        return [row for row in rows if row.number >= first and row.undone_by is None]

    def since(self, entry: Entry) -> list[Entry]:
        """The row and all after it, the undone and the undoing ones too: put back one by one they all fit."""
        return [Entry.of(row) for row in self._store.entries_since(self._table, entry.number)]

    def is_void(self, question: str, thread: str, marked: Marks) -> bool:
        """Is every row that asked this undone, with these marks?"""
        asked = [row for row in self.stored_thread(thread) if row.asked(question)]
        return bool(asked) and all(marked.get(row.id, row.undone_by) is not None for row in asked)

    def older(self, most: int) -> list[Entry]:
        """So many rows from before those kept at hand, as far as there are any; the newest stands last."""
        first = (self._older or self.entries)[0].number if self.entries else 0
        if len(self._older) < most and first > 1:
            found = self._store.entries(self._table, before=first, most=most - len(self._older))
            self._older = [*map(Entry.of, found), *self._older]
        return self._older[-most:] if most else []

    def latest(self, words: str, among: Among) -> Iterator[Entry]:
        """All rows that count, the newest first; of those no longer kept at hand only such as hold these words."""
        yield from (entry for entry in reversed(self.entries) if entry.counts)
        before = self.entries[0].number if self.entries else 0
        since = before - SEARCHED
        while found := self._store.entries_that_hold(self._table, words, among=among, before=before, since=since):
            yield from (entry for entry in map(Entry.of, found) if entry.counts)
            before = found[-1].number

    def get(self, entry_id: str) -> Entry:
        """A row, also one that is no longer kept at hand; refused where there is none."""
        found = self.find(entry_id)
        if found is None:
            raise RuleError(NO_ROW)
        return found

    def find(self, entry_id: str) -> Entry | None:
        found = next((entry for entry in self.entries if entry.id == entry_id), None)
        if found is not None or not entry_id.isascii():
            return found
        stored = self._store.entry(self._table, entry_id)
        return None if stored is None else Entry.of(stored)

    def _begins_at_hand(self, rows: list[Entry]) -> bool:
        """An act goes on by settling what it asked before; a row that settles nothing is its first."""
        all_are = not self.entries or self.entries[0].number == 1
        return all_are or (bool(rows) and not rows[0].settles)

    def _sort(self) -> None:
        self._at_hand, self._stored = {}, {}
        for row in self.entries:
            self._at_hand.setdefault(row.thread, []).append(row)

    def _add(self, entry: Entry, leaving: list[Entry]) -> None:
        self._at_hand[entry.thread] = [*self._at_hand.get(entry.thread, ()), entry]
        self._stored.pop(entry.thread, None)
        for row in leaving:
            self._at_hand.pop(row.thread, None)


def _only_asked_for_dice(entry: Entry) -> bool:
    asked = any(change.key.startswith(f"{Faces.kind()}/") and change.before is None for change in entry.changes)
    return asked and not entry.lines


def _marked(entry: Entry, marked: Marks) -> Entry:
    return replace(entry, undone_by=marked[entry.id]) if entry.id in marked else entry
