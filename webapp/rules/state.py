"""All that is so at a table, to be read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from webapp.rules.document import Character, Clock, Document, Duty, House, Settings, Sheet, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.errors import RuleError
from webapp.rules.memory import Memory
from webapp.rules.question import Question
from webapp.rules.roll import Ask, Wins
from webapp.rules.values import Frozen

if TYPE_CHECKING:
    from webapp.rules.ruleset import Rulebook

DocumentT = TypeVar("DocumentT", bound=Document)
SheetT = TypeVar("SheetT", bound=Sheet)
HouseT = TypeVar("HouseT", bound=House)
ValueT = TypeVar("ValueT")
Documents = Mapping[str, Mapping[str, Document]]
TABLE = "table"  # the one id of settings and clock; and who has a duty that no rule set has
HABITS, TOLD, PEOPLE, ROW, THREAD, ASIDE = "habits", "told", "people", "row", "thread", "aside"


class Habits(Frozen):
    """How the person behind a character plays: dice told by hand, and standing orders by name."""

    real_dice: bool = False
    orders: dict[str, str] = {}


class State:
    """All documents of a table, to be read. `habits` is keyed by character, None for the GM."""

    def __init__(
        self,
        rulebook: Rulebook,
        documents: Documents,
        habits: Mapping[str | None, Habits],
        memory: Memory | None = None,
    ) -> None:
        self.rulebook = rulebook
        self._documents = documents
        self.all_habits = habits
        self._memory = memory

    def recall(self, key: Hashable, work_out: Callable[[], ValueT], *, again: bool = True) -> ValueT:
        """What is worked out from documents alone, and from what the key says: once, until one of them changes."""
        return work_out() if self._memory is None else self._memory.recall(key, work_out, again=again)

    def note(self, what: str, id: str | None = None) -> None:
        """Something that is no document is read: it holds until the table says that it has changed."""
        if self._memory is not None:
            self._memory.note(what, id)

    def find(self, kind: type[DocumentT], id: str) -> DocumentT | None:
        found = self._fetch(kind.kind(), id)
        assert found is None or isinstance(found, kind)
        return found

    def get(self, kind: type[DocumentT], id: str) -> DocumentT:
        found = self.find(kind, id)
        assert found is not None, f"no {kind.kind()}/{id}"
        return found

    def all(self, kind: type[DocumentT]) -> Iterator[DocumentT]:
        for document in self._all(kind.kind()):
            assert isinstance(document, kind)
            yield document

    @property
    def settings(self) -> Settings:
        return self.get(Settings, TABLE)

    @property
    def clock(self) -> Clock:
        return self.get(Clock, TABLE)

    def house(self, kind: type[HouseT]) -> HouseT:
        return self.get(kind, kind.game)

    def character(self, id: str) -> Character:
        """One that is at the table; an unknown and an unseen id are refused alike by those who send ids."""
        return self.get(Character, id)

    def characters(self, side: Side | None = None) -> list[Character]:
        """The party in its stored order, then foes."""
        return list(self.recall(("characters", side), lambda: self._characters(side)))

    def _characters(self, side: Side | None) -> list[Character]:
        everybody = (one for one in self.all(Character) if side is None or one.side is side)
        return sorted(everybody, key=lambda one: (one.side is Side.FOE, one.order, one.id))

    def sheet(self, kind: type[SheetT], who: str) -> SheetT:
        sheet = self.find(kind, who)
        if sheet is None:
            raise RuleError("There is no such sheet at this table.")
        return sheet

    def aside(self, kind: type[SheetT], who: str) -> SheetT:
        """The same sheet, for whoever reads what is kept aside of it."""
        sheet = self.sheet(kind, who)
        self.note(ASIDE, sheet.key)
        return sheet

    def fight(self) -> Encounter | None:
        return next(self.all(Encounter), None)

    def has(self, duty: Duty) -> str:
        """The rule set in play that has this duty; TABLE: none has, or the order is the GM's own."""
        wanted = self.settings.has(duty)
        able = self.rulebook.able(self.settings.games, duty)
        own_order = duty is Duty.ORDER and wanted == TABLE
        return wanted if wanted in able or own_order else next(iter(able), TABLE)

    def order(self) -> FightOrder:
        return self.rulebook.order(self.has(Duty.ORDER))

    def slots(self) -> tuple[Slot, ...]:
        """The round's order."""
        return self.recall("slots", self._slots)

    def waiting_for(self) -> tuple[str, ...]:
        """Whose place in the order is still to come."""
        return self.recall("waiting for", self._waiting_for)

    def _waiting_for(self) -> tuple[str, ...]:
        fight = self.fight()
        return () if fight is None else self.order().waiting_for(self, fight)

    def _slots(self) -> tuple[Slot, ...]:
        fight = self.fight()
        return () if fight is None else self.order().slots(self, fight)

    def questions(self) -> list[Question]:
        """All that wait, oldest first."""
        return list(self.recall("questions", self._questions))

    def _questions(self) -> list[Question]:
        kinds = self.rulebook.questions
        waiting = [question for kind in kinds for question in self.all(kind)]
        return sorted(waiting, key=lambda question: question.asked)

    def held_up(self) -> bool:
        """Does the fight wait for an answer?"""
        return any(question.holds_up for question in self.questions())

    def habits(self, who: str | None) -> Habits:
        """Of the person behind this character; whoever has no player has the GM."""
        self.note(HABITS)
        found = self.all_habits.get(who)
        return found if found is not None else Habits(real_dice=self.settings.gm_rolls_by_hand)

    def judged(self, ask: Ask) -> Ask:
        """The same roll with what every rule set in play adds to all the rolls of this character.

        A modifier below 0 makes the roll worse, whichever way the roll is judged.
        """
        who = ask.roller
        if who is None or not (ask.tested or ask.wins is not Wins.ALWAYS):
            return ask
        found = [
            modifier
            for name in self.settings.games
            for game in (self.rulebook.games[name],)
            for sheet in (self.find(game.sheet, who),)
            if sheet is not None
            for modifier in game.modifiers(sheet, ask)
        ]
        if ask.wins is Wins.UNDER:
            found = [modifier.model_copy(update={"amount": -modifier.amount}) for modifier in found]
        return ask.model_copy(update={"modifiers": (*ask.modifiers, *found)})

    def is_hidden(self, who: str) -> bool:
        found = self.find(Character, who)
        return found is None or found.hidden

    def _fetch(self, kind: str, id: str) -> Document | None:
        if self._memory is not None:
            self._memory.note(kind, id)
        return self._documents.get(kind, {}).get(id)

    def _all(self, kind: str) -> Iterable[Document]:
        if self._memory is not None:
            self._memory.note(kind, None)
        return self._documents.get(kind, {}).values()
