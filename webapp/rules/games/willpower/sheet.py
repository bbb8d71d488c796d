"""What Willpower knows of a character: seven scores to roll under, and a die of nerve that wears down."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field, StringConstraints

from webapp.rules import document
from webapp.rules.document import CharacterId, Name
from webapp.rules.text import Text, text
from webapp.rules.values import READABLE, Counted, Handling, Ladder, Record, Track

DICE = Ladder(4, 6, 8, 10, 12, 20)
FULL_WILLPOWER = 6
HANDS = "hands"
UNARMED = 4


def _on_the_ladder(die: int) -> int:
    if die not in DICE:
        raise ValueError("A die is a d4, d6, d8, d10, d12 or d20.")
    return die


def _no_hands(id: str) -> str:
    if id == HANDS:
        raise ValueError("A weapon needs another id.")
    return id


Die = Annotated[int, AfterValidator(_on_the_ladder), DICE]
ThingId = Annotated[str, StringConstraints(pattern=r"^[\w-]+$", max_length=40), AfterValidator(_no_hands)]
Line = Annotated[str, StringConstraints(strip_whitespace=True, max_length=160), READABLE]
Score = Annotated[int, Field(ge=1, le=20)]


class Attribute(StrEnum):
    STRENGTH = "strength"
    DEXTERITY = "dexterity"
    ERUDITION = "erudition"
    CHARISMA = "charisma"
    GUTS = "guts"
    MELEE = "melee"
    SHOOTING = "shooting"


class State(StrEnum):
    """What may hamper somebody for a while, with the word for it."""

    BLEEDING = "bleeding"
    ENTANGLED = "entangled"
    PINNED = "pinned"
    SHAKEN = "shaken"
    FROZEN = "frozen"
    BOLTING = "bolting"
    LASHING = "lashing out"
    NO_SPELLS = "no spells"

    @property
    def lasts(self) -> bool:
        """Until something is done about it, not until the end of a turn."""
        return self in (State.BLEEDING, State.NO_SPELLS)


class Condition(StrEnum):
    FIT = "fit"
    OUT = "out"
    HELPED = "helped"
    DEAD = "dead"

    @property
    def words(self) -> Text | None:
        return None if self is Condition.FIT else text(_DOWN[self])


_DOWN = {Condition.OUT: "out", Condition.HELPED: "out, but helped", Condition.DEAD: "dead"}


class Weapon(Record):
    """`dropped`: it lies close by, and picking it up is an action."""

    name: Name
    die: Die
    ranged: bool = False
    dropped: Annotated[bool, Handling.TRAIL] = False


class Spell(Record):
    name: Name
    line: Line = ""


class Sheet(document.Sheet):
    """A hero's scores, or a foe's level and fixed `damage`: where that is set, this one never rolls to hit.

    `hand` is the weapon in hand; empty: the first one that is not dropped. `states` maps a state to the round
    at whose turn's end it ends, 0 where no turn ends it. In a fight `initiative` is 3 before the enemy and 1
    behind it, `actions` how many this turn has, `acts` what was done with them, `begun` the last round whose
    turn has begun. `close` is who was close to this one when the GM was last asked, `faced`: the
    heroes have met what is fearsome about it in this scene.
    """

    game: ClassVar[str] = "willpower"

    strength: Score = 10
    dexterity: Score = 10
    erudition: Score = 10
    charisma: Score = 10
    guts: Score = 10
    melee: Score = 10
    shooting: Score = 10
    level: Annotated[int, Field(ge=1, le=20)] = 1
    hp: Annotated[Track, Field(title="HP")]
    willpower: Annotated[Die, Field(title="Willpower die")] = FULL_WILLPOWER
    protection: Annotated[int, Field(ge=0, le=20)] = 0
    shield: bool = False
    damage: Annotated[int | None, Field(title="Fixed damage, as a foe", ge=0, le=99)] = None
    ranged: Annotated[bool, Field(title="Strikes from afar, as a foe")] = False
    fearsome: bool = False
    faced: Annotated[bool, Handling.TRAIL] = False
    weapons: Annotated[dict[ThingId, Weapon], Field(max_length=10)] = {}
    spells: Annotated[dict[ThingId, Spell], Field(max_length=12)] = {}
    cast_today: Annotated[Counted, Field(title="Spells cast today", ge=0, le=99)] = 0
    rested: Annotated[bool, Field(title="Short rest taken today")] = False
    marks: Annotated[Counted, Field(title="Marks of Chaos", ge=0, le=99)] = 0
    hand: Annotated[str, Handling.TRAIL, Field(max_length=40)] = ""
    disarmed: Annotated[bool, Handling.TRAIL, Field(title="Disarmed, as a foe")] = False
    condition: Annotated[Condition, Handling.TRAIL] = Condition.FIT
    states: Annotated[dict[State, int], Handling.TRAIL] = {}
    initiative: Annotated[int | None, Handling.TRAIL, Field(ge=1, le=3)] = None
    actions: Annotated[int, Handling.TRAIL, Field(ge=0, le=9)] = 2
    acts: Annotated[tuple[str, ...], Handling.TRAIL] = ()
    spent: Annotated[bool, Handling.TRAIL] = False
    begun: Annotated[int, Handling.TRAIL, Field(ge=0)] = 0
    fought: Annotated[CharacterId | None, Handling.TRAIL] = None
    close: Annotated[tuple[CharacterId, ...], Handling.TRAIL] = ()

    def score(self, attribute: Attribute) -> int:
        found: int = getattr(self, attribute.value)
        return found

    @property
    def can_act(self) -> bool:
        return self.condition is Condition.FIT and self.hp.now > 0

    @property
    def in_hand(self) -> str:
        """The id of the weapon that needs no drawing; HANDS when there is none."""
        held = self.weapons.get(self.hand)
        if self.hand == HANDS or (held is not None and not held.dropped):
            return self.hand
        return next((id for id, one in self.weapons.items() if not one.dropped), HANDS)

    @property
    def can_parry(self) -> bool:
        """A parry needs a weapon for it or a shield at hand."""
        held = self.weapons.get(self.in_hand)
        return self.shield or (held is not None and not held.ranged)

    @property
    def strikes_for(self) -> int:
        """A foe's fixed damage; half of it, rounded down, while it is disarmed."""
        fixed = self.damage or 0
        return fixed // 2 if self.disarmed else fixed

    def die_of(self, weapon: str) -> int:
        held = self.weapons.get(weapon)
        return UNARMED if held is None else held.die

    def is_ranged(self, weapon: str) -> bool:
        held = self.weapons.get(weapon)
        return held is not None and held.ranged

    def name_of(self, weapon: str) -> str:
        held = self.weapons.get(weapon)
        return "bare hands" if held is None else held.name

    def drop_what_is_in_hand(self) -> str | None:
        """The weapon in hand lies on the ground; its name, if there was one."""
        held = self.weapons.get(self.in_hand)
        if held is None:
            return None
        held.dropped, self.hand = True, HANDS
        return held.name

    def forget_turn(self) -> None:
        self.acts, self.spent, self.actions = (), False, 2

    def forget_fight(self) -> None:
        self.forget_turn()
        self.initiative, self.begun, self.fought = None, 0, None
