"""The readings of Grit, Energy and Resolve that a table may choose between."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import document
from webapp.rules.games.pools.sheet import Part
from webapp.rules.tables import Row, ShownTable
from webapp.rules.text import text
from webapp.rules.values import Record


class StabFloor(StrEnum):
    NONE = "none"
    ZERO = "zero"

    @property
    def label(self) -> str:
        return "It may go below 0" if self is StabFloor.NONE else "It stops at 0"


class KnockoutTiers(StrEnum):
    EACH_INJURY = "each_injury"
    FIRST_ONLY = "first_only"

    @property
    def label(self) -> str:
        return "With each Injury" if self is KnockoutTiers.EACH_INJURY else "Only with the first"


class ContinuingWounds(StrEnum):
    NEW_ONLY = "new_only"
    FULL_EACH_TICK = "full_each_tick"

    @property
    def label(self) -> str:
        return "Only Tiers not had yet" if self is ContinuingWounds.NEW_ONLY else "All of the sum each time"


class RupturedConduit(StrEnum):
    ASK_GM = "ask_gm"
    ENDURE_CHECK = "endure_check"
    OFF = "off"

    @property
    def label(self) -> str:
        return {
            RupturedConduit.ASK_GM: "The GM is asked",
            RupturedConduit.ENDURE_CHECK: "Endure is rolled",
            RupturedConduit.OFF: "Nothing comes of it",
        }[self]


class SkillRolls(StrEnum):
    HIGHEST = "highest"
    SUM = "sum"

    @property
    def label(self) -> str:
        return "The highest face counts" if self is SkillRolls.HIGHEST else "All faces are added up"


class Aim(StrEnum):
    GM_LEAVE = "gm_leave"
    MINUS_2 = "minus_2"
    FREE = "free"

    @property
    def label(self) -> str:
        return {
            Aim.GM_LEAVE: "If the GM allows it",
            Aim.MINUS_2: "At −2 on the attack",
            Aim.FREE: "Freely",
        }[self]


class Where(StrEnum):
    """What a face of the part die says."""

    HEAD = Part.HEAD.value
    RIGHT_ARM = Part.RIGHT_ARM.value
    LEFT_ARM = Part.LEFT_ARM.value
    TORSO = Part.TORSO.value
    RIGHT_LEG = Part.RIGHT_LEG.value
    LEFT_LEG = Part.LEFT_LEG.value
    PICKED = "the attacker picks"

    @property
    def part(self) -> Part | None:
        return None if self is Where.PICKED else Part(self.value)


class PartTable(Record):
    on_1: Annotated[Where, Field(title="on a 1")] = Where.HEAD
    on_2: Annotated[Where, Field(title="on a 2")] = Where.RIGHT_ARM
    on_3: Annotated[Where, Field(title="on a 3")] = Where.RIGHT_ARM
    on_4: Annotated[Where, Field(title="on a 4")] = Where.LEFT_ARM
    on_5: Annotated[Where, Field(title="on a 5")] = Where.LEFT_ARM
    on_6: Annotated[Where, Field(title="on a 6")] = Where.TORSO
    on_7: Annotated[Where, Field(title="on a 7")] = Where.TORSO
    on_8: Annotated[Where, Field(title="on an 8")] = Where.TORSO
    on_9: Annotated[Where, Field(title="on a 9")] = Where.TORSO
    on_10: Annotated[Where, Field(title="on a 10")] = Where.RIGHT_LEG
    on_11: Annotated[Where, Field(title="on an 11")] = Where.LEFT_LEG
    on_12: Annotated[Where, Field(title="on a 12")] = Where.PICKED

    @property
    def faces(self) -> tuple[Where, ...]:
        return tuple(getattr(self, name) for name in type(self).model_fields)

    def shown(self) -> ShownTable:
        """As it is read, faces that say the same in one row."""
        rows: list[Row] = []
        for face, where in enumerate(self.faces, 1):
            words = where.value.capitalize()
            if rows and rows[-1].words == words:
                rows[-1] = rows[-1].model_copy(update={"highest": face})
            else:
                rows.append(Row(lowest=face, highest=face, words=words))
        return ShownTable(id="pools.parts", name=text("Body parts"), dice=(len(self.faces),), rows=tuple(rows))


class House(document.House):
    game: ClassVar[str] = "pools"

    id: str = "pools"
    skill_roll: SkillRolls = Field(
        title="Result of a skill roll",
        default=SkillRolls.HIGHEST,
        description="House material: the highest face counts, or all faces are added up.",
    )
    natural_12: bool = Field(
        title="A 12 always succeeds",
        default=True,
        description="House material: where the highest face counts, a 12 reaches any difficulty, whatever comes off.",
    )
    stab_floor: StabFloor = Field(
        title="Stabbing below Reduction 0",
        default=StabFloor.NONE,
        description="Stabbing may push Reduction below 0, or takes away no more than there is.",
    )
    twelve_always_counts: bool = Field(
        title="A damage 12 always counts",
        default=False,
        description="On: a 12 on a damage die counts however high the face that is needed.",
    )
    knockout_tiers: KnockoutTiers = Field(
        title="Tiers of a knock-out",
        default=KnockoutTiers.EACH_INJURY,
        description="Each Injury at empty Grit brings Fatigued and Unaware, or only the one that knocks out.",
    )
    continuing_wounds: ContinuingWounds = Field(
        title="Wounds of Continuing Damage",
        default=ContinuingWounds.NEW_ONLY,
        description="A tick causes only the Tiers its part has not had yet, or all of the sum each time.",
    )
    ruptured_conduit: RupturedConduit = Field(
        default=RupturedConduit.ASK_GM,
        description="Energy used beyond what is left: the GM is asked, Endure is rolled, or nothing comes of it.",
    )
    aim: Aim = Field(
        title="Aiming at a part",
        default=Aim.GM_LEAVE,
        description="House material: with the GM's leave, at −2 on the attack, or freely.",
    )
    parts: Annotated[PartTable, Field(title="Body parts")] = Field(default_factory=PartTable)
