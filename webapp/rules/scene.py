"""The draft a move edits, accepted whole or not at all, with the dice it throws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from webapp.rules.asking import Faces, Settling
from webapp.rules.dice import Dice, ToldDice
from webapp.rules.document import (
    Audience,
    Body,
    Change,
    Character,
    CharacterId,
    Document,
    Line,
    Notice,
    body_of,
    changes,
)
from webapp.rules.encounter import Slot
from webapp.rules.errors import FacesWanted, RuleError
from webapp.rules.question import Question, Window
from webapp.rules.roll import Ask, Roll
from webapp.rules.state import Documents, Habits, State
from webapp.rules.text import Text, text
from webapp.rules.viewer import Role, Viewer

if TYPE_CHECKING:
    from webapp.rules.move import Step
    from webapp.rules.ruleset import Rulebook


class Draft(State):
    """A state with changes that are not accepted yet. None: taken away by them."""

    def __init__(
        self,
        rulebook: Rulebook,
        documents: Documents,
        habits: Mapping[str | None, Habits],
        drafts: dict[tuple[str, str], Document | None],
    ) -> None:
        super().__init__(rulebook, documents, habits)
        self._drafts = drafts

    def _fetch(self, kind: str, id: str) -> Document | None:
        key = kind, id
        return self._drafts[key] if key in self._drafts else super()._fetch(kind, id)

    def _all(self, kind: str) -> Iterator[Document]:
        made = (id for other, id in self._drafts if other == kind)
        for id in dict.fromkeys((*self._documents.get(kind, {}), *made)):
            document = self._fetch(kind, id)
            if document is not None:
                yield document


class Scene(Draft):
    """A draft of the state, with dice. Everything asked for through it is a copy that may be edited."""

    def __init__(
        self,
        rulebook: Rulebook,
        documents: Documents,
        habits: Mapping[str | None, Habits],
        *,
        dice: Dice,
        viewer: Viewer,
        thread: str,
        new_ids: Iterator[str],
    ) -> None:
        super().__init__(rulebook, documents, habits, {})
        self.viewer = viewer
        self.thread = thread
        self.lines: list[Line] = []
        self._late: list[Line] = []
        self.settled: list[str] = []
        self.fair = dice
        self._dice: Dice = dice
        self._thrower: str | None = None
        self._ids_to_come = new_ids
        self._coming: list[Step] = []

    def new_id(self) -> str:
        return next(self._ids_to_come)

    def add(self, document: Document) -> None:
        assert self._fetch(document.kind(), document.id) is None, f"{document.key} is there already"
        self._drafts[document.kind(), document.id] = document

    def replace(self, document: Document) -> None:
        """The same document with another body."""
        assert self._fetch(document.kind(), document.id) is not None
        self._drafts[document.kind(), document.id] = document

    def remove(self, document: Document) -> None:
        self._drafts[document.kind(), document.id] = None

    def say(
        self,
        sentence: Text,
        *rolls: Roll,
        audience: Audience | None = None,
        brief: Text | None = None,
        outcome: str | None = None,
        why: Text | None = None,
        late: bool = False,
    ) -> None:
        """One line of the log. Whatever speaks of somebody hidden is the GM's alone unless said otherwise.

        `late`: it comes behind all that this step says.
        """
        if audience is None:
            hidden = any(self.is_hidden(who) for who in sentence.mentions())
            audience = Audience.GM if hidden else Audience.EVERYBODY
        line = Line(sentence=sentence, rolls=rolls, audience=audience, brief=brief, outcome=outcome, why=why)
        (self._late if late else self.lines).append(line)

    def roll(self, ask: Ask, *, again: bool = False) -> Roll:
        """Throws the dice of whoever this step belongs to, and of nobody else. `again`: an earlier roll is void."""
        assert ask.roller is None or ask.roller == self._thrower, "a step throws one person's dice only"
        try:
            faces = self._dice.throw(ask.dice)
        except FacesWanted as wanted:
            wanted.what = ask.purpose
            raise
        by_hand = isinstance(self._dice, ToldDice) and self._dice.by_hand
        return Roll(ask=ask, faces=faces, by_hand=by_hand, again=again)

    def then(self, step: Step) -> None:
        """What follows by itself, with whoever's dice it needs."""
        self._coming.append(step)

    def open(self, question: Question) -> bool:
        """Asks, unless asking is pointless or a standing order answers it. Is it asked?"""
        question.thread, question.asked = self.thread, 1 + max((q.asked for q in self.questions()), default=0)
        choice = question.default if question.pointless(self) else question.ordered(self)
        if choice is None:
            self.add(question)
        else:
            self.then(Settling(question=question.kind(), body=body_of(question), choice=choice))
        return choice is None

    def run(self, step: Step, told: Sequence[int] = (), thrown: Sequence[int] = ()) -> None:
        """The step and all that follows from it.

        `told` are its faces so far when its dice are rolled by hand, `thrown` the places of those that were not.
        """
        outer = self._coming, self._thrower, self._dice
        queue: list[tuple[Step, Sequence[int], Sequence[int]]] = [(step, told, thrown)]
        try:
            while queue:
                self._coming = []
                self._one(*queue.pop(0))
                queue = [*((following, (), ()) for following in self._coming), *queue]
        finally:
            self._coming, self._thrower, self._dice = outer

    def run_or_drop(self, step: Step, told: Sequence[int] = (), thrown: Sequence[int] = ()) -> None:
        """Runs what was asked for earlier. The GM gets past it even when it can't be done any more."""
        before = self._checkpoint()
        try:
            self.run(step, told, thrown)
        except RuleError as stuck:
            if self.viewer.role is not Role.GM:
                raise
            self._drafts, self.lines, self.settled = before
            self.say(text("That can't be done any more: {why}", why=stuck.sentence))

    def conclude(self, also: Iterable[tuple[str, str]] = ()) -> None:
        """Each rule set draws its conclusions from what was done to its sheets, by whatever way.

        `also` are kinds and ids of documents that were changed before this scene began.
        """
        for game in self.rulebook.games.values():
            touched = [id for kind, id in {**self._drafts, **dict.fromkeys(also)} if kind == game.sheet.kind()]
            for who in touched:
                sheet = self.find(game.sheet, who)
                if sheet is not None and self.find(Character, who) is not None:
                    game.conclude(self, sheet)

    def _one(self, step: Step, told: Sequence[int], thrown: Sequence[int]) -> None:
        self._thrower = step.thrower
        by_hand = ToldDice(told, thrown) if told or self.habits(step.thrower).real_dice else None
        self._dice = by_hand or self.fair
        before = self._checkpoint() if by_hand else None
        try:
            step.apply(self)
        except FacesWanted as wanted:
            assert by_hand is not None
            assert before is not None
            self._drafts, self.lines, self.settled = before
            self._coming, self._late = [], []
            used = by_hand.used
            self._ask_for_faces(step, told[:used], [place for place in thrown if place < used], wanted)
        self.lines, self._late = [*self.lines, *self._late], []

    def _checkpoint(self) -> tuple[dict[tuple[str, str], Document | None], list[Line], list[str]]:
        drafts = {key: draft and draft.draft() for key, draft in self._drafts.items()}
        return drafts, list(self.lines), list(self.settled)

    def _ask_for_faces(self, step: Step, told: Sequence[int], thrown: Sequence[int], wanted: FacesWanted) -> None:
        question = Faces(
            id=self.new_id(),
            addressee=step.thrower,
            thread=self.thread,
            asked=1 + max((q.asked for q in self.questions()), default=0),
            step=self.rulebook.dump_step(step),
            told=tuple(told),
            thrown=tuple(thrown),
            wanted=wanted.sides,
            what=wanted.what,
        )
        self.add(question)

    def lapse(self, window: Window) -> None:
        for question in self.questions():
            if question.window is window:
                self.withdraw(question)

    def withdraw(self, question: Question) -> None:
        self.remove(question)
        self.settled.append(question.id)

    def notify(self, question: Question, choice: str, said: Iterable[Line]) -> None:
        """Keeps for a player who was away what was decided without them."""
        who = question.addressee
        if who is None or not self.character(who).seats:
            return
        old = self.find(Notice, who)
        if old is not None:
            self.remove(old)
        heard = tuple(line.sentence for line in said if line.audience.kind == "table")
        self._drafts[Notice.kind(), who] = Notice(
            id=who, question=question.id, decided=question.decided(choice), said=heard
        )

    def finish(self) -> tuple[list[Change], dict[str, Document | None]]:
        """What differs from the state this draft was made of, and the new documents (None: gone)."""
        found: list[Change] = []
        drafts: dict[str, Document | None] = {}
        for (kind, id), draft in self._drafts.items():
            live = self._documents.get(kind, {}).get(id)
            if draft == live:
                continue
            changed = changes(f"{kind}/{id}", _body(live), _body(draft))
            if changed:
                found += changed
                drafts[f"{kind}/{id}"] = draft
        return found, drafts

    def as_it_is(self) -> State:
        """The state with this draft in it, for what only reads: nothing is copied for it."""
        return Draft(self.rulebook, self._documents, self.all_habits, self._drafts)

    def _slots(self) -> tuple[Slot, ...]:
        return self.as_it_is().slots()

    def _waiting_for(self) -> tuple[CharacterId, ...]:
        return self.as_it_is().waiting_for()

    def _fetch(self, kind: str, id: str) -> Document | None:
        found = super()._fetch(kind, id)
        if found is not None and (kind, id) not in self._drafts:
            found = self._drafts[kind, id] = found.draft()
        return found


def _body(document: Document | None) -> Body | None:
    return None if document is None else body_of(document)
