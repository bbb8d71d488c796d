"""Documents: everything that is saved and can be undone."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, JsonValue, StringConstraints

from webapp.rules.roll import Roll
from webapp.rules.text import Text
from webapp.rules.values import READABLE, Counted, Frozen, Handling, Named, Record

Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=40),
    READABLE,
]
Alias = Annotated[str, StringConstraints(strip_whitespace=True, max_length=40), READABLE]
About = Annotated[str, StringConstraints(strip_whitespace=True, max_length=140), READABLE]
CharacterId = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Body = dict[str, JsonValue]


class Document(Named, Record):
    """One body under one key, `kind/id`.

    `ASIDE` are fields that hardly anybody reads, and then by `State.aside`: their change leaves the rest alone.
    """

    ASIDE: ClassVar[frozenset[str]] = frozenset()
    id: str

    @property
    def key(self) -> str:
        return f"{self.kind()}/{self.id}"

    def differs_aside_only(self, other: Document | None) -> bool:
        if not self.ASIDE or type(other) is not type(self):
            return False
        held = other.__dict__
        return all(value == held[name] for name, value in self.__dict__.items() if name not in self.ASIDE)


class Sheet(Document):
    """What one rule set knows of a character; its id is the character's."""

    version: int = 1


class House(Document):
    """A rule set's readings at this table; its id is the rule set's. Each switch says what it changes."""


class Side(StrEnum):
    HERO = "hero"
    FOE = "foe"


class HealthForm(StrEnum):
    """How a foe's health is shown to players and the TV."""

    NUMBER = "number"
    BAR = "bar"
    WORD = "word"
    NOTHING = "nothing"


class OddsForm(StrEnum):
    """How players and the TV are told a chance that depends on a foe's figures."""

    EXACT = "exact"
    ROUGH = "rough"
    OWN = "own die only"


class Cover(StrEnum):
    """What the TV shows: the table, a pause, or nothing of the game at all."""

    OPEN = "open"
    PAUSE = "pause"
    CURTAIN = "curtain"


class Character(Document):
    """A hero or a foe. `seats` are those who may act for it; `order` is its place in the stored order.

    `line`: what a hero is, in a few words, for whoever chooses one.
    `known`: a blow has been exchanged with it in the open. `shows_health` and `odds` None: as usual here.
    """

    name: Name
    side: Side
    seats: list[str] = []
    order: int = 0
    letter: Annotated[str, StringConstraints(max_length=2)] = ""
    line: About = ""
    hidden: bool = False
    alias: Annotated[Alias, Field(title="goes by", description="Empty: by its own name.")] = ""
    shows_health: Annotated[HealthForm | None, Field(title="health")] = None
    odds: Annotated[
        OddsForm | None,
        Field(title="chances", description="As usual: rough until the first blow, then exact."),
    ] = None
    known: Annotated[bool, Handling.TRAIL] = False


class Gone(Document):
    """What a removed character was called, for the rows of the log that speak of it. Its id is the character's."""

    name: str
    shown: str | None


class Duty(StrEnum):
    """What one rule set does for the whole table when several are in play."""

    TESTS = "tests"
    BLOWS = "blows"
    FEAR = "fear"
    ORDER = "order"


class TurnIs(StrEnum):
    """How long what lasts "until the end of the next turn" is."""

    SLOT = "one slot"
    ROUND = "all slots of a round"


class Settings(Document):
    """The table's own settings: who does what at it, and what players get to see.

    `tests`, `blows`, `fear` and `fight` (the fight's order) name the rule set that is to have this duty; while it
    can't, the likeliest in play has it. "table" as `fight`: the order is the GM's own.
    """

    name: Name
    games: tuple[str, ...]
    fight: str = ""
    blows: str = ""
    tests: str = ""
    fear: str = ""
    turn: TurnIs = TurnIs.SLOT
    foes_health: Annotated[HealthForm, Field(title="Health of foes, as players see it")] = HealthForm.BAR
    hide_figures: Annotated[bool, Field(title="Hide the figures of foes")] = False
    newcomers_hidden: Annotated[bool, Field(title="Foes who come into a fight are hidden")] = True
    gm_rolls_by_hand: Annotated[bool, Field(title="The GM rolls real dice")] = False
    tv: Cover = Cover.OPEN

    def has(self, duty: Duty) -> str:
        """The rule set that is to have this duty."""
        return {Duty.TESTS: self.tests, Duty.BLOWS: self.blows, Duty.FEAR: self.fear, Duty.ORDER: self.fight}[duty]


class Clock(Document):
    """Game time since the table began, in minutes."""

    minutes: Counted = 0


class Notice(Document):
    """What was decided for a character while its player was away; the newest only. Its id is the character's."""

    question: Annotated[str, Handling.TRAIL]
    decided: Annotated[Text, Handling.TRAIL]
    said: Annotated[tuple[Text, ...], Handling.TRAIL]


DOWN, DEAD = "down", "dead"  # outcomes of lines by which somebody is out of it, and is lost for good


class Line(Frozen):
    """One sentence of the log, with the rolls behind it. Its audience is frozen when it is said.

    `why` tells what did not follow and why not, for whoever opens the row.
    """

    sentence: Text
    audience: Audience
    rolls: tuple[Roll, ...] = ()
    brief: Text | None = None
    outcome: str | None = None
    why: Text | None = None

    def mentions(self) -> frozenset[CharacterId]:
        """Ids of all it speaks of, rolls included, and of those who may read it."""
        told = [sentence.mentions() for sentence in (self.sentence, self.brief, self.why) if sentence is not None]
        return frozenset(self.audience.characters).union(*told, *(roll.mentions() for roll in self.rolls))


class Audience(Frozen):
    """Who may ever read a line: everybody, the GM, or the GM and the owners of these characters."""

    kind: Literal["table", "gm", "owners"]
    characters: tuple[CharacterId, ...] = ()

    EVERYBODY: ClassVar[Audience]
    GM: ClassVar[Audience]

    @classmethod
    def owners(cls, *characters: str) -> Audience:
        return cls(kind="owners", characters=characters)


Audience.EVERYBODY = Audience(kind="table")
Audience.GM = Audience(kind="gm")
Line.model_rebuild()


class Change(Frozen):
    """One field as it was and as it is; an empty path is the whole document, None its absence."""

    key: str
    path: tuple[str, ...] = Field(default=())
    before: JsonValue = None
    after: JsonValue = None


def body_of(document: Document) -> Body:
    return document.model_dump(mode="json")


def speaks_of(value: Any, who: str) -> bool:
    """Is this id anywhere in it?"""
    match value:
        case dict():
            return any(speaks_of(held, who) for held in value.values())
        case list():
            return any(speaks_of(held, who) for held in value)
    return bool(value == who)


def is_done_by(value: Any, game: str) -> bool:
    """Is a step or a question of this rule set anywhere in it?"""
    match value:
        case dict():
            kinds = (value.get(name) for name in ("move", "question"))
            own = any(isinstance(kind, str) and kind.startswith(f"{game}.") for kind in kinds)
            return own or any(is_done_by(held, game) for held in value.values())
        case list():
            return any(is_done_by(held, game) for held in value)
    return False


def changes(key: str, before: Body | None, after: Body | None) -> list[Change]:
    """What differs, field by field: maps are walked, lists are one field."""
    if before is None or after is None:
        return [] if before is after else [Change(key=key, before=before, after=after)]
    return list(_walk(key, (), before, after))


def _walk(key: str, path: tuple[str, ...], before: Body, after: Body) -> list[Change]:
    found: list[Change] = []
    for name in {**before, **after}:
        old, new = before.get(name), after.get(name)
        if old == new and (name in before) == (name in after):
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found += _walk(key, (*path, name), old, new)
        else:
            found.append(Change(key=key, path=(*path, name), before=old, after=new))
    return found
