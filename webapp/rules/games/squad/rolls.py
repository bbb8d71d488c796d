"""Own dice in the open and their streaks, and what several moves ask."""

from __future__ import annotations

from enum import StrEnum

from webapp.rules.document import DEAD, DOWN, Character, CharacterId, Side
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.sheet import Attribute, Condition, Device, Sheet, half
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text

NO_SHEET = text("There is no Shadow Squad sheet for that.")


class Outcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    HIT = "hit"
    MISS = "miss"
    PARRIED = "parried"
    NOT_PARRIED = "not parried"
    HURT = "hurt"
    UNHURT = "unhurt"
    DOWN = DOWN
    DEVICE_WORN = "device worn"
    DEVICE_BROKEN = "device broken"
    WILL_GONE = "will gone"
    WILL_WON = "will won"
    SURPRISED = "surprised"
    STABLE = "stable"
    DEAD = DEAD
    HEALED = "healed"
    AWAY = "away"


def throw(scene: Scene, ask: Ask, *, again: bool = False) -> Roll:
    """A roll in the open; the own dice of a player's character make streaks (S-61, S-62, B2-23 … B2-25).

    What a hidden hero rolls is the GM's alone, and a streak would betray it.
    """
    roll = scene.roll(ask, again=again)
    who = ask.roller
    if who is not None and has_will(scene, who) and not scene.is_hidden(who):
        for side, face in zip(ask.dice, roll.faces, strict=True):
            _count_streak(scene, who, side, face)
    return roll


def has_will(state: State, who: CharacterId) -> bool:
    """Will Points are a player character's; monster dice know none, whatever side they fight on (B2-23)."""
    return state.character(who).side is Side.HERO and state.sheet(Sheet, who).monster is None


def _count_streak(scene: Scene, who: CharacterId, side: int, face: int) -> None:
    sheet = scene.sheet(Sheet, who)
    end = "low" if face == 1 else "high" if face == side else ""
    fires = end != "" and end == sheet.streak
    sheet.streak = "" if fires and not scene.house(House).streak_overlap else end  # type: ignore[assignment]
    if fires:
        _fire(scene, who, end)


def _fire(scene: Scene, who: CharacterId, end: str) -> None:
    sheet = scene.sheet(Sheet, who)
    if end == "high":
        sheet.win_will()
        words, outcome = "{who}: the highest face twice in a row, a Will Point is won.", Outcome.WILL_WON
    else:
        words, outcome = "{who}: two 1s in a row, a Will Point is gone.", Outcome.WILL_GONE
        if sheet.will == 0:
            words = "{who}: two 1s in a row, but there is no Will Point to lose."
        sheet.will = max(0, sheet.will - 1)
    scene.say(text(words, who=Who(who=who)), outcome=outcome, late=True)


def unable(state: State, who: CharacterId) -> Text | None:
    sheet = state.sheet(Sheet, who)
    if sheet.can_act:
        return None
    unconscious = sheet.condition in (Condition.FIT, Condition.STABLE)
    condition = "unconscious" if unconscious else sheet.condition.value
    return text("{who} is {condition}.", who=Who(who=who), condition=condition)


def cannot_try(state: State, who: CharacterId) -> Text | None:
    """Why this one can't try a task; whoever got away from a fight may, elsewhere (S-42)."""
    sheet = state.sheet(Sheet, who)
    return None if sheet.condition is Condition.AWAY and sheet.hp.now > 0 else unable(state, who)


def surprised(state: State, who: CharacterId) -> Text | None:
    """S-13: no attack in the first round."""
    if not state.sheet(Sheet, who).surprised:
        return None
    return text("{who} is surprised: no attack this round.", who=Who(who=who))


def in_sight(state: State, who: CharacterId, *, of: CharacterId) -> bool:
    """Heroes and their players know nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or state.character(of).side is Side.FOE


def half_of(state: State, who: CharacterId, attribute: Attribute) -> tuple[int, Text]:
    """The difficulty that somebody's die sets, and how it came about (S-05, S-06)."""
    sheet = state.sheet(Sheet, who)
    die = sheet.die(attribute)
    return half(die), text(
        "{number} (half of {who}'s {kind})",
        number=Figure(figure_of=who, value=half(die)),
        who=Who(who=who),
        kind="monster die" if sheet.monster else attribute.value,
    )


def device_of(state: State, who: CharacterId, device: str) -> Device | None:
    return state.sheet(Sheet, who).devices.get(device)
