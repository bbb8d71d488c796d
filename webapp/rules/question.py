"""Open questions: a choice that waits for a person, and can always be passed by."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from webapp.rules.document import CharacterId, Document, body_of, is_done_by
from webapp.rules.roll import Because
from webapp.rules.text import Text, text
from webapp.rules.values import Frozen

if TYPE_CHECKING:
    from webapp.rules.scene import Scene
    from webapp.rules.state import State


class Window(StrEnum):
    """When an unanswered question lapses by itself."""

    STANDS = "when it is answered"
    NEXT_ACT = "when the fight moves on: somebody acts, or a chance is let go"
    FIGHT = "when the fight ends"


class Worth(Frozen):
    """What a choice that carries a number is worth at one of its numbers."""

    chance: Fraction | None = None
    because: Because = None
    price: Text | None = None


class Choice(Frozen):
    """One way to answer. `amounts` (lowest, highest) when the answer carries a number, `worths` what each is worth.

    `switch` names a chip that must be on for this choice to show; those it replaces have the same label.
    `about` is whose figures the chance tells; whoever may not know them sees the `pool` at most.
    `because` is where it comes from.
    """

    id: str
    label: Text
    chance: Fraction | None = None
    about: CharacterId | None = None
    pool: str = ""
    because: Because = None
    price: Text | None = None
    why_not: Text | None = None
    switch: Text | None = None
    amounts: tuple[int, int] | None = None
    worths: tuple[Worth, ...] = ()


class StandingOrder(Frozen):
    """What a player may say once for all questions of a kind: a value and its words, the usual one first."""

    name: str
    title: Text
    values: tuple[tuple[str, Text], ...]


class Question(Document):
    """One kind of question is one class; its context is its own frozen fields.

    `chip`: shown small beside the result it belongs to, never as a card that covers the page.
    """

    standing_order: ClassVar[StandingOrder | None] = None
    window: ClassVar[Window] = Window.FIGHT
    holds_up: ClassVar[bool] = True
    chip: ClassVar[bool] = False
    default: ClassVar[str]

    addressee: CharacterId | None
    thread: str = ""
    asked: int = 0

    @property
    def about(self) -> CharacterId | None:
        """Whose matter it is, if not the addressee's: it goes when that one goes."""
        return self.addressee

    @property
    def _who(self) -> CharacterId:
        """The addressee of a question that is never the GM's own."""
        assert self.addressee is not None
        return self.addressee

    def ask(self, state: State) -> Text:
        """What happened, and what is wanted."""
        raise NotImplementedError

    def brief(self) -> Text:
        """A word or two for the ribbon: "parry?"."""
        raise NotImplementedError

    def ahead(self) -> tuple[Text, ...]:
        """The steps that still wait behind it, for the ribbon."""
        return ()

    def choices(self, state: State) -> tuple[Choice, ...]:
        raise NotImplementedError

    def pointless(self, state: State) -> bool:
        """Then it is never asked, and its default is taken."""
        return False

    def ordered(self, state: State) -> str | None:
        """The choice that the addressee's standing order makes, if it makes one."""
        return None

    def passed_by(self) -> Text:
        """What the GM's Next decides, as a label: "No parry"."""
        raise NotImplementedError

    def decided(self, choice: str) -> Text:
        """What the GM decided meanwhile, for the one who was away."""
        return text("The GM went on.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        """Carries the choice out, throwing the addressee's dice only."""
        raise NotImplementedError

    def is_of(self, game: str) -> bool:
        """Does this rule set ask it, or do what follows from it?"""
        return self.game == game or is_done_by(body_of(self), game)

    def choice(self, state: State, wanted: str) -> Choice | None:
        return next((choice for choice in self.choices(state) if choice.id == wanted), None)
