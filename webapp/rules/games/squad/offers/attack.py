"""Attacks, by what they are made with and whom they are aimed at."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Button, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.encounter import Slot
from webapp.rules.games.squad.attack import Attack
from webapp.rules.games.squad.offers.buttons import others_up, power_label, rolled_so, with_odds
from webapp.rules.games.squad.raising import raised
from webapp.rules.games.squad.sheet import Device, Sheet
from webapp.rules.games.squad.ways import Way
from webapp.rules.offer import with_switches
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

RAISE_HIT = text("Raise the die to hit · 1 Will Point")
RAISE_DAMAGE = text("Raise the damage die · 1 Will Point")
STAY_HIDDEN = text("Stay hidden")


def attacks(character: Character, sheet: Sheet, slot: Slot) -> Menu:
    menu = Menu(key="squad.attack", duty=Duty.BLOWS, label=text("Attack"), place=Place.FIGHT, tabs=())
    if sheet.surprised:
        why_not = text("{who} is surprised: no attack this round.", who=Who(who=character.id))
        return menu.model_copy(update={"why_not": why_not})
    tabs = (
        Tab(key=key, label=label, note=note, offers=Targets(actor=character.id, way=way, slot=slot.id))
        for key, label, note, way in _ways(sheet)
    )
    return menu.model_copy(update={"tabs": tuple(tabs), "switches": _switches(character, sheet)})


def _switches(character: Character, sheet: Sheet) -> tuple[tuple[str, Text], ...]:
    unseen = (("stay_hidden", STAY_HIDDEN),) if character.hidden else ()
    return (*unseen, *((("raised", RAISE_HIT), ("raise_damage", RAISE_DAMAGE)) if sheet.will else ()))


def _ways(sheet: Sheet) -> Iterator[tuple[str, Text, Text | None, Way]]:
    """By key, its label, what it does where that is written, and how it strikes."""
    for key, device in sheet.devices.items():
        if device.strikes:
            yield key, _device_label(device), None, Way(device=key)
    for key, power in sheet.powers.items():
        if power.kind.range is not None:
            line = text("{line}", line=power.line) if power.line else None
            yield f"power {key}", power_label(power, told=False), line, Way(power=key)
    yield "hands", text("Bare hands d4"), None, Way()


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
        switches = _switches(state.character(self.actor), state.sheet(Sheet, self.actor))
        return with_switches(lambda on: _attack(state, plain, on), [key for key, _ in switches])


def _attack(state: State, plain: Attack, on: frozenset[str]) -> Button:
    """The attack with these switches on; a raised damage die is told below it."""
    attack = plain.model_copy(update=dict.fromkeys(on, True))
    label = text("{who}", who=Who(who=plain.target))
    button = (rolled_so if on else with_odds)(state, attack, label)
    if not attack.raise_damage:
        return button
    die = raised(plain.way.damage_die(state, plain.actor), True)
    return button.model_copy(update={"note": text("d{die} damage", die=die)})
