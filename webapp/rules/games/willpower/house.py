"""The readings of Willpower that a table may choose between, and its tables of Panic and of Chaos."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules import document
from webapp.rules.games.willpower.content import book
from webapp.rules.games.willpower.sheet import Die, Line
from webapp.rules.tables import Row, ShownTable
from webapp.rules.text import Text, text
from webapp.rules.values import Record


class SpendAtD4(StrEnum):
    PANIC = "panic"
    FORBID = "forbid"
    FREE = "free"

    @property
    def label(self) -> str:
        return {"panic": "It runs out: Panic", "forbid": "It can't be spent", "free": "It stays a d4"}[self.value]


class HpScope(StrEnum):
    EVERY_CAST = "every_cast"
    AFTER_FIRST = "after_first"

    @property
    def label(self) -> str:
        return "On every cast" if self is HpScope.EVERY_CAST else "From the second cast of a day on"


class Effect(StrEnum):
    """W-18 … W-25: what an attack may do besides."""

    BUTCHER = "butcher"
    DISARM = "disarm"
    WHIRLWIND = "whirlwind"
    VICIOUS = "vicious"
    ENTANGLE = "entangle"
    PIN_DOWN = "pin_down"

    @property
    def label(self) -> str:
        return self.value.replace("_", " ").capitalize()


class Panics(StrEnum):
    """What a row of the Panic table does to whoever panics."""

    FREEZE = "freeze"
    BOLT = "bolt"
    DROP = "drop"
    SHAKE = "shake"
    LASH_OUT = "lash out"
    NOTHING = "nothing"

    @property
    def label(self) -> str:
        return _PANICS[self.value]


_PANICS = {
    "freeze": "Freeze: no actions next turn",
    "bolt": "Bolt: both actions of the next turn are moves",
    "drop": "Drop what is in hand",
    "shake": "Shake: tests at disadvantage",
    "lash out": "Lash out: attack the nearest next turn",
    "nothing": "Nothing",
}


class ThisAction(StrEnum):
    """What becomes of the action in hand."""

    GOES_ON = "goes on"
    LOST = "lost"
    AT_DISADVANTAGE = "at disadvantage"
    EMPTY_HANDED = "goes on if it needs nothing in hand"


class Mishap(StrEnum):
    """What a row of the Chaos Revenge table does."""

    HURTS_CASTER = "hurts the caster"
    HURTS_ALL_CLOSE = "hurts all who are close"
    OTHER_TARGET = "finds another target"
    NO_MORE_SPELLS = "no more spells"
    MARK = "a mark"
    TROUBLE = "trouble for later"
    NOTHING = "nothing"

    @property
    def label(self) -> str:
        return "A mark of Chaos" if self is Mishap.MARK else self.value.capitalize()


class PanicRow(Record):
    words: Annotated[Line, Field(title="says")]
    does: Panics
    action: Annotated[ThisAction, Field(title="this action")]


class ChaosRow(Record):
    words: Annotated[Line, Field(title="says")]
    does: Mishap
    die: Annotated[Die, Field(title="damage die")] = 6
    spell_works: bool = True


class PanicTable(Record):
    on_1: Annotated[PanicRow, Field(title="on a 1:")]
    on_2: Annotated[PanicRow, Field(title="on a 2:")]
    on_3: Annotated[PanicRow, Field(title="on a 3:")]
    on_4: Annotated[PanicRow, Field(title="on a 4:")]
    on_5: Annotated[PanicRow, Field(title="on a 5:")]
    on_6: Annotated[PanicRow, Field(title="on a 6:")]

    def row(self, face: int) -> PanicRow:
        return (self.on_1, self.on_2, self.on_3, self.on_4, self.on_5, self.on_6)[face - 1]


class ChaosTable(Record):
    on_1: Annotated[ChaosRow, Field(title="on a 1:")]
    on_2: Annotated[ChaosRow, Field(title="on a 2:")]
    on_3: Annotated[ChaosRow, Field(title="on a 3:")]
    on_4: Annotated[ChaosRow, Field(title="on a 4:")]
    on_5: Annotated[ChaosRow, Field(title="on a 5:")]
    on_6: Annotated[ChaosRow, Field(title="on a 6:")]

    def row(self, face: int) -> ChaosRow:
        return (self.on_1, self.on_2, self.on_3, self.on_4, self.on_5, self.on_6)[face - 1]


def _rows(table: str) -> dict[str, Any]:
    return {f"on_{face}": row for face, row in book("tables")[table].items()}


class House(document.House):
    """Each effect is a switch of its own: the list is open, and a table may play any part of it (B0-23).

    The two tables are house material: ours, until a group that owns the book puts in its own.
    """

    game: ClassVar[str] = "willpower"

    id: str = "willpower"
    spend_at_d4: SpendAtD4 = Field(
        title="Spending a d4",
        default=SpendAtD4.PANIC,
        description="It runs out and brings Panic; or it can't be spent; or it is spent and stays a d4.",
    )
    spend_on_natural_20: bool = Field(
        title="Willpower can rescue a natural 20",
        default=False,
        description="Off: a natural 20 stays a critical failure, whatever is spent.",
    )
    spell_fails_on_drop: bool = Field(
        title="A spell fails when the die drops",
        default=False,
        description="Off: only the die gets smaller; the spell works.",
    )
    cast_hp_scope: HpScope = Field(
        title="HP may hold the casting die",
        default=HpScope.EVERY_CAST,
        description="On every casting roll, or only after the first spell of a day.",
    )
    butcher: bool = Field(default=True, description="The Willpower face is added to the damage.")
    disarm: bool = Field(default=True, description="The target loses what is in its hand.")
    whirlwind: bool = Field(default=True, description="Everybody close takes the damage, friend or foe.")
    vicious: bool = Field(default=True, description="The target bleeds until it is tended.")
    entangle: bool = Field(default=True, description="No damage, but others attack the target with advantage.")
    pin_down: bool = Field(default=True, description="The target may not move on its next turn.")
    panic: PanicTable = Field(default_factory=lambda: PanicTable.model_validate(_rows("panic")))
    chaos: Annotated[ChaosTable, Field(title="Chaos Revenge")] = Field(
        default_factory=lambda: ChaosTable.model_validate(_rows("chaos"))
    )

    def tables(self) -> tuple[ShownTable, ...]:
        """As they are read; what a row does is the rules' business."""
        return (
            _shown("willpower.panic", text("Panic"), [self.panic.row(face) for face in range(1, 7)]),
            _shown("willpower.chaos", text("Chaos Revenge"), [self.chaos.row(face) for face in range(1, 7)]),
        )

    def allows(self, effect: Effect) -> bool:
        allowed: bool = getattr(self, effect.value)
        return allowed


def _shown(id: str, name: Text, rows: Sequence[PanicRow | ChaosRow]) -> ShownTable:
    lines = (Row(lowest=face, highest=face, words=row.words) for face, row in enumerate(rows, 1))
    return ShownTable(id=id, name=name, dice=(6,), rows=tuple(lines))
