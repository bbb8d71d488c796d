"""Things of the book to take, and what is carried to put away."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice
from webapp.rules.blocks import Block, Button, Form, Place
from webapp.rules.document import Character
from webapp.rules.games.willpower.content import book
from webapp.rules.games.willpower.gear import Drop, Take
from webapp.rules.games.willpower.sheet import Sheet
from webapp.rules.offer import lone
from webapp.rules.state import State
from webapp.rules.text import text


def gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Things of the book to take, and what is carried to put away."""
    gear = book("gear")
    for what, label in (("weapon", "Take a weapon"), ("armour", "Take armour"), ("spell", "Learn a spell")):
        options = tuple((id, text("{name}", name=one["name"])) for id, one in gear[what].items())
        yield Form(
            key=f"willpower.take.{what}",
            label=text(label),
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(choice("id", text("Which"), options),),
            button=text("Take it"),
            why_not=Take.model_validate({"actor": character.id, "what": what, "id": options[0][0]}).refusal(state),
            place=Place.MORE,
        )
    held = [("weapon", id, one.name) for id, one in sheet.weapons.items()]
    held += [("spell", id, one.name) for id, one in sheet.spells.items()]
    if held:
        buttons = tuple(
            Button(
                label=text("{name}", name=name),
                move={"move": Drop.kind(), "actor": character.id, "what": what, "id": id},
            )
            for what, id, name in held
        )
        yield lone("willpower.drop", text("Put away"), *buttons, place=Place.MORE)
