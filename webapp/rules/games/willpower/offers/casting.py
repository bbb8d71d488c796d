"""Spells."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block, Button, Place
from webapp.rules.document import Character
from webapp.rules.games.willpower.offers.buttons import rolled
from webapp.rules.games.willpower.rolls import own_fight
from webapp.rules.games.willpower.sheet import Sheet, Spell
from webapp.rules.games.willpower.spells import Cast
from webapp.rules.offer import lone
from webapp.rules.state import State
from webapp.rules.text import text


def casting(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if not sheet.spells:
        return
    buttons = (_cast(state, character, id, spell) for id, spell in sheet.spells.items())
    worse = ", two dice and the lower counts" if sheet.cast_today else ""
    label = text("Cast: the chance that your Willpower holds{worse}", worse=worse)
    place = Place.SHEET if own_fight(state, character.id) is None else Place.FIGHT
    yield lone("willpower.cast", label, *buttons, place=place)


def _cast(state: State, character: Character, id: str, spell: Spell) -> Button:
    """With what it does below its name."""
    button = rolled(state, Cast(actor=character.id, spell=id), text("{name}", name=spell.name))
    return button.model_copy(update={"note": text("{line}", line=spell.line)}) if spell.line else button
