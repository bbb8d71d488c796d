"""Foes at one number act together, each at a target that suggests itself."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.encounter import Encounter, Slot
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.attack import Attack
from webapp.rules.games.squad.sheet import Sheet, Standing
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import chance
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.turns import take_turn


class FoesAct(Move):
    """These attacks, one after the other, each with its own foe's chance."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    attacks: Annotated[tuple[Attack, ...], Field(min_length=1, max_length=40)]

    def refusal(self, state: State) -> Text | None:
        if any(not _is_foe(state, attack.actor) for attack in self.attacks):
            return NOBODY
        fight, first = state.fight(), self.attacks[0]
        refused = first.refusal(state)
        if fight is None or refused is not None:
            return refused
        together = [slot.id for slot in _at_this_number(fight, state.slots())]
        if [attack.slot for attack in self.attacks] != together[: len(self.attacks)]:
            return text("These chances don't come at one number.")
        found = (attack.impossible(state) for attack in self.attacks)
        return next((why for why in found if why is not None), None)

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        for attack in self.attacks:
            scene.then(InTurn(attack=attack))


class InTurn(Step):
    """One of several attacks, left out when its foe can't make it any more; the chance is still there then."""

    game: ClassVar[str] = "squad"
    attack: Attack

    @property
    def thrower(self) -> CharacterId:
        return self.attack.actor

    def apply(self, scene: Scene) -> None:
        sheet = scene.find(Sheet, self.attack.actor)
        if sheet is None or not sheet.can_act or self.attack.impossible(scene) is not None:
            return
        slot = next((one for one in scene.slots() if one.id == self.attack.slot), None)
        if slot is None or slot.spent:
            return
        take_turn(scene, slot)
        self.attack.make(scene)


class Orders(Move):
    """A standing order for all foes of one name."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    name: Annotated[str, Field(max_length=40)]
    parry: Standing

    def refusal(self, state: State) -> Text | None:
        return None if self._group(state) else NOBODY

    def apply(self, scene: Scene) -> None:
        for who in self._group(scene):
            scene.sheet(Sheet, who).parry = self.parry
        word = "parry as well as they can" if self.parry is Standing.BEST else "never parry"
        scene.say(text("{name}: they {word}.", name=self.name, word=word), audience=Audience.GM)

    def _group(self, state: State) -> list[CharacterId]:
        foes = state.characters(Side.FOE)
        return [one.id for one in foes if one.name == self.name and state.find(Sheet, one.id) is not None]


def suggested(state: State, fight: Encounter, slots: tuple[Slot, ...]) -> FoesAct | None:
    """The active foe and all visible foes right behind it at the same number; None when none could strike."""
    attacks: list[Attack] = []
    aimed: dict[CharacterId, int] = {}
    for slot in _at_this_number(fight, slots):
        attack = _attack(state, slot, aimed) if _strikes_by_itself(state, slot.character) else None
        if attack is None:
            break
        aimed[attack.target] = aimed.get(attack.target, 0) + 1
        attacks.append(attack)
    return FoesAct(attacks=tuple(attacks)) if attacks else None


def _at_this_number(fight: Encounter, slots: tuple[Slot, ...]) -> list[Slot]:
    """The active chance and those behind it that come at the same number."""
    at = next((nth for nth, slot in enumerate(slots) if slot.id == fight.active), len(slots))
    return [slot for slot in slots[at:] if slot.number == slots[at].number and not slot.spent and not slot.waits]


def _strikes_by_itself(state: State, who: CharacterId) -> bool:
    """The hidden wait for the GM's own word, and so does whoever has a person."""
    character = state.character(who)
    return character.side is Side.FOE and not character.hidden and not character.seats


def _attack(state: State, slot: Slot, aimed: dict[CharacterId, int]) -> Attack | None:
    target = _target(state, slot.character, aimed)
    if target is None or state.sheet(Sheet, slot.character).surprised:
        return None
    ways = [id for id, device in state.sheet(Sheet, slot.character).devices.items() if device.strikes] or [""]
    tries = [Attack(actor=slot.character, device=way, target=target, slot=slot.id) for way in ways]
    return max(tries, key=lambda attack: _worth(state, attack))


def _target(state: State, foe: CharacterId, aimed: dict[CharacterId, int]) -> CharacterId | None:
    """Whom it fought last, else the hero with the fewest on them."""
    able = [one.id for one in state.characters(Side.HERO) if _in_the_fight(state, one.id)]
    last = state.sheet(Sheet, foe).fought
    if last in able:
        return last
    return min(able, key=lambda who: (aimed.get(who, 0), able.index(who)), default=None)


def _in_the_fight(state: State, who: CharacterId) -> bool:
    fight = state.fight()
    return fight is not None and who in fight.members and state.order().can_act(state, who)


def _worth(state: State, attack: Attack) -> float:
    """What an attack may be expected to do."""
    die = attack.way.damage_die(state, attack.actor)
    return float(chance(attack.ask(state))) * (die + 1) / 2


def _is_foe(state: State, who: CharacterId) -> bool:
    found = state.find(Character, who)
    return found is not None and found.side is Side.FOE and state.find(Sheet, who) is not None
