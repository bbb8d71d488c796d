"""Plain values of the rules: records, tracks, dice ladders, and how a field behaves when an act is undone."""

from __future__ import annotations

import json
import re
from collections.abc import Container, Sequence
from enum import Enum
from functools import cache
from itertools import chain, count
from typing import Annotated, Any, ClassVar, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator


class Frozen(BaseModel):
    """A value: never changed, compared by what it holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")


UNCHANGING = frozenset((str, int, bool, float, type(None)))


class Record(BaseModel):
    """Something a move may change; every assignment is checked."""

    model_config = ConfigDict(extra="forbid", validate_assignment=True)

    def draft(self) -> Self:
        """A copy to be edited; what can't be changed is shared."""
        copy = self.model_copy()
        held = copy.__dict__
        for name, value in self.__dict__.items():
            if type(value) not in UNCHANGING:
                held[name] = _draft(value)
        return copy


def _draft(value: Any) -> Any:
    match value:
        case Record():
            return value.draft()
        case dict():
            return {key: _draft(one) for key, one in value.items()}
        case list() | tuple():
            return type(value)(_draft(one) for one in value)
    return value


def _readable(words: Any) -> Any:
    """Without line breaks, marks that turn the writing round, and other letters nobody sees."""
    if not isinstance(words, str):
        return words
    return " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())


READABLE = BeforeValidator(_readable)


def _can_be_kept(value: JsonValue) -> JsonValue:
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:  # no number, one with thousands of digits, half a letter
        raise ValueError("There is a value in it that can't be written down. Enter another.") from None
    return value


Plain = Annotated[JsonValue, AfterValidator(_can_be_kept)]


class Named:
    """What is stored or sent under a name: `<game>.<snake_case_of_the_class>`."""

    game: ClassVar[str] = "table"

    @classmethod
    @cache
    def kind(cls) -> str:
        return f"{cls.game}.{re.sub(r'(?<=[a-z0-9])(?=[A-Z])', '_', cls.__name__).lower()}"


class Handling(Enum):
    """How undo treats a field. Everything unmarked is put back only where it still holds what was written."""

    COUNTED = "put back by the difference, held within 0 and the track's end"
    TRAIL = "left alone when touched since; never in the way"


Counted = Annotated[int, Handling.COUNTED]


class Track(Record):
    """A number that is spent and given back, 0 … full."""

    now: Annotated[int, Handling.COUNTED, Field(ge=0, le=999)]
    full: Annotated[int, Field(ge=0, le=999)]

    @classmethod
    def of(cls, full: int) -> Track:
        return cls(now=full, full=full)

    @model_validator(mode="after")
    def _within(self) -> Self:
        """A track that gets shorter takes what is above its end with it."""
        if self.now > self.full:
            self.__dict__["now"] = self.full
        return self

    def lose(self, amount: int) -> int:
        """Takes off up to `amount` (at least 0); returns what really went."""
        lost = max(0, min(self.now, amount))
        self.now -= lost
        return lost

    def gain(self, amount: int) -> int:
        """Gives back up to `amount`, never above full; returns what really came."""
        won = max(0, min(self.full - self.now, amount))
        self.now += won
        return won


class Ladder:
    """The dice a rule set knows, smallest first, with both ends firm."""

    def __init__(self, *ranks: int) -> None:
        self.ranks: Sequence[int] = ranks

    def __contains__(self, die: int) -> bool:
        return die in self.ranks

    def shift(self, die: int, by: int) -> int | None:
        """The die `by` ranks up (or down, when negative); None beyond either end."""
        at = self.ranks.index(die) + by
        return self.ranks[at] if 0 <= at < len(self.ranks) else None

    def up(self, die: int) -> int:
        """One rank up, capped at the top."""
        return self.shift(die, 1) or die

    def is_top(self, die: int) -> bool:
        return die == self.ranks[-1]


def free_name(name: str, taken: Container[str], *, between: str = "") -> str:
    """This name, or with the first number that makes it another than those."""
    names = chain([name], (f"{name}{between}{nth}" for nth in count(2)))
    return next(one for one in names if one not in taken)
