"""Things of the book to take, and what is carried to put away."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice
from webapp.rules.blocks import Block, Form, Place
from webapp.rules.document import Character
from webapp.rules.games.squad.gear import Drop, Take, devices, powers
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import text


def gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Things of the book to take, and what is carried to put away."""
    for what, label, names in (
        ("device", text("Take a device"), {key: device.name for key, device in devices().items()}),
        ("power", text("Take a power"), {key: power.name for key, power in powers().items()}),
    ):
        options = tuple((key, text("{name}", name=name)) for key, name in names.items())
        yield Form(
            key=f"squad.take.{what}",
            label=label,
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(choice("id", text("Which"), options),),
            button=text("Take it"),
            why_not=Take.model_validate({"actor": character.id, "what": what, "id": options[0][0]}).refusal(state),
            place=Place.MORE,
        )
    drops = [
        *((Drop(actor=character.id, what="device", id=key), one.name) for key, one in sheet.devices.items()),
        *((Drop(actor=character.id, what="power", id=key), one.name) for key, one in sheet.powers.items()),
    ]
    if drops:
        buttons = (offer(state, drop, text("{name}", name=name)) for drop, name in drops)
        yield lone("squad.drop", text("Put away"), *buttons, place=Place.MORE)
