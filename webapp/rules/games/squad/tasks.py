"""Tasks: an attribute die against a number, or against half of somebody's die."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.calls import Called, audience, call_for, report
from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.raising import RAISE_IT, cannot_raise, pay_to_raise, raised, roll_or_raise
from webapp.rules.games.squad.rolls import NO_SHEET, Outcome, cannot_try, device_of, half_of, in_sight, throw
from webapp.rules.games.squad.second_try import Rolled, leave_the_last, second_try
from webapp.rules.games.squad.sheet import Attribute, Sheet
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Choice
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


class Task(OwnMove):
    """S-04 … S-07: at least the difficulty succeeds. `raised` costs a Will Point (S-56).

    `device` is one that lifts the attribute while it is used (S-54).
    """

    game: ClassVar[str] = "squad"
    attribute: Attribute
    difficulty: Annotated[int | None, Field(ge=1, le=30)] = None
    against: CharacterId | None = None
    their: Attribute | None = None
    device: Annotated[str, Field(max_length=40)] = ""
    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if (self.difficulty is None) == (self.against is None):
            return text("Name a difficulty, or somebody to try it against.")
        if self.against is not None:
            if not in_sight(state, self.against, of=self.actor):
                return NOBODY
            if state.find(Sheet, self.against) is None:
                return NO_SHEET
        if self.device and self.device not in sheet.lifting(self.attribute):
            return text("That lifts no {attribute}: choose what does.", attribute=self.attribute.value)
        no_raise = cannot_raise(state, self.actor, self._roll().die(state)) if self.raised else None
        return no_raise or cannot_try(state, self.actor)

    def apply(self, scene: Scene) -> None:
        leave_the_last(scene, self.actor)
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(self._roll())

    def ask(self, state: State) -> Ask:
        return self._roll().ask(state)

    def _roll(self) -> TaskRoll:
        return TaskRoll(
            actor=self.actor,
            attribute=self.attribute,
            difficulty=self.difficulty,
            against=self.against,
            their=self.their,
            device=self.device,
            raised=self.raised,
        )


class CallTask(Move):
    """The GM asks heroes for a task; in secret they do not know, and no streak can tell them. Empty: all heroes."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    attribute: Attribute
    difficulty: Annotated[int, Field(ge=1, le=30)]
    heroes: Annotated[tuple[CharacterId, ...], Field(max_length=40)] = ()
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        if any(state.find(Character, who) is None for who in self.heroes):
            return NOBODY
        return None if self._asked(state) else text("There is no hero who could try.")

    def apply(self, scene: Scene) -> None:
        title = text("{attribute} against {difficulty}", attribute=self.attribute.value, difficulty=self.difficulty)
        steps: dict[CharacterId, Step] = {
            who: TaskRoll(
                actor=who,
                attribute=self.attribute,
                difficulty=self.difficulty,
                against=None,
                their=None,
                secret=self.secret,
            )
            for who in self._asked(scene)
        }
        call_for(scene, title, steps, secret=self.secret, question=CalledTask)

    def _asked(self, state: State) -> list[CharacterId]:
        wanted = self.heroes or tuple(one.id for one in state.characters(Side.HERO))
        return [who for who in wanted if state.find(Sheet, who) is not None and cannot_try(state, who) is None]


class CalledTask(Called):
    """One tap rolls it, with whatever lifts the attribute; for a Will Point with the die raised (S-54, S-56)."""

    game: ClassVar[str] = "squad"

    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(choice for task in self._tasks(state) for choice in self._choices(state, task))

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        way, _, device = choice.partition(" ")
        task, lifts = self._with(scene, device), way == RAISE_IT
        pay_to_raise(scene, task.actor, lifts)
        scene.then(task.model_copy(update={"raised": lifts}))

    def _choices(self, state: State, task: TaskRoll) -> tuple[Choice, ...]:
        found = roll_or_raise(state, task)
        if not task.device:
            return found
        label = text("Roll with {device}", device=state.sheet(Sheet, task.actor).devices[task.device].name)
        return tuple(one.model_copy(update={"id": f"{one.id} {task.device}", "label": label}) for one in found)

    def _tasks(self, state: State) -> list[TaskRoll]:
        plain = self._with(state, "")
        devices = state.sheet(Sheet, plain.actor).lifting(plain.attribute)
        return [plain, *(self._with(state, device) for device in devices)]

    def _with(self, state: State, device: str) -> TaskRoll:
        step = state.rulebook.step(self.step)
        assert isinstance(step, TaskRoll)
        return step.model_copy(update={"device": device})


class TaskRoll(Rolled):
    """`call`: it answers a call, and lies face down until that is turned over.

    `secret`: the GM's hand rolls, none other reads, and no streak can tell it.
    """

    game: ClassVar[str] = "squad"
    actor: CharacterId
    attribute: Attribute
    difficulty: int | None
    against: CharacterId | None
    their: Attribute | None
    device: str = ""
    call: str | None = None
    secret: bool = False

    @property
    def thrower(self) -> CharacterId | None:
        return None if self.secret else self.actor

    def ask(self, state: State) -> Ask:
        target, against = self._difficulty(state)
        judged = state.judged(
            Ask(
                what=self._named(state),
                roller=self.actor,
                dice=(raised(self.die(state), self.raised),),
                wins=Wins.AT_LEAST,
                target=target,
                against=against,
            )
        )
        return judged.model_copy(update={"roller": self.thrower})

    def apply(self, scene: Scene) -> None:
        ask = self.ask(scene)
        told = Audience.GM if self.secret else audience(scene, self.call, self.actor)
        roll = throw(scene, ask, again=self.again)
        outcome = Outcome.SUCCESS if roll.success else Outcome.FAILURE
        sentence = text(
            "{who} rolls {attribute}: {total} against {target}, {outcome}.",
            who=Who(who=self.actor),
            attribute=roll.ask.what,
            total=roll.total,
            target=roll.ask.against or "",
            outcome=outcome.value,
        )
        scene.say(sentence, roll, brief=None if self.call else sentence, outcome=outcome, audience=told)
        if not roll.success and not self.secret:
            second_try(scene, self, sentence)
        result = text("{total}, {outcome}", total=roll.total, outcome=outcome.value)
        report(scene, self.call, self.actor, result, roll, made=roll.success)

    def die(self, state: State) -> int:
        return state.sheet(Sheet, self.actor).die_with(self.attribute, device_of(state, self.actor, self.device))

    def _named(self, state: State) -> Text:
        device = device_of(state, self.actor, self.device)
        words = "{attribute}" if device is None else "{attribute} with {device}"
        return text(words, attribute=self.attribute.value, device="" if device is None else device.name)

    def _difficulty(self, state: State) -> tuple[int, Text]:
        if self.against is None:
            assert self.difficulty is not None
            return self.difficulty, text("{number}", number=self.difficulty)
        return half_of(state, self.against, self.their or self.attribute)
