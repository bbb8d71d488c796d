"""Lanterns' part of a card."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fifth.moves import Try
from tests.fifth.sheet import GAME, Sheet
from webapp.rules.blocks import Block, Button, Fact, Gauge, Menu, Note, Place, Reach, Section, Tab
from webapp.rules.document import Character, Duty, Side
from webapp.rules.odds import chance
from webapp.rules.state import State
from webapp.rules.text import Who, text

TITLE = text("Lanterns")


def section(sheet: Sheet) -> Section:
    tracks = (("breath", sheet.breath), ("light", sheet.light), ("lanterns", sheet.lanterns))
    gauges = [
        Gauge(key=f"{GAME}.{name}", label=text(name.capitalize()), now=one.now, full=one.full, at=(GAME, name, "now"))
        for name, one in tracks
    ]
    steady = Fact(key=f"{GAME}.steady", label=text("Steady"), value=text("{n}", n=sheet.steady), reach=Reach.OWNER)
    dark = Note(key=f"{GAME}.dark", icon="hidden", words=text("In the dark: −1 on all rolls"), brief=text("dark"))
    states = () if sheet.light.now else (dark,)
    return Section(title=TITLE, vitals=tuple(gauges[:2]), blocks=(*states, gauges[2], steady))


def acts(state: State, character: Character) -> tuple[Block, ...]:
    return (
        _menu(state, Place.DICE, Duty.TESTS, Try(actor=character.id)),
        _menu(state, Place.FIGHT, Duty.BLOWS, *_shoves(state, character)),
    )


def _shoves(state: State, character: Character) -> Iterator[Try]:
    others = Side.FOE if character.side is Side.HERO else Side.HERO
    tries = (Try(actor=character.id, target=one.id) for one in state.characters(others))
    return (one for one in tries if one.refusal(state) is None)


def _menu(state: State, place: Place, duty: Duty, *tries: Try) -> Menu:
    label = text("Try" if place is Place.DICE else "Shove")
    buttons = tuple(_button(state, one) for one in tries)
    return Menu(
        key=f"{GAME}.{place}",
        label=label,
        place=place,
        duty=duty,
        tabs=(Tab(key="only", label=label, buttons=buttons),),
    )


def _button(state: State, one: Try) -> Button:
    label = text("Against 7") if one.target is None else text("{who}", who=Who(who=one.target))
    message = {"move": one.kind(), **one.model_dump(mode="json", exclude_defaults=True)}
    return Button(
        label=label,
        move=message,
        chance=chance(one.ask(state)),
        about=one.target,
        pool="d6",
        why_not=one.refusal(state),
    )
