"""Checks of attributes and skills, and a skill written down."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, line, number, options_of
from webapp.rules.blocks import Block, Button, Form, Input, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.games.dread.checks import Check, Learn
from webapp.rules.games.dread.offers.buttons import DIFFICULTIES, named, rolled
from webapp.rules.games.dread.sheet import MANIPULATION, WILLPOWER, Attribute, Sheet
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import text


def checks(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if character.side is Side.HERO:
        yield _attributes(character, sheet)
    skills = ("", WILLPOWER, MANIPULATION, *sheet.skills)
    yield Form(
        key="dread.check.any",
        duty=Duty.TESTS,
        label=text("Check with a skill"),
        move={"move": Check.kind(), "actor": character.id},
        fields=(
            choice("attribute", text("Attribute"), _ATTRIBUTES, "charisma"),
            Input(
                name="skill",
                label=text("Skill"),
                kind="choice",
                value="",
                options=tuple((skill, text("{skill}", skill=skill.capitalize() or "None")) for skill in skills),
            ),
            number("difficulty", text("Difficulty, if any"), None, -20, 60),
        ),
        button=text("Roll"),
        place=Place.DICE,
    )


_ATTRIBUTES = options_of(Attribute)


def _attributes(character: Character, sheet: Sheet) -> Menu:
    tabs = tuple(
        Tab(
            key=attribute.value,
            label=text(
                "{attribute} {value}", attribute=attribute.value.capitalize(), value=sheet.attribute(attribute)
            ),
            offers=Difficulties(actor=character.id, attribute=attribute),
        )
        for attribute in Attribute
    )
    return Menu(key="dread.check", duty=Duty.TESTS, label=text("Check an attribute"), place=Place.DICE, tabs=tabs)


class Difficulties(Offers):
    """One check at four difficulties."""

    actor: CharacterId
    attribute: Attribute

    def buttons(self, state: State) -> Iterator[Button]:
        for difficulty, word in DIFFICULTIES:
            check = Check(actor=self.actor, attribute=self.attribute, difficulty=difficulty)
            yield rolled(offer(state, check, named(word, difficulty)), check.ask(state))


def learn(character: Character) -> Form:
    return Form(
        key="dread.learn",
        label=text("A skill by name"),
        move={"move": Learn.kind(), "actor": character.id},
        fields=(
            line("skill", text("Skill"), 30),
            number("rank", text("Rank"), 1, 0, 30),
        ),
        button=text("Write it down"),
        place=Place.MORE,
    )
