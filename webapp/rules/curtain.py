"""The GM's key for the big screen: open, on a pause, or covered."""

from __future__ import annotations

from webapp.rules.document import Audience, Cover
from webapp.rules.move import Leave, Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text

SAID = {
    Cover.OPEN: text("The TV shows the table."),
    Cover.PAUSE: text("The TV shows a pause."),
    Cover.CURTAIN: text("The TV is covered."),
}


class Curtain(Move):
    """What the TV shows of the table; only the GM reads of it."""

    by = Leave.GM
    value: Cover

    def refusal(self, state: State) -> Text | None:
        return text("The TV stands like that already.") if state.settings.tv is self.value else None

    def apply(self, scene: Scene) -> None:
        scene.settings.tv = self.value
        scene.say(SAID[self.value], audience=Audience.GM)


MOVES: tuple[type[Move], ...] = (Curtain,)
