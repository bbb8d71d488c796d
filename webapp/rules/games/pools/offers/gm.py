"""What the GM does, to one character and for the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import asked_of_heroes, choice, line, number, options_of
from webapp.rules.blocks import Block, Form, Input, Place, Reach
from webapp.rules.document import Character, Duty
from webapp.rules.games.pools.hurts import Afflict, Hurt
from webapp.rules.games.pools.lasting import Begin, End
from webapp.rules.games.pools.offers.buttons import menu, parts
from webapp.rules.games.pools.sheet import Sheet, Skill, StrikeType
from webapp.rules.games.pools.skills import CallSkill
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import text


def for_the_gm(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield _hurt(character, sheet)
    yield _begin(character, sheet)
    if sheet.lasting:
        ends = (
            offer(state, End(character=character.id, harm=id), text("{harm}", harm=harm.name))
            for id, harm in sheet.lasting.items()
        )
        yield menu("end", text("It is over"), *ends, place=Place.SHEET, reach=Reach.GM)
    yield _afflict(character, sheet)


def _hurt(character: Character, sheet: Sheet) -> Form:
    return Form(
        key="pools.hurt",
        duty=Duty.BLOWS,
        label=text("Hurt"),
        move={"move": Hurt.kind(), "targets": [character.id]},
        fields=(*_harm_fields(), _part_rolled(sheet)),
        button=text("Roll damage"),
        reach=Reach.GM,
    )


def _begin(character: Character, sheet: Sheet) -> Form:
    return Form(
        key="pools.begin",
        duty=Duty.BLOWS,
        label=text("Harm that goes on"),
        move={"move": Begin.kind(), "target": character.id},
        fields=(
            line("name", text("What"), 40, "Burning"),
            *_harm_fields(),
            _part_rolled(sheet),
        ),
        button=text("Begin"),
        reach=Reach.GM,
    )


def _afflict(character: Character, sheet: Sheet) -> Form:
    return Form(
        key="pools.afflict",
        duty=Duty.BLOWS,
        label=text("Affliction"),
        move={"move": Afflict.kind(), "target": character.id},
        fields=(
            line("name", text("Which"), 24, "fatigued"),
            number("tiers", text("Tiers, minus takes"), 1, -99, 99),
            choice("part", text("Part, of a wound"), (("", text("None")), *parts(sheet))),
        ),
        button=text("Give"),
        reach=Reach.GM,
    )


def _part_rolled(sheet: Sheet) -> Input:
    return choice("part", text("Part"), (("", text("Rolled")), *parts(sheet)))


def _harm_fields() -> tuple[Input, ...]:
    return (
        number("dice", text("Dice"), 3, 0, 30),
        line("onto", text("Pool or affliction"), 24, "grit"),
        line("kinds[]", text("Type"), 24),
        *(
            Input(name="strikes[]", label=text(one.word), kind="switch", value=one.value, checked=False)
            for one in StrikeType
        ),
    )


def gm_blocks(state: State) -> Iterator[Block]:
    yield asked_of_heroes(
        state,
        Sheet,
        CallSkill(skill=Skill.ENDURE, dl=1),
        text("Ask the table for a skill"),
        choice("skill", text("Skill"), options_of(Skill)),
        number("dl", text("Difficulty (DL)"), 6, 1, 60),
        duty=Duty.TESTS,
    )
