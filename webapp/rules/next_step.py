"""The GM's one big button: what it does now, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from webapp.rules.answers import pass_by
from webapp.rules.blocks import Fact, Place, Reach
from webapp.rules.calls import decide_all, open_in, waiting_call, waits_for
from webapp.rules.document import Character, Side
from webapp.rules.encounter import Encounter, Phase, phase_of
from webapp.rules.fighting import EndFight
from webapp.rules.move import Leave, Move
from webapp.rules.rounds import begin_round, end_round
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, listed, text
from webapp.rules.turns import active_slot, play_slot


class Next(Move):
    """The GM's one big button: passes by what waits, or lets the fight go on.

    `seen` is what the button was about to do when it was shown; when the table has moved on since,
    the press is refused rather than doing something else.
    """

    by = Leave.GM
    seen: Annotated[str, Field(max_length=200)]

    def refusal(self, state: State) -> Text | None:
        if not what_next(state):
            return text("Nothing waits.")
        if self.seen != what_next(state):
            return text("The table has moved on. Look at the button again.")
        return None

    def apply(self, scene: Scene) -> None:
        waiting = [question for question in scene.questions() if question.holds_up]
        if waiting:
            pass_by(scene, waiting)
            return
        call = waiting_call(scene)
        if call is not None:
            decide_all(scene, call)
            return
        fight = scene.fight()
        assert fight is not None
        if decided(scene, fight):
            scene.then(EndFight())
            return
        match phase_of(fight, scene.slots()):
            case Phase.ORDER:
                scene.then(scene.order().call(scene, fight))
            case Phase.TURNS:
                play_slot(scene, fight)
            case Phase.OVER:
                end_round(scene, fight)
                fight.stage, fight.lowest, fight.active = (fight.round + 1, False), None, None
                scene.say(text("Round {round}.", round=fight.round))
                begin_round(scene, fight)


def they_strike(state: State) -> Iterator[Fact]:
    """For the GM: what Next would have those of the other side do."""
    fight = state.fight()
    strikes = () if fight is None or state.held_up() else state.order().plan(state, fight)
    if strikes:
        words = listed(strikes, between=" · ")
        yield Fact(key="plan", label=text("They strike"), value=words, place=Place.FIGHT, reach=Reach.GM)


def decided(state: State, fight: Encounter) -> bool:
    """Is everybody down on one side? The hidden count, and so do those who join next round."""
    members = [state.character(who) for who in fight.members]
    return len({one.side for one in members if not is_down(state, one)}) < 2


def is_down(state: State, character: Character) -> bool:
    return state.recall(("is down", character.id), lambda: _is_down(state, character))


def _is_down(state: State, character: Character) -> bool:
    return any(not health.may_get_up for health in state.rulebook.downs(state, character).values())


def what_next(state: State) -> str:
    """A key for what Next would do now; it changes whenever that changes."""
    waiting = [question.id for question in state.questions() if question.holds_up]
    if waiting:
        return "pass " + " ".join(waiting)[:190]
    call = waiting_call(state)
    if call is not None:
        return "call " + " ".join(question.id for question in open_in(state, call.id))[:190]
    fight = state.fight()
    if fight is None:
        return ""
    if decided(state, fight):
        return "END"
    return f"{phase_of(fight, state.slots()).name} {fight.round} {fight.active or ''}"


def next_label(state: State) -> Text:
    """What the big button says."""
    waiting = [question for question in state.questions() if question.holds_up]
    if waiting:
        more = len(waiting) - 1
        first = waiting[0].passed_by()
        return (
            text("{first} · go on", first=first)
            if not more
            else text("{first} (and {more} more) · go on", first=first, more=more)
        )
    call = waiting_call(state)
    if call is not None:
        return waits_for(state, call)
    fight = state.fight()
    if fight is None:
        return text("Start the fight")
    if decided(state, fight):
        return text("One side is left: end the fight")
    order, slots = state.order(), state.slots()
    match phase_of(fight, slots):
        case Phase.ORDER:
            return _call_label(state, fight)
        case Phase.OVER:
            return text("Start round {round}", round=fight.round + 1)
    slot = active_slot(slots, fight)
    if slot is None:
        return text("End the round")
    named = order.pass_label(state, slot)
    return named or text("{number}: {who} does nothing", number=slot.number, who=Who(who=slot.character))


def _call_label(state: State, fight: Encounter) -> Text:
    """Whoever has rolled already keeps it, and the button says so; foes have a place unrolled in some rule sets."""
    waiting, called = state.waiting_for(), state.order().called
    heroes = [one for one in state.characters(Side.HERO) if one.id in fight.members]
    ready = [one for one in heroes if one.id not in waiting and not is_down(state, one)]
    words = text("Roll {called} for the others", called=called)
    return words if waiting and ready else text("Roll {called} for everybody", called=called)
