"""A roll is one frozen value: what was asked, what fell, and all that follows from both."""

from __future__ import annotations

from enum import StrEnum

from webapp.rules.text import Text
from webapp.rules.values import Frozen


class Keep(StrEnum):
    ALL = "all"
    HIGHEST = "highest"
    LOWEST = "lowest"


class Wins(StrEnum):
    """When the total is a success."""

    AT_LEAST = "at least"
    UNDER = "under"
    ALWAYS = "always"


class Modifier(Frozen):
    """Something added to a total, with where it comes from."""

    source: Text
    amount: int


class Ask(Frozen):
    """A roll before it falls. `dice` are sides, thrown in this order.

    `counts_from`: the total is how many faces reach it, not their sum.
    """

    what: Text
    roller: str | None = None
    dice: tuple[int, ...]
    keep: Keep = Keep.ALL
    counts_from: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    wins: Wins = Wins.ALWAYS
    target: int | None = None
    against: Text | None = None

    @property
    def bonus(self) -> int:
        return sum(modifier.amount for modifier in self.modifiers)


class Roll(Frozen):
    """What fell. Outcome, derivation and display all read this one value."""

    ask: Ask
    faces: tuple[int, ...]
    by_hand: bool = False

    @property
    def kept(self) -> tuple[int, ...]:
        match self.ask.keep:
            case _ if not self.faces:
                return ()
            case Keep.HIGHEST:
                return (max(self.faces),)
            case Keep.LOWEST:
                return (min(self.faces),)
        return self.faces

    @property
    def total(self) -> int:
        least = self.ask.counts_from
        shown = sum(self.kept) if least is None else sum(face >= least for face in self.kept)
        return shown + self.ask.bonus

    @property
    def success(self) -> bool:
        match self.ask.wins:
            case Wins.AT_LEAST:
                assert self.ask.target is not None
                return self.total >= self.ask.target
            case Wins.UNDER:
                assert self.ask.target is not None
                return self.total < self.ask.target
        return True
