"""Attacks, by what they are made with and whom they are aimed at."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Button, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.encounter import Slot
from webapp.rules.games.squad.attack import Attack
from webapp.rules.games.squad.offers.buttons import others_up, rolled, rolled_so
from webapp.rules.games.squad.rolls import raised
from webapp.rules.games.squad.sheet import Device, Sheet
from webapp.rules.games.squad.ways import Way
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text

RAISE_HIT = text("Raise the die to hit · 1 Will Point")
RAISE_DAMAGE = text("Raise the damage die · 1 Will Point")
STAY_HIDDEN = text("Stay hidden")


def attacks(character: Character, sheet: Sheet, slot: Slot) -> Menu:
    menu = Menu(key="squad.attack", duty=Duty.BLOWS, label=text("Attack"), place=Place.FIGHT, tabs=())
    if sheet.surprised:
        why_not = text("{who} is surprised: no attack this round.", who=Who(who=character.id))
        return menu.model_copy(update={"why_not": why_not})
    tabs = tuple(
        Tab(key=key, label=label, offers=Targets(actor=character.id, way=way, slot=slot.id))
        for key, label, way in _ways(sheet)
    )
    hit, damage = (RAISE_HIT, RAISE_DAMAGE) if sheet.will else (None, None)
    first, second = (STAY_HIDDEN, hit) if character.hidden else (hit, damage)
    return menu.model_copy(update={"tabs": tabs, "switch": first, "second": second})


def _ways(sheet: Sheet) -> Iterator[tuple[str, Text, Way]]:
    for key, device in sheet.devices.items():
        if device.strikes:
            yield key, _device_label(device), Way(device=key)
    for key, power in sheet.powers.items():
        if power.kind.range is not None:
            label = text("{name} d{die} · {left} left", name=power.name, die=power.die, left=power.uses.now)
            yield f"power {key}", label, Way(power=key)
    yield "hands", text("Bare hands d4"), Way()


def _device_label(device: Device) -> Text:
    if device.die is None:
        return text("{device} ({lifts} up)", device=device.name, lifts=str(device.lifts or "no die"))
    return text("{device} d{die}", device=device.name, die=device.die)


class Targets(Offers):
    """Everybody whom this way of attacking may be aimed at."""

    actor: CharacterId
    way: Way
    slot: str

    def buttons(self, state: State) -> Iterator[Button]:
        for other in others_up(state, state.character(self.actor)):
            yield self._button(state, other.id)

    def _button(self, state: State, other: CharacterId) -> Button:
        return state.recall((self, other), lambda: self._worked_out(state, other))

    def _worked_out(self, state: State, other: CharacterId) -> Button:
        way = {"device": self.way.device, "power": self.way.power}
        plain = Attack(actor=self.actor, target=other, slot=self.slot, **way)
        button = rolled(state, plain, text("{who}", who=Who(who=other)))
        if not state.is_hidden(self.actor):
            return _harder(state, plain, button)
        unseen = rolled(state, plain.model_copy(update={"stay_hidden": True}), button.label)
        both = unseen.model_copy(update={"switched": None, "second": unseen.switched})
        return button.model_copy(update={"switched": both, "second": button.switched})


def _harder(state: State, plain: Attack, button: Button) -> Button:
    """The same blow, also with its damage die raised, on top of a raised attack die or without."""
    assert button.switched is not None
    damage = text("d{die} damage", die=raised(plain.way.damage_die(state, plain.actor), True))
    lifted = plain.model_copy(update={"raise_damage": True})
    with_both = lifted.model_copy(update={"raised": True})
    both = rolled_so(state, with_both, button.label).model_copy(update={"note": damage})
    hard = rolled_so(state, lifted, button.label).model_copy(update={"note": damage})
    return button.model_copy(update={"second": hard, "switched": button.switched.model_copy(update={"second": both})})
