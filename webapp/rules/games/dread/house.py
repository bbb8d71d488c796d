"""The readings of Fear and Insanity that a table may choose between."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import document


class CritRule(StrEnum):
    MINUS_MAX = "minus_max"
    PLUS1_AND_MINUS_MAX = "plus1_and_minus_max"
    FAIL_BY_5 = "fail_by_5"
    GM = "gm"

    @property
    def label(self) -> str:
        return {
            CritRule.MINUS_MAX: "The minus die shows its highest face",
            CritRule.PLUS1_AND_MINUS_MAX: "That, and the plus die a 1",
            CritRule.FAIL_BY_5: "It fails by 5",
            CritRule.GM: "The GM says so",
        }[self]


class Rounding(StrEnum):
    DOWN = "down"
    UP = "up"

    @property
    def label(self) -> str:
        return "Rounded down" if self is Rounding.DOWN else "Rounded up"


class When(StrEnum):
    AT_ONCE = "at_once"
    DEFERRED = "deferred"

    @property
    def label(self) -> str:
        return "At once" if self is When.AT_ONCE else "When the scene is over"


class House(document.House):
    game: ClassVar[str] = "dread"

    id: str = "dread"
    crit_rule: CritRule = Field(
        title="A failed test is panic when",
        default=CritRule.MINUS_MAX,
        description="What makes a fear test that fails a panic instead of a fright.",
    )
    panic_rounding: Rounding = Field(
        default=Rounding.DOWN, description="Panic is one and a half times the difficulty; how a half is rounded."
    )
    toughness: bool = Field(
        default=True, description="Each point of toughness is one more try at a failed fear test per session."
    )
    insanity_when: When = Field(
        title="Insanity is counted",
        default=When.AT_ONCE,
        description="At once, or deferred: it waits on the sheet until the scene is over or the GM settles it.",
    )
    boxes: Annotated[int, Field(ge=1, le=99)] = Field(
        title="Boxes for temporary insanity",
        default=5,
        description="What they don't hold is permanent. Five permanent points become one of corruption.",
    )
