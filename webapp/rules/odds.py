"""Exact chances, from the very ask that will be rolled."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any

import icepool

from webapp.rules.roll import Ask, Keep, Roll, Wins


def chance(ask: Ask) -> Fraction:
    """The chance that the roll of this ask is a success, 0 … 1."""
    if ask.always is not None or ask.never is not None:
        return _with_naturals(ask.dice, ask.keep, ask.bonus, ask.wins, ask.target, ask.always, ask.never)
    return sum((odds for total, odds in totals(ask) if _wins(total, ask.wins, ask.target)), Fraction(0))


def odds_of(ask: Ask, **more: Any) -> dict[str, Any]:
    """What a button or a choice tells of the roll behind it."""
    return {"chance": chance(ask), "about": ask.about, "pool": ask.pool, "because": ask, **more}


@lru_cache(maxsize=4096)
def _with_naturals(
    dice: tuple[int, ...],
    keep: Keep,
    bonus: int,
    wins: Wins,
    target: int | None,
    always: int | None,
    never: int | None,
) -> Fraction:
    """One kept die, of which some faces decide by themselves."""
    won = Fraction(0)
    for face, odds in _totals(dice, keep, None, 0, 0, None):
        by_total = face != never and _wins(face + bonus, wins, target)
        won += odds if face == always or by_total else 0
    return won


def standing(roll: Roll, odds: Fraction) -> Fraction:
    """The share of all rolls of this ask that are better, half of those like it included.

    With `odds`, the chance of success, it is below them for every success and above them for every failure.
    """
    ask = roll.ask
    by = (ask.dice, ask.keep, ask.counts_from, ask.minus, ask.bonus, ask.lowest)
    found = _standing(*by, roll.total, ask.wins is Wins.UNDER) if ask.dice else Fraction(1, 2)
    if roll.success is (found < odds):
        return found
    return odds / 2 if roll.success else (1 + odds) / 2  # a natural face decided


@lru_cache(maxsize=4096)
def _standing(
    dice: tuple[int, ...],
    keep: Keep,
    least: int | None,
    minus: int,
    bonus: int,
    lowest: int | None,
    total: int,
    least_is_best: bool,
) -> Fraction:
    outcomes = _totals(dice, keep, least, minus, bonus, lowest)
    better = (odds for other, odds in outcomes if (other < total if least_is_best else other > total))
    return sum(better, Fraction(0)) + dict(outcomes).get(total, Fraction(0)) / 2


def totals(ask: Ask) -> tuple[tuple[int, Fraction], ...]:
    """Every total the roll of this ask can show, with its chance; they add up to 1."""
    if not ask.dice:
        return ((max(ask.bonus, ask.lowest) if ask.lowest is not None else ask.bonus, Fraction(1)),)
    return _totals(ask.dice, ask.keep, ask.counts_from, ask.minus, ask.bonus, ask.lowest)


@lru_cache(maxsize=4096)
def _totals(
    dice: tuple[int, ...], keep: Keep, least: int | None, minus: int, bonus: int, lowest: int | None
) -> tuple[tuple[int, Fraction], ...]:
    thrown = _thrown(dice, keep, least, minus) + bonus
    if lowest is not None:
        thrown = thrown.map(lambda total: max(lowest, total))
    return tuple((total, Fraction(thrown.probability("==", total))) for total in thrown)


@lru_cache(maxsize=1024)
def _thrown(dice: tuple[int, ...], keep: Keep, least: int | None, minus: int) -> icepool.Die[int]:
    pool = [icepool.d(side) for side in dice]
    kept = {Keep.HIGHEST: icepool.highest, Keep.LOWEST: icepool.lowest}.get(keep)
    if kept is not None and len(pool) > 1:
        pool = [kept(*pool)]
    if least is not None:
        pool = [die.map(lambda face: int(face >= least)) for die in pool]
    if minus:
        pool = [*pool[:-minus], *(-die for die in pool[-minus:])]
    return sum(pool[1:], start=pool[0])


def _wins(total: int, wins: Wins, target: int | None) -> bool:
    match wins:
        case Wins.AT_LEAST:
            return target is not None and total >= target
        case Wins.UNDER:
            return target is not None and total < target
    return True
