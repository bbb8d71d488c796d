"""Fear and Insanity's part of a character's card: what is written on the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Fact, Gauge, Note, Reach, Section
from webapp.rules.calls import lies_face_down
from webapp.rules.document import Character, Side
from webapp.rules.games.dread.house import House
from webapp.rules.games.dread.offers.buttons import DIFFICULTIES
from webapp.rules.games.dread.rolls import against_fear, prospect
from webapp.rules.games.dread.sheet import MANIPULATION, WILLPOWER, Attribute, Fear, Outcome, Pending, Sheet
from webapp.rules.roll import derivation
from webapp.rules.state import State
from webapp.rules.text import Text, text

TITLE = text("Fear and insanity")


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(state, sheet)),
        blocks=(
            *_states(state, character, sheet),
            *_written(sheet),
            *(_prospects(state, character) if character.side is Side.HERO else ()),
        ),
    )


def _vitals(state: State, sheet: Sheet) -> Iterator[Gauge]:
    boxes = state.house(House).boxes
    yield _gauge("temporary", text("Insanity"), sheet.temporary, full=boxes)
    yield _gauge("permanent", text("Permanent insanity"), sheet.permanent)


def _gauge(name: str, label: Text, now: int, *, full: int | None = None) -> Gauge:
    return Gauge(key=f"dread.{name}", label=label, now=now, full=full, at=("dread", name))


def _states(state: State, character: Character, sheet: Sheet) -> Iterator[Note]:
    """While others still roll for the same fright, only its owner and the GM know."""
    reach = Reach.OWNER if lies_face_down(state, character.id) else Reach.TABLE
    if sheet.fear is Fear.SCARED:
        words = text("Scared: −1 on all rolls")
        yield Note(key="dread.fear", icon="scared", words=words, brief=text("scared"), reach=reach)
    elif sheet.fear is Fear.PANICKED:
        words = text("Panicked: −2 on all rolls. Until it is over the GM decides what they do")
        yield Note(key="dread.fear", icon="panicked", words=words, brief=text("panicked"), reach=reach)
    due = sum(line.due for line in sheet.pending.values())
    if due:
        words = text("{due} insanity waits to be settled", due=due)
        how = text("The sum of what each fear test left, line by line below.")
        yield Note(key="dread.pending", icon="coming", words=words, because=how, reach=Reach.OWNER)


def _written(sheet: Sheet) -> Iterator[Fact | Gauge]:
    values = {attribute.value: sheet.attribute(attribute) for attribute in Attribute}
    yield _fact("attributes", text("Attributes"), _list(values))
    skills = {WILLPOWER: sheet.willpower, MANIPULATION: sheet.manipulation, **sheet.skills}
    yield _fact("skills", text("Skills"), _list({name: rank for name, rank in skills.items() if rank}))
    yield _fact("die", text("Each test rolls"), text("d{die} − d{die}", die=sheet.die))
    if sheet.toughness:
        left = text("{rating}, {left} of its rerolls left", rating=sheet.toughness, left=sheet.rerolls)
        how = text(
            "One reroll for each point of {rating}, less {used} used this session.",
            rating=sheet.toughness,
            used=sheet.used,
        )
        yield _fact("toughness", text("Toughness"), left).model_copy(update={"because": how})
    for id, line in sheet.lines:
        words = text("{due} insanity, {outcome}", due=line.due, outcome=line.outcome.words)
        told = _fact(f"line.{id}", text("From fear {difficulty}", difficulty=line.difficulty), words)
        yield told.model_copy(update={"because": _due(line)})
    if sheet.terrible is not None:
        yield _fact("terrible", text("Terrible to see"), text("fear {difficulty}", difficulty=sheet.terrible))
    yield _gauge("corruption", text("Corruption"), sheet.corruption)


def _due(line: Pending) -> Text:
    """F-05 … F-07, in words."""
    shares = {
        Outcome.RESISTED: "Half of {difficulty}, rounded down",
        Outcome.SCARED: "As much as {difficulty}",
        Outcome.PANICKED: "Half as much again as {difficulty}, rounded as the house rules say",
    }
    return text(shares[line.outcome] + ", before the soak.", difficulty=line.difficulty)


def _list(values: dict[str, int]) -> Text:
    return text("{list}", list=", ".join(f"{name} {value}" for name, value in values.items()) or "none")


def _fact(key: str, label: Text, value: Text, *, reach: Reach = Reach.OWNER) -> Fact:
    return Fact(key=f"dread.{key}", label=label, value=value, reach=reach)


def _prospects(state: State, character: Character) -> Iterator[Fact]:
    for difficulty, word in DIFFICULTIES:
        label = text("Fear {difficulty} ({word})", difficulty=difficulty, word=word)
        told = _fact(f"prospect.{difficulty}", label, prospect(state, character.id, difficulty).words)
        yield told.model_copy(update={"because": derivation(against_fear(state, character.id, difficulty))})
