"""Powers that help: a healing one gives HP back."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.aid import Helping
from webapp.rules.games.squad.raising import cannot_raise, pay_to_raise, raised
from webapp.rules.games.squad.rolls import Outcome, throw
from webapp.rules.games.squad.second_try import Rolled, try_for_more
from webapp.rules.games.squad.sheet import Condition, PowerKind, Sheet
from webapp.rules.move import Step
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Health, Text, Who, text


class UsePower(Helping):
    """S-48: a healing power gives its die in HP. A power of another kind is told, and used up by one."""

    power: Annotated[str, Field(max_length=40)]
    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        power = state.sheet(Sheet, self.actor).powers.get(self.power)
        if power is None:
            return text("There is no such power on the sheet.")
        if power.uses.now == 0:
            return text("{power} is used up.", power=power.name)
        if power.kind.range is not None:
            return text("{power} is used by attacking.", power=power.name)
        if power.kind is not PowerKind.HEALING:
            return text("{power} rolls no die.", power=power.name) if self.raised else None
        no_raise = cannot_raise(state, self.actor, power.die) if self.raised else None
        return self._beyond_healing(state) or no_raise

    def _beyond_healing(self, state: State) -> Text | None:
        patient = state.sheet(Sheet, self.patient)
        who = Who(who=self.patient)
        if patient.condition is Condition.DEAD:
            return text("{who} is dead.", who=who)
        if patient.condition is Condition.BROKEN_DOWN:
            return text("{who} needs a specialist, not a power.", who=who)
        return text("{who} is not hurt.", who=who) if patient.hp.now == patient.hp.full else None

    def apply(self, scene: Scene) -> None:
        self.take_chance(scene)
        power = scene.sheet(Sheet, self.actor).powers[self.power]
        power.uses.lose(1)
        if power.kind is PowerKind.HEALING:
            pay_to_raise(scene, self.actor, self.raised)
            scene.then(Healing(actor=self.actor, patient=self.patient, power=self.power, raised=self.raised))
        else:
            scene.say(text("{who} uses {power}. {line}", who=Who(who=self.actor), power=power.name, line=power.line))


class Healing(Rolled):
    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId
    power: str

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        power = state.sheet(Sheet, self.actor).powers.get(self.power)
        if power is None:
            raise RuleError("There is no such power on the sheet.")
        dice = (raised(power.die, self.raised),)
        return Ask(what=text("{power}", power=power.name), roller=self.actor, dice=dice)

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        healed = Healed(actor=self.actor, patient=self.patient, power=self.power, roll=roll)
        hp = scene.sheet(Sheet, self.patient).hp
        sentence = text("{who} rolls {total} for healing.", who=Who(who=self.actor), total=roll.total)
        if roll.total >= hp.full - hp.now:
            scene.then(healed)
        elif try_for_more(scene, self, sentence, roll, otherwise=healed):
            scene.say(sentence, roll)


class Healed(Step):
    """The HP come back."""

    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId
    power: str
    roll: Roll

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        patient, roll = scene.sheet(Sheet, self.patient), self.roll
        if patient.condition in (Condition.DEAD, Condition.BROKEN_DOWN):
            scene.say(text("No power helps {who} any more.", who=Who(who=self.patient)), roll)
            return
        won = patient.hp.gain(roll.total)
        scene.say(
            text(
                "{who} heals {patient} with {power}: {won} HP{health:, }.",
                who=Who(who=self.actor),
                patient=Who(who=self.patient),
                power=roll.ask.what,
                won=won,
                health=Health(health_of=self.patient, now=patient.hp.now, full=patient.hp.full),
            ),
            roll,
            outcome=Outcome.HEALED,
        )
