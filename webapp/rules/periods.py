"""Periods that begin and end for everybody, nights, and the rule sets a table plays."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from webapp.rules.document import Character, CharacterId, Duty, Side, TurnIs
from webapp.rules.errors import RuleError, sentence_of
from webapp.rules.move import Leave, Move
from webapp.rules.people import fill_in
from webapp.rules.period import Hours, Night, Period, ends, in_play
from webapp.rules.question import Window
from webapp.rules.rounds import pass_a_round
from webapp.rules.scene import Scene
from webapp.rules.state import TABLE, State
from webapp.rules.text import Text, listed, text
from webapp.rules.values import Plain

if TYPE_CHECKING:
    from webapp.rules.ruleset import RuleSet

OVER = {
    Period.SCENE: text("The scene is over."),
    Period.DAY: text("A new day."),
    Period.SESSION: text("A new session begins."),
}
NOBODY = text("There is nobody of that kind at this table: choose somebody who is here.")
Several = Annotated[tuple[CharacterId, ...], Field(max_length=500)]


# --- periods -----------------------------------------------------------------------------------------------


class PeriodOver(Move):
    """Everything that ends with a period, in all rule sets in play, for these characters; empty: for everybody."""

    by = Leave.GM
    rests = True
    period: Period
    characters: Several = ()

    def refusal(self, state: State) -> Text | None:
        if self.period is Period.TURN:
            return text("Turns are over by themselves.")
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


# --- nights ------------------------------------------------------------------------------------------------


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


# --- the rule sets in play, and who does what ---------------------------------------------------------------


class SetGames(Move):
    """Which rule sets are in play. What is taken out keeps its sheets and house rules for when it comes back."""

    by = Leave.GM
    games: Annotated[tuple[Annotated[str, Field(max_length=40)], ...], Field(min_length=1, max_length=8)]

    def refusal(self, state: State) -> Text | None:
        known = state.rulebook.games
        if any(name not in known for name in self.games) or len(set(self.games)) < len(self.games):
            return text("Choose among the games that are here.")
        if self.games == state.settings.games:
            return text("That is how it stands already.")
        if state.fight() is not None and self._order(state) != state.has(Duty.ORDER):
            return text("End the fight first: another rule set would run its order.")
        return None

    def apply(self, scene: Scene) -> None:
        settings, known = scene.settings, scene.rulebook.games
        out = [name for name in settings.games if name not in self.games]
        for question in scene.questions():
            if any(question.is_of(name) for name in out):
                scene.withdraw(question)
        settings.games = self.games
        for name in self.games:
            if scene.find(known[name].house, name) is None:
                scene.add(known[name].house(id=name))
        for one in scene.characters():
            fill_in(scene, one)
        titles = listed((known[name].title for name in self.games), between=", ")
        scene.say(text("In play: {games}.", games=titles))

    def _order(self, state: State) -> str:
        """Who would run the order then."""
        wanted, able = state.settings.fight, state.rulebook.able(self.games, Duty.ORDER)
        return wanted if wanted in (*able, TABLE) else next(iter(able), TABLE)


Wanted = Annotated[str, Field(max_length=40)]


class ShareOut(Move):
    """Who does what at this table, by rule set. "table" as `order`: the GM's own."""

    by = Leave.GM
    tests: Wanted
    blows: Wanted
    fear: Wanted
    order: Wanted
    turn: TurnIs

    def refusal(self, state: State) -> Text | None:
        for duty, wanted in self._wanted().items():
            if wanted not in choices(state, duty):
                return text("That rule set can't do that.")
        if self._stands(state):
            return text("That is how it stands already.")
        if state.fight() is not None:
            return text("End the fight first.")
        return None

    def apply(self, scene: Scene) -> None:
        settings = scene.settings
        settings.tests, settings.blows, settings.fear = self.tests, self.blows, self.fear
        settings.fight, settings.turn = self.order, self.turn
        for duty, wanted in self._wanted().items():
            game = scene.rulebook.games.get(wanted)
            title = text("the GM") if game is None else game.title
            scene.say(text("{duty}: {who}.", duty=DUTIES[duty], who=title))

    def _wanted(self) -> dict[Duty, str]:
        return {Duty.TESTS: self.tests, Duty.BLOWS: self.blows, Duty.FEAR: self.fear, Duty.ORDER: self.order}

    def _stands(self, state: State) -> bool:
        same = all(state.has(duty) == wanted for duty, wanted in self._wanted().items())
        return same and state.settings.turn is self.turn


DUTIES = {
    Duty.TESTS: text("Ordinary tests"),
    Duty.BLOWS: text("Blows and health"),
    Duty.FEAR: text("Fear"),
    Duty.ORDER: text("The fight's order"),
}


def choices(state: State, duty: Duty) -> tuple[str, ...]:
    """Who may have a duty: rule sets in play; the GM where none can, and always for the order."""
    able = state.rulebook.able(state.settings.games, duty)
    return (*able, TABLE) if duty is Duty.ORDER or not able else able


MOVES: tuple[type[Move], ...] = (PeriodOver, Rest, SetGames, ShareOut)
