"""Ways to strike, with a device, a power or bare hands; and a blow on its way."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.sheet import Device, Power, Range, Sheet
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.values import Frozen

UNARMED = 4


class Way(Frozen):
    """How somebody strikes: with a device, a power, or bare hands when both are empty."""

    device: Annotated[str, Field(max_length=40)] = ""
    power: Annotated[str, Field(max_length=40)] = ""
    range: Range | None = None

    def held(self, state: State, who: CharacterId) -> Device | Power | None:
        sheet = state.sheet(Sheet, who)
        return sheet.powers.get(self.power) if self.power else sheet.devices.get(self.device)

    def reach(self, state: State, who: CharacterId) -> Range:
        match self.held(state, who):
            case Device(make=make):
                return self.range or make.range
            case Power(kind=kind):
                return kind.range or Range.CLOSE
        return self.range or Range.CLOSE

    def name(self, state: State, who: CharacterId) -> str:
        held = self.held(state, who)
        return "bare hands" if held is None else held.name

    def attack_die(self, state: State, who: CharacterId) -> int:
        held, attribute = self.held(state, who), self.reach(state, who).attribute
        return state.sheet(Sheet, who).die_with(attribute, held if isinstance(held, Device) else None)

    def damage_die(self, state: State, who: CharacterId) -> int:
        """A device that lifts an attribute does a d4, as bare hands do (B2-30)."""
        held = self.held(state, who)
        return UNARMED if held is None else held.die or UNARMED

    def refusal(self, state: State, who: CharacterId) -> Text | None:
        match self.held(state, who):
            case Device() as device if not device.strikes:
                return text("{device} is no use for striking.", device=device.name)
            case Power() as power if power.kind.range is None:
                return text("{power} does not strike.", power=power.name)
            case Power(uses=uses) as power if uses.now == 0:
                return text("{power} is used up.", power=power.name)
            case None if self.device or self.power:
                return text("There is no such device or power on the sheet.")
            case None if self.range not in (None, Range.CLOSE):
                return text("Bare hands reach no further than that.")
            case Device() as device if self.range is not None and Range.MENTAL in (self.range, device.make.range):
                bent = self.range is not device.make.range
                return text("{device} does not strike like that.", device=device.name) if bent else None
        return None


class Blow(Frozen):
    """A blow on its way: the attacker's total is what a parry must reach. `free`: the target is breaking off."""

    attacker: CharacterId
    target: CharacterId
    way: Way
    range: Range
    total: int = 0
    raise_damage: bool = False
    free: bool = False
