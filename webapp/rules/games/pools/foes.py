"""What a foe does with its turn when the GM just goes on."""

from __future__ import annotations

from webapp.rules.document import CharacterId, Side
from webapp.rules.encounter import Encounter, Slot
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.games.pools.strikes import Strike, hit_chance
from webapp.rules.games.pools.turns import Push
from webapp.rules.move import Move
from webapp.rules.state import State


def suggested(state: State, fight: Encounter, slot: Slot | None) -> Move | None:
    """The strike that may be expected to do most; without Resolve it pushes first. None when it can do neither."""
    if slot is None or slot.spent or not _acts_by_itself(state, slot.character):
        return None
    push = Push(actor=slot.character)
    if push.refusal(state) is None:
        return push
    strikes = [
        strike
        for target in _heroes(state, fight)
        for attack, held in state.sheet(Sheet, slot.character).attacks.items()
        for mode in range(len(held.modes))
        for strike in (Strike(actor=slot.character, attack=attack, mode=mode, target=target, slot=slot.id),)
        if strike.refusal(state) is None
    ]
    return max(strikes, key=lambda strike: _worth(state, strike), default=None)


def _acts_by_itself(state: State, who: CharacterId) -> bool:
    """The hidden wait for the GM's own word, and so does whoever has a person."""
    found = state.character(who)
    return found.side is Side.FOE and not found.hidden and not found.seats


def _heroes(state: State, fight: Encounter) -> list[CharacterId]:
    return [
        one.id
        for one in state.characters(Side.HERO)
        if one.id in fight.members and state.order().can_act(state, one.id)
    ]


def _worth(state: State, strike: Strike) -> float:
    attack = state.sheet(Sheet, strike.actor).attacks[strike.attack]
    return float(hit_chance(state, strike)) * (attack.damage + attack.lasting)
