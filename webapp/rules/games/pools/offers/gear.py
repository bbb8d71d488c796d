"""Things of the book to take, what is carried to put away, and what one is immune to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blanks import choice, line, switch
from webapp.rules.blocks import Block, Form, Place
from webapp.rules.document import Character
from webapp.rules.games.pools.book import Drop, Take, book
from webapp.rules.games.pools.hurts import Grow
from webapp.rules.games.pools.offers.buttons import menu
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import Text, text


def gear(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield from _takes(state, character, sheet)
    drops = [
        *((Drop(actor=character.id, what="attack", id=key), one.name) for key, one in sheet.attacks.items()),
        *((Drop(actor=character.id, what="armour", id=key), one.name) for key, one in sheet.reductions.items()),
    ]
    if drops:
        buttons = (offer(state, drop, text("{name}", name=name)) for drop, name in drops)
        yield menu("drop", text("Put away"), *buttons, place=Place.MORE)
    yield _grow(character)


def _takes(state: State, character: Character, sheet: Sheet) -> Iterator[Form]:
    for what, label in (("attack", text("Take a weapon")), ("armour", text("Put on armour"))):
        held = sheet.attacks if what == "attack" else sheet.reductions
        free = {key: one["name"] for key, one in book("gear")[what].items() if key not in held}
        options = tuple((key, text("{name}", name=name)) for key, name in free.items()) or (("", text("Nothing")),)
        yield Form(
            key=f"pools.take.{what}",
            label=label,
            move={"move": Take.kind(), "actor": character.id, "what": what},
            fields=(choice("id", text("Which"), options),),
            button=text("Take it"),
            why_not=_no_room(state, character, what, next(iter(free), None)),
            place=Place.MORE,
        )


def _grow(character: Character) -> Form:
    return Form(
        key="pools.grow",
        label=text("Immune or vulnerable"),
        move={"move": Grow.kind(), "actor": character.id},
        fields=(
            choice("what", text("What"), (("immune", text("Immune")), ("vulnerable", text("Vulnerable")))),
            line("kind_of", text("To what"), 24),
            switch("away", text("No more")),
        ),
        button=text("Set it"),
        place=Place.MORE,
    )


def _no_room(state: State, character: Character, what: Any, first: str | None) -> Text | None:
    if first is None:
        return text("All of the book is on the sheet already.")
    return Take(actor=character.id, what=what, id=first).refusal(state)
