"""Buttons that roll, and those whom they may be aimed at."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Button
from webapp.rules.document import Character, Side
from webapp.rules.games.squad.aid import FirstAid
from webapp.rules.games.squad.attack import Attack
from webapp.rules.games.squad.raising import RAISE
from webapp.rules.games.squad.rolls import in_sight
from webapp.rules.games.squad.sheet import Power, Sheet
from webapp.rules.games.squad.tasks import Task
from webapp.rules.odds import odds_of
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import Text, text

RAISED = "raised"


def raises(sheet: Sheet) -> tuple[tuple[str, Text], ...]:
    """The switch that raises the die, for whoever has a Will Point."""
    return ((RAISED, RAISE),) if sheet.will else ()


def rolled(state: State, move: Task | Attack | FirstAid, label: Text) -> Button:
    """A button that rolls, with its chance, and the same with the die raised."""
    higher = rolled_so(state, move.model_copy(update={RAISED: True}), label)
    return with_odds(state, move, label).model_copy(update={"switched": {RAISED: higher}})


def with_odds(state: State, move: Task | Attack | FirstAid, label: Text) -> Button:
    return offer(state, move, label).model_copy(update=odds_of(move.ask(state)))


def rolled_so(state: State, move: Task | Attack | FirstAid, label: Text) -> Button:
    """A button that rolls, with its chance where it can be rolled."""
    button = offer(state, move, label)
    return button if button.why_not is not None else button.model_copy(update=odds_of(move.ask(state)))


def power_label(power: Power, *, told: bool = True) -> Text:
    """Its die, how often it may still be used, and what it does, before it is used."""
    words = "{name} d{die} · {left} left: {line}" if told and power.line else "{name} d{die} · {left} left"
    return text(words, name=power.name, die=power.die, left=power.uses.now, line=power.line)


def others_up(state: State, character: Character) -> Iterator[Character]:
    """Those of the other side who are in sight and can act."""
    for other in state.characters(Side.FOE if character.side is Side.HERO else Side.HERO):
        sheet = state.find(Sheet, other.id)
        if sheet is not None and sheet.can_act and in_sight(state, other.id, of=character.id):
            yield other
