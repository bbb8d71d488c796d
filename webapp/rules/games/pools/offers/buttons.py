"""Small things that every page of offers needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.document import Character
from webapp.rules.games.pools.rolls import in_sight
from webapp.rules.games.pools.sheet import Part, Sheet
from webapp.rules.offer import lone
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text
from webapp.rules.view import Button, Input, Menu


def others(state: State, character: Character, *, too: bool = False) -> Iterator[Character]:
    """Everybody with a sheet that this one knows of; `too`: itself among them."""
    for other in state.characters():
        if state.find(Sheet, other.id) is None or (other.id == character.id and not too):
            continue
        if in_sight(state, other.id, of=character.id):
            yield other


def words(kinds: Any) -> tuple[tuple[str, Text], ...]:
    return tuple((one.value, text(one.value.capitalize())) for one in kinds)


def parts(sheet: Sheet | None = None) -> tuple[tuple[str, Text], ...]:
    return words(Part if sheet is None else sheet.parts)


def choice(name: str, label: Text, options: tuple[tuple[str, Text], ...], value: str | None = None) -> Input:
    first = options[0][0] if options else ""
    return Input(name=name, label=label, kind="choice", value=first if value is None else value, options=options)


def number(name: str, label: Text, value: int, lowest: int, highest: int) -> Input:
    return Input(name=name, label=label, kind="number", value=value, lowest=lowest, highest=highest)


def switch(name: str, one: Character, *, on: bool = True) -> Input:
    return Input(name=name, label=text("{who}", who=Who(who=one.id)), kind="switch", value=one.id, checked=on)


def menu(key: str, label: Text, *buttons: Button, **more: Any) -> Menu:
    return lone(f"pools.{key}", label, *buttons, **more)
