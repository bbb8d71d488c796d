"""Exact chances, from the very ask that will be rolled."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import icepool

from webapp.rules.roll import Ask, Keep, Wins


def chance(ask: Ask) -> Fraction:
    """The chance that the roll of this ask is a success, 0 … 1."""
    return _chance(ask.dice, ask.keep, ask.counts_from, ask.bonus, ask.wins, ask.target)


@lru_cache(maxsize=4096)
def _chance(
    dice: tuple[int, ...], keep: Keep, least: int | None, bonus: int, wins: Wins, target: int | None
) -> Fraction:
    if wins is Wins.ALWAYS or not dice:
        return Fraction(_wins(bonus, wins, target))
    totals = _totals(dice, keep, least) + bonus
    return sum(
        (Fraction(totals.probability("==", total)) for total in totals if _wins(total, wins, target)),
        Fraction(0),
    )


@lru_cache(maxsize=1024)
def _totals(dice: tuple[int, ...], keep: Keep, least: int | None) -> icepool.Die[int]:
    pool = [icepool.d(side) for side in dice]
    kept = {Keep.HIGHEST: icepool.highest, Keep.LOWEST: icepool.lowest}.get(keep)
    if kept is not None and len(pool) > 1:
        pool = [kept(*pool)]
    if least is not None:
        pool = [die.map(lambda face: int(face >= least)) for die in pool]
    return sum(pool[1:], start=pool[0])


def _wins(total: int, wins: Wins, target: int | None) -> bool:
    match wins:
        case Wins.AT_LEAST:
            return target is not None and total >= target
        case Wins.UNDER:
            return target is not None and total < target
    return True
