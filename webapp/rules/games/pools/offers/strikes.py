"""Strikes, by attack and mode, and whom they may be aimed at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blocks import Block, Button, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.pools.house import Aim, House
from webapp.rules.games.pools.offers.buttons import menu, others, parts
from webapp.rules.games.pools.sheet import Part, Sheet, StrikeType
from webapp.rules.games.pools.strikes import Strike, hit_chance
from webapp.rules.offer import offer
from webapp.rules.roll import Wins
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

BEST_DEFENCE = text("what the best defence rolls")


def strikes(state: State, character: Character, sheet: Sheet, slot: str | None, place: Place) -> Menu:
    return Menu(
        key="pools.strike",
        duty=Duty.BLOWS,
        label=text("Strike to hit"),
        place=place,
        switches=(("stay_hidden", text("Stay hidden")),) if character.hidden else (),
        picks=parts(),
        picks_label=_aiming(state),
        tabs=tuple(_tabs(character, sheet, slot)),
    )


def _tabs(character: Character, sheet: Sheet, slot: str | None) -> Iterator[Tab]:
    for key, attack in sheet.attacks.items():
        for mode, letters in enumerate(attack.modes):
            types = "".join(f" · {StrikeType(letter).word}" for letter in letters)
            label = text("{name} {dice}d12{types}", name=attack.name, dice=attack.damage, types=types)
            offers = Targets(actor=character.id, attack=key, mode=mode, slot=slot)
            yield Tab(key=f"{key} {letters}", label=label, offers=offers)


class Targets(Offers):
    """Everybody whom this attack may be aimed at in this mode."""

    actor: CharacterId
    attack: str
    mode: int
    slot: str | None

    def buttons(self, state: State) -> Iterator[Button]:
        for target in _targets(state, state.character(self.actor)):
            yield self._button(state, target)

    def _button(self, state: State, target: CharacterId) -> Button:
        strike = Strike(actor=self.actor, attack=self.attack, mode=self.mode, target=target, slot=self.slot)
        return state.recall((self, target), lambda: _strike_of(state, strike))


def _targets(state: State, character: Character) -> Iterator[str]:
    for other in others(state, character):
        if other.side is not character.side and state.sheet(Sheet, other.id).conscious:
            yield other.id


def _aiming(state: State) -> Text:
    match state.house(House).aim:
        case Aim.GM_LEAVE:
            return text("Aim, if the GM lets you")
        case Aim.MINUS_2:
            return text("Aim, at −2 on the attack")
    return text("Aim")


def _strike_of(state: State, strike: Strike) -> Button:
    button = _aimable(state, strike, text("{who}", who=Who(who=strike.target)))
    if not state.is_hidden(strike.actor):
        return button
    unseen = _aimable(state, strike.model_copy(update={"stay_hidden": True}), button.label)
    return button.model_copy(update={"switched": {"stay_hidden": unseen}})


def _aimable(state: State, strike: Strike, label: Text) -> Button:
    """The strike, and what it is with each part picked: the chance is the same for all of them."""
    plain = _strike(state, strike, label)
    has = state.sheet(Sheet, strike.target).parts
    dearer = state.house(House).aim is Aim.MINUS_2
    aimed = _strike(state, strike.model_copy(update={"part": has[0]}), label) if dearer else plain
    missing = text("{who} has no such part.", who=Who(who=strike.target))
    picked = {
        part.value: aimed.model_copy(
            update={
                "move": {**aimed.move, "part": part.value},
                "why_not": aimed.why_not if part in has else missing,
                "chance": aimed.chance if part in has else None,
            }
        )
        for part in Part
    }
    return plain.model_copy(update={"picked": picked})


def _strike(state: State, strike: Strike, label: Text) -> Button:
    """With its chance to hit, against the best defence of the one who is struck at."""
    button = offer(state, strike, label)
    if button.why_not is not None:
        return button
    ask = strike.ask(state)
    best = ask.model_copy(update={"against": BEST_DEFENCE, "wins": Wins.AT_LEAST})
    odds: dict[str, Any] = {"chance": hit_chance(state, strike), "about": strike.target, "pool": ask.pool}
    return button.model_copy(update={**odds, "because": best})


def fallen(state: State, character: Character, sheet: Sheet, place: Place) -> Iterator[Block]:
    """Those who are down can be struck at as well, but nobody does so by mistake."""
    down = [
        other.id
        for other in others(state, character)
        if other.side is not character.side and not state.sheet(Sheet, other.id).conscious
    ]
    buttons = tuple(
        _strike(
            state,
            Strike(actor=character.id, attack=key, mode=mode, target=target),
            text("{who}, {attack}", who=Who(who=target), attack=attack.name),
        )
        for target in down
        for key, attack in sheet.attacks.items()
        for mode in range(len(attack.modes))
    )
    if buttons:
        yield menu("fallen", text("Strike at somebody who is down"), *buttons, place=place, duty=Duty.BLOWS)
