"""The rule sets a table plays, and which of them does what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from webapp.rules.asking import Faces
from webapp.rules.document import Duty, TurnIs
from webapp.rules.move import Leave, Move
from webapp.rules.people import fill_in
from webapp.rules.scene import Scene
from webapp.rules.state import TABLE, State
from webapp.rules.text import Text, listed, text

if TYPE_CHECKING:
    pass


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
        settings.games = self.games
        for question in scene.questions():
            vain = isinstance(question, Faces) and question.pointless(scene)
            if vain or any(question.is_of(name) for name in out):
                scene.withdraw(question)
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


MOVES: tuple[type[Move], ...] = (SetGames, ShareOut)
