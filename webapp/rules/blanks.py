"""The blanks that forms of rule sets are made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

from webapp.rules.blocks import Form, Input, Reach
from webapp.rules.document import Character, Duty, Sheet, Side
from webapp.rules.move import Move
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

Options = tuple[tuple[str, Text], ...]


def options_of(kinds: Iterable[StrEnum]) -> Options:
    return tuple((one.value, text(one.value.capitalize())) for one in kinds)


def choice(name: str, label: Text, options: Options, value: str | None = None) -> Input:
    """The first of the options, unless told otherwise."""
    first = options[0][0] if options else ""
    return Input(name=name, label=label, kind="choice", value=first if value is None else value, options=options)


def number(name: str, label: Text, value: int | None, lowest: int, highest: int) -> Input:
    return Input(name=name, label=label, kind="number", value=value, lowest=lowest, highest=highest)


def line(name: str, label: Text, longest: int, value: str = "") -> Input:
    return Input(name=name, label=label, kind="text", value=value, longest=longest)


def switch(name: str, label: Text, *, help: Text | None = None) -> Input:
    return Input(name=name, label=label, kind="switch", value=False, help=help)


def person(name: str, one: Character, *, on: bool = True, why_not: Text | None = None) -> Input:
    """Somebody to be ticked; not at first where there is a reason, which stands beside the name."""
    label, ticked = text("{who}", who=Who(who=one.id)), on and why_not is None
    return Input(name=name, label=label, kind="switch", value=one.id, checked=ticked, help=why_not)


def heroes(state: State, sheet: type[Sheet], name: str = "heroes[]") -> Iterator[Input]:
    """All who have such a sheet, each to be ticked; those who are down are not at first."""
    for one in state.characters(Side.HERO):
        if state.find(sheet, one.id) is not None:
            downs = state.rulebook.downs(state, one).values()
            yield person(name, one, why_not=next((health.down for health in downs), None))


def asked_of_heroes(
    state: State, sheet: type[Sheet], call: Move, label: Text, *fields: Input, duty: Duty, whom: str = "heroes[]"
) -> Form:
    """The GM asks heroes for a test. `call` is any such move: it says whether anybody can be asked at all."""
    return Form(
        key=f"{call.game}.call",
        duty=duty,
        label=label,
        move={"move": call.kind()},
        asks=True,
        fields=(*fields, *heroes(state, sheet, whom), switch("secret", text("In secret"))),
        button=text("Ask"),
        why_not=call.refusal(state),
        reach=Reach.GM,
    )
