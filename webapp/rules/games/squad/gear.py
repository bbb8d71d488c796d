"""What is carried, and what one can do: devices and powers taken from the book or put away."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from webapp.rules.content import page
from webapp.rules.games.squad.rolls import NO_SHEET
from webapp.rules.games.squad.sheet import Device, Power, Sheet
from webapp.rules.move import OwnMove
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.values import Track, free_name

MOST_DEVICES, MOST_POWERS = 12, 8


class Take(OwnMove):
    """A device or a power of the book goes onto the sheet, where every number of it can be changed."""

    game: ClassVar[str] = "squad"
    what: Literal["device", "power"]
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.id not in (devices() if self.what == "device" else powers()):
            return text("There is no such thing in the book: choose one that is.")
        full = len(sheet.devices) >= MOST_DEVICES if self.what == "device" else len(sheet.powers) >= MOST_POWERS
        return text("The sheet has no room for more: put something away first.") if full else None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        if self.what == "device":
            device = devices()[self.id].draft()
            sheet.devices = {**sheet.devices, free_name(self.id, sheet.devices): device}
            name = device.name
        else:
            power = powers()[self.id].draft()
            sheet.powers = {**sheet.powers, free_name(self.id, sheet.powers): power}
            name = power.name
        scene.say(text("{who} takes {name}.", who=Who(who=self.actor), name=name))


class Drop(OwnMove):
    game: ClassVar[str] = "squad"
    what: Literal["device", "power"]
    id: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        held: dict[str, Any] = dict(sheet.devices if self.what == "device" else sheet.powers)
        return None if self.id in held else text("That is not on the sheet.")

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        name = (sheet.devices if self.what == "device" else sheet.powers)[self.id].name
        if self.what == "device":
            sheet.devices = {id: one for id, one in sheet.devices.items() if id != self.id}
        else:
            sheet.powers = {id: one for id, one in sheet.powers.items() if id != self.id}
        scene.say(text("{who} puts {name} away.", who=Who(who=self.actor), name=name))


@cache
def devices() -> dict[str, Device]:
    """Devices of the book, to be read: whoever takes one takes a draft of it."""
    return {id: Device.model_validate(body) for id, body in book("gear")["device"].items()}


@cache
def powers() -> dict[str, Power]:
    """Powers of the book; `uses` there is how often."""
    return {
        id: Power.model_validate({**body, "uses": Track.of(body["uses"])})
        for id, body in book("gear")["power"].items()
    }


def book(name: str) -> dict[str, Any]:
    return page("webapp.rules.games.squad", name)
