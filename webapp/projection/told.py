"""What has happened, as one viewer may be told it: the log, the act in hand, and what of them is spoken aloud."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from webapp.history import Entry
from webapp.projection.cards import Cards
from webapp.rules.calls import TURNED
from webapp.rules.document import Line
from webapp.rules.lines_view import LineView
from webapp.rules.question import Question
from webapp.rules.questions_view import question_view
from webapp.rules.state import PEOPLE, ROW, THREAD
from webapp.rules.viewer import Role
from webapp.stage import Act, Fallen, Rested, TurnedOver, act_in_hand, fallen, lines_told, rest, turned_over

Said = tuple[Line, LineView]
MOST_STEPS = 6  # of an act that a phone's ribbon can hold


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of the log as this viewer may read it, newest last. `also`: what its undo takes back besides."""

    id: str
    at: datetime
    by: str
    lines: tuple[LineView, ...]
    undone_by: str | None
    may_undo: bool
    is_undo: bool
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ribbon:
    """The act in hand: what has happened, the step that waits, and what comes behind it.

    `own`: the place of what happened last to one of this viewer's own.
    """

    done: tuple[str, ...]
    waits: str | None
    ahead: tuple[str, ...]
    own: int | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a screen reader says of the newest act; `number` tells a later one from an earlier one."""

    number: int
    words: str


class Told(Cards):
    def log(self, most: int = 30) -> tuple[LogRow, ...]:
        return self._recall_told("log", most, work_out=lambda: self._log(most))

    def last_to_undo(self) -> LogRow | None:
        """The newest row that this viewer may take back and that takes nothing back itself."""
        rows = (self._row(entry) for entry in reversed(self.table.entries))
        return next((row for row in rows if row is not None and row.may_undo and not row.is_undo), None)

    def began(self, question: str) -> str | None:
        """The row that asked for these dice, for whoever may take a roll back that has begun: the GM alone."""
        if self.viewer.role is not Role.GM:
            return None
        asked = (entry for entry in reversed(self.table.entries) if entry.undone_by is None and entry.asked(question))
        return next((entry.id for entry in asked), None)

    def ribbon(self) -> Ribbon | None:
        return self._recall_told("ribbon", work_out=self._ribbon)

    def heard(self) -> Heard | None:
        """The newest act with a roll or a consequence, in whole sentences, as far as this viewer may read it."""
        return self._recall_told("heard", work_out=self._heard)

    def last_roll(self) -> LineView | None:
        """The newest line with a roll that counts, for the large screen."""
        return self._recall_told("last", work_out=self._last_roll)

    def act(self) -> Act | None:
        return self._recall_told("act", work_out=lambda: act_in_hand(self._sight, self.table.entries))

    def turned_over(self) -> TurnedOver | None:
        return self._recall_told("turned", work_out=lambda: turned_over(self._sight, self.table.entries))

    def fallen(self) -> Fallen | None:
        return self._recall_told("fallen", work_out=lambda: fallen(self._sight, self.table.entries))

    def rest(self) -> Rested | None:
        return self._recall_told("rest", work_out=lambda: rest(self._sight, self.table.entries))

    def _log(self, most: int) -> tuple[LogRow, ...]:
        seen = (row for entry in self._entries(most) if (row := self._row(entry)) is not None)
        return tuple(reversed(list(islice(seen, most))))

    def _entries(self, most: int) -> Iterator[Entry]:
        """The newest first; who asks for more than are at hand gets those from before too."""
        yield from reversed(self.table.entries)
        yield from reversed(self.table.log.older(max(0, most - len(self.table.entries))))

    def _row(self, entry: Entry) -> LogRow | None:
        """The same row again, for as long as nothing of it differs: what was drawn of it then still holds."""
        return self._state.recall((self.viewer, "row", entry.id), lambda: self._row_of(entry), again=False)

    def _row_of(self, entry: Entry) -> LogRow | None:
        for what, id in ((ROW, entry.id), (THREAD, entry.thread), (PEOPLE, None)):
            self._state.note(what, id)
        lines = self._lines(entry)
        if not lines:
            return None
        may_undo = self.table.may_undo(entry, self.viewer)
        return LogRow(
            id=entry.id,
            at=entry.at,
            by=self.table.persons.name(entry.seat),
            lines=lines,
            undone_by=None if entry.undone_by is None else self._undone_by(entry.undone_by),
            may_undo=may_undo,
            is_undo=bool(entry.undoes),
            also=tuple(self._behind(entry)) if may_undo else (),
        )

    def _lines(self, entry: Entry) -> tuple[LineView, ...]:
        return tuple(view for _, view in self._as_read(entry))

    def _as_read(self, entry: Entry) -> Iterator[tuple[Line, LineView]]:
        """What lay face down is no secret any more once it was turned over for all."""
        told = lines_told(self._sight, entry)
        lay_down = any(line.audience.kind == "owners" for line, _ in told)
        turned = self._turned_in(entry.thread) if lay_down else set()
        for line, view in told:
            is_out = line.audience.kind == "owners" and turned.issuperset(line.audience.characters)
            yield line, view.model_copy(update={"secret": False}) if is_out else view

    def _turned_in(self, thread: str) -> set[str]:
        """Whose results of a call were turned over in this act, for everybody to read."""
        lines = (line for entry in self._acts_of(thread) for line in entry.lines)
        turned = (one for one in lines if one.sentence.template == TURNED and one.audience.kind == "table")
        return {who for line in turned for who in line.sentence.mentions()}

    def _behind(self, entry: Entry) -> Iterator[str]:
        """The later rows of the same act, by what they say first."""
        for later in self.table.log.thread(entry.thread):
            if later.number > entry.number and later.undone_by is None:
                for first in self._lines(later)[:1]:
                    yield first.words

    def _undone_by(self, undo: str) -> str:
        found = self.table.log.find(undo)
        return "somebody" if found is None else self.table.persons.name(found.seat)

    def _ribbon(self) -> Ribbon | None:
        if self._sight.covered:
            return None
        waiting = [question for question in self._state.questions() if question.holds_up]
        acts = self._acts_of(waiting[0].thread) if waiting else self._newest_act()
        steps = self._steps(acts)
        done = tuple(f"{told.brief} (secret)" if told.secret else str(told.brief) for _, told in steps)
        if not done and not waiting:
            return None
        return Ribbon(done=done, waits=self._waits(waiting), ahead=self._ahead(waiting), own=self._own_step(steps))

    def _heard(self) -> Heard | None:
        for entry in (entry for entry in reversed(self.table.entries) if entry.counts):
            told = [(line, view) for line, view in lines_told(self._sight, entry) if view.rolls or view.brief]
            if told:
                words = " ".join(view.words for _, view in self._mine_of_many(told))
                return Heard(entry.number, words)
        return None

    def _own_step(self, steps: list[Said]) -> int | None:
        own = {one.id for one in self.own()}
        return next(
            (nth for nth, (line, _) in reversed(list(enumerate(steps))) if line.sentence.mentions() & own), None
        )

    def _steps(self, acts: list[Entry]) -> list[Said]:
        """What stands in the ribbon; of many at once a player is told of their own, and of nobody in particular."""
        told = [(line, view) for entry in acts for line, view in self._as_read(entry) if view.brief is not None]
        return self._mine_of_many(told)

    def _mine_of_many(self, told: list[Said]) -> list[Said]:
        """Of what happened to very many a player is told what happened to their own, and to nobody in particular."""
        if len(told) <= MOST_STEPS or self.viewer.role is not Role.PLAYER:
            return told
        own = {one.id for one in self.own()}
        whom = [(one[0].sentence.mentions(), one) for one in told]
        mine = [one for who, one in whom if not who or who & own]
        return mine if any(who & own for who, _ in whom) else told

    def _acts_of(self, thread: str) -> list[Entry]:
        return [entry for entry in self.table.log.thread(thread) if entry.counts]

    def _newest_act(self) -> list[Entry]:
        """Of those of which this viewer may read anything."""
        may_read = self._sight.may_read
        acts = (entry for entry in reversed(self.table.entries) if entry.counts)
        read = (one.thread for one in acts if any(may_read(line.audience) for line in one.lines))
        newest = next(read, None)
        return [] if newest is None else self._acts_of(newest)

    def _waits(self, waiting: list[Question]) -> str | None:
        if not waiting:
            return None
        asked = question_view(self._sight, waiting[0])
        return asked.brief if asked.addressee is None else f"{asked.name}: {asked.brief}"

    def _ahead(self, waiting: list[Question]) -> tuple[str, ...]:
        return tuple(self._sight.words(step) for step in waiting[0].ahead()) if waiting else ()

    def _last_roll(self) -> LineView | None:
        for entry in reversed(self.table.entries):
            if entry.undone_by is not None:
                continue
            rolled = [line for line in self._lines(entry) if line.rolls]
            if rolled:
                return rolled[-1]
        return None
