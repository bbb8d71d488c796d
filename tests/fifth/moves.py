"""All that is done in Lanterns: a try, a shove, and the light that goes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from tests.fifth.house import House
from tests.fifth.sheet import GAME, Sheet
from webapp.rules.appearing import exchange
from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.move import OwnMove, Step
from webapp.rules.odds import chance
from webapp.rules.period import Night
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Modifier, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Health, Text, Who, text

DIE = 6
NOBODY = text("There is nobody of that kind at this table: choose somebody who is here.")


class Outcome(StrEnum):
    DONE = "done"
    FAILED = "failed"


class Try(OwnMove):
    """d6 and a steady hand against a number, or against how steady a foe is."""

    game: ClassVar[str] = GAME
    difficulty: Annotated[int, Field(ge=2, le=20)] = 7
    target: CharacterId | None = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return text("There is no sheet for that.")
        if self.target is None:
            return None
        found, sheet = state.find(Character, self.target), state.find(Sheet, self.target)
        unseen = found is None or (found.hidden and state.character(self.actor).side is Side.HERO)
        return NOBODY if unseen or sheet is None or self.target == self.actor else None

    def apply(self, scene: Scene) -> None:
        scene.then(Throw(actor=self.actor, difficulty=self.difficulty, target=self.target))

    def ask(self, state: State) -> Ask:
        return Throw(actor=self.actor, difficulty=self.difficulty, target=self.target).ask(state)


class Throw(Step):
    game: ClassVar[str] = GAME
    actor: CharacterId
    difficulty: int
    target: CharacterId | None
    again: bool = False

    @property
    def thrower(self) -> CharacterId | None:
        return self.actor

    def ask(self, state: State) -> Ask:
        steady = Modifier(source=text("steady"), amount=state.sheet(Sheet, self.actor).steady)
        number: int | Figure = self.difficulty
        target = self.difficulty
        if self.target is not None:
            target = state.sheet(Sheet, self.target).steady + 4
            number = Figure(figure_of=self.target, value=target)
        return state.judged(
            Ask(
                what=text("a try"),
                roller=self.actor,
                dice=(DIE,),
                tested=True,
                modifiers=(steady,),
                wins=Wins.AT_LEAST,
                target=target,
                against=text("{number}", number=number),
            )
        )

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        outcome = Outcome.DONE if roll.success else Outcome.FAILED
        words = text("{who} tries: {total}, {how}.", who=Who(who=self.actor), total=roll.total, how=outcome.value)
        scene.say(words, roll, brief=words, outcome=outcome)
        if roll.success and self.target is not None:
            shove(scene, self.actor, self.target)
        elif not roll.success and not self.again:
            step = scene.rulebook.dump_step(self.model_copy(update={"again": True}))
            scene.open(Again(id=scene.new_id(), addressee=self.actor, step=step))


def shove(scene: Scene, who: CharacterId, target: CharacterId) -> None:
    sheet = scene.sheet(Sheet, target)
    exchange(scene, who, target)
    sheet.breath.lose(2)
    health = Health(health_of=target, now=sheet.breath.now, full=sheet.breath.full)
    scene.say(text("{who} is shoved{health:, }.", who=Who(who=target), health=health))


class Again(Question):
    game: ClassVar[str] = GAME
    default = "keep"
    addressee: CharacterId
    step: dict[str, object]

    def ask(self, state: State) -> Text:
        return text("Spend a lantern to roll again?")

    def brief(self) -> Text:
        return text("again?")

    def passed_by(self) -> Text:
        return text("It stays as it fell")

    def pointless(self, state: State) -> bool:
        return state.sheet(Sheet, self.addressee).lanterns.now == 0

    def choices(self, state: State) -> tuple[Choice, ...]:
        throw = Throw.model_validate({name: held for name, held in self.step.items() if name != "move"})
        ask = throw.ask(state)
        odds, left = chance(ask), state.sheet(Sheet, self.addressee).lanterns.now
        spend = Choice(
            id="spend", label=text("Spend a lantern"), chance=odds, about=throw.target, price=text("{n} left", n=left)
        )
        return (Choice(id="keep", label=text("Keep it")), spend)

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == "spend":
            scene.sheet(Sheet, self.addressee).lanterns.lose(1)
            scene.then(scene.rulebook.step(dict(self.step)))  # type: ignore[arg-type]


class Evening(Night):
    oil: Annotated[bool, Field(title="There is oil")] = True


def burn(scene: Scene, who: CharacterId) -> None:
    sheet = scene.sheet(Sheet, who)
    if sheet.light.lose(scene.house(House).burns) and not sheet.light.now:
        scene.say(text("{who}'s light goes out.", who=Who(who=who)))
