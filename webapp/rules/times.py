"""What the GM does with the table's time: a night, the end of a scene, a day, a session."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import person
from webapp.rules.blocks import Block, Button, Fact, Form, Input, Menu, Place, Reach, Tab
from webapp.rules.document import Duty, Side, TurnIs
from webapp.rules.forms import inputs
from webapp.rules.nights import Rest, cannot_rest, lost_words
from webapp.rules.period import Period
from webapp.rules.periods import PeriodOver, outlook
from webapp.rules.sharing import DUTIES, ShareOut, choices
from webapp.rules.state import State
from webapp.rules.text import Text, Who, listed, text

WHEN = {
    Period.SCENE: "{who}, at the end of the scene",
    Period.DAY: "{who}, on a new day",
    Period.SESSION: "{who}, in a new session",
}


def time_blocks(state: State) -> Iterator[Block]:
    """Each period with what it would change, before it is over."""
    if state.fight() is None:
        yield from _over(state, Period.SCENE, text("Scene over"), Place.SHEET)
        yield night_form(state)
        yield from _over(state, Period.DAY, text("A new day"), Place.MORE)
        yield _menu(state, Period.ROUND, text("One round passes"), Place.MORE)
    yield from _over(state, Period.SESSION, text("A new session"), Place.MORE)


def _over(state: State, period: Period, label: Text, place: Place) -> Iterator[Block]:
    for who, words in outlook(state, period):
        yield Fact(
            key=f"over.{period}.{who}",
            label=text(WHEN[period], who=Who(who=who)),
            value=listed(words),
            place=place,
            reach=Reach.GM,
        )
    yield _menu(state, period, label, place)


def _menu(state: State, period: Period, label: Text, place: Place) -> Menu:
    move = PeriodOver(period=period)
    message = {"move": move.kind(), **move.model_dump(mode="json")}
    button = Button(label=label, move=message, why_not=move.refusal(state))
    tab = Tab(key="only", label=label, buttons=(button,))
    return Menu(key=f"over.{period}", label=label, place=place, reach=Reach.GM, tabs=(tab,))


def night_form(state: State) -> Form:
    """One sheet for all rule sets in play: what several ask is asked once."""
    asked: dict[str, Input] = {}
    for name in state.settings.games:
        for one in inputs(state.rulebook.games[name].night()):
            asked.setdefault(one.name, one)
    hours = asked.pop("hours")
    awake = cannot_rest(state)
    heroes = state.characters(Side.HERO)
    return Form(
        key="night",
        label=text("Night"),
        move={"move": Rest.kind()},
        fields=(
            hours,
            *(one.model_copy(update={"name": f"how.{name}"}) for name, one in asked.items()),
            Input(name="new_day", label=text("A new day begins"), kind="switch", value=True),
            *(person("resting[]", one, why_not=awake.get(one.id) or lost_words(state, one)) for one in heroes),
        ),
        button=text("Rest"),
        why_not=awake[heroes[0].id] if heroes and len(awake) == len(heroes) else None,
        preview=text("What would it do?"),
        reach=Reach.GM,
    )


# --- who does what -----------------------------------------------------------------------------------------


def duties_form(state: State) -> Form:
    """Which rule set does what for the whole table, and what a turn is."""
    return Form(
        key="duties",
        label=text("Who does what"),
        move={"move": ShareOut.kind()},
        fields=(
            *(_duty(state, duty) for duty in Duty),
            Input(
                name="turn",
                label=text("A turn is"),
                kind="choice",
                value=state.settings.turn.value,
                options=tuple((one.value, text(one.value.capitalize())) for one in TurnIs),
                help=text("For what lasts until the end of a turn, where somebody has several slots in a round."),
            ),
        ),
        button=text("Play it so"),
        reach=Reach.GM,
    )


def _duty(state: State, duty: Duty) -> Input:
    games = state.rulebook.games
    options = tuple((name, games[name].title if name in games else text("The GM")) for name in choices(state, duty))
    return Input(name=duty.value, label=DUTIES[duty], kind="choice", value=state.has(duty), options=options)
