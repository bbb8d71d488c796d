"""Rest: what full nights give back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.document import CharacterId
from webapp.rules.games.squad.house import House, RestHp
from webapp.rules.games.squad.rolls import Outcome
from webapp.rules.games.squad.sheet import Condition, Sheet
from webapp.rules.move import Step
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Health, Text, Who, text

FULL_REST = 8


class Night(period.Night):
    """S-47, B2-32: what a rest of eight hours gives back."""

    first_aid: Annotated[bool, Field(title="With first aid")] = True
    repair: Annotated[bool, Field(title="Devices are mended")] = True


def cannot_rest(state: State, who: CharacterId) -> Text | None:
    if state.sheet(Sheet, who).condition is Condition.DYING:
        return text("{who} is dying: first aid comes before rest.", who=Who(who=who))
    return None


def rests(scene: Scene, who: CharacterId, night: Night) -> None:
    """S-47: each full eight hours with first aid gives 1 or 2 HP; without, nothing.

    A full rest repairs one rank of each worn device (B2-32) and gives powers back.
    """
    sheet, nights = scene.sheet(Sheet, who), night.hours // FULL_REST
    if not nights or sheet.condition is Condition.DEAD:
        return
    for power in sheet.powers.values():
        power.uses.gain(power.uses.full)
    if _heals(sheet, night):
        scene.then(Sleep(patient=who, nights=nights))
    if night.repair:
        for device in sheet.devices.values():
            if device.repair():
                scene.say(text("{who}'s {device} is mended by a rank.", who=Who(who=who), device=device.name))


def _heals(sheet: Sheet, night: Night) -> bool:
    able = sheet.condition in (Condition.FIT, Condition.STABLE)
    return night.first_aid and able and sheet.hp.now < sheet.hp.full


class Sleep(Step):
    """The HP of full nights, by the GM's dice."""

    game: ClassVar[str] = "squad"
    patient: CharacterId
    nights: int

    def apply(self, scene: Scene) -> None:
        sheet, who = scene.sheet(Sheet, self.patient), Who(who=self.patient)
        house = scene.house(House).rest_hp
        rolls: tuple[Roll, ...] = ()
        if house is RestHp.D2:
            rolls = (scene.roll(Ask(what=text("rest of {who}", who=who), dice=(2,) * self.nights)),)
            given = rolls[0].total
        else:
            given = self.nights * int(house.value)
        won = sheet.hp.gain(given)
        health = Health(health_of=self.patient, now=sheet.hp.now, full=sheet.hp.full)
        scene.say(
            text("{who} gets {won} HP back{health:, }.", who=who, won=won, health=health),
            *rolls,
            outcome=Outcome.HEALED,
        )


def night_outlook(state: State, who: CharacterId, night: Night) -> Iterator[Text]:
    sheet, nights = state.sheet(Sheet, who), night.hours // FULL_REST
    if not nights or sheet.condition is Condition.DEAD:
        return
    if _heals(sheet, night):
        each = "1 or 2" if state.house(House).rest_hp is RestHp.D2 else state.house(House).rest_hp.value
        words = "{each} HP back for each of {nights} nights" if nights > 1 else "{each} HP back"
        yield text(words, each=each, nights=nights)
    if any(power.uses.now < power.uses.full for power in sheet.powers.values()):
        yield text("powers are there again")
    for device in sheet.devices.values() if night.repair else ():
        if device.model_copy(deep=True).repair():
            yield text("{device} is mended by a rank", device=device.name)
