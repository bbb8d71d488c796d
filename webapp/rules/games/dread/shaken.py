"""How a fear test ends, and what it leaves behind."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from webapp.rules.calls import audience, report
from webapp.rules.document import Audience, CharacterId
from webapp.rules.games.dread.house import House, When
from webapp.rules.games.dread.rolls import points, soak
from webapp.rules.games.dread.sheet import Difficulty, Outcome, Pending, Sheet
from webapp.rules.move import Step
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.values import Frozen


class Said(StrEnum):
    """What a line of the log tells; how a test ends is told by its outcome."""

    PASSED = "passed"
    FAILED = "failed"
    FAILED_BADLY = "failed badly"
    SUCCESS = "success"
    FAILURE = "failure"
    SCARES = "scares"
    SCARES_NOBODY = "scares nobody"
    SOAKED = "soaked"
    CALM = "calm"
    HEALED = "healed"
    PERMANENT = "permanent"
    CORRUPTED = "corrupted"


class Result(Frozen):
    """How a test came out. `critical` None: the GM has yet to say. No roll: it was told from other dice."""

    total: int
    success: bool
    critical: bool | None = None
    roll: Roll | None = None

    @property
    def said(self) -> Said:
        if self.success:
            return Said.PASSED
        return Said.FAILED_BADLY if self.critical else Said.FAILED


class OfATest(Step):
    """One character's part in a fear test, asked for in a call. `secret`: the GM's hand rolls, none other reads."""

    game: ClassVar[str] = "dread"
    actor: CharacterId
    difficulty: Difficulty
    call: str | None = None
    secret: bool = False

    @property
    def thrower(self) -> CharacterId | None:
        return None if self.secret else self.actor

    def the_same(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OfATest.model_fields}

    def by_whom(self, ask: Ask) -> Ask:
        return ask.model_copy(update={"roller": self.thrower})

    def readers(self, state: State) -> Audience | None:
        return Audience.GM if self.secret else audience(state, self.call, self.actor)


class Shaken(OfATest):
    """F-02 … F-08, F-20: state and points, set once; then the soak, on which the new state counts already (B3-7)."""

    outcome: Outcome
    total: int | None = None
    roll: Roll | None = None

    def apply(self, scene: Scene) -> None:
        sheet, house = scene.sheet(Sheet, self.actor), scene.house(House)
        sheet.frighten(self.outcome)
        due = points(self.outcome, self.difficulty, house.panic_rounding)
        rolls = () if self.roll is None else (self.roll,)
        if due and house.insanity_when is When.DEFERRED:
            put_off(scene, sheet, self.difficulty, self.outcome, due)
            insanity = text("{due} insanity to be settled later", due=due)
        elif due:
            soaked = scene.roll(self.by_whom(soak(scene, self.actor)))
            insanity = gain(sheet, due, soaked)
            rolls = (*rolls, soaked)
        else:
            insanity = text("no insanity")
        self._say(scene, sheet, insanity, rolls)

    def _say(self, scene: Scene, sheet: Sheet, insanity: Text, rolls: tuple[Roll, ...]) -> None:
        sentence = text(
            "{who} {state}: {insanity}.", who=Who(who=self.actor), state=self._state(sheet), insanity=insanity
        )
        own = rolls if self.roll is None else rolls[1:]
        scene.say(
            sentence,
            *own,
            brief=None if self.call else sentence,
            outcome=self.outcome,
            audience=self.readers(scene),
        )
        shown = (
            self.outcome.words
            if self.total is None
            else text("{n}, {outcome}", n=self.total, outcome=self.outcome.words)
        )
        result, resisted = (
            text("{shown}, {insanity}", shown=shown, insanity=insanity),
            self.outcome is Outcome.RESISTED,
        )
        report(scene, self.call, self.actor, result, *rolls, made=resisted)

    def _state(self, sheet: Sheet) -> Text:
        if self.outcome is Outcome.RESISTED:
            return text("does not give way to fear")
        still = text(", and is still panicked") if sheet.fear is not self.outcome.fear else text("")
        word = "panics" if self.outcome is Outcome.PANICKED else "is scared"
        cost = self.outcome.fear.penalty
        return text("{word} ({cost:+} on all rolls){still}", word=word, cost=cost, still=still)


def gain(sheet: Sheet, due: int, soaked: Roll) -> Text:
    """F-10, B3-9: what the soak leaves is gained, once for each gain (B3-10)."""
    off = min(due, soaked.total)
    sheet.temporary += due - off
    return text("{due} − {off} soaked = {gained} insanity", due=due, off=off, gained=due - off)


def put_off(scene: Scene, sheet: Sheet, difficulty: int, outcome: Outcome, due: int) -> None:
    number = 1 + max((line.number for line in sheet.pending.values()), default=0)
    line = Pending(number=number, difficulty=difficulty, outcome=outcome, due=due, minutes=scene.clock.minutes)
    sheet.pending = {**sheet.pending, scene.new_id(): line}
