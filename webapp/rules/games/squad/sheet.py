"""What Shadow Squad knows of a character: three attributes that are dice, or one monster die for everything."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from webapp.rules import document
from webapp.rules.document import Name
from webapp.rules.text import Text, text
from webapp.rules.values import Counted, Handling, Ladder, Record, Track

DICE = Ladder(4, 6, 8, 10, 12)


def _on_the_ladder(die: int) -> int:
    if die not in DICE:
        raise ValueError("A die is a d4, d6, d8, d10 or d12.")
    return die


Die = Annotated[int, AfterValidator(_on_the_ladder), DICE]

ARM = "arm"
LET_IT_HIT = "hit"


def _no_choice_of_a_parry(id: str) -> str:
    if id in (ARM, LET_IT_HIT):
        raise ValueError("A device needs another id.")
    return id


DeviceId = Annotated[
    str, StringConstraints(pattern=r"^[\w-]+$", max_length=40), AfterValidator(_no_choice_of_a_parry)
]


class Attribute(StrEnum):
    """Tough, stealth and aim, attention."""

    TUF = "TUF"
    STW = "STW"
    ATN = "ATN"


class Make(StrEnum):
    MELEE = "melee"
    RANGED = "ranged"
    ARMOUR = "armour"
    SHIELD = "shield"
    OTHER = "other"


class Condition(StrEnum):
    FIT = "fit"
    DYING = "dying"
    STABLE = "stable"
    BROKEN_DOWN = "broken down"
    AWAY = "out of the fight"

    @property
    def words(self) -> Text | None:
        return None if self is Condition.FIT else text(self.value)


class Device(Record):
    """A device die, or an attribute it lifts by one rank while used (S-54). `worn`: armour in use."""

    name: Name
    make: Make
    die: Die | None = None
    lifts: Attribute | None = None
    worn: bool = True
    broken: bool = False

    @property
    def strikes(self) -> bool:
        return self.make in (Make.MELEE, Make.RANGED) and not self.broken

    @property
    def parries(self) -> bool:
        return self.make in (Make.MELEE, Make.RANGED, Make.SHIELD) and not self.broken

    @property
    def protects(self) -> bool:
        return self.make is Make.ARMOUR and self.worn and not self.broken and self.die is not None


class Sheet(document.Sheet):
    """A hero's three dice, or a foe's one. `spent` and `held` count the round's chances from 0."""

    game: ClassVar[str] = "squad"

    tuf: Die = 8
    stw: Die = 8
    atn: Die = 8
    monster: Die | None = None
    hp: Track
    will: Annotated[Counted, Field(ge=0, le=99)] = 0
    weakness: Annotated[str, StringConstraints(strip_whitespace=True, max_length=120)] = ""
    first_aid: bool = False
    devices: Annotated[dict[DeviceId, Device], Field(max_length=12)] = {}
    condition: Condition = Condition.FIT
    initiative: Annotated[int | None, Handling.TRAIL, Field(ge=1, le=12)] = None
    spent: Annotated[tuple[int, ...], Handling.TRAIL] = ()
    held: Annotated[tuple[int, ...], Handling.TRAIL] = ()
    parried: Annotated[int, Handling.TRAIL, Field(ge=0)] = 0

    def die(self, attribute: Attribute) -> int:
        """The die of an attribute; the monster die stands for all of them."""
        own = {Attribute.TUF: self.tuf, Attribute.STW: self.stw, Attribute.ATN: self.atn}[attribute]
        return self.monster or own

    def die_with(self, attribute: Attribute, device: Device | None) -> int:
        """The die of an attribute while this device is used (S-54)."""
        die = self.die(attribute)
        return DICE.up(die) if device is not None and device.lifts is attribute else die

    @property
    def chances(self) -> tuple[int, ...]:
        """The numbers this character acts on: its initiative and every fifth below it (S-16, S-17)."""
        return () if self.initiative is None else tuple(range(self.initiative, 0, -5))

    @property
    def parries_left(self) -> int:
        """As many as attacks in the round, whatever became of those (S-27)."""
        return max(0, len(self.chances) - self.parried)

    @property
    def can_act(self) -> bool:
        return self.condition is Condition.FIT and self.hp.now > 0


def half(die: int) -> int:
    """Half a die, the difficulty it sets; always whole (S-05)."""
    return die // 2
