"""Defence against a Strike: with which skill, and the roll."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from webapp.rules.document import CharacterId, Side
from webapp.rules.games.pools.blow import Blow
from webapp.rules.games.pools.dealing import land
from webapp.rules.games.pools.rolls import VULNERABLE_DL, Outcome, own, skill_ask
from webapp.rules.games.pools.sheet import Sheet, Skill
from webapp.rules.move import Step
from webapp.rules.odds import chance, odds_of
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text

BEST = "best"


WHEN_STRUCK = StandingOrder(
    name="defend",
    title=text("When somebody attacks me"),
    values=(("ask", text("Ask me")), ("best", text("Defend with my best"))),
)


class Defend(Question):
    """Which of the skills that the attack allows; the best one, unless another is chosen."""

    game: ClassVar[str] = "pools"
    standing_order = WHEN_STRUCK
    default = BEST
    blow: Blow

    def ask(self, state: State) -> Text:
        names = {"who": Who(who=self.blow.attacker), "target": Who(who=self.blow.target)}
        return text("{who} attacks {target}: {total}. Defend with what?", **names, total=self.blow.total)

    def brief(self) -> Text:
        return text("defend with?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("damage"),)

    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                id=skill.value,
                label=text(skill.value.capitalize()),
                **odds_of(ask),
                why_not=None if chance(ask) else text("No face can make more than {total}.", total=self.blow.total),
            )
            for skill in self._skills(state)
            for ask in (Defence(blow=self.blow, skill=skill).ask(state),)
        )

    def choice(self, state: State, wanted: str) -> Choice | None:
        if wanted == BEST:
            return max(self.choices(state), key=lambda choice: choice.chance or Fraction(0), default=None)
        return super().choice(state, wanted)

    def pointless(self, state: State) -> bool:
        """One skill at most could do it, or one does it for certain; the unconscious can't defend at all."""
        if len(self._skills(state)) < 2 or not state.sheet(Sheet, self.blow.target).conscious:
            return True
        chances = [choice.chance for choice in self.choices(state) if choice.chance]
        return len(chances) < 2 or 1 in chances

    def ordered(self, state: State) -> str | None:
        usual = BEST if state.character(self.blow.target).side is Side.FOE else "ask"
        return BEST if state.habits(self.blow.target).orders.get("defend", usual) == BEST else None

    def passed_by(self) -> Text:
        return text("Defend with the best")

    def decided(self, choice: str) -> Text:
        return text("the GM defended for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        if picked is None or not picked.chance or not scene.sheet(Sheet, self.blow.target).conscious:
            sentence = text(
                "{who} can't defend against {total}.", who=Who(who=self.blow.target), total=self.blow.total
            )
            scene.say(sentence, brief=sentence, outcome=Outcome.HIT)
            land(scene, self.blow)
        else:
            scene.then(Defence(blow=self.blow, skill=Skill(picked.id)))

    def _skills(self, state: State) -> tuple[Skill, ...]:
        attack = state.sheet(Sheet, self.blow.attacker).attacks.get(self.blow.attack)
        return () if attack is None else attack.defences


class Defence(Step):
    """More than the attack's total defends: ties are the attacker's."""

    game: ClassVar[str] = "pools"
    blow: Blow
    skill: Skill

    @property
    def thrower(self) -> CharacterId:
        return self.blow.target

    def ask(self, state: State) -> Ask:
        ask = defence_ask(state, self.blow, self.skill)
        against = text("more than {total}", total=self.blow.total)
        return ask.model_copy(update={"wins": Wins.AT_LEAST, "target": self.blow.total + 1, "against": against})

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        sentence = text(
            "{who} defends with {skill}: {total} against {attack}, {outcome}.",
            who=Who(who=self.blow.target),
            skill=self.skill.value.capitalize(),
            total=self._total(roll),
            attack=self.blow.total,
            outcome="not hit" if roll.success else "hit",
        )
        brief = text("{who} defends with {total}", who=Who(who=self.blow.target), total=self._total(roll))
        scene.say(sentence, roll, brief=brief, outcome=Outcome.MISS if roll.success else Outcome.HIT)
        if not roll.success:
            land(scene, self.blow)

    def _total(self, roll: Roll) -> Figure | int:
        """What comes on top because the attacker is Vulnerable is the attacker's figure."""
        on_top = any(one.about == self.blow.attacker for one in roll.ask.modifiers)
        return own(self.blow.attacker, roll.total) if on_top else roll.total


def defence_ask(state: State, blow: Blow, skill: Skill) -> Ask:
    """D-38: against whoever is Vulnerable to what it strikes with the result counts 2 higher, per type."""
    weak = {kind for kind in blow.hit(state).types if kind in state.sheet(Sheet, blow.attacker).vulnerable}
    extra = Modifier(
        source=text("the attacker is Vulnerable to it"), amount=VULNERABLE_DL * len(weak), about=blow.attacker
    )
    ask = skill_ask(state, blow.target, skill, *((extra,) if weak else ()), defending=True)
    return ask.model_copy(update={"what": text("defence with {skill}", skill=skill.value.capitalize())})
