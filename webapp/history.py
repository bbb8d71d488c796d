"""The log of a table: its entries, and what undoing one of them would mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pydantic import BaseModel

from webapp.rules.by_hand import Adjust
from webapp.rules.document import Body, Change, Line
from webapp.rules.text import Text, text
from webapp.rules.undo import PutBack, Verdict, put_back
from webapp.store import EntryRow

IN_QUICK_SUCCESSION = timedelta(seconds=2)


@dataclass(frozen=True, slots=True)
class Entry:
    """One act as it was accepted: who asked for what, the lines it said, the fields it changed."""

    id: str
    number: int
    at: datetime
    seat: str
    move: Body
    thread: str
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    settles: tuple[str, ...] = ()
    undoes: tuple[str, ...] = ()
    undone_by: str | None = None
    answer: Body = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """It is not taken back, and takes nothing back itself."""
        return self.undone_by is None and not self.undoes

    @classmethod
    def of(cls, row: EntryRow) -> Entry:
        return cls(
            id=row.id,
            number=row.number,
            at=row.at,
            seat=row.seat or "",
            move=row.move,
            thread=row.thread,
            lines=tuple(Line.model_validate(line) for line in row.lines),
            changes=tuple(Change.model_validate(change) for change in row.changes),
            settles=tuple(row.settles),
            undoes=tuple(row.undoes),
            undone_by=row.undone_by,
            answer=row.answer,
        )

    def asked(self, question: str) -> bool:
        """Did this act open that question?"""
        return any(change.before is None and change.key.endswith(f"/{question}") for change in self.changes)

    def row(self) -> EntryRow:
        return EntryRow(
            id=self.id,
            number=self.number,
            at=self.at,
            seat=self.seat,
            move=self.move,
            thread=self.thread,
            lines=[line.model_dump(mode="json") for line in self.lines],
            changes=[change.model_dump(mode="json") for change in self.changes],
            settles=list(self.settles),
            undoes=list(self.undoes),
            undone_by=self.undone_by,
            answer=self.answer,
        )


def merged(former: Entry, latter: Entry) -> Entry | None:
    """Two taps on one plus or minus by one person within two seconds, as one entry; None when they are not."""
    same = ("move", "actor", "game_id", "path")
    if (
        latter.move["move"] != Adjust.kind()
        or former.undone_by is not None
        or former.seat != latter.seat
        or latter.at - former.at > IN_QUICK_SUCCESSION
        or len(former.lines) != 1
        or len(latter.lines) != 1
        or any(former.move.get(name) != latter.move[name] for name in same)
    ):
        return None
    changes = _folded(former.changes, latter.changes)
    line = _one_line(former.lines[0], latter.lines[0])
    settles = (*former.settles, *latter.settles)
    return replace(latter, id=former.id, thread=former.thread, changes=changes, lines=(line,), settles=settles)


def _folded(first: Iterable[Change], second: Iterable[Change]) -> tuple[Change, ...]:
    folded = {(change.key, change.path): change for change in first}
    for change in second:
        before = folded.get((change.key, change.path), change).before
        folded[change.key, change.path] = change.model_copy(update={"before": before})
    return tuple(change for change in folded.values() if change.before != change.after)


def _one_line(first: Line, second: Line) -> Line:
    old, new = first.sentence.args["old"], second.sentence.args["new"]
    assert isinstance(old, int)
    assert isinstance(new, int)
    args = {**second.sentence.args, "old": old, "by": new - old}
    return second.model_copy(update={"sentence": text(second.sentence.template, **args)})


@dataclass(frozen=True, slots=True)
class Undoing:
    """What putting these entries back makes of the documents; `in_the_way` stays as it is."""

    entries: tuple[Entry, ...]
    bodies: dict[str, Body | None]
    results: tuple[PutBack, ...]

    @property
    def in_the_way(self) -> tuple[PutBack, ...]:
        return tuple(result for result in self.results if result.verdict is Verdict.IN_THE_WAY)

    @property
    def bites(self) -> bool:
        return any(result.verdict is Verdict.BITES for result in self.results)


def undoing(
    entries: Iterable[Entry], documents: Mapping[str, Body], model_of: Callable[[str], type[BaseModel]]
) -> Undoing:
    """Puts the entries back, newest first, on copies of the bodies they touched."""
    newest_first = tuple(sorted(entries, key=lambda entry: -entry.number))
    touched = {change.key for entry in newest_first for change in entry.changes}
    bodies: dict[str, Body | None] = {key: deepcopy(documents.get(key)) for key in touched}
    results = tuple(
        put_back(bodies, model_of(change.key), change) for entry in newest_first for change in reversed(entry.changes)
    )
    return Undoing(entries=newest_first, bodies=bodies, results=results)


def marks(undone: Iterable[Entry], by: str, entry: Callable[[str], Entry]) -> dict[str, str | None]:
    """Who undid what, after `by` has undone these; undoing an undo makes its rows count again."""
    found: dict[str, str | None] = {}
    for one in undone:
        found |= _marks(one, by, entry)
    return found


def _marks(one: Entry, by: str | None, entry: Callable[[str], Entry]) -> dict[str, str | None]:
    """This entry's mark, and those of all that it undid itself (newest first, or back again oldest first)."""
    found: dict[str, str | None] = {one.id: by}
    for id in one.undoes if by is None else reversed(one.undoes):
        found |= _marks(entry(id), one.id if by is None else None, entry)
    return found


def ways(later: int | None) -> Text:
    """What can be done when something stands in the way of an undo; `later` rows would go too: the GM's to know."""
    if later is None:
        return text("Something has changed since. Put back what can be, or leave it and ask the GM?")
    return text(
        "Something has changed since. Put back what can be, go back to before this row ({rows} rows), or leave it?",
        rows=later,
    )


def undo_lines(rows: Sequence[Entry], *, as_far_as_it_goes: bool) -> tuple[Line, ...]:
    """Says what is undone, each first sentence to those who could read it."""
    first = rows[-1].lines[0] if rows and rows[-1].lines else None
    if first is None:
        return ()
    more = text(" (as far as it goes)") if as_far_as_it_goes else ""
    sentence = text("Undone: {what}{more}", what=first.sentence, more=more)
    return (Line(sentence=sentence, audience=first.audience),)
