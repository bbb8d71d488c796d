"""A line of the log and the rolls in it, as one viewer may read them."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Odds
from webapp.rules.document import Line
from webapp.rules.odds import chance, standing
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.sight import Sight
from webapp.rules.text import number
from webapp.rules.values import Frozen


class RollView(Frozen):
    """A roll in words and numbers: everything a player needs to check it.

    `fell`: per cent of all rolls that would have been better, half of its likes included; with it the `margin`,
    by how much it was enough (0 and up) or not (below 0). Both are told where the chance is. Where the roller's
    figures are not told, dice and modifiers are left out: what was thrown would tell them.
    """

    what: str
    dice: tuple[tuple[int, int, bool], ...]
    modifiers: tuple[str, ...]
    total: int
    target: str | None
    verdict: bool | None
    chance: Odds
    by_hand: bool
    again: bool = False
    fell: float | None = None
    margin: int | None = None


class LineView(Frozen):
    words: str
    rolls: tuple[RollView, ...]
    secret: bool
    brief: str | None
    why: str | None = None


def line_view(sight: Sight, line: Line) -> LineView | None:
    if not sight.may_read(line.audience):
        return None
    return LineView(
        words=sight.words(line.sentence),
        rolls=tuple(roll_view(sight, roll) for roll in line.rolls),
        secret=line.audience.kind != "table",
        brief=sight.maybe(line.brief),
        why=sight.maybe(line.why),
    )


def roll_view(sight: Sight, roll: Roll) -> RollView:
    ask = roll.ask
    if ask.roller is not None and not sight.told_figures(ask.roller):
        return _closed_view(sight, roll)
    judged = ask.wins is not Wins.ALWAYS
    open_ones = [one for one in ask.modifiers if one.about is None or sight.told_figures(one.about)]
    withheld = ask.bonus - sum(one.amount for one in open_ones)
    target = None if ask.against is None else sight.words(ask.against)
    told = judged and (ask.about is None or sight.told_figures(ask.about))
    odds = chance(ask) if told else None
    return RollView(
        what=sight.words(ask.what),
        dice=tuple(_dice(roll))[: _told(sight, ask)],
        modifiers=tuple(
            f"{number(one.amount, signed=True)} {sight.words(one.source)}" for one in open_ones if one.amount
        ),
        total=roll.total - withheld,
        target=target,
        verdict=roll.success if judged else None,
        chance=odds,
        by_hand=roll.by_hand,
        again=roll.again,
        fell=None if odds is None else round(float(100 * standing(roll, odds)), 1),
        margin=_margin(roll) if told else None,
    )


def _told(sight: Sight, ask: Ask) -> int:
    """How many of the dice this viewer may know of."""
    return len(ask.dice) if ask.lender is None or sight.told_figures(ask.lender) else len(ask.dice) - ask.lent


def _closed_view(sight: Sight, roll: Roll) -> RollView:
    """What it comes to, which others must know, and nothing of how."""
    ask = roll.ask
    return RollView(
        what=sight.words(ask.what),
        dice=(),
        modifiers=(),
        total=roll.total,
        target=sight.maybe(ask.against),
        verdict=None if ask.wins is Wins.ALWAYS else roll.success,
        chance=None,
        by_hand=roll.by_hand,
    )


def _dice(roll: Roll) -> Iterator[tuple[int, int, bool]]:
    """Each die with its face, below 0 where it is taken off, and whether it counts."""
    sides, kept = roll.ask.dice, list(roll.kept)
    for nth, (side, face) in enumerate(zip(sides, roll.faces, strict=True)):
        is_kept = face in kept
        if is_kept:
            kept.remove(face)
        yield side, -face if nth >= len(sides) - roll.ask.minus else face, is_kept


def _margin(roll: Roll) -> int | None:
    """None where a natural face decided, whatever the total."""
    target = roll.ask.target
    if target is None:
        return None
    spare = target - 1 - roll.total if roll.ask.wins is Wins.UNDER else roll.total - target
    return spare if roll.success is (spare >= 0) else None
