"""A hand for one's own side, and what lies on the ground."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block
from webapp.rules.document import Character
from webapp.rules.games.willpower.care import HelpUp, PickUp, Tend
from webapp.rules.games.willpower.rolls import in_sight
from webapp.rules.games.willpower.sheet import Sheet
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import Who, text


def helping(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """A hand for one's own side; for others the GM has the last word."""
    buttons = tuple(
        offer(state, move, label)
        for other in state.characters(character.side)
        if state.find(Sheet, other.id) is not None and in_sight(state, other.id, of=character.id)
        for move, label in (
            (Tend(actor=character.id, patient=other.id), text("Tend {who}", who=Who(who=other.id))),
            (HelpUp(actor=character.id, patient=other.id), text("Help {who} up", who=Who(who=other.id))),
        )
        if move.no_need(state.sheet(Sheet, other.id)) is None
        and not (isinstance(move, HelpUp) and other.id == character.id)
    )
    if buttons:
        yield lone("willpower.help", text("Help"), *buttons)
    if sheet.disarmed or any(weapon.dropped for weapon in sheet.weapons.values()):
        lies = next((one.name for one in sheet.weapons.values() if one.dropped), "the weapon")
        pick = offer(state, PickUp(actor=character.id), text("Pick up {name}", name=lies))
        yield lone("willpower.pick_up", text("On the ground"), pick)
