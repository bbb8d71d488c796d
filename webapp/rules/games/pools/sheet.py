"""What Grit, Energy and Resolve knows of a character: pools, skills, wounds by part, harm that goes on."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from webapp.rules import document
from webapp.rules.document import CharacterId, Name
from webapp.rules.values import READABLE, Counted, Handling, Record, Track


class Pool(StrEnum):
    GRIT = "grit"
    ENERGY = "energy"
    RESOLVE = "resolve"


class Skill(StrEnum):
    ATHLETICS = "athletics"
    ENDURE = "endure"
    MARTIAL = "martial"
    ELUDE = "elude"
    NIMBLE = "nimble"
    TOOLS = "tools"
    GUILE = "guile"
    POISE = "poise"
    ZEAL = "zeal"
    MAGIC = "magic"
    NATURE = "nature"
    OBSERVE = "observe"


class StrikeType(StrEnum):
    BASHING = "B"
    CHOPPING = "C"
    FLOWING = "F"
    MYSTICAL = "M"
    STABBING = "S"

    @property
    def nature(self) -> str:
        """D-43, D-47, D-49, D-53, D-54."""
        return MAGICAL if self is StrikeType.MYSTICAL else PHYSICAL

    @property
    def word(self) -> str:
        return self.name.capitalize()


class Part(StrEnum):
    HEAD = "head"
    RIGHT_ARM = "right arm"
    LEFT_ARM = "left arm"
    TORSO = "torso"
    RIGHT_LEG = "right leg"
    LEFT_LEG = "left leg"


PHYSICAL, MAGICAL = "physical", "magical"
FATIGUED, UNAWARE, UNCONSCIOUS, WOUNDED = "fatigued", "unaware", "unconscious", "wounded"
CONDUIT = "ruptured conduit"
EVERY_PART = tuple(Part)
KEPT = (Handling.COUNTED, Handling.TRAIL)  # put back by the difference, and no field of a form


def _small(word: str) -> str:
    return word.lower()


Kind = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=24, pattern=r"^[\w' -]*$"),
    AfterValidator(_small),
    Field(description="Letters, digits, blanks and hyphens only."),
]
KindNamed = Annotated[Kind, Field(min_length=1)]
Id = Annotated[str, StringConstraints(pattern=r"^[\w-]+$", max_length=40)]
Strikes = Annotated[
    str,
    StringConstraints(pattern=r"^[BCFMS]{0,5}(/[BCFMS]{1,5}){0,4}$", max_length=29),
    Field(title="Strike Types", description="Letters B C F M S; a stroke parts those to choose from, as in C/S."),
]


def _joined(letters: Any) -> Any:
    """Several switches of a form, each with its letter, are one word."""
    return "".join(map(str, letters)) if isinstance(letters, list) else letters


Letters = Annotated[
    str,
    BeforeValidator(_joined),
    StringConstraints(pattern=r"^[BCFMS]*$", max_length=5),
    Field(title="Strike Types", description="Letters B C F M S, each once."),
]
SideEffect = Annotated[str, StringConstraints(strip_whitespace=True, max_length=120), READABLE]
Tier = Annotated[int, Field(ge=0, le=12)]
Dice = Annotated[int, Field(ge=0, le=30)]
Tiers = Annotated[int, Field(ge=0, le=999)]


class Reduction(Record):
    """`against`: a damage type, "physical", "magical", or a pool (D-25, D-26)."""

    name: Name
    amount: Annotated[int, Field(ge=-20, le=20)]
    against: KindNamed
    armour: Annotated[bool, Field(title="from armour")] = False


class Attack(Record):
    """`onto`: a pool, or an affliction. `lasting`: dice of Continuing Damage that a hit begins."""

    name: Name
    skill: Skill = Skill.MARTIAL
    damage: Dice
    strikes: Strikes = ""
    element: Kind = ""
    subtype: Annotated[Kind, Field(description="Counts, with its side effect, when the attack is Flowing.")] = ""
    side_effect: SideEffect = ""
    onto: Annotated[KindNamed, Field(title="hurts", description="A pool, or the name of an affliction.")] = "grit"
    lasting: Annotated[Dice, Field(title="Continuing dice")] = 0
    uses: Annotated[Part, Field(title="uses the")] = Part.RIGHT_ARM
    defences: Annotated[tuple[Skill, ...], Field(min_length=1, max_length=12)] = (Skill.ELUDE, Skill.MARTIAL)

    @property
    def modes(self) -> tuple[str, ...]:
        """The Strike Types to choose from when it is declared; those of one choice come together."""
        return tuple(self.strikes.split("/"))


class Continuing(Record):
    """Harm that goes on (D-56). `part`: where it hurts each time, for Grit."""

    name: Name
    dice: Dice
    onto: KindNamed = "grit"
    kinds: Annotated[tuple[Kind, ...], Field(max_length=6)] = ()
    strikes: Letters = ""
    part: Part | None = None
    source: CharacterId | None = None


def _unhurt() -> dict[Part, int]:
    return dict.fromkeys(Part, 0)


def _untouched() -> dict[str, int]:
    return {FATIGUED: 0, UNAWARE: 0, UNCONSCIOUS: 0}


class Sheet(document.Sheet):
    """`afflictions` name → Tiers, 0 for none. `sums` and `caused`: Continuing Injury per part, and its Tiers so far.

    `declared` and `injured`: the action that is under way, and all Injury since it was declared.
    `acted`, `minors`, `pushed`: what became of this turn. `rested`: hours of rest towards the next day of it.
    """

    game: ClassVar[str] = "pools"

    grit: Track
    energy: Track
    resolve: Track
    threshold: Annotated[int, Field(title="Severe Threshold", ge=-20, le=99)] = 0
    size: Annotated[int, Field(ge=-5, le=20)] = 1
    athletics: Tier = 1
    endure: Tier = 1
    martial: Tier = 1
    elude: Tier = 1
    nimble: Tier = 1
    tools: Tier = 1
    guile: Tier = 1
    poise: Tier = 1
    zeal: Tier = 1
    magic: Tier = 1
    nature: Tier = 1
    observe: Tier = 1
    minor_actions: Annotated[int, Field(title="Minor Actions", ge=0, le=9)] = 2
    bulk: Annotated[int, Field(title="Bulk of armour", ge=0, le=12)] = 0
    reductions: Annotated[dict[Id, Reduction], Field(max_length=12)] = {}
    immune: Annotated[tuple[KindNamed, ...], Field(max_length=12)] = ()
    vulnerable: Annotated[tuple[KindNamed, ...], Field(max_length=12)] = ()
    attacks: Annotated[dict[Id, Attack], Field(max_length=10)] = {}
    parts: Annotated[tuple[Part, ...], Field(min_length=1, max_length=6)] = EVERY_PART
    afflictions: Annotated[dict[KindNamed, Tiers], Handling.COUNTED, Field(default_factory=_untouched, max_length=24)]
    wounds: Annotated[dict[Part, Tiers], Handling.COUNTED, Field(default_factory=_unhurt)]
    lasting: Annotated[dict[Id, Continuing], Handling.TRAIL, Field(max_length=12)] = {}
    sums: Annotated[dict[Part, Tiers], *KEPT, Field(default_factory=_unhurt)]
    caused: Annotated[dict[Part, Tiers], *KEPT, Field(default_factory=_unhurt)]
    recoveries: Annotated[Counted, Field(title="Recoveries today", ge=0, le=999)] = 0
    rested: Annotated[Counted, Field(title="Hours of rest towards a day", ge=0, le=999)] = 0
    declared: Annotated[str, Handling.TRAIL, Field(max_length=60)] = ""
    injured: Annotated[int, *KEPT, Field(title="Injury since declaring", ge=0)] = 0
    priority: Annotated[int | None, Handling.TRAIL, Field(ge=1, le=99)] = None
    acted: Annotated[bool, Handling.TRAIL] = False
    minors: Annotated[int, Handling.TRAIL, Field(title="Minor Actions used", ge=0)] = 0
    pushed: Annotated[bool, Handling.TRAIL, Field(title="Pushed on")] = False

    def pool(self, pool: Pool) -> Track:
        return {Pool.GRIT: self.grit, Pool.ENERGY: self.energy, Pool.RESOLVE: self.resolve}[pool]

    def tier(self, skill: Skill) -> int:
        found: int = getattr(self, skill.value)
        return found

    def tiers(self, affliction: str) -> int:
        return self.afflictions.get(affliction, 0)

    def wounded(self, part: Part) -> int:
        return self.wounds.get(part, 0)

    @property
    def worst_part(self) -> Part:
        return max(self.parts, key=self.wounded)

    @property
    def conscious(self) -> bool:
        return self.tiers(UNCONSCIOUS) == 0

    @property
    def without_resolve(self) -> bool:
        """D-16; what never had any Resolve can't run out of it."""
        return self.resolve.now == 0 < self.resolve.full

    def is_immune(self, *words: str) -> bool:
        return any(word in self.immune for word in words)

    def set_tiers(self, affliction: str, tiers: int) -> None:
        self.afflictions = {**self.afflictions, affliction: max(0, tiers)}

    def set_wound(self, part: Part, tiers: int) -> None:
        self.wounds = {**self.wounds, part: max(0, tiers)}

    def forget_turn(self) -> None:
        self.minors, self.pushed = 0, False


def pool_of(onto: str) -> Pool | None:
    """What is hurt: a pool, or None when it is an affliction."""
    return Pool(onto) if onto in list(Pool) else None
