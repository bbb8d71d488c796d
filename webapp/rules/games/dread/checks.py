"""Checks, and the scare attack: a check whose result others must stand up to."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.appearing import reveal
from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.errors import NOBODY, RuleError
from webapp.rules.games.dread.calling import ask_for_fear
from webapp.rules.games.dread.rolls import NO_SHEET, check
from webapp.rules.games.dread.shaken import Said
from webapp.rules.games.dread.sheet import (
    MANIPULATION,
    MOST_SKILLS,
    WILLPOWER,
    Attribute,
    Difficulty,
    Rank,
    Sheet,
    SkillName,
)
from webapp.rules.move import OwnMove, Step
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import attack, no_attack
from webapp.rules.viewer import Role


class Check(OwnMove):
    """An attribute, with or without a skill, against a difficulty or for its result alone."""

    game: ClassVar[str] = "dread"
    attribute: Attribute
    skill: Annotated[str | None, Field(max_length=30)] = None
    difficulty: Difficulty | None = None

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.skill and not sheet.knows(self.skill):
            return text("There is no such skill on the sheet.")
        return None

    def ask(self, state: State) -> Ask:
        return check(state, self.actor, self.attribute, self.skill or None, difficulty=self.difficulty)

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        who = Who(who=self.actor)
        if self.difficulty is None:
            scene.say(text("{who} rolls {what}: {total}.", who=who, what=roll.ask.what, total=roll.total), roll)
            return
        sentence = text(
            "{who} rolls {what}: {total} against {difficulty}, {outcome}.",
            who=who,
            what=roll.ask.what,
            total=roll.total,
            difficulty=self.difficulty,
            outcome="a success" if roll.success else "a failure",
        )
        scene.say(sentence, roll, brief=sentence, outcome=Said.SUCCESS if roll.success else Said.FAILURE)


class Learn(OwnMove):
    """Writes a skill onto the sheet by its name; rank 0 takes it off."""

    game: ClassVar[str] = "dread"
    skill: SkillName
    rank: Rank

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if self.skill in (WILLPOWER, MANIPULATION):
            return text("That skill is on every sheet: change it there.")
        if self.rank == sheet.skill(self.skill):
            return text("That is how it stands already.")
        full = self.skill not in sheet.skills and len(sheet.skills) >= MOST_SKILLS
        return text("The sheet has no room for more: put something away first.") if full else None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        others = {name: rank for name, rank in sheet.skills.items() if name != self.skill}
        sheet.skills = {**others, **({self.skill: self.rank} if self.rank else {})}
        sentence = text("{who}: {skill} {rank}.", who=Who(who=self.actor), skill=self.skill, rank=self.rank)
        scene.say(sentence, audience=Audience.owners(self.actor))


class Scare(OwnMove):
    """F-11 … F-13, B3-11: charisma + manipulation; the result is what every target's test must reach.

    Like an attack it takes a turn in a fight, and shows who was hidden unless the GM has it stay so.
    `skill` is the GM's to name, where it is not the one on the sheet.
    """

    game: ClassVar[str] = "dread"
    targets: Annotated[tuple[CharacterId, ...], Field(min_length=1, max_length=40)]
    skill: SkillName | None = None
    stay_hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        refused = no_attack(state, self.actor)
        if refused is not None:
            return refused
        if any(target == self.actor or not _in_sight(state, target, of=self.actor) for target in self.targets):
            return NOBODY
        return NO_SHEET if any(state.find(Sheet, target) is None for target in self.targets) else None

    def ask(self, state: State) -> Ask:
        return self._fright(state).ask(state)

    def apply(self, scene: Scene) -> None:
        if self.skill not in (None, scene.sheet(Sheet, self.actor).scares_with) and scene.viewer.role is not Role.GM:
            raise RuleError("Only the GM names another skill for that.")
        if scene.is_hidden(self.actor) and not self.stay_hidden:
            reveal(scene, self.actor)
        attack(scene, self.actor, "scare", self._fright(scene))

    def _fright(self, state: State) -> Fright:
        skill = self.skill or state.sheet(Sheet, self.actor).scares_with
        return Fright(actor=self.actor, targets=self.targets, skill=skill)


class Fright(Step):
    """The roll, and the tests that it asks of others."""

    game: ClassVar[str] = "dread"
    actor: CharacterId
    targets: tuple[CharacterId, ...]
    skill: str

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        return check(state, self.actor, Attribute.CHARISMA, self.skill)

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        who = Who(who=self.actor)
        if roll.total <= 0:
            scene.say(
                text("{who} tries to scare: {total}, nobody is scared.", who=who, total=roll.total),
                roll,
                outcome=Said.SCARES_NOBODY,
            )
            return
        sentence = text("{who} is frightening: fear {total}.", who=who, total=roll.total)
        scene.say(sentence, roll, brief=sentence, outcome=Said.SCARES)
        there = (who for who in self.targets if scene.find(Sheet, who) is not None)
        ask_for_fear(scene, roll.total, tuple(there))


def _in_sight(state: State, who: CharacterId, *, of: CharacterId) -> bool:
    """Heroes and their players know nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or state.character(of).side is Side.FOE
