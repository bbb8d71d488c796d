"""Turns: Priority, what a turn holds, how it ends, and pushing on without Resolve."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId, Duty
from webapp.rules.games.pools.rolls import NO_SHEET, Outcome, close, hopeless, skill_ask, unable
from webapp.rules.games.pools.sheet import UNAWARE, UNCONSCIOUS, Sheet, Skill
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Window
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import own_slot

PUSH_DL = 12
WAKE_DL = 12
NOT_YOUR_TURN = "It is not {who}'s turn: wait for it."


# --- Priority ----------------------------------------------------------------------------------------------


class Priority(OwnMove):
    """Zeal, highest first; rolled once a fight."""

    game: ClassVar[str] = "pools"

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        fight = state.fight()
        if fight is None or state.has(Duty.ORDER) != self.game or self.actor not in fight.members:
            return text("No Priority is wanted now.")
        if self.actor not in state.waiting_for():
            return text("No Priority is wanted now.")
        return None

    def ask(self, state: State) -> Ask:
        ask = skill_ask(state, self.actor, Skill.ZEAL)
        return ask.model_copy(update={"what": text("Priority with Zeal"), "lowest": 1})

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        scene.sheet(Sheet, self.actor).priority = min(99, roll.total)
        scene.say(text("{who} acts at {number}.", who=Who(who=self.actor), number=roll.total), roll)


class RollPriority(Move):
    """Priority of everybody who has not rolled yet, each with their own dice."""

    game: ClassVar[str] = "pools"
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None or state.has(Duty.ORDER) != self.game or not state.waiting_for():
            return text("No Priority is wanted now.")
        return None

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for who in scene.waiting_for():
            scene.then(Priority(actor=who))


# --- a turn ------------------------------------------------------------------------------------------------


class Turn(OwnMove):
    """A Major Action: in a fight it takes the turn, outside it takes nothing."""

    game: ClassVar[str] = "pools"
    slot: Annotated[str | None, Field(max_length=60)] = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        return turn_refused(state, self.actor, self.slot) or unable(state, self.actor)

    def spend(self, scene: Scene) -> None:
        """The turn is used; what could still be done about the last act lapses."""
        scene.lapse(Window.NEXT_ACT)
        slot = own_slot(scene, self.actor)
        if slot is not None:
            scene.order().let_go(scene, slot)
        else:
            end_turn(scene, self.actor)


def in_fight(state: State, who: CharacterId) -> bool:
    fight = state.fight()
    return fight is not None and who in fight.members


def turn_refused(state: State, who: CharacterId, wanted: str | None = None) -> Text | None:
    """Why this one can't use a turn now, for those who are in a fight."""
    if not in_fight(state, who):
        return None
    slot = own_slot(state, who)
    if slot is None or wanted not in (None, slot.id):
        return text(NOT_YOUR_TURN, who=Who(who=who))
    return text("A blow is still open: decide it first.") if state.held_up() else None


def end_turn(scene: Scene, who: CharacterId) -> None:
    """House material: Unaware falls by 1, and the Unconscious may wake."""
    sheet = scene.sheet(Sheet, who)
    sheet.forget_turn()
    if sheet.tiers(UNAWARE):
        sheet.set_tiers(UNAWARE, sheet.tiers(UNAWARE) - 1)
    if not sheet.conscious:
        scene.run(Waking(actor=who))


class Waking(Step):
    """Endure against 12 less the Grit that is left."""

    game: ClassVar[str] = "pools"
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        left = state.sheet(Sheet, self.actor).grit.now
        return skill_ask(state, self.actor, Skill.ENDURE, dl=WAKE_DL - left)

    def apply(self, scene: Scene) -> None:
        ask, who = self.ask(scene), Who(who=self.actor)
        if hopeless(ask) is not None:
            sentence = text("{who} can't wake alone: no face reaches {target}.", who=who, target=ask.against or "")
            scene.say(sentence, audience=close(scene, self.actor))
            return
        roll = scene.roll(ask)
        word = "{who} comes to: {total}." if roll.success else "{who} stays unconscious: {total}."
        scene.say(
            text(word, who=who, total=roll.total),
            roll,
            audience=close(scene, self.actor),
            outcome=None if roll.success else Outcome.FAILURE,
        )
        if roll.success:
            wake(scene, self.actor)


def wake(scene: Scene, who: CharacterId) -> None:
    scene.sheet(Sheet, who).set_tiers(UNCONSCIOUS, 0)
    sentence = text("{who} is awake.", who=Who(who=who))
    scene.say(sentence, brief=sentence, outcome=Outcome.AWAKE)


class Minor(OwnMove):
    """A Minor Action: it leaves the turn as it is. Without Resolve there is none but to push on (D-16, B1-30)."""

    game: ClassVar[str] = "pools"
    name: Annotated[str, Field(max_length=60)] = ""

    def refusal(self, state: State) -> Text | None:
        sheet, who = state.find(Sheet, self.actor), Who(who=self.actor)
        if sheet is None:
            return NO_SHEET
        if not in_fight(state, self.actor):
            return text("Minor Actions are counted in a fight.")
        if not sheet.conscious:
            return text("{who} is unconscious.", who=who)
        if sheet.without_resolve:
            return text("{who} has no Resolve left: the only Minor Action is to push on.", who=who)
        return no_minor_left(sheet) or turn_refused(state, self.actor)

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        scene.sheet(Sheet, self.actor).minors += 1
        words = "{who}, a Minor Action: {name}." if self.name.strip() else "{who} uses a Minor Action."
        scene.say(text(words, who=Who(who=self.actor), name=self.name.strip()))


def no_minor_left(sheet: Sheet) -> Text | None:
    return (
        text("No Minor Action is left this turn: wait for the next.") if sheet.minors >= sheet.minor_actions else None
    )


# --- declaring ---------------------------------------------------------------------------------------------


class Declare(OwnMove):
    """What is under way: Injury from now on comes off its roll (D-22). Empty: given up."""

    game: ClassVar[str] = "pools"
    action: Annotated[str, Field(title="What you begin", max_length=60)] = ""

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        if not self.action.strip():
            return None if sheet.declared else text("Nothing is declared.")
        return unable(state, self.actor)

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        sheet.declared, sheet.injured = self.action.strip(), 0
        word = "{who} begins: {action}." if sheet.declared else "{who} gives it up."
        scene.say(text(word, who=Who(who=self.actor), action=sheet.declared))


def carried_out(scene: Scene, who: CharacterId) -> None:
    """The declared action was rolled, and outside a fight there is no more to the turn."""
    sheet = scene.sheet(Sheet, who)
    sheet.declared, sheet.injured = "", 0
    if not in_fight(scene, who):
        sheet.pushed = False


# --- no Resolve left ---------------------------------------------------------------------------------------


class Push(OwnMove):
    """D-16 … D-18: with Resolve empty a Zeal roll, a Minor Action, frees the turn's Major Action."""

    game: ClassVar[str] = "pools"

    def refusal(self, state: State) -> Text | None:
        return push_refused(state, self.actor) or hopeless(self.ask(state))

    def ask(self, state: State) -> Ask:
        return skill_ask(state, self.actor, Skill.ZEAL, dl=PUSH_DL)

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        sheet.minors += in_fight(scene, self.actor)
        roll = scene.roll(self.ask(scene))
        word = "{who} pushes on: {total}." if roll.success else "{who} can't push on: {total} against {target}."
        sentence = text(word, who=Who(who=self.actor), total=roll.total, target=roll.ask.against or "")
        scene.say(sentence, roll, brief=sentence, outcome=Outcome.PUSHED if roll.success else Outcome.FAILURE)
        sheet.pushed = roll.success


class FreeAct(Move):
    """The GM's way out where no face can reach the DL."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.character) is None:
            return NO_SHEET
        return push_refused(state, self.character, tries=False)

    def apply(self, scene: Scene) -> None:
        scene.sheet(Sheet, self.character).pushed = True
        scene.say(text("{who} may act this turn.", who=Who(who=self.character)), outcome=Outcome.PUSHED)


def push_refused(state: State, who: CharacterId, *, tries: bool = True) -> Text | None:
    sheet = state.find(Sheet, who)
    if sheet is None:
        return NO_SHEET
    if not sheet.conscious:
        return text("{who} is unconscious.", who=Who(who=who))
    if not sheet.without_resolve:
        return text("{who} has Resolve left: nothing to push.", who=Who(who=who))
    if sheet.pushed:
        return text("{who} may act this turn already.", who=Who(who=who))
    if not tries or not in_fight(state, who):
        return None
    return no_minor_left(sheet) or turn_refused(state, who)
