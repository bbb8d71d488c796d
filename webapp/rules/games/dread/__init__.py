"""Fear and insanity: tests of the nerves on top of whatever else is played, and what they leave behind."""

from __future__ import annotations

from functools import cache
from typing import Any

from webapp.rules.blocks import Block, Section
from webapp.rules.content import page, sample, starts
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.dread.care import Night, be_safe, conclude, ends, outlook
from webapp.rules.games.dread.house import House
from webapp.rules.games.dread.moves import MOVES, QUESTIONS, STEPS
from webapp.rules.games.dread.offers.acts import acts
from webapp.rules.games.dread.offers.fear import gm_blocks
from webapp.rules.games.dread.section import TITLE, section
from webapp.rules.games.dread.sheet import Fear, Sheet
from webapp.rules.period import Period
from webapp.rules.roll import Ask, Modifier
from webapp.rules.ruleset import RuleSet, Sample, Start
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text


class Dread(RuleSet[Sheet]):
    id = "dread"
    title = TITLE
    line = text("Fear tests that leave their marks. Lay it on top of any other: whoever is scared rolls worse.")
    duties = {Duty.TESTS: 4, Duty.FEAR: 1}
    sheet = Sheet
    house = House
    moves = MOVES
    steps = STEPS
    questions = QUESTIONS
    night = Night

    def section(self, state: State, character: Character, sheet: Sheet) -> Section:
        return section(state, character, sheet)

    def acts(self, state: State, character: Character, sheet: Sheet) -> tuple[Block, ...]:
        return tuple(acts(state, character, sheet))

    def gm_blocks(self, state: State) -> tuple[Block, ...]:
        return tuple(gm_blocks(state))

    def modifiers(self, sheet: Sheet, ask: Ask) -> tuple[Modifier, ...]:
        """F-02, F-03."""
        if sheet.fear is Fear.NONE:
            return ()
        return (Modifier(source=text(sheet.fear.value), amount=sheet.fear.penalty),)

    def outlook(self, period: Period, state: State, who: str) -> tuple[Text, ...]:
        return tuple(outlook(period, state, who))

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        ends(period, scene, who)

    def night_outlook(self, state: State, who: str, night: Night) -> tuple[Text, ...]:
        temporary = state.sheet(Sheet, who).temporary
        return (text("{points} insanity heals", points=temporary),) if night.safe and temporary else ()

    def rests(self, scene: Scene, who: str, night: Night) -> None:
        if night.safe and scene.sheet(Sheet, who).temporary:
            be_safe(scene, who)

    def conclude(self, scene: Scene, sheet: Sheet) -> None:
        conclude(scene, sheet)

    def blank(self, side: Side) -> dict[str, Any]:
        """Whoever comes from another game: an ordinary adult."""
        return {}

    def starts(self) -> tuple[Start, ...]:
        return _starts()

    def samples(self) -> tuple[Sample, ...]:
        return (sample(self.id, "tallow", page(__name__, "tallow"), _starts()),)


@cache
def _starts() -> tuple[Start, ...]:
    return starts(page(__name__, "starts"), _sheet)


def _sheet(side: Side, written: dict[str, Any]) -> dict[str, Any]:
    """It is written as it is."""
    return written


RULESET = Dread()
