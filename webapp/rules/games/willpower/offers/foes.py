"""What the GM does with one foe, or with whatever hampers somebody."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Button, Menu, Place, Reach
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.willpower.care import PickUp, SetState
from webapp.rules.games.willpower.defence import FoeAttacks
from webapp.rules.games.willpower.offers.buttons import named
from webapp.rules.games.willpower.sheet import Sheet
from webapp.rules.games.willpower.sheet import State as Hampered
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import Text, text

STAY_HIDDEN = text("Stay hidden")


def hampering(state: State, character: Character, sheet: Sheet) -> Menu:
    """What the GM may put on somebody or take off."""
    toggles = (
        offer(
            state, SetState(character=character.id, state=one, on=not here), text(one.value.capitalize())
        ).model_copy(update={"on": here})
        for one in Hampered
        for here in (one in sheet.states,)
    )
    return lone("willpower.states", text("Hampered by"), *toggles, place=Place.MORE, reach=Reach.GM)


def foe_acts(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    targets = tuple(
        _strike(state, FoeAttacks(foe=character.id, target=other.id), character, named(other))
        for other in state.characters(Side.HERO)
        if (found := state.find(Sheet, other.id)) is not None and found.damage is None and found.hp.now
    )
    if targets:
        yield lone(
            "willpower.strike",
            text("Attack"),
            *targets,
            switches=(("stay_hidden", STAY_HIDDEN),) if character.hidden else (),
            reach=Reach.GM,
            duty=Duty.BLOWS,
        )
    if sheet.disarmed:
        pick = offer(state, PickUp(actor=character.id), text("Pick the weapon up"))
        yield lone("willpower.pick_up", text("On the ground"), pick, reach=Reach.GM)


def _strike(state: State, move: FoeAttacks, foe: Character, label: Text) -> Button:
    button = offer(state, move, label)
    if not foe.hidden:
        return button
    unseen = move.model_copy(update={"stay_hidden": True})
    return button.model_copy(update={"switched": {"stay_hidden": offer(state, unseen, label)}})
