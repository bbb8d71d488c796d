"""Skills: for one, and asked of the whole table."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, line, number, options_of
from webapp.rules.blocks import Block, Button, Form, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.pools.offers.buttons import parts
from webapp.rules.games.pools.rolls import against_dl, hopeless, skill_ask, unable
from webapp.rules.games.pools.sheet import Sheet, Skill
from webapp.rules.games.pools.skills import SkillRoll
from webapp.rules.odds import chance
from webapp.rules.state import State
from webapp.rules.text import text

DLS = ((3, text("Easy 3")), (6, text("Fair 6")), (9, text("Hard 9")), (12, text("Very hard 12")))


def skills(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    tabs = tuple(
        Tab(
            key=skill.value,
            label=text("{skill} {tier}", skill=skill.value.capitalize(), tier=sheet.tier(skill)),
            offers=Difficulties(actor=character.id, skill=skill),
        )
        for skill in Skill
    )
    yield Menu(key="pools.skill", duty=Duty.TESTS, label=text("Roll a skill"), place=Place.DICE, tabs=tabs)
    yield Form(
        key="pools.skill.any",
        duty=Duty.TESTS,
        label=text("Another roll"),
        move={"move": SkillRoll.kind(), "actor": character.id},
        fields=(
            choice("skill", text("Skill"), options_of(Skill)),
            number("dl", text("Difficulty (DL)"), 6, 1, 60),
            number("bonus", text("Bonus"), 0, -30, 30),
            line("type_used", text("Type used"), 24),
            choice("uses", text("Part used"), (("", text("None")), *parts())),
        ),
        button=text("Roll"),
        why_not=SkillRoll(actor=character.id, skill=next(iter(Skill)), dl=6).refusal(state),
        place=Place.DICE,
    )


class Difficulties(Offers):
    """One roll at four DLs."""

    actor: CharacterId
    skill: Skill

    def buttons(self, state: State) -> Iterator[Button]:
        stopped = unable(state, self.actor)
        plain = skill_ask(state, self.actor, self.skill, acting=True)
        for dl, label in DLS:
            ask = against_dl(state, plain, dl)
            move = {"move": SkillRoll.kind(), "actor": self.actor, "skill": self.skill.value, "dl": dl}
            yield Button(label=label, move=move, chance=chance(ask), because=ask, why_not=stopped or hopeless(ask))
