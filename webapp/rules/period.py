"""Stretches of time that begin and end for everybody, in all rule sets at once."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from webapp.rules.document import Character, CharacterId
from webapp.rules.values import Frozen

if TYPE_CHECKING:
    from webapp.rules.ruleset import RuleSet
    from webapp.rules.scene import Scene
    from webapp.rules.state import State

Hours = Annotated[int, Field(ge=1, le=240)]


class Period(StrEnum):
    """A turn is one slot of the fight's order, or all slots of a round, as the table plays it."""

    TURN = "turn"
    ROUND = "round"
    FIGHT = "fight"
    SCENE = "scene"
    DAY = "day"
    SESSION = "session"


class Night(Frozen):
    """How a rest goes, as far as one rule set cares. What several ask under the same name is asked once."""

    hours: Hours = 8


def in_play(state: State, who: CharacterId) -> list[RuleSet[Any]]:
    """The rule sets in play that somebody at the table has a sheet of."""
    if state.find(Character, who) is None:
        return []
    games = (state.rulebook.games[name] for name in state.settings.games)
    return [game for game in games if state.find(game.sheet, who) is not None]


def begins(scene: Scene, period: Period, who: CharacterId) -> None:
    """Tells every rule set that this period begins for somebody."""
    for game in in_play(scene, who):
        game.begins(period, scene, who)


def ends(scene: Scene, period: Period, who: CharacterId) -> None:
    """Tells every rule set that this period is over for somebody."""
    for game in in_play(scene, who):
        game.ends(period, scene, who)
