"""Offered to whoever is up: Priority, Minor Actions, and the way back for those without Resolve."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block, Button, Place, Reach
from webapp.rules.document import Character, Duty
from webapp.rules.fighting import Done
from webapp.rules.games.pools.care import Rouse
from webapp.rules.games.pools.offers.buttons import menu
from webapp.rules.games.pools.offers.strikes import fallen, strikes
from webapp.rules.games.pools.rolls import hopeless
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.games.pools.turns import PUSH_DL, FreeAct, Minor, Priority, Push, in_fight
from webapp.rules.move import Move
from webapp.rules.odds import odds_of
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.turns import own_slot


def turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Strikes are offered to whoever is up; outside a fight to everybody, folded away."""
    fight = state.fight()
    priority = Priority(actor=character.id)
    if priority.refusal(state) is None:
        ask = priority.ask(state)
        label = text("Roll Priority: {dice} with Zeal", dice=f"{len(ask.dice)}d12")
        yield menu("priority", text("Priority"), _first(state, priority, label))
    fighting = fight is not None and character.id in fight.members
    slot = own_slot(state, character.id)
    if fighting and slot is None:
        return
    if sheet.conscious and sheet.attacks:
        place = Place.FIGHT if fighting else Place.MORE
        yield strikes(state, character, sheet, None if slot is None else slot.id, place)
        yield from fallen(state, character, sheet, Place.MORE)
    if slot is not None:
        done = offer(state, Done(actor=character.id, slot=slot.id), text("Done"))
        yield menu("done", text("Or"), *_minors(state, character, sheet), done, duty=Duty.ORDER)


def _minors(state: State, character: Character, sheet: Sheet) -> Iterator[Button]:
    """Those that are left; without Resolve the only one is to push on, which has its own place."""
    if not sheet.without_resolve:
        left = max(0, sheet.minor_actions - sheet.minors)
        yield offer(state, Minor(actor=character.id), text("Minor Action, {left} left", left=left))


def out_of_it(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """No Resolve, or unconscious: the way back, and the GM's way out where no face can do it."""
    push = Push(actor=character.id)
    if sheet.conscious and sheet.without_resolve:
        left = max(0, sheet.minor_actions - sheet.minors)
        label = text("Zeal against difficulty {dl}: a Minor Action, {left} left", dl=PUSH_DL, left=left)
        button = _first(
            state,
            push,
            label if in_fight(state, character.id) else text("Zeal against difficulty {dl}", dl=PUSH_DL),
        )
        yield menu("push", text("Push on"), button.model_copy(update=odds_of(push.ask(state), about=None)))
        free = FreeAct(character=character.id)
        if hopeless(push.ask(state)) is not None:
            yield menu("free", text("No face can reach it"), offer(state, free, text("It works")), reach=Reach.GM)
    if not sheet.conscious:
        rouse = offer(state, Rouse(character=character.id), text("Comes to"))
        yield menu("rouse", text("Unconscious"), rouse, reach=Reach.GM)


def _first(state: State, move: Move, label: Text) -> Button:
    """What this person is to do now, above all."""
    return offer(state, move, label).model_copy(update={"first": True})
