"""Fear and Insanity's part of a character's card, and what the GM does for the whole table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blocks import Block, Button, Fact, Form, Gauge, Input, Menu, Note, Place, Reach, Section, Tab
from webapp.rules.calls import lies_face_down
from webapp.rules.document import Character, Duty, Side
from webapp.rules.games.dread.care import AwardToughness, Calm, Safe, Settle
from webapp.rules.games.dread.checks import Check, Learn, Scare
from webapp.rules.games.dread.fear import CallFear, TellFear
from webapp.rules.games.dread.house import House
from webapp.rules.games.dread.rolls import against_fear, prospect
from webapp.rules.games.dread.sheet import MANIPULATION, WILLPOWER, Attribute, Fear, Sheet
from webapp.rules.move import Move
from webapp.rules.odds import odds_of
from webapp.rules.offer import lone, offer
from webapp.rules.roll import Ask, derivation
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text

DIFFICULTIES = ((2, "easy"), (4, "fair"), (6, "hard"), (8, "very hard"))
HAPPY = text("Only that heals what is permanent.")
TITLE = text("Fear and insanity")


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(state, sheet)),
        blocks=(
            *_states(state, character, sheet),
            *_written(sheet),
            *(_prospects(state, character) if character.side is Side.HERO else ()),
            *_checks(state, character, sheet),
            *_scare(state, character, sheet),
            *_other_dice(character),
            _learn(character),
            *_for_the_gm(state, character, sheet),
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
        yield Note(key="dread.pending", icon="coming", words=words, reach=Reach.OWNER)


# --- what is written on the sheet --------------------------------------------------------------------------


def _written(sheet: Sheet) -> Iterator[Fact | Gauge]:
    values = {attribute.value: sheet.attribute(attribute) for attribute in Attribute}
    yield _fact("attributes", text("Attributes"), _list(values))
    skills = {WILLPOWER: sheet.willpower, MANIPULATION: sheet.manipulation, **sheet.skills}
    yield _fact("skills", text("Skills"), _list({name: rank for name, rank in skills.items() if rank}))
    yield _fact("die", text("Die"), text("d{die} − d{die}", die=sheet.die))
    if sheet.toughness:
        left = text("{rating}, {left} of its rerolls left", rating=sheet.toughness, left=sheet.rerolls)
        yield _fact("toughness", text("Toughness"), left)
    for id, line in sheet.lines:
        words = text("{due} insanity, {outcome}", due=line.due, outcome=line.outcome.words)
        yield _fact(f"line.{id}", text("From fear {difficulty}", difficulty=line.difficulty), words)
    if sheet.terrible is not None:
        yield _fact("terrible", text("Terrible to see"), text("fear {difficulty}", difficulty=sheet.terrible))
    yield _gauge("corruption", text("Corruption"), sheet.corruption)


def _list(values: dict[str, int]) -> Text:
    return text("{list}", list=", ".join(f"{name} {value}" for name, value in values.items()) or "none")


def _fact(key: str, label: Text, value: Text, *, reach: Reach = Reach.OWNER) -> Fact:
    return Fact(key=f"dread.{key}", label=label, value=value, reach=reach)


def _prospects(state: State, character: Character) -> Iterator[Fact]:
    for difficulty, word in DIFFICULTIES:
        label = text("Fear {difficulty} ({word})", difficulty=difficulty, word=word)
        told = _fact(f"prospect.{difficulty}", label, prospect(state, character.id, difficulty).words)
        yield told.model_copy(update={"because": derivation(against_fear(state, character.id, difficulty))})


# --- rolls -------------------------------------------------------------------------------------------------


def _checks(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if character.side is Side.HERO:
        yield _attributes(state, character, sheet)
    skills = ("", WILLPOWER, MANIPULATION, *sheet.skills)
    yield Form(
        key="dread.check.any",
        duty=Duty.TESTS,
        label=text("Check with a skill"),
        move={"move": Check.kind(), "actor": character.id},
        fields=(
            Input(name="attribute", label=text("Attribute"), kind="choice", value="charisma", options=_ATTRIBUTES),
            Input(
                name="skill",
                label=text("Skill"),
                kind="choice",
                value="",
                options=tuple((skill, text("{skill}", skill=skill.capitalize() or "None")) for skill in skills),
            ),
            Input(name="difficulty", label=text("Difficulty, if any"), kind="number", lowest=-20, highest=60),
        ),
        button=text("Roll"),
        place=Place.DICE,
    )


_ATTRIBUTES = tuple((attribute.value, text(attribute.value.capitalize())) for attribute in Attribute)


def _attributes(state: State, character: Character, sheet: Sheet) -> Menu:
    tabs = []
    for attribute in Attribute:
        checks = [Check(actor=character.id, attribute=attribute, difficulty=number) for number, _ in DIFFICULTIES]
        buttons = tuple(
            _rolled(offer(state, check, _named(word, number)), check.ask(state))
            for check, (number, word) in zip(checks, DIFFICULTIES, strict=True)
        )
        label = text("{attribute} {value}", attribute=attribute.value.capitalize(), value=sheet.attribute(attribute))
        tabs.append(Tab(key=attribute.value, label=label, buttons=buttons))
    return Menu(
        key="dread.check", duty=Duty.TESTS, label=text("Check an attribute"), place=Place.DICE, tabs=tuple(tabs)
    )


def _named(word: str, number: int) -> Text:
    return text("{word} {number}", word=word.capitalize(), number=number)


def _rolled(button: Button, ask: Ask) -> Button:
    return button.model_copy(update=odds_of(ask, about=None))


def _scare(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    others = Side.FOE if character.side is Side.HERO else Side.HERO
    seen = [
        one.id
        for one in state.characters(others)
        if (not one.hidden or character.side is Side.FOE) and state.find(Sheet, one.id) is not None
    ]
    if not seen:
        return
    buttons = [
        offer(state, Scare(actor=character.id, targets=(who,)), text("{who}", who=Who(who=who))) for who in seen
    ]
    if len(seen) > 1:
        everybody = Scare(actor=character.id, targets=tuple(seen[:40]))
        buttons.append(offer(state, everybody, text("All of them")))
    label = text("Scare with {skill}", skill=sheet.scares_with)
    yield _lone("dread.scare", label, *buttons, place=Place.DICE, duty=Duty.FEAR)


def _other_dice(character: Character) -> Iterator[Form]:
    yield Form(
        key="dread.tell",
        label=text("A fear test from other dice"),
        move={"move": TellFear.kind(), "actor": character.id},
        fields=(
            Input(name="total", label=text("Total"), kind="number", value=None, lowest=-99, highest=999),
            Input(name="difficulty", label=text("Difficulty, unless asked"), kind="number", lowest=-20, highest=60),
            Input(name="critical", label=text("A critical failure"), kind="switch", value=False),
        ),
        button=text("Tell it"),
        place=Place.MORE,
    )


def _learn(character: Character) -> Form:
    return Form(
        key="dread.learn",
        label=text("A skill by name"),
        move={"move": Learn.kind(), "actor": character.id},
        fields=(
            Input(name="skill", label=text("Skill"), kind="text", value="", longest=30),
            Input(name="rank", label=text("Rank"), kind="number", value=1, lowest=0, highest=30),
        ),
        button=text("Write it down"),
        place=Place.MORE,
    )


# --- what the GM does for one ------------------------------------------------------------------------------


def _for_the_gm(state: State, character: Character, sheet: Sheet) -> Iterator[Menu]:
    one = (character.id,)
    if sheet.terrible is not None and character.side is Side.FOE:
        heroes = [hero.id for hero in state.characters(Side.HERO) if state.find(Sheet, hero.id) is not None]
        sees = [_sees(state, who, sheet.terrible) for who in heroes]
        everybody = offer(state, CallFear(difficulty=sheet.terrible), text("All heroes see it"))
        label = text("Fear {difficulty} at its sight", difficulty=sheet.terrible)
        yield _lone("dread.sight", label, everybody, *sees, reach=Reach.GM, duty=Duty.FEAR)
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
    yield _lone("dread.care", text("Nerves"), *buttons, reach=Reach.GM)


def _sees(state: State, who: str, difficulty: int) -> Button:
    move = CallFear(difficulty=difficulty, characters=(who,))
    return _rolled(offer(state, move, text("{who}", who=Who(who=who))), against_fear(state, who, difficulty))


# --- what the GM does for the whole table ------------------------------------------------------------------


def gm_blocks(state: State) -> Iterator[Block]:
    yield _call(state)
    yield from _after(state)
    yield from _safe(state)


def _call(state: State) -> Form:
    options = (
        *((str(number), text("{word} {number}", word=word, number=number)) for number, word in DIFFICULTIES),
        *((str(number), text("{number}", number=number)) for number in (1, 3, 5, 7, *range(9, 31))),
    )
    return Form(
        key="dread.call",
        duty=Duty.FEAR,
        label=text("Ask for a fear test"),
        move={"move": CallFear.kind()},
        asks=True,
        fields=(
            Input(
                name="difficulty", label=text("Difficulty"), kind="choice", value="4", options=options, number=True
            ),
            *_heroes(state),
            Input(name="secret", label=text("In secret"), kind="switch", value=False),
        ),
        button=text("Ask"),
        reach=Reach.GM,
    )


def _heroes(state: State) -> Iterator[Input]:
    for one in state.characters(Side.HERO):
        if state.find(Sheet, one.id) is not None:
            label = text("{who}", who=Who(who=one.id))
            yield Input(name="characters[]", label=label, kind="switch", value=one.id, checked=True)


def _after(state: State) -> Iterator[Block]:
    moves: list[tuple[Move, Text]] = [
        (Calm(), text("Calm everybody")),
        (Settle(), text("Settle all insanity")),
    ]
    buttons = (offer(state, move, label) for move, label in moves)
    yield _lone("dread.over", text("After the fright"), *buttons, reach=Reach.GM, duty=Duty.FEAR)


def _safe(state: State) -> Iterator[Form]:
    if Safe(happy_end=True).refusal(state) is None:
        yield Form(
            key="dread.safe",
            label=text("Safe again"),
            move={"move": Safe.kind()},
            fields=(
                *_heroes(state),
                Input(name="happy_end", label=text("A happy end"), kind="switch", value=False, help=HAPPY),
            ),
            button=text("Heal"),
            reach=Reach.GM,
        )


# --- small things ------------------------------------------------------------------------------------------


def _lone(key: str, label: Text, *buttons: Button, **more: Any) -> Menu:
    return lone(key, label, *buttons, **{"place": Place.SHEET, **more})
