"""Treatment, and being woken."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import Character, CharacterId
from webapp.rules.games.pools.ailments import mend_conduit
from webapp.rules.games.pools.rolls import NO_SHEET, NOBODY, Outcome, hopeless, no_target, skill_ask
from webapp.rules.games.pools.sheet import CONDUIT, Part, Sheet, Skill
from webapp.rules.games.pools.turns import Turn, carried_out, wake
from webapp.rules.move import Leave, Move
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

TREAT_DL = 6


class Treat(Turn):
    """House material: Tools, DL 6 + Tier, takes a Tier of Wounded off a part, or mends a ruptured conduit."""

    patient: CharacterId
    part: Part | None = None

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state) or no_target(state, self.patient, of=self.actor)
        if refused is not None:
            return refused
        if not self._tiers(state):
            what = "ruptured conduit" if self.part is None else f"wound on the {self.part.value}"
            return text("{who} has no {what}.", who=Who(who=self.patient), what=what)
        return hopeless(self.ask(state))

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        self.spend(scene)
        carried_out(scene, self.actor)
        names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
        sentence = text(
            "{who} treats {patient}: {total} against {target}, {outcome}.",
            **names,
            total=roll.total,
            target=roll.ask.against or "",
            outcome="it helps" if roll.success else "no use",
        )
        scene.say(sentence, roll, outcome=Outcome.SUCCESS if roll.success else Outcome.FAILURE)
        if not roll.success:
            return
        patient = scene.sheet(Sheet, self.patient)
        if self.part is not None:
            patient.set_wound(self.part, patient.wounded(self.part) - 1)
        else:
            mend_conduit(patient, 1)

    def ask(self, state: State) -> Ask:
        dl = TREAT_DL + self._tiers(state)
        return skill_ask(state, self.actor, Skill.TOOLS, dl=dl, uses=Part.RIGHT_ARM, acting=True)

    def _tiers(self, state: State) -> int:
        patient = state.sheet(Sheet, self.patient)
        return patient.tiers(CONDUIT) if self.part is None else patient.wounded(self.part)


class Wake(Turn):
    """House material: a Major Action wakes whoever has Grit again."""

    patient: CharacterId

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state) or no_target(state, self.patient, of=self.actor)
        if refused is not None:
            return refused
        patient = state.sheet(Sheet, self.patient)
        if patient.conscious:
            return text("{who} is awake.", who=Who(who=self.patient))
        return text("{who} has no Grit to wake with.", who=Who(who=self.patient)) if not patient.grit.now else None

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        carried_out(scene, self.actor)
        scene.say(text("{who} wakes {patient}.", who=Who(who=self.actor), patient=Who(who=self.patient)))
        wake(scene, self.patient)


class Rouse(Move):
    """The GM's way out where no face can wake somebody."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        return text("{who} is awake.", who=Who(who=self.character)) if sheet.conscious else None

    def apply(self, scene: Scene) -> None:
        wake(scene, self.character)
