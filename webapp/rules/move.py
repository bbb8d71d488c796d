"""Moves: what somebody asks for, and the steps that follow from it by themselves."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from webapp.rules.document import CharacterId
from webapp.rules.text import Text
from webapp.rules.values import Frozen, Named

if TYPE_CHECKING:
    from webapp.rules.scene import Scene
    from webapp.rules.state import State


class Leave(StrEnum):
    """Whose move it is. The GM may make every one of them."""

    OWNER = "a seat of the actor"
    GM = "the GM alone"
    ADDRESSEE = "a seat of the one who was asked"
    SEATED = "anybody with a seat"


class Step(Named, Frozen):
    """Something that happens, with at most one person's dice: those of `thrower`."""

    @property
    def thrower(self) -> CharacterId | None:
        """The character whose dice this step throws; None for the GM."""
        return None

    def pointless(self, state: State) -> bool:
        """Is there nothing left for it to do? Then it throws no dice, and nobody is asked for them any more."""
        return False

    def apply(self, scene: Scene) -> None:
        """Edits the scene; raises RuleError with a sentence when it can't be done."""
        raise NotImplementedError


class Move(Step):
    """`rests`: time passes by it for everybody, and the TV shows what it brought.

    `comes_to_many`: what it does to each is shown together.
    """

    by: ClassVar[Leave]
    rests: ClassVar[bool] = False
    comes_to_many: ClassVar[bool] = False

    def refusal(self, state: State) -> Text | None:
        """Why not now; the disabled button and the refused message say the same."""
        return None


class OwnMove(Move):
    """A move of one character."""

    by = Leave.OWNER
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId | None:
        return self.actor
