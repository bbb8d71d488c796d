"""Blows: attacks by weapon, by effect, and with whatever the buttons leave out."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.document import Character, Duty
from webapp.rules.games.willpower.blows import Attack
from webapp.rules.games.willpower.house import Effect, House
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.offers.buttons import EDGES, ROLLED_WITH, choice, named, rolled
from webapp.rules.games.willpower.rolls import Edge, in_sight, own_fight
from webapp.rules.games.willpower.sheet import HANDS, Sheet, Weapon
from webapp.rules.games.willpower.sheet import State as Hampered
from webapp.rules.games.willpower.turns import ATTACK
from webapp.rules.odds import chance
from webapp.rules.scene import State
from webapp.rules.text import Text, text
from webapp.rules.view import Button, Form, Menu, Place, Tab

AT_DISADVANTAGE = text("At disadvantage")
BRINGS = {
    Effect.BUTCHER: "Willpower on top",
    Effect.DISARM: "drops what it holds",
    Effect.WHIRLWIND: "and all close to you",
    Effect.VICIOUS: "bleeds",
    Effect.ENTANGLE: "no damage; easy to hit",
    Effect.PIN_DOWN: "can't move",
}


def attacks(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    """With what is in hand; where no turns are taken, with whatever is carried."""
    fight = own_fight(state, character.id)
    targets = _targets(state, character, sheet)
    if not targets or (fight is not None and not fight.settled):
        return
    label, because = text("Attack"), None
    if fight is not None and ATTACK in sheet.acts:
        label = text("Attack again: Willpower first, holds {odds} %", odds=_nerve(state, character))
        because = willpower(state, character.id)
    tabs = [_weapon_tab(state, character, id, weapon, targets) for id, weapon in _usable(state, character, sheet)]
    tabs.append(_weapon_tab(state, character, HANDS, None, targets))
    yield Menu(
        key="willpower.attack",
        duty=Duty.BLOWS,
        label=label,
        place=Place.FIGHT,
        switch=AT_DISADVANTAGE,
        tabs=tuple(tabs),
        because=because,
    )


def with_effects(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    targets, house = _targets(state, character, sheet), state.house(House)
    tabs = tuple(_effect_tab(state, character, effect, targets) for effect in Effect if house.allows(effect))
    if targets and tabs:
        words = "With an effect: on a hit it works {odds} %, else the die drops"
        label = text(words, odds=_nerve(state, character))
        because = willpower(state, character.id)
        yield Menu(
            key="willpower.effect", duty=Duty.BLOWS, label=label, place=Place.FIGHT, tabs=tabs, because=because
        )


def _nerve(state: State, character: Character) -> int:
    """The chance that the die holds, in per cent."""
    return round(100 * chance(willpower(state, character.id)))


def any_attack(state: State, character: Character, sheet: Sheet) -> Iterator[Form]:
    """Advantage, or an effect with another weapon: whatever the buttons leave out."""
    targets = tuple((one.id, named(one)) for one in _targets(state, character, sheet))
    if not targets:
        return
    weapons = [(id, text("{name}", name=one.name)) for id, one in _usable(state, character, sheet)]
    house = state.house(House)
    effects = [(one.value, text(one.label)) for one in Effect if house.allows(one)]
    yield Form(
        key="willpower.attack.any",
        duty=Duty.BLOWS,
        label=text("Another attack"),
        move={"move": Attack.kind(), "actor": character.id},
        fields=(
            choice("target", text("Target"), targets),
            choice("weapon", text("With"), (*weapons, (HANDS, text("Bare hands")))),
            choice("effect", text("Effect"), (("", text("none")), *effects)),
            choice("edge", ROLLED_WITH, EDGES),
        ),
        button=text("Attack"),
        why_not=Attack(actor=character.id, target=targets[0][0], weapon=sheet.in_hand).refusal(state),
        place=Place.FIGHT,
    )


def _usable(state: State, character: Character, sheet: Sheet) -> list[tuple[str, Weapon]]:
    """Where turns are taken, all but the weapon in hand must be drawn first."""
    turns = own_fight(state, character.id) is not None
    held = [(id, one) for id, one in sheet.weapons.items() if not one.dropped]
    return [(id, one) for id, one in held if id == sheet.in_hand or not turns]


def _targets(state: State, character: Character, sheet: Sheet) -> list[Character]:
    return [other for other in state.characters() if _may_be_target(state, character, sheet, other)]


def _may_be_target(state: State, character: Character, sheet: Sheet, other: Character) -> bool:
    """Foes, and friends too for whoever lashes out."""
    found = state.find(Sheet, other.id)
    if found is None or found.hp.now == 0 or other.id == character.id:
        return False
    if other.side is character.side and Hampered.LASHING not in sheet.states:
        return False
    return in_sight(state, other.id, of=character.id)


def _weapon_tab(state: State, character: Character, id: str, weapon: Weapon | None, targets: list[Character]) -> Tab:
    name, die = ("Bare hands", 4) if weapon is None else (weapon.name, weapon.die)
    buttons = tuple(
        _attack(state, Attack(actor=character.id, target=other.id, weapon=id), named(other)) for other in targets
    )
    return Tab(key=id, label=text("{name} d{die}", name=name, die=die), buttons=buttons)


def _effect_tab(state: State, character: Character, effect: Effect, targets: list[Character]) -> Tab:
    note = text(BRINGS[effect])
    buttons = tuple(
        rolled(state, Attack(actor=character.id, target=other.id, effect=effect), named(other)).model_copy(
            update={"note": note}
        )
        for other in targets
    )
    return Tab(key=effect.value, label=text(effect.label), buttons=buttons)


def _attack(state: State, move: Attack, label: Text) -> Button:
    worse = move.model_copy(update={"edge": Edge.DISADVANTAGE})
    return rolled(state, move, label).model_copy(update={"switched": rolled(state, worse, label)})
