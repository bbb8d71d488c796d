"""Blows: attacks by weapon, by effect, and with whatever the buttons leave out."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice
from webapp.rules.blocks import Button, Form, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.willpower.blows import Attack
from webapp.rules.games.willpower.house import Effect, House
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.offers.buttons import EDGES, ROLLED_WITH, named, rolled
from webapp.rules.games.willpower.rolls import Edge, in_sight, own_fight
from webapp.rules.games.willpower.sheet import DICE, HANDS, Sheet, Weapon
from webapp.rules.games.willpower.sheet import State as Hampered
from webapp.rules.games.willpower.turns import ATTACK, out_of_reach
from webapp.rules.odds import chance
from webapp.rules.state import State
from webapp.rules.text import Text, text

WORSE, AT_DISADVANTAGE = "worse", text("At disadvantage")
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
    if not _targets(state, character) or (fight is not None and not fight.settled):
        return
    again = fight is not None and ATTACK in sheet.acts
    words = "Attack again: Willpower first, holds {odds} %"
    weapons: list[tuple[str, Weapon | None]] = [*_usable(state, character, sheet), (HANDS, None)]
    yield Menu(
        key="willpower.attack",
        duty=Duty.BLOWS,
        label=text(words, odds=_nerve(state, character)) if again else text("Attack"),
        place=Place.FIGHT,
        switches=((WORSE, AT_DISADVANTAGE),),
        tabs=tuple(_weapon_tab(character, id, weapon) for id, weapon in weapons),
        because=willpower(state, character.id) if again else None,
    )


def _weapon_tab(character: Character, id: str, weapon: Weapon | None) -> Tab:
    name, die = ("Bare hands", 4) if weapon is None else (weapon.name, weapon.die)
    label = text("{name} d{die}", name=name, die=die)
    return Tab(key=id, label=label, offers=ByWeapon(actor=character.id, weapon=id))


class ByWeapon(Offers):
    """Everybody whom this weapon may be used on."""

    actor: CharacterId
    weapon: str

    def buttons(self, state: State) -> Iterator[Button]:
        for other in _targets(state, state.character(self.actor)):
            yield self._button(state, other)

    def _button(self, state: State, other: Character) -> Button:
        move = Attack(actor=self.actor, target=other.id, weapon=self.weapon)
        return state.recall((self, other.id), lambda: _attack(state, move, named(other)))


def _attack(state: State, move: Attack, label: Text) -> Button:
    worse = move.model_copy(update={"edge": Edge.DISADVANTAGE})
    return rolled(state, move, label).model_copy(update={"switched": {WORSE: rolled(state, worse, label)}})


def with_effects(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    tabs = tuple(
        Tab(key=effect.value, label=text(effect.label), offers=ByEffect(actor=character.id, effect=effect))
        for effect in _played(state)
    )
    if tabs and _targets(state, character):
        words = "With an effect: on a hit it works {odds} %, else the die drops"
        if DICE.shift(sheet.willpower, -1) is None:
            words = "With an effect: on a hit it works {odds} %, else the die runs out and you panic"
        label = text(words, odds=_nerve(state, character))
        because = willpower(state, character.id)
        yield Menu(
            key="willpower.effect", duty=Duty.BLOWS, label=label, place=Place.FIGHT, tabs=tabs, because=because
        )


class ByEffect(Offers):
    """Everybody whom an attack with this effect may be aimed at."""

    actor: CharacterId
    effect: Effect

    def buttons(self, state: State) -> Iterator[Button]:
        for other in _targets(state, state.character(self.actor)):
            yield self._button(state, other)

    def _button(self, state: State, other: Character) -> Button:
        move = Attack(actor=self.actor, target=other.id, effect=self.effect)
        note = text(BRINGS[self.effect])
        return state.recall(
            (self, other.id), lambda: rolled(state, move, named(other)).model_copy(update={"note": note})
        )


def _played(state: State) -> list[Effect]:
    """The effects that this table allows."""
    house = state.house(House)
    return [effect for effect in Effect if house.allows(effect)]


def _nerve(state: State, character: Character) -> int:
    """The chance that the die holds, in per cent."""
    return round(100 * chance(willpower(state, character.id)))


def any_attack(state: State, character: Character, sheet: Sheet) -> Iterator[Form]:
    """Advantage, or an effect with another weapon: whatever the buttons leave out."""
    targets = tuple((one.id, named(one)) for one in _targets(state, character))
    if not targets:
        return
    weapons = [(id, text("{name}", name=one.name)) for id, one in _usable(state, character, sheet)]
    effects = [(one.value, text(one.label)) for one in _played(state)]
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


def _targets(state: State, character: Character) -> list[Character]:
    sheet = state.sheet(Sheet, character.id)
    return [other for other in state.characters() if _may_be_target(state, character, sheet, other)]


def _may_be_target(state: State, character: Character, sheet: Sheet, other: Character) -> bool:
    """Foes, and friends too for whoever lashes out, at those close by if there are any."""
    found = state.find(Sheet, other.id)
    if found is None or found.hp.now == 0 or other.id == character.id:
        return False
    if other.side is character.side and Hampered.LASHING not in sheet.states:
        return False
    return in_sight(state, other.id, of=character.id) and not out_of_reach(state, character.id, other.id)
