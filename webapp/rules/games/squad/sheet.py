"""What Shadow Squad knows of a character: three attributes that are dice, or one monster die for everything."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints

from webapp.rules import document
from webapp.rules.document import CharacterId, Name
from webapp.rules.text import Text, text
from webapp.rules.values import READABLE, Counted, Handling, Ladder, Record, Track

DICE = Ladder(4, 6, 8, 10, 12)


def _on_the_ladder(die: int) -> int:
    if die not in DICE:
        raise ValueError("A die is a d4, d6, d8, d10 or d12.")
    return die


Die = Annotated[int, AfterValidator(_on_the_ladder), DICE]

MOST_WILL, MOST_CASH = 99, 999_999
ARM = "arm"
LET_IT_HIT = "hit"


def _no_choice_of_a_parry(id: str) -> str:
    if id in (ARM, LET_IT_HIT):
        raise ValueError("A device needs another id.")
    return id


DeviceId = Annotated[
    str, StringConstraints(pattern=r"^[\w-]+$", max_length=40), AfterValidator(_no_choice_of_a_parry)
]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120), READABLE]


class Attribute(StrEnum):
    """Tough, stealth and aim, attention."""

    TUF = "TUF"
    STW = "STW"
    ATN = "ATN"

    @property
    def named(self) -> str:
        """With the word it is short for."""
        return f"{self.value} · {ATTRIBUTE_WORDS[self]}"


ATTRIBUTE_WORDS = {Attribute.TUF: "tough", Attribute.STW: "stealth, aim", Attribute.ATN: "attention"}


class Range(StrEnum):
    """How a blow reaches its target."""

    CLOSE = "close"
    RANGED = "ranged"
    MENTAL = "mental"

    @property
    def attribute(self) -> Attribute:
        """Close blows are a matter of TUF, ranged ones of STW (S-22, S-23), mental ones of ATN."""
        return {Range.CLOSE: Attribute.TUF, Range.RANGED: Attribute.STW, Range.MENTAL: Attribute.ATN}[self]


class Make(StrEnum):
    MELEE = "melee"
    RANGED = "ranged"
    MENTAL = "mental"
    ARMOUR = "armour"
    SHIELD = "shield"
    OTHER = "other"

    @property
    def range(self) -> Range:
        return {Make.RANGED: Range.RANGED, Make.MENTAL: Range.MENTAL}.get(self, Range.CLOSE)


class Condition(StrEnum):
    FIT = "fit"
    DYING = "dying"
    STABLE = "stable"
    DEAD = "dead"
    BROKEN_DOWN = "broken down"
    AWAY = "out of the fight"

    @property
    def words(self) -> Text | None:
        return None if self is Condition.FIT else text(self.value)


class Standing(StrEnum):
    """A standing order for foes' parries."""

    BEST = "best"
    NEVER = "never"


class Device(Record):
    """A device die, or an attribute it lifts by one rank while used (S-54). `worn`: armour in use.

    `die` is the die as it is now; `made` what it was before blows wore it down.
    """

    name: Name
    make: Make
    die: Die | None = None
    lifts: Attribute | None = None
    worn: bool = True
    broken: bool = False
    made: Annotated[Die | None, Field(title="made with")] = None

    @property
    def strikes(self) -> bool:
        return self.make in (Make.MELEE, Make.RANGED, Make.MENTAL) and not self.broken

    @property
    def parries(self) -> bool:
        return self.make in (Make.MELEE, Make.RANGED, Make.SHIELD) and not self.broken

    @property
    def in_use(self) -> bool:
        return self.worn and not self.broken

    @property
    def protects(self) -> bool:
        return self.make is Make.ARMOUR and self.in_use and self.die is not None

    def wear(self) -> None:
        """One die rank down; below d4 it breaks (B2-32)."""
        assert self.die is not None
        smaller = DICE.shift(self.die, -1)
        self.made = self.made or self.die
        if smaller is None:
            self.broken = True
        else:
            self.die = smaller

    def repair(self) -> bool:
        """Gives one rank back, if one is missing."""
        if self.broken:
            self.broken = False
            return True
        if self.die is None or self.made is None or self.die >= self.made:
            return False
        self.die = DICE.up(self.die)
        return True


class PowerKind(StrEnum):
    CLOSE = "close"
    RANGED = "ranged"
    MENTAL = "mental"
    HEALING = "healing"
    OTHER = "other"

    @property
    def range(self) -> Range | None:
        return None if self in (PowerKind.HEALING, PowerKind.OTHER) else Range(self.value)


class Power(Record):
    """`uses`: how often before the next fight (healing) or night (the rest)."""

    name: Name
    kind: PowerKind
    die: Die
    uses: Track
    line: Line = ""


class Sheet(document.Sheet):
    """A hero's three dice, or a foe's one. `spent` and `held` count the round's chances from 0.

    `until` maps a held chance to the number it waits for; `bleeds` are rounds left to live while dying;
    `streak` is what the last own die showed; `fought` whom this one last exchanged blows with.
    """

    game: ClassVar[str] = "squad"
    ASIDE: ClassVar[frozenset[str]] = frozenset({"streak"})

    tuf: Annotated[Die, Field(title="TUF")] = 8
    stw: Annotated[Die, Field(title="STW")] = 8
    atn: Annotated[Die, Field(title="ATN")] = 8
    monster: Annotated[Die | None, Field(title="Monster die")] = None
    hp: Annotated[Track, Field(title="HP")]
    will: Annotated[Counted, Field(title="Will Points", ge=0, le=MOST_WILL)] = 0
    cash: Annotated[Counted, Field(ge=0, le=MOST_CASH)] = 0
    weakness: Line = ""
    first_aid: bool = False
    devices: Annotated[dict[DeviceId, Device], Field(max_length=12)] = {}
    powers: Annotated[dict[DeviceId, Power], Field(max_length=8)] = {}
    condition: Annotated[Condition, Handling.TRAIL] = Condition.FIT
    bleeds: Annotated[int | None, Handling.TRAIL, Field(title="Rounds left while dying", ge=0, le=12)] = None
    parry: Annotated[Standing, Field(title="Parries, as a foe")] = Standing.BEST
    surprised: Annotated[bool, Handling.TRAIL] = False
    initiative: Annotated[int | None, Handling.TRAIL, Field(ge=1, le=12)] = None
    spent: Annotated[tuple[int, ...], Handling.TRAIL] = ()
    held: Annotated[tuple[int, ...], Handling.TRAIL] = ()
    until: Annotated[dict[str, int], Handling.TRAIL] = {}
    parried: Annotated[int, Handling.TRAIL, Field(title="Parries used", ge=0)] = 0
    streak: Annotated[Literal["", "low", "high"], Handling.TRAIL] = ""
    fought: Annotated[CharacterId | None, Handling.TRAIL] = None

    def own_die(self, attribute: Attribute) -> int:
        """The die of an attribute, whatever is carried; the monster die stands for all of them."""
        own = {Attribute.TUF: self.tuf, Attribute.STW: self.stw, Attribute.ATN: self.atn}[attribute]
        return self.monster or own

    def die(self, attribute: Attribute) -> int:
        """The same with what is worn."""
        return self.die_with(attribute, None)

    def die_with(self, attribute: Attribute, device: Device | None) -> int:
        """While this device is used, and armour that is worn: one rank up from its own for either or both (S-54)."""
        worn = (one for one in self.devices.values() if one.make is Make.ARMOUR and one.in_use)
        lifted = any(one.lifts is attribute for one in (device, *worn) if one is not None)
        return DICE.up(self.own_die(attribute)) if lifted else self.own_die(attribute)

    def lifting(self, attribute: Attribute) -> list[str]:
        """Devices that lift this attribute for whoever takes them in hand."""
        able = (id for id, one in self.devices.items() if one.lifts is attribute and not one.broken)
        return [id for id in able if self.devices[id].make is not Make.ARMOUR]

    @property
    def chances(self) -> tuple[int, ...]:
        """The numbers this character acts on: its initiative and every fifth below it (S-16, S-17)."""
        return () if self.initiative is None else tuple(range(self.initiative, 0, -5))

    @property
    def parries_left(self) -> int:
        """As many as attacks in the round, whatever became of those (S-27); none while surprised (B2-4).

        Where another rule set runs the order there is one attack in a round.
        """
        return 0 if self.surprised else max(0, (len(self.chances) or 1) - self.parried)

    @property
    def can_act(self) -> bool:
        return self.condition is Condition.FIT and self.hp.now > 0

    def win_will(self) -> None:
        """One Will Point; the rules know no limit, the sheet has room for so many (B2-27)."""
        self.will = min(MOST_WILL, self.will + 1)

    def forget_chances(self) -> None:
        self.spent, self.held, self.until = (), (), {}

    def forget_round(self) -> None:
        self.forget_chances()
        self.parried = 0


def half(die: int) -> int:
    """Half a die, the difficulty it sets; always whole (S-05)."""
    return die // 2
