"""The live table: the only writer. Moves come in, are tried on a draft, saved, and then told."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

from pydantic import ValidationError

from webapp.history import Entry, marks, merged, undo_lines, undoing, ways
from webapp.leave import why_not
from webapp.log import NO_ROW, Log, Marks
from webapp.rules.dice import Dice
from webapp.rules.document import Body, Character, Clock, Document, Line, Settings, body_of, changes
from webapp.rules.errors import RuleError, sentence_of
from webapp.rules.memory import Memory, Read
from webapp.rules.move import Move
from webapp.rules.playing import perform, put_right
from webapp.rules.question import Question
from webapp.rules.ruleset import Rulebook
from webapp.rules.scene import Scene
from webapp.rules.sight import Sight
from webapp.rules.state import ASIDE, HABITS, PEOPLE, TABLE, TOLD, Habits, State
from webapp.rules.text import Text
from webapp.rules.viewer import Role, Viewer
from webapp.store import NotSaved, Repeated, Store, StoreProblem, TableRow

log = logging.getLogger(__name__)

GM_SEAT = "gm"


@dataclass(frozen=True, slots=True)
class Reply:
    """What the one who tapped is told. `ways` when an undo needs a decision."""

    ok: bool
    say: str | None = None
    entry: str | None = None
    ways: bool = False

    def body(self) -> Body:
        return {"ok": self.ok, "say": self.say, "entry": self.entry, "ways": self.ways}


class Persons(Protocol):
    """Who sits at the table, as far as the rules and the log must know."""

    def habits(self, seats: Mapping[str, list[str]]) -> Mapping[str | None, Habits]:
        """Habits by character, for characters with these seats; None is the GM."""

    def name(self, seat: str) -> str: ...


class Table:
    """One table in memory. Everything here runs on one thread and never waits between reading and saving."""

    def __init__(
        self,
        row: TableRow,
        *,
        rulebook: Rulebook,
        store: Store,
        persons: Persons,
        dice: Dice,
        clock: Callable[[], datetime],
        new_ids: Iterator[str],
    ) -> None:
        self.id, self.code = row.id, row.code
        self.rulebook = rulebook
        self.persons = persons
        self.changed: list[Callable[[], None]] = []
        self.revision = row.revision
        self._store = store
        self._dice = dice
        self._clock = clock
        self._new_ids = new_ids
        self._memory = Memory()
        self._is_told = False
        self._documents: dict[str, dict[str, Document]] = {}
        self._state = State(rulebook, self._documents, {}, self._memory)
        try:
            for key, body in store.documents(row.id).items():
                _keep(self._documents, key, rulebook.document(key, body))
            self.log = Log(row.id, store)
        except (LookupError, ValueError) as error:
            log.error("the table %s can't be read: %s", row.code, error)
            raise StoreProblem(f"The table {row.name} is damaged: put back a copy of the data.") from error

    @property
    def state(self) -> State:
        """All as it stands, with what was worked out from it."""
        if not self._is_told:
            habits = self._habits()
            if habits != self._state.all_habits:
                self._state.all_habits = habits
                self._memory.forget([(HABITS, None)])
            self._is_told = True
        return self._state

    @property
    def entries(self) -> list[Entry]:
        """The newest rows of the log, oldest first."""
        return self.log.entries

    @property
    def name(self) -> str:
        return self.state.settings.name

    # --- moves

    def do(self, message: Any, viewer: Viewer, *, tap: str | None = None) -> Reply:
        """Carries a move out once and for all, or says in a sentence why not."""
        return self._once(lambda seat: self._do(self.rulebook.move(message), viewer, seat, tap), viewer, tap)

    def _once(self, carry_out: Callable[[str], Reply], viewer: Viewer, tap: str | None) -> Reply:
        """A tap that comes again is answered as it was the first time, whatever has changed since."""
        seat = viewer.seat or GM_SEAT
        try:
            reply = self._tried(carry_out, viewer, seat)
            first = None if reply.ok or tap is None else self._store.tapped(self.id, seat, tap)
            return reply if first is None else Reply(**first)
        except Repeated as again:
            return Reply(**again.answer)
        except NotSaved as problem:
            return Reply(ok=False, say=problem.sentence)

    def _tried(self, carry_out: Callable[[str], Reply], viewer: Viewer, seat: str) -> Reply:
        try:
            return carry_out(seat)
        except RuleError as refused:
            return self._refuse(refused.sentence, viewer)

    def _do(self, move: Move, viewer: Viewer, seat: str, tap: str | None) -> Reply:
        state = self.state
        if (refusal := why_not(move, Sight(state, viewer))) is not None:
            raise RuleError(refusal)
        scene = self._scene(viewer)
        perform(scene, move)
        changed, documents = scene.finish()
        reply = Reply(ok=True, entry=(entry_id := scene.new_id()))
        entry = Entry(
            id=entry_id,
            number=self.revision + 1,
            at=self._clock(),
            seat=seat,
            move=self.rulebook.dump_step(move),
            thread=scene.thread,
            lines=tuple(scene.lines),
            changes=tuple(changed),
            settles=tuple(scene.settled),
        )
        one_entry = merged(self.entries[-1], entry) if self.entries else None
        if one_entry is not None:
            entry, reply = one_entry, replace(reply, entry=one_entry.id)
        self._commit(replace(entry, answer=reply.body()), documents, tap=tap, replaces=one_entry is not None)
        return reply

    def _scene(self, viewer: Viewer) -> Scene:
        return Scene(
            self.rulebook,
            self._documents,
            self._habits(),
            dice=self._dice,
            viewer=viewer,
            thread=next(self._new_ids),
            new_ids=self._new_ids,
        )

    def _refuse(self, sentence: Text, viewer: Viewer) -> Reply:
        return Reply(ok=False, say=Sight(self.state, viewer).words(sentence))

    # --- undo

    def undo(self, entry_id: str, viewer: Viewer, *, way: str | None = None, tap: str | None = None) -> Reply:
        """Puts a row back, with everything later in its thread.

        `way` None asks first when something stands in the way; "what can" leaves that as it is,
        "back" undoes every later row too.
        """
        return self._once(lambda seat: self._undo(self.log.get(entry_id), viewer, seat, way, tap), viewer, tap)

    def _undo(self, entry: Entry, viewer: Viewer, seat: str, way: str | None, tap: str | None) -> Reply:
        if viewer.role is not Role.GM and entry.seat != seat and not self._reads(entry, viewer):
            raise RuleError(NO_ROW)
        if entry.undone_by is not None:
            raise RuleError("That is undone already.")
        if not self.may_undo(entry, viewer) or (way == "back" and viewer.role is not Role.GM):
            raise RuleError("That is not yours to undo: ask the GM.")
        rows = self.log.with_its_act(entry) if way != "back" else self.log.since(entry)
        plan = undoing(rows, self._bodies(), self._model_of)
        if plan.in_the_way and way is None:
            is_gm = viewer.role is Role.GM
            later = sum(row.undone_by is None for row in self.log.since(entry)) if is_gm else None
            say = Sight(self.state, viewer).words(ways(later))
            return Reply(ok=False, say=say, entry=entry.id, ways=True)
        return self._put_back(plan.bodies, plan.entries, bites=plan.bites, seat=seat, tap=tap)

    def _reads(self, entry: Entry, viewer: Viewer) -> bool:
        sight = Sight(self.state, viewer)
        return any(sight.may_read(line.audience) for line in entry.lines)

    def _put_back(
        self,
        bodies: dict[str, Body | None],
        rows: tuple[Entry, ...],
        *,
        bites: bool,
        seat: str,
        tap: str | None,
    ) -> Reply:
        undo_id = next(self._new_ids)
        marked = marks(rows, undo_id, self.log.get)
        wanted = {key: None if self._is_void(key, body, marked) else body for key, body in bodies.items()}
        documents, lines = self._going_on(self._parsed(wanted), undo_id)
        reply = Reply(ok=True, entry=undo_id)
        live = self._bodies()
        changed = [change for key in documents for change in changes(key, live.get(key), _dump(documents[key]))]
        entry = Entry(
            id=undo_id,
            number=self.revision + 1,
            at=self._clock(),
            seat=seat,
            move={"move": "table.undo", "entries": [row.id for row in rows]},
            thread=undo_id,
            lines=(*undo_lines(rows, as_far_as_it_goes=bites), *lines),
            changes=tuple(changed),
            settles=(),
            undoes=tuple(row.id for row in rows),
            answer=reply.body(),
        )
        self._commit(entry, documents, tap=tap, marked=marked)
        return reply

    def _is_void(self, key: str, body: Body | None, marked: Marks) -> bool:
        """Would a question come back that belongs to an act which is undone?"""
        kind, id = _kind_and_id(key)
        if body is None or id in self._documents.get(kind, {}) or not issubclass(self._model_of(key), Question):
            return False
        return self.log.is_void(id, str(body["thread"]), marked)

    def may_undo(self, entry: Entry, viewer: Viewer) -> bool:
        """The GM anything; a player a thread of their own in which nobody else has a hand."""
        if entry.undone_by is not None:
            return False
        if viewer.role is Role.GM:
            return True
        return viewer.seat is not None and {row.seat for row in self.log.thread(entry.thread)} == {viewer.seat}

    def _going_on(
        self, documents: dict[str, Document | None], thread: str
    ) -> tuple[dict[str, Document | None], list[Line]]:
        """What was put back, brought in line with the rest: nobody who is gone, and somebody up again."""
        after = {kind: dict(held) for kind, held in self._documents.items()}
        for key, document in documents.items():
            _keep(after, key, document)
        scene = Scene(
            self.rulebook,
            after,
            self._habits(),
            dice=self._dice,
            viewer=Viewer(role=Role.GM),
            thread=thread,
            new_ids=self._new_ids,
        )
        put_right(scene, map(_kind_and_id, documents))
        return documents | scene.finish()[1], scene.lines

    def _parsed(self, bodies: Mapping[str, Body | None]) -> dict[str, Document | None]:
        try:
            return {key: None if body is None else self.rulebook.document(key, body) for key, body in bodies.items()}
        except ValidationError:
            raise RuleError("That can't be put back any more: too much has changed since.") from None

    def _bodies(self) -> dict[str, Body]:
        return {document.key: body_of(document) for kind in self._documents.values() for document in kind.values()}

    def _model_of(self, key: str) -> type[Document]:
        return self.rulebook.documents[key.partition("/")[0]]

    # --- saving, then telling

    def _commit(
        self,
        entry: Entry,
        documents: Mapping[str, Document | None],
        *,
        tap: str | None,
        marked: Mapping[str, str | None] | None = None,
        replaces: bool = False,
    ) -> None:
        marked = marked or {}
        self.revision = self._store.commit(
            self.id,
            on=self.revision,
            entry=entry.row(),
            bodies={key: _dump(document) for key, document in documents.items()},
            marks=marked,
            tap=tap,
            replaces=replaces,
        )
        touched = list(self._touched(documents))
        for key, document in documents.items():
            _keep(self._documents, key, document)
        self._tell([*touched, *self.log.keep(entry, marked, replaces=replaces)])

    def _touched(self, documents: Mapping[str, Document | None]) -> Iterator[Read]:
        """What is not any more as it was read, before these take the place of those that are there."""
        for key, document in documents.items():
            kind, id = _kind_and_id(key)
            live = self._documents.get(kind, {}).get(id)
            if live is None or not live.differs_aside_only(document):
                yield kind, id
            yield ASIDE, key

    def tell(self) -> None:
        """Lets every page know that something has changed among those who sit here."""
        self._tell([(PEOPLE, None)])

    def _tell(self, changed: Iterable[Read]) -> None:
        self._is_told = False
        self._memory.forget([*changed, (TOLD, None)])
        for listener in list(self.changed):
            try:
                listener()
            except Exception:
                log.exception("a page could not be told")

    def _habits(self) -> Mapping[str | None, Habits]:
        characters = self._documents.get(Character.kind(), {}).values()
        return self.persons.habits({one.id: one.seats for one in characters if isinstance(one, Character)})


def _kind_and_id(key: str) -> tuple[str, str]:
    kind, _, id = key.partition("/")
    return kind, id


def _keep(documents: dict[str, dict[str, Document]], key: str, document: Document | None) -> None:
    kind, id = _kind_and_id(key)
    if document is None:
        documents.get(kind, {}).pop(id, None)
    else:
        documents.setdefault(kind, {})[id] = document


def _dump(document: Document | None) -> Body | None:
    return None if document is None else body_of(document)


def first_documents(rulebook: Rulebook, name: str, games: tuple[str, ...]) -> dict[str, Body]:
    """What a new table begins with; a RuleError says in a sentence what is wrong with it."""
    if not games or any(game not in rulebook.games for game in games):
        raise RuleError("Choose at least one game to play.")
    try:
        settings = Settings(id=TABLE, name=name, games=games)
    except ValidationError as error:
        raise RuleError(sentence_of(error)) from None
    houses = [rulebook.games[game].house(id=game) for game in games]
    return {document.key: body_of(document) for document in (settings, Clock(id=TABLE), *houses)}
