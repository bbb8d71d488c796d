"""Shadow Squad: attributes that are dice, a fight that counts down, parries that answer blows."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from webapp.rules.document import Character, Side
from webapp.rules.encounter import FightOrder
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.moves import MOVES, STEPS, Parry
from webapp.rules.games.squad.order import Countdown
from webapp.rules.games.squad.section import section
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.ruleset import RuleSet, Start
from webapp.rules.scene import State
from webapp.rules.text import text
from webapp.rules.view import HealthNow, Section

HERO_HP = 15
HERO_WILL = 3


class ShadowSquad(RuleSet[Sheet]):
    id = "squad"
    title = text("Shadow Squad")
    sheet = Sheet
    house = House
    moves = MOVES
    steps = STEPS
    questions = (Parry,)

    def section(self, state: State, character: Character, sheet: Sheet) -> Section:
        return section(state, character, sheet)

    def health(self, sheet: Sheet) -> HealthNow:
        return HealthNow(now=sheet.hp.now, full=sheet.hp.full, down=sheet.condition.words)

    def fight_order(self) -> FightOrder:
        return Countdown()

    def starts(self) -> tuple[Start, ...]:
        return _starts()


@cache
def _starts() -> tuple[Start, ...]:
    content = tomllib.loads(files(__name__).joinpath("content/starts.toml").read_text(encoding="utf-8"))
    return tuple(_start(side, entry) for side in Side for entry in content[side.value])


def _start(side: Side, entry: dict[str, Any]) -> Start:
    body = {name: value for name, value in entry.items() if name not in ("id", "name", "line")}
    hp = body.pop("hp", HERO_HP)
    body |= {"hp": {"now": hp, "full": hp}} | ({"will": HERO_WILL} if side is Side.HERO else {})
    return Start(id=entry["id"], name=entry["name"], side=side, line=entry["line"], body=body)


RULESET = ShadowSquad()
