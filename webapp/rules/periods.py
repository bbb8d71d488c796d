"""Periods that begin and end for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.move import Leave, Move
from webapp.rules.period import Period, ends, in_play
from webapp.rules.question import Window
from webapp.rules.rounds import pass_a_round
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text

OVER = {
    Period.SCENE: text("The scene is over."),
    Period.DAY: text("A new day."),
    Period.SESSION: text("A new session begins."),
}
Several = Annotated[tuple[CharacterId, ...], Field(max_length=500)]


class PeriodOver(Move):
    """Everything that ends with a period, in all rule sets in play, for these characters; empty: for everybody."""

    by = Leave.GM
    rests = True
    period: Period
    characters: Several = ()

    def refusal(self, state: State) -> Text | None:
        if self.period is Period.TURN:
            return text("Turns are over by themselves.")
        if self.period is Period.FIGHT:
            return text("A fight is over when you end it, or when one side is left.")
        if state.fight() is not None and self.period is Period.ROUND:
            return text("In a fight the rounds pass by themselves.")
        if state.fight() is not None and self.period is not Period.SESSION:
            return text("End the fight first.")
        return NOBODY if any(state.find(Character, who) is None for who in self.characters) else None

    def apply(self, scene: Scene) -> None:
        everybody = self.characters or tuple(one.id for one in scene.characters())
        if self.period is Period.ROUND:
            self._round(scene, everybody)
            return
        scene.say(OVER[self.period])
        for who in everybody:
            ends(scene, self.period, who)

    def _round(self, scene: Scene, everybody: Iterable[CharacterId]) -> None:
        """Outside a fight: everybody's turn ends, then the round."""
        scene.lapse(Window.NEXT_ACT)
        minutes = pass_a_round(scene)
        scene.say(text("{minutes} minutes pass.", minutes=minutes) if minutes else text("One round passes."))
        for period in (Period.TURN, Period.ROUND):
            for who in everybody:
                ends(scene, period, who)


def outlook(state: State, period: Period) -> list[tuple[str, tuple[Text, ...]]]:
    """What the end of a period would do to each character that it does anything to."""
    everybody = [one.id for one in state.characters()]
    return [(who, words) for who in everybody if (words := _outlook_of(state, period, who))]


def _outlook_of(state: State, period: Period, who: CharacterId) -> tuple[Text, ...]:
    def told() -> tuple[Text, ...]:
        return tuple(words for game in in_play(state, who) for words in game.outlook(period, state, who))

    return state.recall(("outlook", period, who), told)


MOVES: tuple[type[Move], ...] = (PeriodOver,)
