"""Periods that end for everybody at once, and the rule sets a table plays."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.document import Character
from webapp.rules.move import Leave, Move
from webapp.rules.people import fill_in
from webapp.rules.ruleset import Period
from webapp.rules.scene import Scene, State
from webapp.rules.text import Text, text

OVER = {
    Period.SCENE: text("The scene is over."),
    Period.DAY: text("A new day."),
    Period.SESSION: text("A new session begins."),
}


class PeriodOver(Move):
    """Everything that ends with a period, in all rule sets in play, for these characters; empty: for everybody."""

    by = Leave.GM
    period: Period
    characters: Annotated[tuple[str, ...], Field(max_length=500)] = ()

    def refusal(self, state: State) -> Text | None:
        if state.fight() is not None and self.period is not Period.SESSION:
            return text("End the fight first.")
        if any(state.find(Character, who) is None for who in self.characters):
            return text("There is nobody of that kind at this table.")
        return None

    def apply(self, scene: Scene) -> None:
        scene.say(OVER[self.period])
        for who in self.characters or [one.id for one in scene.characters()]:
            for name in scene.settings.games:
                game = scene.rulebook.games[name]
                if scene.find(game.sheet, who) is not None:
                    game.ends(self.period, scene, who)


def outlook(state: State, period: Period) -> list[tuple[str, tuple[Text, ...]]]:
    """What the end of a period would do to each character that it does anything to."""
    found = []
    for one in state.characters():
        words = tuple(
            sentence
            for name in state.settings.games
            for game in (state.rulebook.games[name],)
            if state.find(game.sheet, one.id) is not None
            for sentence in game.outlook(period, state, one.id)
        )
        if words:
            found.append((one.id, words))
    return found


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
        if state.fight() is not None and state.settings.fight not in self.games:
            return text("End the fight first: its order is run by what would be taken out.")
        return None

    def apply(self, scene: Scene) -> None:
        settings, known = scene.settings, scene.rulebook.games
        for question in scene.questions():
            if question.game in settings.games and question.game not in self.games:
                scene.withdraw(question)
        settings.games = self.games
        orders = [name for name in self.games if known[name].fight_order() is not None]
        healths = [name for name in self.games if known[name].has_health]
        if settings.fight not in self.games:
            settings.fight = (orders or list(self.games))[0]
        if settings.blows not in self.games:
            settings.blows = (healths or list(self.games))[0]
        for name in self.games:
            if scene.find(known[name].house, name) is None:
                scene.add(known[name].house(id=name))
        for one in scene.characters():
            fill_in(scene, one)
        titles = text(", ".join(f"{{g{nth}}}" for nth in range(len(self.games))))
        args = {f"g{nth}": known[name].title for nth, name in enumerate(self.games)}
        scene.say(text("In play: {games}.", games=titles.model_copy(update={"args": args})))


MOVES: tuple[type[Move], ...] = (PeriodOver, SetGames)
