"""Help for another, and first aid."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.countdown import Turn
from webapp.rules.games.squad.raising import cannot_raise, pay_to_raise, raised
from webapp.rules.games.squad.rolls import NO_SHEET, Outcome, in_sight, throw, unable
from webapp.rules.games.squad.second_try import Rolled, leave_the_last, second_try
from webapp.rules.games.squad.sheet import Attribute, Condition, Sheet, half
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text


class Helping(Turn):
    """Something done for another: in a fight it takes a chance, outside it takes none."""

    patient: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if not in_sight(state, self.patient, of=self.actor):
            return NOBODY
        if state.find(Sheet, self.patient) is None:
            return NO_SHEET
        if self._in_fight(state):
            return super().refusal(state)
        return unable(state, self.actor)

    def take_chance(self, scene: Scene) -> None:
        leave_the_last(scene, self.actor)
        if self._in_fight(scene):
            self.spend(scene)

    def _in_fight(self, state: State) -> bool:
        fight = state.fight()
        return fight is not None and self.actor in fight.members


class FirstAid(Helping):
    """S-44 … S-46: with a kit or training, STW against 8 minus half the patient's TUF die (B2-15)."""

    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if not state.sheet(Sheet, self.actor).first_aid:
            return text("First aid needs a kit or training.")
        if state.sheet(Sheet, self.patient).condition is not Condition.DYING:
            return text("{who} needs no first aid.", who=Who(who=self.patient))
        die = state.sheet(Sheet, self.actor).die(Attribute.STW)
        return cannot_raise(state, self.actor, die) if self.raised else None

    def apply(self, scene: Scene) -> None:
        self.take_chance(scene)
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(Aid(actor=self.actor, patient=self.patient, raised=self.raised))

    def ask(self, state: State) -> Ask:
        return Aid(actor=self.actor, patient=self.patient, raised=self.raised).ask(state)


class Aid(Rolled):
    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        toughness = half(state.sheet(Sheet, self.patient).own_die(Attribute.TUF))
        return state.judged(
            Ask(
                what=text("first aid with STW"),
                roller=self.actor,
                dice=(raised(state.sheet(Sheet, self.actor).die(Attribute.STW), self.raised),),
                wins=Wins.AT_LEAST,
                target=8 - toughness,
                against=text(
                    "{number} (8 − {half})",
                    number=Figure(figure_of=self.patient, value=8 - toughness),
                    half=Figure(figure_of=self.patient, value=toughness),
                ),
            )
        )

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene), again=self.again)
        names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
        word = "{patient} is stable" if roll.success else "no use yet"
        sentence = text(
            "{who} gives {patient} first aid: {total} against {number}, {outcome}.",
            **names,
            total=roll.total,
            number=Figure(figure_of=self.patient, value=roll.ask.target or 0),
            outcome=text(word, **names),
        )
        scene.say(sentence, roll, brief=sentence, outcome=Outcome.STABLE if roll.success else Outcome.FAILURE)
        patient = scene.sheet(Sheet, self.patient)
        if not roll.success:
            second_try(scene, self, sentence)
        elif patient.condition is Condition.DYING:
            patient.condition, patient.bleeds = Condition.STABLE, None
