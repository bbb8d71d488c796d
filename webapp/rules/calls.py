"""The GM calls a test for several at once; their results lie face down and turn over together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from pydantic import Field

from webapp.rules.answers import settle
from webapp.rules.asking import Faces
from webapp.rules.document import Audience, Character, CharacterId, Document, body_of, speaks_of
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, listed, text

TURNED = "{title} · {who}: {result}"
MADE = "made"  # beside the words of a result: 1 it was enough, 0 it was not
MOST_NAMES = 3


class Call(Document):
    """A test called for several: `wanted` are those still to roll, `results` what lies face down.

    `made`: of those results that are one or the other, whether it was enough.
    """

    title: Text
    secret: bool = False
    wanted: tuple[CharacterId, ...] = ()
    results: dict[CharacterId, Text] = {}
    made: dict[CharacterId, bool] = {}
    rolls: dict[CharacterId, tuple[Roll, ...]] = {}


class Called(Question):
    """One hero's part in a call: one tap rolls it."""

    window = Window.STANDS
    holds_up = False
    default = "roll"

    call: str | None
    title: Text
    step: dict[str, Any]

    def ask(self, state: State) -> Text:
        return text("The GM asks: {title}.", title=self.title)

    def brief(self) -> Text:
        return self.title

    def choices(self, state: State) -> tuple[Choice, ...]:
        step = state.rulebook.step(self.step)
        ask = getattr(step, "ask", None)
        told = {} if ask is None else odds_of(ask(state), about=None)
        return (Choice(id="roll", label=text("Roll"), **told),)

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
        for question in open_in(scene, self.call):
            if isinstance(question, Called):
                scene.withdraw(question)
        while hanging := open_in(scene, self.call):
            settle(scene, hanging[0], hanging[0].default)
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
        for question in open_in(scene, self.call):
            if speaks_of(body_of(question), self.character):
                scene.withdraw(question)
        call = scene.get(Call, self.call)
        call.wanted = tuple(who for who in call.wanted if who != self.character)


def call_for(
    scene: Scene, title: Text, steps: dict[CharacterId, Step], *, secret: bool, question: type[Called] = Called
) -> None:
    """Opens a call; each step reports to it by its `call` field. In secret the GM's hand rolls for everybody."""
    call = Call(id=scene.new_id(), title=title, secret=secret, wanted=tuple(steps))
    scene.add(call)
    if not secret:
        _say_who_is_asked(scene, title, steps)
    for who, step in steps.items():
        told = step.model_copy(update={"call": call.id})
        if secret:
            scene.then(told)
            continue
        held = scene.rulebook.dump_step(told)
        scene.open(question(id=scene.new_id(), addressee=who, call=call.id, title=title, step=held))


def _say_who_is_asked(scene: Scene, title: Text, whom: Iterable[CharacterId]) -> None:
    """Nobody learns how many of the unseen are asked."""
    seen = [who for who in whom if not scene.is_hidden(who)]
    if len(seen) == 1:
        scene.say(text("{title}: {who} is asked.", title=title, who=Who(who=seen[0])))
    elif seen:
        scene.say(text("{title}: {count} are asked.", title=title, count=len(seen)))
    else:
        scene.say(text("{title}: only the unseen are asked.", title=title), audience=Audience.GM)


def report(
    scene: Scene, call: str | None, who: CharacterId, result: Text, *rolls: Roll, made: bool | None = None
) -> None:
    """A result of a call, face down until all are in; a second one of the same hero takes the first one's place.

    `made`: whether it was enough, where it is one or the other.
    """
    found = None if call is None else scene.find(Call, call)
    if found is None:
        return
    found.results = {**found.results, who: result}
    found.made = {**found.made, **({} if made is None else {who: made})}
    found.rolls = {**found.rolls, who: rolls}
    found.wanted = tuple(other for other in found.wanted if other != who)


def amend(scene: Scene, call: str | None, who: CharacterId, more: Text) -> None:
    """Something that follows from a result still face down, in the same row."""
    found = None if call is None else scene.find(Call, call)
    if found is not None and who in found.results:
        result = text("{result}, {more}", result=found.results[who], more=more)
        found.results = {**found.results, who: result}


def audience(state: State, call: str | None, who: CharacterId) -> Audience | None:
    """Who may read how a called test went while it lies face down; None: whoever may read such a line anyway."""
    found = None if call is None else state.find(Call, call)
    if found is None:
        return None
    return Audience.GM if found.secret else Audience.owners(who)


def lies_face_down(state: State, who: CharacterId) -> bool:
    """Does this one wait for others to turn over?"""
    return any(who in call.results for call in state.all(Call))


def is_called(state: State, who: CharacterId) -> bool:
    """Is this one part of a test, rolled already or not, that has not turned over yet?"""
    return any(who in call.wanted or who in call.results for call in state.all(Call))


def turn_over(scene: Scene, call: Call) -> None:
    """All results in one row, to everybody, or to the GM when they were rolled in secret."""
    shown = Audience.GM if call.secret else None
    scene.remove(call)
    if not call.results:
        scene.say(text("{title}: nobody rolled.", title=call.title), audience=shown)
    for who, result in call.results.items():
        if scene.find(Character, who) is not None:
            made = {MADE: int(call.made[who])} if who in call.made else {}
            sentence = text(TURNED, title=call.title, who=Who(who=who), result=result, **made)
            scene.say(sentence, *call.rolls.get(who, ()), audience=shown)


def turn_over_what_is_in(scene: Scene) -> None:
    """A call nobody is waited for any more is over; those who have left the table are not waited for."""
    for call in list(scene.all(Call)):
        if not open_in(scene, call.id):
            turn_over(scene, call)
        elif any(scene.find(Character, who) is None for who in (*call.wanted, *call.results)):
            call.wanted = tuple(who for who in call.wanted if scene.find(Character, who) is not None)
            call.results = {who: held for who, held in call.results.items() if scene.find(Character, who) is not None}


def waiting_call(state: State) -> Call | None:
    """The oldest one that somebody still has to roll or decide in."""
    return next((call for call in state.all(Call) if open_in(state, call.id)), None)


def decide_all(scene: Scene, call: Call) -> None:
    """The GM rolls, and decides by its default, for everybody whom a call waits for."""
    while hanging := open_in(scene, call.id):
        settle(scene, hanging[0], hanging[0].default)


def waits_for(state: State, call: Call) -> Text:
    """What deciding for everybody would do, and for whom."""
    hanging = open_in(state, call.id)
    them = list(dict.fromkeys(one.addressee for one in hanging if one.addressee is not None))
    names = listed([text("{who}", who=Who(who=who)) for who in them[:MOST_NAMES]], between=", ")
    more = len(them) - MOST_NAMES
    told = names if more <= 0 else text("{names} and {more} more", names=names, more=more)
    if not them:
        return text("{title}: {first}", title=call.title, first=hanging[0].passed_by())
    if all(isinstance(one, Called | Faces) for one in hanging):
        return text("{title}: roll for {names}", title=call.title, names=told)
    return text("{title}: decide for {names}", title=call.title, names=told)


def open_in(state: State, call: str) -> list[Question]:
    """The questions that hang on a call, dice still to be told among them."""
    return [
        question
        for question in state.questions()
        if getattr(question, "call", None) == call or (isinstance(question, Faces) and speaks_of(question.step, call))
    ]


MOVES: tuple[type[Move], ...] = (TurnOver, LetGo)
QUESTIONS: tuple[type[Question], ...] = (Called,)
DOCUMENTS: tuple[type[Document], ...] = (Call,)
