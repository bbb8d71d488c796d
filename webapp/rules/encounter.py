"""A fight: who is in it, whose turn it is, and what the rule set that runs the order must tell."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId, Document
from webapp.rules.move import Move, Step
from webapp.rules.text import Text, text
from webapp.rules.values import Frozen, Handling, Record

if TYPE_CHECKING:
    from webapp.rules.scene import Scene
    from webapp.rules.state import State


class Phase(StrEnum):
    ORDER = "the order is being settled"
    TURNS = "turns are taken"
    OVER = "the round is over"


class Member(Record):
    """`place` is the GM's order, the last word on ties; `joined` the first round with a turn."""

    place: int
    joined: int = 1


class Encounter(Document):
    """The fight at this table. `active` is a slot id; `lowest` the lowest number finished this round.

    `stage` is the round and whether its order is settled, as one field: undo takes both back or neither.
    `begun` and `over` are the turns of this round by slot, or by character where all slots of a round are one
    turn; each holds whose turn it is. `done` are those who have acted, where the order is the table's own.
    `knots` maps whoever is in somebody's face to the id of their knot.
    """

    stage: tuple[Annotated[int, Field(ge=1)], bool] = (1, False)
    members: dict[CharacterId, Member] = {}
    active: Annotated[str | None, Handling.TRAIL] = None
    lowest: Annotated[int | None, Handling.TRAIL] = None
    begun: Annotated[dict[str, CharacterId], Handling.TRAIL] = {}
    over: Annotated[dict[str, CharacterId], Handling.TRAIL] = {}
    done: Annotated[dict[CharacterId, bool], Handling.TRAIL] = {}
    knots: Annotated[dict[CharacterId, str], Handling.TRAIL] = {}

    @property
    def round(self) -> int:
        return self.stage[0]

    @property
    def settled(self) -> bool:
        return self.stage[1]


class Slot(Frozen):
    """One chance to act. `spent`: used or let go. `waits`: held back, to be used later in the round.

    `since` is the number it was held at, when it comes up again by itself at `number`.
    """

    id: str
    character: CharacterId
    number: int
    spent: bool = False
    waits: bool = False
    since: int | None = None


class FightOrder(ABC):
    """How one rule set runs the order; everything is worked out afresh from the sheets.

    `called` is what is rolled for a place in it. `counted`: the round counts down through the slots' numbers;
    otherwise these only tell who comes first.
    """

    called: ClassVar[Text] = text("initiative")
    counted: ClassVar[bool] = True

    @abstractmethod
    def waiting_for(self, state: State, fight: Encounter) -> tuple[CharacterId, ...]:
        """Those whose place in this round is not settled yet."""

    @abstractmethod
    def call(self, state: State, fight: Encounter) -> Move:
        """The GM's move that settles the order for all of them at once."""

    @abstractmethod
    def slots(self, state: State, fight: Encounter) -> tuple[Slot, ...]:
        """All the round's slots of those who can act, first to last, the spent ones too."""

    @abstractmethod
    def can_act(self, state: State, who: CharacterId) -> bool: ...

    @abstractmethod
    def let_go(self, scene: Scene, slot: Slot) -> None:
        """The slot is over, used or not."""

    def attack(self, scene: Scene, slot: Slot, name: str, deed: Step) -> None:
        """An attack of another rule set is made with this slot; the same name again is the same action."""
        self.let_go(scene, slot)
        scene.then(deed)

    @abstractmethod
    def begin_round(self, scene: Scene, fight: Encounter) -> None: ...

    def passes(self, state: State, slot: Slot) -> Text | None:
        """Why this slot passes by itself, if it does."""
        return None

    def suggest(self, state: State, fight: Encounter) -> Move | None:
        """What the GM's Next does with the active slot; None lets it go."""
        return None

    def plan(self, state: State, fight: Encounter) -> tuple[Text, ...]:
        """What that would be, in a few words for each who strikes."""
        return ()

    def gone_by(self, slot: Slot) -> Text | None:
        """What is said of a slot that was let go, when the rule set has better words."""
        return None

    def place_words(self, state: State, slot: Slot) -> Text | None:
        """Where in the order this slot stands, when its number says nothing to people: "before the enemy"."""
        return None

    def pass_label(self, state: State, slot: Slot) -> Text | None:
        """What letting this slot go is called, when the rule set has a better word."""
        return None


def phase_of(fight: Encounter, slots: tuple[Slot, ...]) -> Phase:
    """That a round is over follows from its slots: no hit has to write it down, none undone has to take it back."""
    if not fight.settled:
        return Phase.ORDER
    over = fight.active is None and all(slot.spent for slot in slots)
    return Phase.OVER if over else Phase.TURNS


def up_next(slots: tuple[Slot, ...]) -> Slot | None:
    """The first slot that is neither spent nor held back."""
    return next((slot for slot in slots if not slot.spent and not slot.waits), None)


def may_still_act(slots: tuple[Slot, ...], fight: Encounter, who: CharacterId) -> Slot | None:
    """The slot this character may use now: the active one, or a held one once a later number has finished.

    Where nobody is left to come up, the count has run down to its end, and all held ones may be used.
    """
    active = next((slot for slot in slots if slot.id == fight.active), None)
    if active is not None and active.character == who and not active.spent:
        return active
    lowest = 0 if up_next(slots) is None else fight.lowest
    held = (slot for slot in slots if slot.character == who and (slot.waits or slot.since) and not slot.spent)
    return next((slot for slot in held if lowest is not None and lowest < (slot.since or slot.number)), None)
