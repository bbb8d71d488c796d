"""Small things that every page of offers needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blanks import options_of
from webapp.rules.blocks import Button, Menu
from webapp.rules.document import Character
from webapp.rules.games.pools.rolls import in_sight
from webapp.rules.games.pools.sheet import Part, Sheet
from webapp.rules.offer import lone
from webapp.rules.state import State
from webapp.rules.text import Text


def others(state: State, character: Character, *, too: bool = False) -> Iterator[Character]:
    """Everybody with a sheet that this one knows of; `too`: itself among them."""
    for other in state.characters():
        if state.find(Sheet, other.id) is None or (other.id == character.id and not too):
            continue
        if in_sight(state, other.id, of=character.id):
            yield other


def parts(sheet: Sheet | None = None) -> tuple[tuple[str, Text], ...]:
    return options_of(Part if sheet is None else sheet.parts)


def menu(key: str, label: Text, *buttons: Button, **more: Any) -> Menu:
    return lone(f"pools.{key}", label, *buttons, **more)
