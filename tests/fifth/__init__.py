"""Lanterns: a small rule set of its own that no program ships, to prove that a fifth one needs no other file."""

from __future__ import annotations

from typing import Any

from tests.fifth.house import House
from tests.fifth.moves import Again, Evening, Throw, Try, burn
from tests.fifth.section import TITLE, acts, section
from tests.fifth.sheet import GAME, Sheet
from webapp.rules.blocks import Block, HealthNow, Section
from webapp.rules.document import Body, Character, Duty, Side
from webapp.rules.period import Period
from webapp.rules.roll import Ask, Modifier
from webapp.rules.ruleset import RuleSet, Sample, Start
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text


class Lanterns(RuleSet[Sheet]):
    id = GAME
    title = TITLE
    line = text("A light that burns down, and what waits at its edge.")
    duties = {Duty.TESTS: 9, Duty.BLOWS: 9}
    sheet = Sheet
    house = House
    moves = (Try,)
    steps = (Throw,)
    questions = (Again,)
    night = Evening

    def section(self, state: State, character: Character, sheet: Sheet) -> Section:
        return section(sheet)

    def acts(self, state: State, character: Character, sheet: Sheet) -> tuple[Block, ...]:
        return acts(state, character)

    def health(self, sheet: Sheet) -> HealthNow:
        down = None if sheet.breath.now else text("out of breath")
        return HealthNow(now=sheet.breath.now, full=sheet.breath.full, down=down)

    def modifiers(self, sheet: Sheet, ask: Ask) -> tuple[Modifier, ...]:
        return () if sheet.light.now else (Modifier(source=text("in the dark"), amount=-1),)

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        if period is Period.TURN:
            burn(scene, who)

    def night_outlook(self, state: State, who: str, night: Evening) -> tuple[Text, ...]:
        return (text("the lantern is filled"),) if night.oil else ()

    def rests(self, scene: Scene, who: str, night: Evening) -> None:
        sheet = scene.sheet(Sheet, who)
        sheet.breath.gain(night.hours)
        if night.oil:
            sheet.light.gain(sheet.light.full)

    def blank(self, side: Side) -> Body:
        return {}

    def starts(self) -> tuple[Start, ...]:
        return (
            Start(id="bearer", name="Bearer", side=Side.HERO, line="Goes first.", body={"steady": 4}),
            Start(id="moth", name="Moth", side=Side.FOE, line="Likes it bright.", body={"steady": 2}),
        )

    def samples(self) -> tuple[Sample, ...]:
        bodies: dict[Side, dict[str, Any]] = {start.side: {GAME: start.body} for start in self.starts()}
        cast = ((Side.HERO, "Wick", 1, bodies[Side.HERO]), (Side.FOE, "Moth", 2, bodies[Side.FOE]))
        return (Sample(id="cellar", name="The Long Cellar", line="Dark.", games=(GAME,), cast=cast),)


RULESET = Lanterns()
