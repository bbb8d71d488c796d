"""The tray: any dice, for anything."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.document import Audience
from webapp.rules.move import Leave, Move
from webapp.rules.roll import Ask, Keep, Modifier, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text

Sides = Annotated[int, Field(ge=2, le=100)]
HowMany = Annotated[int, Field(ge=0, le=30)]


class Tray(Move):
    """Any dice, thrown in the open or in secret; they belong to nobody's sheet and count for no streak.

    `dice` maps sides to how many; `counts_from` counts faces that reach it instead of adding all up.
    """

    by = Leave.SEATED
    dice: Annotated[dict[Sides, HowMany], Field(max_length=12)]
    bonus: Annotated[int, Field(ge=-99, le=99)] = 0
    keep: Keep = Keep.ALL
    counts_from: Annotated[int | None, Field(ge=1, le=100)] = None
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        count = sum(self.dice.values())
        if not 1 <= count <= 60:
            return text("Choose from 1 to 60 dice.")
        return None

    def apply(self, scene: Scene) -> None:
        dice = tuple(side for side, count in sorted(self.dice.items()) for _ in range(count))
        plus = (Modifier(source=text("added"), amount=self.bonus),) if self.bonus else ()
        ask = Ask(what=self._what(), dice=dice, keep=self.keep, counts_from=self.counts_from, modifiers=plus)
        roll = Roll(ask=ask, faces=scene.fair.throw(dice))
        scene.say(
            text("{what}: {total}.", what=ask.what, total=roll.total),
            roll,
            audience=in_secret(scene) if self.secret else Audience.EVERYBODY,
        )

    def _what(self) -> Text:
        pool = " + ".join(f"{count}d{side}" for side, count in sorted(self.dice.items()) if count)
        kept = "" if self.keep is Keep.ALL else f", {self.keep.value} kept"
        counted = "" if self.counts_from is None else f", {self.counts_from} and up counted"
        return text("{pool}{more}", pool=pool, more=kept + counted)


def in_secret(scene: Scene) -> Audience:
    """A secret throw is for the GM, and for the seat that made it."""
    own = [one.id for one in scene.characters() if scene.viewer.owns(one)]
    return Audience.owners(*own) if own else Audience.GM
