"""Fear and insanity: tests of the nerves on top of whatever else is played, and what they leave behind."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

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
from webapp.rules.scene import Scene, State
from webapp.rules.text import Text, text
from webapp.rules.view import Block, Section


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
        return (_sample("tallow"),)


@cache
def _starts() -> tuple[Start, ...]:
    content = _book("starts")
    return tuple(_start(side, entry) for side in Side for entry in content[side.value])


def _start(side: Side, entry: dict[str, Any]) -> Start:
    body = {name: value for name, value in entry.items() if name not in ("id", "name", "line")}
    return Start(id=entry["id"], name=entry["name"], side=side, line=entry["line"], body=body)


@cache
def _sample(name: str) -> Sample:
    page = _book(name)
    cast = tuple(
        (Side(one["side"]), one["name"], one.get("copies", 1), {Dread.id: _body(one["start"])})
        for one in page["cast"]
    )
    return Sample(id=name, name=page["name"], line=page["line"], games=(Dread.id,), cast=cast)


def _body(id: str) -> dict[str, Any]:
    return next(start.body for start in _starts() if start.id == id)


def _book(name: str) -> dict[str, Any]:
    page = files(__name__).joinpath(f"content/{name}.toml")
    return tomllib.loads(page.read_text(encoding="utf-8"))


RULESET = Dread()
