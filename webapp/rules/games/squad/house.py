"""The readings of Shadow Squad that a table may choose between."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from pydantic import Field

from webapp.rules import document
from webapp.rules.games.squad.sheet import Attribute


class ParryEffect(StrEnum):
    DEVICE_ALONE = "device_alone"
    DEVICE_DIE_REDUCES = "device_die_reduces"

    @property
    def label(self) -> str:
        return "It takes the whole blow" if self is ParryEffect.DEVICE_ALONE else "Its die comes off, the rest hits"


class Wear(StrEnum):
    RANK = "rank"
    NONE = "none"

    @property
    def label(self) -> str:
        return "They lose a die rank" if self is Wear.RANK else "They never wear out"


class NewInitiative(StrEnum):
    EACH_ROUND = "each_round"
    KEEP = "keep"

    @property
    def label(self) -> str:
        return "Rolled anew each round" if self is NewInitiative.EACH_ROUND else "Rolled once, then kept"


class RestHp(StrEnum):
    D2 = "d2"
    ONE = "1"
    TWO = "2"

    @property
    def label(self) -> str:
        return {
            RestHp.D2: "A d2 for eight hours",
            RestHp.ONE: "1 for eight hours",
            RestHp.TWO: "2 for eight hours",
        }[self]


class House(document.House):
    game: ClassVar[str] = "squad"

    id: str = "squad"
    initiative: Literal[Attribute.STW, Attribute.ATN] = Field(
        default=Attribute.STW, description="Which die heroes roll for initiative."
    )
    parry: bool = Field(
        title="Blows can be parried", default=True, description="Off: a blow that hits can't be parried at all."
    )
    parry_effect: ParryEffect = Field(
        title="A parry with a device",
        default=ParryEffect.DEVICE_ALONE,
        description="A parried blow hurts the device alone, or the device's die comes off and the rest hits.",
    )
    device_wear: Wear = Field(
        title="Wear of devices",
        default=Wear.RANK,
        description="What gets through a parrying device costs it one die rank; below d4 it breaks.",
    )
    new_initiative: NewInitiative = Field(
        default=NewInitiative.EACH_ROUND, description="Roll initiative anew each round, or keep the first."
    )
    rest_hp: RestHp = Field(
        title="HP for a night",
        default=RestHp.D2,
        description="HP for each full eight hours of rest with first aid: a d2, or always 1 or 2.",
    )
    streak_overlap: bool = Field(
        title="Streaks may overlap",
        default=False,
        description="On: a die may serve two pairs, so 1, 1, 1 costs two Will Points instead of one.",
    )
