"""Offered in a fight beside blows and spells: initiative, the actions of a turn, and one more by the GM's leave."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import line
from webapp.rules.blocks import Block, Button, Form, Menu, Place, Reach
from webapp.rules.document import Character, Duty
from webapp.rules.fighting import Done
from webapp.rules.games.willpower.nerve import willpower
from webapp.rules.games.willpower.offers.buttons import rolled
from webapp.rules.games.willpower.rolls import own_fight
from webapp.rules.games.willpower.section import fact
from webapp.rules.games.willpower.sheet import HANDS, Sheet
from webapp.rules.games.willpower.turns import Act, GrantAction, Initiative
from webapp.rules.odds import odds_of
from webapp.rules.offer import lone, offer
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.turns import own_slot

ANY_OTHER = text("Something else")


def turn(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """What the fight wants of a hero: initiative, or the actions of this turn; and what hampers them."""
    fight = own_fight(state, character.id)
    if fight is None:
        return
    roll = Initiative(actor=character.id)
    if roll.refusal(state) is None:
        label = text("Initiative: a success acts before the enemy")
        yield lone("willpower.initiative", label, rolled(state, roll, text("Roll Guts")))
    elif is_up(state, character):
        left = text("{left} of {all}", left=max(0, sheet.actions - len(sheet.acts)), all=sheet.actions)
        because = text("This turn has {all} actions; {done} done.", all=sheet.actions, done=len(sheet.acts))
        told = fact("actions", text("Actions left"), left, place=Place.FIGHT)
        yield told.model_copy(update={"because": because, "duty": Duty.ORDER})


def is_up(state: State, character: Character) -> bool:
    """May this one act now? Where no turns are taken, everybody may."""
    return own_fight(state, character.id) is None or own_slot(state, character.id) is not None


def doing(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """All that is neither a blow nor a spell."""
    if own_fight(state, character.id) is None:
        return
    yield lone("willpower.act", text("Do"), *_doings(state, character, sheet), duty=Duty.ORDER)
    yield Form(
        key="willpower.other",
        label=ANY_OTHER,
        move={"move": Act.kind(), "actor": character.id, "does": "other"},
        fields=(line("name", text("What"), 40),),
        button=text("Do it"),
        why_not=Act(actor=character.id, does="other").refusal(state),
        place=Place.FIGHT,
        duty=Duty.ORDER,
    )


def leave(state: State, character: Character) -> Iterator[Menu]:
    grant = offer(state, GrantAction(character=character.id), text("One more action"))
    if grant.why_not is None:
        yield lone("willpower.grant", text("The GM's leave"), grant, reach=Reach.GM)


def _doings(state: State, character: Character, sheet: Sheet) -> Iterator[Button]:
    who = character.id
    yield _risky(state, Act(actor=who, does="move"), text("Move"))
    for id, weapon in (*sheet.weapons.items(), (HANDS, None)):
        if id == sheet.in_hand or (weapon is not None and weapon.dropped):
            continue
        label = text("Draw {name}", name=weapon.name) if weapon is not None else text("Put the weapon away")
        yield _risky(state, Act(actor=who, does="draw", weapon=id), label)
    yield offer(state, Done(actor=who), text("End the turn"))


def _risky(state: State, move: Act, label: Text) -> Button:
    """The same action again shows the chance that the die holds."""
    button = offer(state, move, label)
    if move.act(state) in state.sheet(Sheet, move.actor).acts:
        label = text("{label} again: Willpower", label=label)
        return button.model_copy(update={"label": label, **odds_of(willpower(state, move.actor))})
    return button
