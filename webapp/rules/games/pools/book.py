"""The rule set's content, and what is taken from it onto a sheet."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from webapp.rules.content import page
from webapp.rules.document import body_of, speaks_of
from webapp.rules.games.pools.rolls import NO_SHEET
from webapp.rules.games.pools.sheet import Attack, Reduction, Sheet
from webapp.rules.move import OwnMove
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

MOST_ATTACKS, MOST_REDUCTIONS, MOST_BULK = 10, 12, 12
Thing = Literal["attack", "armour"]


class Take(OwnMove):
    """An attack or armour of the book goes onto the sheet, where every number of it can be changed."""

    game: ClassVar[str] = "pools"
    what: Thing
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.id not in book("gear")[self.what]:
            return text("There is no such thing in the book: choose one that is.")
        if self.id in _held(sheet, self.what):
            return text("That is on the sheet already.")
        most = MOST_ATTACKS if self.what == "attack" else MOST_REDUCTIONS
        return (
            text("The sheet has no room for more: put something away first.")
            if len(_held(sheet, self.what)) >= most
            else None
        )

    def apply(self, scene: Scene) -> None:
        sheet, entry = scene.sheet(Sheet, self.actor), book("gear")[self.what][self.id]
        if self.what == "attack":
            sheet.attacks = {**sheet.attacks, self.id: Attack.model_validate(attack_body(self.id))}
        else:
            sheet.reductions = {**sheet.reductions, self.id: Reduction.model_validate(reduction_body(self.id))}
            sheet.bulk = min(MOST_BULK, sheet.bulk + entry["bulk"])
        scene.say(text("{who} takes {name}.", who=Who(who=self.actor), name=entry["name"]))


class Drop(OwnMove):
    game: ClassVar[str] = "pools"
    what: Thing
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.id not in _held(sheet, self.what):
            return text("That is not on the sheet.")
        return text("It is still being used.") if self._in_use(state) else None

    def _in_use(self, state: State) -> bool:
        """Does an open question speak of it?"""
        bodies = [body_of(question) for question in state.questions()]
        return any(speaks_of(body, self.actor) and speaks_of(body, self.id) for body in bodies)

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        name = _held(sheet, self.what)[self.id].name
        if self.what == "attack":
            sheet.attacks = {id: one for id, one in sheet.attacks.items() if id != self.id}
        else:
            sheet.reductions = {id: one for id, one in sheet.reductions.items() if id != self.id}
            sheet.bulk = max(0, sheet.bulk - book("gear")["armour"].get(self.id, {}).get("bulk", 0))
        scene.say(text("{who} puts {name} away.", who=Who(who=self.actor), name=name))


def _held(sheet: Sheet, what: Thing) -> dict[str, Attack] | dict[str, Reduction]:
    return sheet.attacks if what == "attack" else sheet.reductions


def attack_body(id: str) -> dict[str, Any]:
    return dict(book("gear")["attack"][id])


def reduction_body(id: str) -> dict[str, Any]:
    """Armour gives Physical Reduction unless its entry names something else."""
    entry = book("gear")["armour"][id]
    against = entry.get("against", "physical")
    return {"name": entry["name"], "amount": entry["amount"], "against": against, "armour": True}


def book(name: str) -> dict[str, Any]:
    return page("webapp.rules.games.pools", name)
