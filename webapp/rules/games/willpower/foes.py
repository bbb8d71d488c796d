"""Foes act together, each at a hero that suggests itself."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId, Side
from webapp.rules.encounter import Encounter, Slot
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.defence import FoeAttacks
from webapp.rules.games.willpower.rolls import GAME, is_foe
from webapp.rules.games.willpower.sheet import Sheet, State
from webapp.rules.move import Leave, Move, Step
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text
from webapp.rules.turns import take_turn


class FoesAct(Move):
    """These blows, one after the other, each as its foe's turn."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    attacks: Annotated[tuple[FoeAttacks, ...], Field(min_length=1, max_length=40)]

    def refusal(self, state: Table) -> Text | None:
        if any(not is_foe(state, attack.foe) for attack in self.attacks):
            return NOBODY
        return self.attacks[0].refusal(state)

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        for attack in self.attacks:
            scene.then(InTurn(attack=attack))


class InTurn(Step):
    """One of several blows, left out when its foe can't act any more or has acted already."""

    game: ClassVar[str] = GAME
    attack: FoeAttacks

    def apply(self, scene: Scene) -> None:
        sheet = scene.find(Sheet, self.attack.foe)
        turns = (slot for slot in scene.slots() if slot.character == self.attack.foe and not slot.spent)
        slot = next(turns, None)
        if sheet is None or slot is None or not sheet.can_act:
            return
        take_turn(scene, slot)
        if not sheet.can_act:
            return
        scene.then(self.attack.strike(scene))


def suggested(state: Table, fight: Encounter, slots: tuple[Slot, ...]) -> FoesAct | None:
    """The active foe and all visible foes right behind it; None when none could strike."""
    at = next((nth for nth, slot in enumerate(slots) if slot.id == fight.active), None)
    if at is None:
        return None
    attacks: list[FoeAttacks] = []
    aimed: dict[CharacterId, int] = {}
    for slot in slots[at:]:
        if slot.spent or not _strikes_by_itself(state, slot.character):
            break
        if attacks and _is_busy(state, slot.character):
            break
        target = _target(state, fight, slot.character, aimed)
        if target is None:
            break
        aimed[target] = aimed.get(target, 0) + 1
        attacks.append(FoeAttacks(foe=slot.character, target=target))
    return FoesAct(attacks=tuple(attacks)) if attacks else None


def _strikes_by_itself(state: Table, who: CharacterId) -> bool:
    """The hidden wait for the GM's own word, and so does whoever has a person."""
    character = state.character(who)
    return is_foe(state, who) and not character.hidden and not character.seats


def _is_busy(state: Table, who: CharacterId) -> bool:
    """What its own turn would do to it first must be seen."""
    return any(one in state.sheet(Sheet, who).states for one in (State.BLEEDING, State.FROZEN, State.BOLTING))


def _target(state: Table, fight: Encounter, foe: CharacterId, aimed: dict[CharacterId, int]) -> CharacterId | None:
    """Whom it fought last, else the hero with the fewest on them."""
    able = [
        one.id
        for one in state.characters(Side.HERO)
        if one.id in fight.members and not one.hidden and _can_be_struck(state, one.id)
    ]
    last = state.sheet(Sheet, foe).fought
    if last in able:
        return last
    return min(able, key=lambda who: (aimed.get(who, 0), able.index(who)), default=None)


def _can_be_struck(state: Table, who: CharacterId) -> bool:
    sheet = state.find(Sheet, who)
    return sheet is not None and sheet.can_act and not is_foe(state, who)
