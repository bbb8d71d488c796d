"""Hours of rest, in all rule sets at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.errors import NOBODY, RuleError, sentence_of
from webapp.rules.move import Leave, Move
from webapp.rules.period import Hours, Night, Period, in_play
from webapp.rules.periods import PeriodOver, Several
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.values import Plain

if TYPE_CHECKING:
    from webapp.rules.ruleset import RuleSet


class Rest(Move):
    """Hours of rest, for all rule sets at once. `how` holds what they ask besides; empty `resting`: all heroes."""

    by = Leave.GM
    rests = True
    hours: Hours = 8
    new_day: bool = False
    resting: Several = ()
    how: Annotated[dict[Annotated[str, Field(max_length=40)], Plain], Field(max_length=20)] = {}

    def refusal(self, state: State) -> Text | None:
        if state.fight() is not None:
            return text("Nobody rests in a fight: end it first.")
        if any(state.find(Character, who) is None for who in self.resting):
            return NOBODY
        found = (game.cannot_rest(state, who) for who in self.who(state) for game in in_play(state, who))
        return next((why for why in found if why is not None), None)

    def apply(self, scene: Scene) -> None:
        resting = self.who(scene)
        scene.lapse(Window.NEXT_ACT)
        scene.clock.minutes += 60 * self.hours
        scene.say(text("1 hour of rest.") if self.hours == 1 else text("{hours} hours of rest.", hours=self.hours))
        for one in scene.characters():
            for game in in_play(scene, one.id):
                if one.id in resting:
                    game.rests(scene, one.id, self.night(game))
                else:
                    game.waits(scene, one.id, 60 * self.hours)
        if self.new_day:
            scene.then(PeriodOver(period=Period.DAY))

    def who(self, state: State) -> tuple[CharacterId, ...]:
        """Those who rest, each once."""
        alive = [one.id for one in state.characters(Side.HERO) if lost_words(state, one) is None]
        return tuple(dict.fromkeys(self.resting or alive))

    def night(self, game: RuleSet[Any]) -> Night:
        """This rest as one rule set asks for it."""
        asked = {name: value for name, value in self.how.items() if name in game.night.model_fields}
        try:
            return game.night.model_validate({**asked, "hours": self.hours})
        except ValidationError as error:
            raise RuleError(sentence_of(error)) from None


def cannot_rest(state: State) -> dict[CharacterId, Text]:
    """The heroes who can't rest now, and why."""
    found = (
        (one.id, game.cannot_rest(state, one.id))
        for one in state.characters(Side.HERO)
        for game in in_play(state, one.id)
    )
    return {who: why for who, why in found if why is not None}


def lost_words(state: State, character: Character) -> Text | None:
    """Of somebody who is lost for good by any rule set in play: how."""
    downs = state.rulebook.downs(state, character).values()
    return next((health.down for health in downs if health.lost), None)


def night_outlook(state: State, rest: Rest) -> list[tuple[str, tuple[Text, ...]]]:
    """What a rest would do to each who rests, before it is done."""
    return [
        (
            who,
            tuple(
                words for game in in_play(state, who) for words in game.night_outlook(state, who, rest.night(game))
            ),
        )
        for who in rest.who(state)
    ]


MOVES: tuple[type[Move], ...] = (Rest,)
