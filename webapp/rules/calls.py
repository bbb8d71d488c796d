"""The GM calls a test for several at once; their results lie face down and turn over together."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from webapp.rules.document import Audience, Character, CharacterId, Document
from webapp.rules.errors import RuleError
from webapp.rules.move import Leave, Move, Step
from webapp.rules.moves import settle
from webapp.rules.question import Choice, Question, Window
from webapp.rules.scene import Scene, State
from webapp.rules.text import Text, Who, text


class Call(Document):
    """A test called for several: `wanted` are those still to roll, `results` what lies face down."""

    title: Text
    secret: bool = False
    wanted: tuple[CharacterId, ...] = ()
    results: dict[CharacterId, Text] = {}


class Called(Question):
    """One hero's part in a call: one tap rolls it."""

    window = Window.STANDS
    holds_up = False
    default = "roll"

    call: str
    title: Text
    step: dict[str, Any]

    def ask(self, state: State) -> Text:
        return text("The GM asks: {title}.", title=self.title)

    def brief(self) -> Text:
        return self.title

    def choices(self, state: State) -> tuple[Choice, ...]:
        from webapp.rules.odds import chance

        step = state.rulebook.step(self.step)
        ask = getattr(step, "ask", None)
        return (Choice(id="roll", label=text("Roll"), chance=None if ask is None else chance(ask(state))),)

    def passed_by(self) -> Text:
        return text("Roll for them")

    def decided(self, choice: str) -> Text:
        return text("the GM rolled for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        scene.then(scene.rulebook.step(self.step))


class TurnOver(Move):
    """The results of a call are shown to everybody; who has not rolled is let go."""

    by = Leave.GM
    call: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        return text("That is turned over already.") if state.find(Call, self.call) is None else None

    def apply(self, scene: Scene) -> None:
        for question in scene.questions():
            if getattr(question, "call", None) == self.call:
                if isinstance(question, Called):
                    scene.withdraw(question)
                else:
                    settle(scene, question, question.default)
        call = scene.find(Call, self.call)
        if call is not None:
            turn_over(scene, call)


class LetGo(Move):
    """One of those called need not roll after all."""

    by = Leave.GM
    call: Annotated[str, Field(max_length=40)]
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        call = state.find(Call, self.call)
        if call is None or self.character not in call.wanted:
            return text("That one is not waited for.")
        return None

    def apply(self, scene: Scene) -> None:
        for question in scene.questions():
            if getattr(question, "call", None) == self.call and question.addressee == self.character:
                scene.withdraw(question)
        call = scene.get(Call, self.call)
        call.wanted = tuple(who for who in call.wanted if who != self.character)
        _when_all_are_in(scene, call)


def call_for(scene: Scene, title: Text, steps: dict[CharacterId, Step], *, secret: bool) -> None:
    """Opens a call; each step reports to it by its `call` field. In secret the GM's hand rolls for everybody."""
    call = Call(id=scene.new_id(), title=title, secret=secret, wanted=tuple(steps))
    scene.add(call)
    if not secret:
        scene.say(text("{title}: {count} are asked.", title=title, count=len(steps)))
    for who, step in steps.items():
        told = step.model_copy(update={"call": call.id})
        if secret:
            scene.then(told)
            continue
        question = Called(
            id=scene.new_id(), addressee=who, call=call.id, title=title, step=scene.rulebook.dump_step(told)
        )
        scene.open(question)


def report(scene: Scene, call: str | None, who: CharacterId, result: Text) -> None:
    """A result of a call, face down until all are in; a second one of the same hero takes the first one's place."""
    found = None if call is None else scene.find(Call, call)
    if found is None:
        return
    found.results = {**found.results, who: result}
    found.wanted = tuple(other for other in found.wanted if other != who)
    _when_all_are_in(scene, found)


def audience(state: State, call: str | None, who: CharacterId) -> Audience | None:
    """Who may read how a called test went while it lies face down; None: whoever may read such a line anyway."""
    found = None if call is None else state.find(Call, call)
    if found is None:
        return None
    return Audience.GM if found.secret else Audience.owners(who)


def lies_face_down(state: State, who: CharacterId) -> bool:
    """Does this one wait for others to turn over?"""
    return any(who in call.results for call in state.all(Call))


def turn_over(scene: Scene, call: Call) -> None:
    """All results in one row, to everybody, or to the GM when they were rolled in secret."""
    results = [text("{who}: {result}", who=Who(who=who), result=result) for who, result in call.results.items()]
    shown = Audience.GM if call.secret else None
    scene.remove(call)
    if not results:
        scene.say(text("{title}: nobody rolled.", title=call.title), audience=shown)
    for result in results:
        scene.say(text("{title} · {result}", title=call.title, result=result), audience=shown)


def _when_all_are_in(scene: Scene, call: Call) -> None:
    still_open = any(getattr(question, "call", None) == call.id for question in scene.questions())
    if not call.wanted and not still_open:
        turn_over(scene, call)


def wanted_or_refuse(state: State, who: tuple[CharacterId, ...]) -> None:
    if any(state.find(Character, one) is None for one in who):
        raise RuleError("There is nobody of that kind at this table.")


MOVES: tuple[type[Move], ...] = (TurnOver, LetGo)
QUESTIONS: tuple[type[Question], ...] = (Called,)
DOCUMENTS: tuple[type[Document], ...] = (Call,)
