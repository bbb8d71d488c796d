"""What is carried and what is known: weapons and spells taken from the book or put away."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from webapp.rules.games.willpower.content import book
from webapp.rules.games.willpower.rolls import GAME, NO_SHEET
from webapp.rules.games.willpower.sheet import Sheet, Spell, Weapon
from webapp.rules.move import OwnMove
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text
from webapp.rules.values import free_name

MOST_WEAPONS, MOST_SPELLS = 10, 12
What = Literal["weapon", "spell", "armour"]


class Take(OwnMove):
    """A thing of the book goes onto the sheet, where every number of it can be changed."""

    game: ClassVar[str] = GAME
    what: What
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: Table) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.id not in book("gear")[self.what]:
            return text("There is no such thing in the book: choose one that is.")
        full = {
            "weapon": len(sheet.weapons) >= MOST_WEAPONS,
            "spell": len(sheet.spells) >= MOST_SPELLS,
            "armour": False,
        }
        return text("The sheet has no room for more: put something away first.") if full[self.what] else None

    def apply(self, scene: Scene) -> None:
        sheet, name = scene.sheet(Sheet, self.actor), str(book("gear")[self.what][self.id]["name"])
        match self.what:
            case "weapon":
                sheet.weapons = {**sheet.weapons, free_name(self.id, sheet.weapons): weapons()[self.id].draft()}
            case "spell":
                sheet.spells = {**sheet.spells, free_name(self.id, sheet.spells): spells()[self.id].draft()}
            case "armour":
                worn = book("gear")["armour"][self.id]
                sheet.protection = worn.get("protection", sheet.protection)
                sheet.shield = worn.get("shield", sheet.shield)
        scene.say(text("{who} takes {name}.", who=Who(who=self.actor), name=name))


class Drop(OwnMove):
    """Puts something away for good."""

    game: ClassVar[str] = GAME
    what: Literal["weapon", "spell"]
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: Table) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        held: Container[str] = sheet.weapons if self.what == "weapon" else sheet.spells
        return None if self.id in held else text("There is no such thing on the sheet.")

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        if self.what == "weapon":
            name = sheet.weapons[self.id].name
            sheet.weapons = {id: one for id, one in sheet.weapons.items() if id != self.id}
        else:
            name = sheet.spells[self.id].name
            sheet.spells = {id: one for id, one in sheet.spells.items() if id != self.id}
        scene.say(text("{who} puts {name} away.", who=Who(who=self.actor), name=name))


@cache
def weapons() -> dict[str, Weapon]:
    """Weapons of the book, to be read: whoever takes one takes a draft of it."""
    return {id: Weapon.model_validate(body) for id, body in book("gear")["weapon"].items()}


@cache
def spells() -> dict[str, Spell]:
    return {id: Spell.model_validate(body) for id, body in book("gear")["spell"].items()}
