"""Will Points: what they are given for, and the cash they buy."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.rolls import NO_SHEET, Outcome
from webapp.rules.games.squad.sheet import MOST_CASH, Sheet
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.question import Choice, Question, Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

MOST_AT_ONCE = 9999


class Why(StrEnum):
    """S-59, S-60."""

    GREAT_PLAY = "great play"
    CONTRIBUTION = "a great contribution"
    WEAKNESS = "the weakness, to one's own harm"


class Grant(Move):
    """The GM gives a Will Point; there is no upper limit (B2-27)."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    character: CharacterId
    why: Why = Why.GREAT_PLAY

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        return text("Foes have no Will Points.") if sheet.monster else None

    def apply(self, scene: Scene) -> None:
        give(scene, self.character, self.why)


def give(scene: Scene, who: CharacterId, why: Why) -> None:
    scene.sheet(Sheet, who).win_will()
    scene.say(text("{who} gets a Will Point for {why}.", who=Who(who=who), why=why.value), outcome=Outcome.WILL_WON)


# --- the weakness ------------------------------------------------------------------------------------------


class BringInWeakness(OwnMove):
    """The player proposes, the GM accepts."""

    game: ClassVar[str] = "squad"

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if not sheet.weakness:
            return text("There is no weakness on the sheet.")
        waiting = (one for one in state.all(Weakness) if one.hero == self.actor)
        return text("The GM is asked already.") if next(waiting, None) else None

    def apply(self, scene: Scene) -> None:
        scene.open(Weakness(id=scene.new_id(), addressee=None, hero=self.actor))
        scene.say(text("{who} brings in the weakness.", who=Who(who=self.actor)))


class Weakness(Question):
    game: ClassVar[str] = "squad"
    window = Window.STANDS
    holds_up = False
    chip = True
    default = "no"

    hero: CharacterId

    @property
    def about(self) -> CharacterId:
        return self.hero

    def ask(self, state: State) -> Text:
        weakness = state.sheet(Sheet, self.hero).weakness
        return text("{who}: “{weakness}”. A Will Point for it?", who=Who(who=self.hero), weakness=weakness)

    def brief(self) -> Text:
        return text("weakness?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="no", label=text("Not this time")), Choice(id="yes", label=text("Give the Will Point")))

    def passed_by(self) -> Text:
        return text("No point for the weakness")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == "yes":
            give(scene, self.hero, Why.WEAKNESS)
        else:
            scene.say(text("No Will Point for {who} this time.", who=Who(who=self.hero)))


# --- cash --------------------------------------------------------------------------------------------------


class AskForCash(OwnMove):
    """S-58: a Will Point for cash, for training or research; the GM names the sum."""

    game: ClassVar[str] = "squad"
    purpose: Annotated[str, Field(title="What for", min_length=1, max_length=80)]

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if sheet.will == 0:
            return text("There is no Will Point to spend.")
        waiting = (one for one in state.all(Cash) if one.hero == self.actor)
        return text("The GM is asked already.") if next(waiting, None) else None

    def apply(self, scene: Scene) -> None:
        scene.open(Cash(id=scene.new_id(), addressee=None, hero=self.actor, purpose=self.purpose))
        scene.say(text("{who} asks for cash: {purpose}.", who=Who(who=self.actor), purpose=self.purpose))


class Cash(Question):
    game: ClassVar[str] = "squad"
    window = Window.STANDS
    holds_up = False
    chip = True
    default = "no"

    hero: CharacterId
    purpose: str

    @property
    def about(self) -> CharacterId:
        return self.hero

    def ask(self, state: State) -> Text:
        return text(
            "{who} would spend a Will Point on cash: {purpose}.", who=Who(who=self.hero), purpose=self.purpose
        )

    def brief(self) -> Text:
        return text("cash?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        broke = state.sheet(Sheet, self.hero).will == 0
        return (
            Choice(id="no", label=text("Not this time")),
            Choice(
                id="pay",
                label=text("Give cash"),
                amounts=(1, MOST_AT_ONCE),
                why_not=text("There is no Will Point left.") if broke else None,
            ),
        )

    def passed_by(self) -> Text:
        return text("No cash")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        who, sheet = Who(who=self.hero), scene.sheet(Sheet, self.hero)
        if choice == "no" or sheet.will == 0:
            scene.say(text("No cash for {who} this time.", who=who))
            return
        sheet.will -= 1
        sheet.cash = min(MOST_CASH, sheet.cash + (amount or 0))
        sentence = "{who} spends a Will Point: {amount} in cash for {purpose}."
        scene.say(text(sentence, who=who, amount=amount or 0, purpose=self.purpose))
