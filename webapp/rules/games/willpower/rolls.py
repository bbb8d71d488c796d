"""What all of Willpower's rolls share: outcomes, who is able, and what hampers whom for how long."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

from webapp.rules.document import DEAD, DOWN, Character, CharacterId, Side
from webapp.rules.encounter import Encounter
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.sheet import Sheet, State
from webapp.rules.move import Step
from webapp.rules.roll import Keep
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

GAME = "willpower"
NO_SHEET = text("There is no Willpower sheet for that.")


class Outcome(StrEnum):
    SUCCESS = "success"
    CRITICAL_SUCCESS = "critical success"
    FAILURE = "failure"
    CRITICAL_FAILURE = "critical failure"
    HELD = "willpower held"
    DROPPED = "willpower dropped"
    PANIC = "panic"
    LOST = "action lost"
    CHAOS = "chaos revenge"
    EFFECT = "effect"
    NO_EFFECT = "no effect"
    HURT = "hurt"
    UNHURT = "unhurt"
    DOWN = DOWN
    DEAD = DEAD
    UP = "up again"
    HELPED = "helped"
    CAST = "cast"
    SPELL_FAILED = "spell failed"
    STOOD = "stands"
    FLED = "flees"
    ACTED = "acted"
    RESTED = "rested"


class Edge(StrEnum):
    NONE = "none"
    ADVANTAGE = "advantage"
    DISADVANTAGE = "disadvantage"

    @property
    def dice(self) -> tuple[int, ...]:
        return (20,) if self is Edge.NONE else (20, 20)

    @property
    def keep(self) -> Keep:
        """Low is good on a d20 here."""
        return {Edge.ADVANTAGE: Keep.LOWEST, Edge.DISADVANTAGE: Keep.HIGHEST}.get(self, Keep.ALL)


def balance(edges: Iterable[Edge]) -> Edge:
    """Advantage and disadvantage cancel; several of one kind are no more than one."""
    found = set(edges) - {Edge.NONE}
    return found.pop() if len(found) == 1 else Edge.NONE


class ActorStep(Step):
    """Something that happens with one character's dice."""

    game: ClassVar[str] = GAME
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor


# --- who is able -------------------------------------------------------------------------------------------


def unable(state: Table, who: CharacterId) -> Text | None:
    sheet = state.sheet(Sheet, who)
    if sheet.can_act:
        return None
    return text("{who} is {condition}.", who=Who(who=who), condition=sheet.condition.words or text("at 0 HP"))


def in_sight(state: Table, who: CharacterId, *, of: CharacterId) -> bool:
    """Heroes and their players know nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or state.character(of).side is Side.FOE


def is_foe(state: Table, who: CharacterId) -> bool:
    """Somebody with a fixed damage, who never rolls to hit."""
    sheet = state.find(Sheet, who)
    return sheet is not None and state.find(Character, who) is not None and sheet.damage is not None


def out_of_sight_or_sheet(state: Table, who: CharacterId, *, of: CharacterId) -> Text | None:
    if not in_sight(state, who, of=of):
        return NOBODY
    return NO_SHEET if state.find(Sheet, who) is None else None


def own_fight(state: Table, who: CharacterId) -> Encounter | None:
    """The fight this one takes turns in, whichever rule set runs its order."""
    fight = state.fight()
    return fight if fight is not None and who in fight.members else None


# --- what hampers somebody ---------------------------------------------------------------------------------


def put(scene: Scene, who: CharacterId, state: State) -> None:
    """Until the end of this one's next turn; without turns, until the scene is over."""
    sheet = scene.sheet(Sheet, who)
    by_turns = own_fight(scene, who) is not None and not state.lasts
    sheet.states = {**sheet.states, state: sheet.begun + 1 if by_turns else 0}


def lift(scene: Scene, who: CharacterId, *states: State) -> bool:
    """Takes states off; was there any?"""
    sheet = scene.sheet(Sheet, who)
    there = any(state in sheet.states for state in states)
    sheet.states = {state: ends for state, ends in sheet.states.items() if state not in states}
    return there


def expire(scene: Scene, who: CharacterId) -> None:
    """The turn that has begun is over, and what lasted until then."""
    sheet = scene.sheet(Sheet, who)
    sheet.states = {state: ends for state, ends in sheet.states.items() if ends == 0 or ends > sheet.begun}


def this_turn(state: Table, who: CharacterId, what: State) -> bool:
    """Is it the turn that has begun that such a state is about, not the next one?"""
    sheet = state.sheet(Sheet, who)
    return own_fight(state, who) is not None and 0 < sheet.states.get(what, 0) <= sheet.begun
