"""Frights: scaring others, a test from other dice, and what the GM does about nerves."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import asked_of_heroes, heroes, number, switch
from webapp.rules.blocks import Block, Button, Form, Input, Menu, Place, Reach
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.dread.calling import CallFear, TellFear
from webapp.rules.games.dread.care import AwardToughness, Calm, Safe, Settle
from webapp.rules.games.dread.checks import Scare
from webapp.rules.games.dread.offers.buttons import DIFFICULTIES, menu, rolled
from webapp.rules.games.dread.rolls import against_fear
from webapp.rules.games.dread.sheet import Fear, Sheet
from webapp.rules.move import Move
from webapp.rules.offer import offer, with_switches
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import own_slot

STAY_HIDDEN = "stay_hidden"
HAPPY = text("Only that heals what is permanent.")


def scare(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    others = Side.FOE if character.side is Side.HERO else Side.HERO
    seen = [one.id for one in _frightened(state, others) if not one.hidden or character.side is Side.FOE]
    if not seen:
        return
    ways = [(Scare(actor=character.id, targets=(who,)), text("{who}", who=Who(who=who))) for who in seen]
    if len(seen) > 1:
        ways.append((Scare(actor=character.id, targets=tuple(seen[:40])), text("All of them")))
    switches = ((STAY_HIDDEN, text("Stay hidden")),) if character.hidden else ()
    label = text("Scare with {skill}", skill=sheet.scares_with)
    place = Place.DICE if own_slot(state, character.id) is None else Place.FIGHT
    buttons = (_scare(state, move, name, [key for key, _ in switches]) for move, name in ways)
    yield menu("dread.scare", label, *buttons, place=place, duty=Duty.FEAR, switches=switches)


def _frightened(state: State, side: Side) -> list[Character]:
    """Those who could be; whoever is down sees and hears nothing of it."""
    those = (one for one in state.characters(side) if state.find(Sheet, one.id) is not None)
    return [one for one in those if not state.rulebook.downs(state, one)]


def _scare(state: State, move: Scare, label: Text, switches: list[str]) -> Button:
    def so(on: frozenset[str]) -> Button:
        return offer(state, move.model_copy(update=dict.fromkeys(on, True)), label)

    return with_switches(so, switches)


def other_dice(character: Character) -> Form:
    return Form(
        key="dread.tell",
        label=text("A fear test from other dice"),
        move={"move": TellFear.kind(), "actor": character.id},
        fields=(
            number("total", text("Total"), None, -99, 999),
            number("difficulty", text("Difficulty, unless asked"), None, -20, 60),
            switch("critical", text("A critical failure")),
        ),
        button=text("Tell it"),
        place=Place.MORE,
    )


def for_the_gm(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    one = (character.id,)
    if sheet.terrible is not None and character.side is Side.FOE:
        sees = [_sees(state, hero.id, sheet.terrible) for hero in _frightened(state, Side.HERO)]
        everybody = offer(state, CallFear(difficulty=sheet.terrible), text("All heroes see it"))
        label = text("Fear {difficulty} at its sight", difficulty=sheet.terrible)
        yield menu("dread.sight", label, everybody, *sees, reach=Reach.GM, duty=Duty.FEAR)
    acts = [(AwardToughness(character=character.id), text("Award toughness"))]
    known: list[tuple[Move, Text]] = [*acts]
    if sheet.fear is not Fear.NONE:
        known.append((Calm(characters=one), text("Calm")))
    if sheet.pending:
        known.append((Settle(characters=one), text("Settle the insanity")))
    if sheet.temporary:
        known.append((Safe(characters=one), text("Safe again")))
    if sheet.permanent:
        known.append((Safe(characters=one, happy_end=True), text("Safe after a happy end")))
    buttons = (offer(state, move, label) for move, label in known)
    yield menu("dread.care", text("Nerves"), *buttons, reach=Reach.GM)


def _sees(state: State, who: str, difficulty: int) -> Button:
    move = CallFear(difficulty=difficulty, characters=(who,))
    return rolled(offer(state, move, text("{who}", who=Who(who=who))), against_fear(state, who, difficulty))


def gm_blocks(state: State) -> Iterator[Block]:
    yield from _sights(state)
    yield _call(state)
    yield from _after(state)
    yield from _safe(state)


def _sights(state: State) -> Iterator[Menu]:
    """In a fight what frightens by its sight is at hand, without its card being opened."""
    fight = state.fight()
    foes = () if fight is None else tuple(one for one in state.characters(Side.FOE) if one.id in fight.members)
    buttons = [
        offer(
            state,
            CallFear(difficulty=sheet.terrible),
            text("{who}: fear {difficulty}", who=Who(who=one.id), difficulty=sheet.terrible),
        )
        for one in foes
        if (sheet := state.find(Sheet, one.id)) is not None and sheet.terrible is not None
    ]
    if buttons:
        label = text("All heroes see it")
        yield menu("dread.sights", label, *buttons, place=Place.FIGHT, reach=Reach.GM, duty=Duty.FEAR)


def _call(state: State) -> Form:
    options = (
        *((str(number), text("{word} {number}", word=word, number=number)) for number, word in DIFFICULTIES),
        *((str(number), text("{number}", number=number)) for number in (1, 3, 5, 7, *range(9, 31))),
    )
    return asked_of_heroes(
        state,
        Sheet,
        CallFear(difficulty=1),
        text("Ask for a fear test"),
        Input(name="difficulty", label=text("Difficulty"), kind="choice", value="4", options=options, number=True),
        duty=Duty.FEAR,
        whom="characters[]",
    )


def _after(state: State) -> Iterator[Block]:
    moves: list[tuple[Move, Text]] = [
        (Calm(), text("Calm everybody")),
        (Settle(), text("Settle all insanity")),
    ]
    buttons = (offer(state, move, label) for move, label in moves)
    yield menu("dread.over", text("After the fright"), *buttons, reach=Reach.GM, duty=Duty.FEAR)


def _safe(state: State) -> Iterator[Form]:
    if Safe(happy_end=True).refusal(state) is None:
        yield Form(
            key="dread.safe",
            label=text("Safe again"),
            move={"move": Safe.kind()},
            fields=(
                *heroes(state, Sheet, "characters[]"),
                switch("happy_end", text("A happy end"), help=HAPPY),
            ),
            button=text("Heal"),
            reach=Reach.GM,
        )
