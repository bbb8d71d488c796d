"""A roll is one frozen value: what was asked, what fell, and all that follows from both."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from webapp.rules.text import Text, listed, text
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
    """Something added to a total, with where it comes from. `about`: whose figure it tells, if anybody's."""

    source: Text
    amount: int
    about: str | None = None


class Ask(Frozen):
    """A roll before it falls. `dice` are sides, thrown in this order.

    `counts_from`: the total is how many faces reach it, not their sum. The last `minus` dice are taken off.
    `lowest` is the least a total can be. `tested`: one of those rolls that "all rolls" speaks of.
    A kept face that is `always` succeeds and one that is `never` fails, whatever the total.
    The last `lent` dice are there for a figure of `lender`'s, and told to nobody who may not know that.
    """

    what: Text
    roller: str | None = None
    dice: tuple[int, ...]
    keep: Keep = Keep.ALL
    counts_from: int | None = None
    minus: int = 0
    lent: int = 0
    lender: str | None = None
    lowest: int | None = None
    tested: bool = False
    always: int | None = None
    never: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    wins: Wins = Wins.ALWAYS
    target: int | None = None
    against: Text | None = None

    @property
    def about(self) -> str | None:
        """Whose figures the difficulty or a modifier tells, if anybody's."""
        told = next((one.about for one in self.modifiers if one.about is not None), None)
        return told or (None if self.against is None else min(self.against.mentions(), default=None))

    @property
    def purpose(self) -> Text:
        """What is rolled and what it must reach: "attack with TUF against 4"."""
        if self.against is None:
            return self.what
        return text("{what} against {target}", what=self.what, target=self.against)

    @property
    def pool(self) -> str:
        """The dice in words: "d8", "2d6 + d8", "d10 − d10"."""
        if self.minus:
            plus, off = self.dice[: -self.minus], self.dice[-self.minus :]
            return " − ".join(" + ".join(f"d{side}" for side in dice) for dice in (plus, off))
        counts = [(self.dice.count(side), side) for side in dict.fromkeys(self.dice)]
        return " + ".join(f"{count if count > 1 else ''}d{side}" for count, side in counts)

    @property
    def bonus(self) -> int:
        return sum(modifier.amount for modifier in self.modifiers)


Because = Ask | Text | None  # where a chance or a number comes from: the roll behind it, or in words


def derivation(because: Because) -> Text | None:
    """In a sentence: what is thrown, what is added, and what it must reach."""
    if not isinstance(because, Ask):
        return because
    plus = [
        text("{amount:+} {source}", amount=one.amount, source=one.source) for one in because.modifiers if one.amount
    ]
    parts = [text("{dice}", dice=_thrown(because)), *plus, *_goal(because), *_naturals(because)]
    return text("{what}: {how}.", what=because.what, how=listed(parts, between=", "))


def _thrown(ask: Ask) -> str:
    if len(ask.dice) > 1 and ask.keep is not Keep.ALL:
        return f"the {ask.keep.value} of {ask.pool}"
    if ask.counts_from is not None:
        return f"{ask.pool}, counting faces of {ask.counts_from} and up"
    return ask.pool


def _goal(ask: Ask) -> Iterator[Text]:
    wanted = ask.against or text("{number}", number=ask.target or 0)
    if ask.wins is Wins.AT_LEAST:
        yield text("must make at least {wanted}", wanted=wanted)
    elif ask.wins is Wins.UNDER:
        yield text("must stay under {wanted}", wanted=wanted)


def _naturals(ask: Ask) -> Iterator[Text]:
    if ask.always is not None:
        yield text("a {face} always does it", face=ask.always)
    if ask.never is not None:
        yield text("a {face} never does", face=ask.never)


class Roll(Frozen):
    """What fell. Outcome, derivation and display all read this one value. `again`: in the place of an earlier one."""

    ask: Ask
    faces: tuple[int, ...]
    by_hand: bool = False
    again: bool = False

    def mentions(self) -> frozenset[str]:
        """Ids of all whose dice or figures are in it."""
        ask = self.ask
        told = (ask.what, *(one.source for one in ask.modifiers), *filter(None, (ask.against,)))
        named = {ask.roller, ask.lender, *(one.about for one in ask.modifiers)} - {None}
        return frozenset(map(str, named)).union(*(sentence.mentions() for sentence in told))

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
        total = self._shown() + self.ask.bonus
        return total if self.ask.lowest is None else max(self.ask.lowest, total)

    def _shown(self) -> int:
        least, minus = self.ask.counts_from, self.ask.minus
        if least is not None:
            return sum(face >= least for face in self.kept)
        plus, off = (self.kept[:-minus], self.kept[-minus:]) if minus else (self.kept, ())
        return sum(plus) - sum(off)

    @property
    def success(self) -> bool:
        natural = self.kept[0] if len(self.kept) == 1 else None
        if natural is not None and natural in (self.ask.always, self.ask.never):
            return natural == self.ask.always
        match self.ask.wins:
            case Wins.AT_LEAST:
                assert self.ask.target is not None
                return self.total >= self.ask.target
            case Wins.UNDER:
                assert self.ask.target is not None
                return self.total < self.ask.target
        return True
