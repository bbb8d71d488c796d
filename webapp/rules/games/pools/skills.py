"""Skill rolls that somebody makes, and those the GM calls for."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.calls import audience, call_for, report
from webapp.rules.document import CharacterId, Side
from webapp.rules.games.pools.rolls import NO_SHEET, Outcome, hopeless, no_targets, own, skill_ask, unable
from webapp.rules.games.pools.sheet import Kind, Part, Sheet, Skill
from webapp.rules.games.pools.turns import carried_out
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text

DL = Annotated[int, Field(title="Difficulty (DL)", ge=1, le=60)]


class SkillRoll(OwnMove):
    """A skill against a DL, or for its result alone. `type_used`: what is used, if it has a type (D-38)."""

    game: ClassVar[str] = "pools"
    skill: Skill
    dl: Annotated[DL | None, Field(title="Difficulty (DL)")] = None
    bonus: Annotated[int, Field(ge=-30, le=30)] = 0
    type_used: Kind = ""
    uses: Annotated[Part | None, Field(title="Part used")] = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        return unable(state, self.actor) or hopeless(self.ask(state))

    def apply(self, scene: Scene) -> None:
        scene.then(self._roll())

    def ask(self, state: State) -> Ask:
        return self._roll().ask(state)

    def _roll(self) -> SkillTest:
        return SkillTest(
            actor=self.actor,
            skill=self.skill,
            dl=self.dl,
            bonus=self.bonus,
            type_used=self.type_used,
            uses=self.uses,
            acting=True,
        )


class CallSkill(Move):
    """The GM asks heroes for a skill roll, an answer to what happens and no action of theirs. Empty: all heroes."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    skill: Skill
    dl: DL
    heroes: Annotated[tuple[CharacterId, ...], Field(max_length=40)] = ()
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        unknown = no_targets(state, self.heroes)
        return unknown or (None if self._asked(state) else text("There is no hero who could try."))

    def apply(self, scene: Scene) -> None:
        title = text("{skill} against difficulty {dl}", skill=self.skill.value.capitalize(), dl=self.dl)
        steps: dict[CharacterId, Step] = {
            who: SkillTest(actor=who, skill=self.skill, dl=self.dl) for who in self._asked(scene)
        }
        call_for(scene, title, steps, secret=self.secret)

    def _asked(self, state: State) -> list[CharacterId]:
        wanted = self.heroes or tuple(one.id for one in state.characters(Side.HERO))
        found = {who: state.find(Sheet, who) for who in wanted}
        return [who for who, sheet in found.items() if sheet is not None and sheet.conscious]


class SkillTest(Step):
    """`call`: it answers a call, and lies face down until that is turned over."""

    game: ClassVar[str] = "pools"
    actor: CharacterId
    skill: Skill
    dl: int | None = None
    bonus: int = 0
    type_used: str = ""
    uses: Annotated[Part | None, Field(title="Part used")] = None
    acting: bool = False
    call: str | None = None

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        extra = (Modifier(source=text("added"), amount=self.bonus),) if self.bonus else ()
        kinds = (self.type_used,) if self.type_used else ()
        return skill_ask(
            state, self.actor, self.skill, *extra, dl=self.dl, kinds=kinds, uses=self.uses, acting=self.acting
        )

    def apply(self, scene: Scene) -> None:
        ask, told = self.ask(scene), audience(scene, self.call, self.actor)
        if hopeless(ask) is not None:
            words = text("no face can reach it")
            report(scene, self.call, self.actor, words, made=False)
            scene.say(text("{who}: {words}.", who=Who(who=self.actor), words=words), audience=told)
            return
        roll = scene.roll(ask)
        if self.acting:
            carried_out(scene, self.actor)
        outcome = (Outcome.SUCCESS if roll.success else Outcome.FAILURE) if ask.wins is not Wins.ALWAYS else None
        sentence = text(
            "{who} rolls {skill}: {total}{against}.",
            who=Who(who=self.actor),
            skill=self.skill.value.capitalize(),
            total=roll.total,
            against=""
            if outcome is None
            else text(" against {dl}, {outcome}{by}", dl=ask.against or "", outcome=outcome, by=self._by_a_12(roll)),
        )
        scene.say(sentence, roll, brief=None if self.call else sentence, outcome=outcome, audience=told)
        result = text("{total}, {outcome}", total=roll.total, outcome=outcome or "rolled")
        rolls = () if self.call is None else (roll,)
        made = None if outcome is None else roll.success
        report(scene, self.call, self.actor, result, *rolls, made=made)

    def _by_a_12(self, roll: Roll) -> Figure | str:
        """For those who are not told that it had to be one, as it would tell what comes off."""
        lucky = self.dl is not None and roll.success and roll.total < self.dl
        return own(self.actor, "", " by a 12") if lucky else ""
