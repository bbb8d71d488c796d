"""The readings of Grit, Energy and Resolve that a table may choose between."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from pydantic import Field

from webapp.rules import document


class StabFloor(StrEnum):
    NONE = "none"
    ZERO = "zero"


class KnockoutTiers(StrEnum):
    EACH_INJURY = "each_injury"
    FIRST_ONLY = "first_only"


class ContinuingWounds(StrEnum):
    NEW_ONLY = "new_only"
    FULL_EACH_TICK = "full_each_tick"


class RupturedConduit(StrEnum):
    ASK_GM = "ask_gm"
    ENDURE_CHECK = "endure_check"
    OFF = "off"


class SkillRolls(StrEnum):
    HIGHEST = "highest"
    SUM = "sum"


class Aim(StrEnum):
    GM_LEAVE = "gm_leave"
    MINUS_2 = "minus_2"
    FREE = "free"


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
        description="House material: where the highest face counts, a 12 reaches any DL whatever the penalties.",
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
