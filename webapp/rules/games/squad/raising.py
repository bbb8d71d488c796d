"""A die raised by a rank for a Will Point, before it is rolled."""

from __future__ import annotations

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.second_try import Rolled
from webapp.rules.games.squad.sheet import DICE, Sheet
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

ROLL, RAISE_IT = "roll", "raise"
RAISE = text("Raise the die · 1 Will Point")


def raised(die: int, wanted: bool) -> int:
    return DICE.up(die) if wanted else die


def pay_to_raise(scene: Scene, who: CharacterId, wanted: bool) -> None:
    """S-56: one Will Point raises the die of one roll by one rank, before it is rolled."""
    if wanted:
        scene.sheet(Sheet, who).will -= 1
        scene.say(text("{who} spends a Will Point to raise the die.", who=Who(who=who)))


def cannot_raise(state: State, who: CharacterId, *dice: int) -> Text | None:
    """Why these dice can't all be raised: each costs a point, and a d12 is the top (B2-19)."""
    if any(DICE.is_top(die) for die in dice):
        return text("A d12 can't be raised: roll it as it is.")
    if state.sheet(Sheet, who).will < len(dice):
        return text("There is no Will Point left for that: roll without.")
    return None


def roll_or_raise(state: State, step: Rolled) -> tuple[Choice, ...]:
    """One tap to roll, and the same with the die raised where that can be."""
    plain, who = step.ask(state), step.thrower
    roll = Choice(id=ROLL, label=text("Roll"), **odds_of(plain))
    if who is None or cannot_raise(state, who, plain.dice[0]) is not None:
        return (roll,)
    higher = step.model_copy(update={"raised": True}).ask(state)
    return (roll, Choice(id=RAISE_IT, label=text("Roll"), switch=RAISE, **odds_of(higher)))
