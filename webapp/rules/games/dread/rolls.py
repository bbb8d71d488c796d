"""The two kinds of roll: a check, one die added and one taken off; and a soak, the same on half-size dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product

from webapp.rules.document import CharacterId
from webapp.rules.games.dread.house import CritRule, House, Rounding
from webapp.rules.games.dread.sheet import WILLPOWER, Attribute, Outcome, Sheet, half
from webapp.rules.odds import totals
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.values import Frozen

NO_SHEET = text("There is no fear sheet for that.")
SHORT_BY = 5


def check(
    state: State,
    who: CharacterId,
    attribute: Attribute,
    skill: str | None,
    *,
    difficulty: int | None = None,
    what: Text | None = None,
) -> Ask:
    """Attribute + skill + one die − one die of the same size, less what fear costs (B3-1)."""
    sheet = state.sheet(Sheet, who)
    named = text(attribute.value) if skill is None else text("{one} + {two}", one=attribute.value, two=skill)
    return state.judged(
        Ask(
            what=what or named,
            roller=who,
            dice=(sheet.die, sheet.die),
            minus=1,
            tested=True,
            modifiers=tuple(_parts(sheet, attribute, skill)),
            wins=Wins.ALWAYS if difficulty is None else Wins.AT_LEAST,
            target=difficulty,
            against=None if difficulty is None else text("{difficulty}", difficulty=difficulty),
        )
    )


def _parts(sheet: Sheet, attribute: Attribute, skill: str | None) -> Iterator[Modifier]:
    yield Modifier(source=text(attribute.value), amount=sheet.attribute(attribute))
    if skill is not None:
        yield Modifier(source=text("{skill}", skill=skill), amount=sheet.skill(skill))


def against_fear(state: State, who: CharacterId, difficulty: int) -> Ask:
    """F-01: a willpower roll is charisma + willpower; equal to the difficulty resists (B3-3)."""
    what = text("willpower against fear")
    return check(state, who, Attribute.CHARISMA, WILLPOWER, difficulty=difficulty, what=what)


def soak(state: State, who: CharacterId) -> Ask:
    """F-10, B3-9: charisma alone on half-size dice, less what fear costs, never below nothing."""
    sheet = state.sheet(Sheet, who)
    dice = half(sheet.die)
    return state.judged(
        Ask(
            what=text("soak"),
            roller=who,
            dice=dice,
            minus=1 if dice else 0,
            lowest=0,
            tested=True,
            modifiers=(Modifier(source=text(Attribute.CHARISMA.value), amount=sheet.charisma),),
        )
    )


def is_critical(rule: CritRule, roll: Roll) -> bool | None:
    """Is this failed test panic (B3-2)? None: the GM has to say."""
    plus, minus = roll.faces
    top = minus == roll.ask.dice[-1]
    match rule:
        case CritRule.MINUS_MAX:
            return top
        case CritRule.PLUS1_AND_MINUS_MAX:
            return top and plus == 1
        case CritRule.FAIL_BY_5:
            assert roll.ask.target is not None
            return roll.ask.target - roll.total >= SHORT_BY
    return None


def points(outcome: Outcome, difficulty: int, rounding: Rounding) -> int:
    """F-06 … F-08: half, all, or one and a half times the difficulty; never below nothing (B3-4, B3-17)."""
    match outcome:
        case Outcome.RESISTED:
            due = difficulty // 2
        case Outcome.SCARED:
            due = difficulty
        case Outcome.PANICKED:
            due = (3 * difficulty + (1 if rounding is Rounding.UP else 0)) // 2
    return max(0, due)


# --- what a test may come to, before it is rolled ------------------------------------------------------------


class Prospect(Frozen):
    """Chances of one fear test without a second try, and the insanity to be expected after the soak."""

    resisted: Fraction
    scared: Fraction
    panicked: Fraction
    insanity: Fraction

    @property
    def words(self) -> Text:
        return text(
            "resist {resisted}, scared {scared}, panicked {panicked}; about {insanity} insanity",
            resisted=_percent(self.resisted),
            scared=_percent(self.scared),
            panicked=_percent(self.panicked),
            insanity=f"{float(self.insanity):.1f}",
        )


def prospect(state: State, who: CharacterId, difficulty: int) -> Prospect:
    """From the very rolls that will be made. Where the GM says what is panic, a failure counts as a fright."""
    sheet, house = state.sheet(Sheet, who), state.house(House)
    test = against_fear(state, who, difficulty)
    shares = _shares(test.dice, test.bonus, difficulty, house.crit_rule)
    calm_soak = soak(state, who).bonus - sheet.fear.penalty
    insanity = Fraction(0)
    for outcome, share in zip(Outcome, shares, strict=True):
        worst = min(sheet.fear.penalty, outcome.fear.penalty)
        due = points(outcome, difficulty, house.panic_rounding)
        insanity += share * _left(half(sheet.die), calm_soak + worst, due)
    resisted, scared, panicked = shares
    return Prospect(resisted=resisted, scared=scared, panicked=panicked, insanity=insanity)


@lru_cache(maxsize=2048)
def _shares(
    dice: tuple[int, ...], bonus: int, difficulty: int, rule: CritRule
) -> tuple[Fraction, Fraction, Fraction]:
    """Of all pairs of faces: resisted, scared, panicked."""
    ask = Ask(
        what=text(""),
        dice=dice,
        minus=1,
        modifiers=(Modifier(source=text(""), amount=bonus),),
        wins=Wins.AT_LEAST,
        target=difficulty,
    )
    rolls = [Roll(ask=ask, faces=faces) for faces in product(*(range(1, side + 1) for side in dice))]
    failed = [roll for roll in rolls if not roll.success]
    panicked = sum(is_critical(rule, roll) is True for roll in failed)
    return (
        Fraction(len(rolls) - len(failed), len(rolls)),
        Fraction(len(failed) - panicked, len(rolls)),
        Fraction(panicked, len(rolls)),
    )


@lru_cache(maxsize=2048)
def _left(dice: tuple[int, ...], bonus: int, due: int) -> Fraction:
    """What is expected to be left of so many points after the soak."""
    modifiers = (Modifier(source=text(""), amount=bonus),)
    ask = Ask(what=text(""), dice=dice, minus=1 if dice else 0, lowest=0, modifiers=modifiers)
    return sum((odds * max(0, due - total) for total, odds in totals(ask)), Fraction(0))


def _percent(share: Fraction) -> str:
    return f"{round(100 * share)}\N{NO-BREAK SPACE}%"
