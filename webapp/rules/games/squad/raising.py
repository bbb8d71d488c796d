"""A die raised by a rank for a Will Point, before it is rolled."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.rolls import has_will
from webapp.rules.games.squad.second_try import Rolled, asks_at_any
from webapp.rules.games.squad.sheet import DICE, Sheet
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Wins
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
    roll = Choice(id=ROLL, label=text("Roll"), **_worth(plain))
    if who is None or cannot_raise(state, who, plain.dice[0]) is not None:
        return (roll,)
    higher = step.model_copy(update={"raised": True}).ask(state)
    return (roll, Choice(id=RAISE_IT, label=text("Roll"), switch=RAISE, **_worth(higher)))


def _worth(ask: Ask) -> dict[str, Any]:
    """The chance; where nothing is to be reached, the die."""
    return {"price": text("{die}", die=ask.pool)} if ask.wins is Wins.ALWAYS else odds_of(ask)


class AskedFirst(Question):
    """S-56: whoever wants to be asked may raise the die before it is rolled; for all others it rolls at once."""

    game: ClassVar[str] = "squad"
    default = ROLL

    def roll(self, state: State) -> Rolled:
        raise NotImplementedError

    def choices(self, state: State) -> tuple[Choice, ...]:
        step = self.roll(state)
        return (Choice(id=ROLL, label=text("Roll")),) if step.is_past(state) else roll_or_raise(state, step)

    def pointless(self, state: State) -> bool:
        step = self.roll(state)
        return step.is_past(state) or cannot_raise(state, self._who, step.ask(state).dice[0]) is not None

    def ordered(self, state: State) -> str | None:
        return None if asks_at_any(state, self._who) else ROLL

    def passed_by(self) -> Text:
        return text("Roll for them")

    def decided(self, choice: str) -> Text:
        return text("the GM rolled for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        lifts = choice == RAISE_IT
        pay_to_raise(scene, self._who, lifts)
        scene.then(self.roll(scene).model_copy(update={"raised": lifts}))

    @property
    def _who(self) -> CharacterId:
        assert self.addressee is not None
        return self.addressee


class RaiseFirst(AskedFirst):
    """Before a roll that comes by itself, so that no act could have raised its die."""

    what: Text
    act: dict[str, Any]

    def ask(self, state: State) -> Text:
        return self.what

    def brief(self) -> Text:
        return text("raise it?")

    def roll(self, state: State) -> Rolled:
        step = state.rulebook.step(self.act)
        assert isinstance(step, Rolled)
        return step


def roll_or_ask_first(scene: Scene, step: Rolled, what: Text) -> None:
    who = step.thrower
    if who is None or not has_will(scene, who):
        scene.then(step)
    else:
        scene.open(RaiseFirst(id=scene.new_id(), addressee=who, what=what, act=scene.rulebook.dump_step(step)))
