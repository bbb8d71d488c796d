"""What Fear and Insanity knows of a character: six attributes, skills, a die by age, and how the nerves are."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from webapp.rules import document
from webapp.rules.text import Text, text
from webapp.rules.values import Counted, Frozen, Handling, Ladder

DICE = Ladder(2, 4, 6, 8, 10)
PERMANENT_FOR_CORRUPTION = 5
MOST_SKILLS = 24


def _on_the_ladder(die: int) -> int:
    if die not in DICE:
        raise ValueError("A die is a d2, d4, d6, d8 or d10.")
    return die


Die = Annotated[int, AfterValidator(_on_the_ladder), DICE]
Rank = Annotated[int, Field(ge=0, le=30)]
Strength = Annotated[int, Field(ge=1, le=30)]
SkillName = Annotated[str, StringConstraints(pattern=r"^[^\W_][\w '-]*$", max_length=30)]
Difficulty = Annotated[int, Field(ge=-99, le=99)]


class Attribute(StrEnum):
    STRENGTH = "strength"
    AGILITY = "agility"
    ENDURANCE = "endurance"
    CHARISMA = "charisma"
    INTELLECT = "intellect"
    PERCEPTION = "perception"


WILLPOWER, MANIPULATION = "willpower", "manipulation"


class Fear(StrEnum):
    """F-02, F-03: what it costs on all rolls; the worst holds, nothing adds up (B3-6)."""

    NONE = "none"
    SCARED = "scared"
    PANICKED = "panicked"

    @property
    def penalty(self) -> int:
        return {Fear.NONE: 0, Fear.SCARED: -1, Fear.PANICKED: -2}[self]


class Outcome(StrEnum):
    """How a fear test ends."""

    RESISTED = "resisted"
    SCARED = "scared"
    PANICKED = "panicked"

    @property
    def fear(self) -> Fear:
        return Fear.NONE if self is Outcome.RESISTED else Fear(self.value)

    @property
    def words(self) -> Text:
        return text("resisted") if self is Outcome.RESISTED else text(self.value)


class Pending(Frozen):
    """Insanity that waits to be settled: one fear test is one line, first come, first settled (B3-19).

    `minutes` is the table's clock when it happened.
    """

    number: int
    difficulty: int
    outcome: Outcome
    due: Annotated[int, Field(ge=0)]
    minutes: int = 0


class Sheet(document.Sheet):
    """`fear` is what all rolls suffer from now; `used` counts the rerolls of toughness this session."""

    game: ClassVar[str] = "dread"

    strength: Strength = 2
    agility: Strength = 2
    endurance: Strength = 2
    charisma: Strength = 2
    intellect: Strength = 2
    perception: Strength = 2
    willpower: Rank = 0
    manipulation: Rank = 0
    skills: Annotated[dict[SkillName, Rank], Field(max_length=MOST_SKILLS)] = {}
    die: Annotated[Die, Field(description="By age: d2 from 4, d4 from 8, d6 from 12, d8 from 16, d10 from 20.")] = 10
    toughness: Annotated[Counted, Field(ge=0, le=20)] = 0
    used: Annotated[Counted, Field(title="Rerolls used this session", ge=0, le=99)] = 0
    temporary: Annotated[Counted, Field(title="Insanity, temporary", ge=0, le=999)] = 0
    permanent: Annotated[Counted, Field(title="Insanity, permanent", ge=0, le=999)] = 0
    corruption: Annotated[Counted, Field(ge=0, le=999)] = 0
    terrible: Annotated[
        int | None, Field(title="Fear difficulty at its sight", ge=1, le=99, description="Empty: no test for that.")
    ] = None
    scares_with: Annotated[
        SkillName, Field(title="Scares with", description="The skill that goes with charisma to scare others.")
    ] = MANIPULATION
    fear: Annotated[Fear, Handling.TRAIL] = Fear.NONE
    pending: Annotated[dict[str, Pending], Handling.TRAIL, Field(max_length=99)] = {}

    def attribute(self, attribute: Attribute) -> int:
        found: int = getattr(self, attribute.value)
        return found

    def skill(self, name: str) -> int:
        """A skill's rank; 0 when it was never learned."""
        own = {WILLPOWER: self.willpower, MANIPULATION: self.manipulation}
        return own.get(name, self.skills.get(name, 0))

    def knows(self, skill: str) -> bool:
        return skill in (WILLPOWER, MANIPULATION) or skill in self.skills

    @property
    def rerolls(self) -> int:
        """F-15: as many as the rating, less those used this session."""
        return max(0, self.toughness - self.used)

    @property
    def lines(self) -> list[tuple[str, Pending]]:
        """What waits to be settled, oldest first."""
        return sorted(self.pending.items(), key=lambda held: held[1].number)

    def frighten(self, outcome: Outcome) -> None:
        if outcome.fear.penalty < self.fear.penalty:
            self.fear = outcome.fear

    def overflow(self, boxes: int) -> tuple[int, int]:
        """What the boxes don't hold becomes permanent, and each five of that corruption; returns both gains."""
        beyond = max(0, self.temporary - boxes)
        self.temporary -= beyond
        corrupted, left = divmod(self.permanent + beyond, PERMANENT_FOR_CORRUPTION)
        self.permanent, self.corruption = left, self.corruption + corrupted
        return beyond, corrupted


def half(die: int) -> tuple[int, int] | tuple[()]:
    """The two half-size dice of an attribute check; half a d2 is always 1, and 1 − 1 needs no dice."""
    return (die // 2, die // 2) if die > 2 else ()
