"""The countdown: initiative, and what becomes of each chance."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId, Duty
from webapp.rules.encounter import Slot
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.raising import cannot_raise, pay_to_raise, raised
from webapp.rules.games.squad.rolls import NO_SHEET, throw, unable
from webapp.rules.games.squad.second_try import Rolled, try_for_more
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.question import Window
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import own_slot

# --- initiative --------------------------------------------------------------------------------------------


class Initiative(OwnMove):
    """S-14: the STW die, or the monster die; the number is noted. `raised` costs a Will Point."""

    game: ClassVar[str] = "squad"
    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        own = state.has(Duty.ORDER) == self.game
        if fight is None or not own or self.actor not in state.waiting_for():
            return text("No initiative is wanted now.")
        die = state.sheet(Sheet, self.actor).die(state.house(House).initiative)
        return cannot_raise(state, self.actor, die) if self.raised else None

    def ask(self, state: State) -> Ask:
        return InitiativeRoll(actor=self.actor, raised=self.raised).ask(state)

    def apply(self, scene: Scene) -> None:
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(InitiativeRoll(actor=self.actor, raised=self.raised))


class InitiativeRoll(Rolled):
    """The number is noted; it may be tried once more until somebody acts. Parries tried before it stay used."""

    game: ClassVar[str] = "squad"
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        die = raised(state.sheet(Sheet, self.actor).die(state.house(House).initiative), self.raised)
        return state.judged(Ask(what=text("initiative"), roller=self.actor, dice=(die,), lowest=1, tested=True))

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        sheet = scene.sheet(Sheet, self.actor)
        sheet.forget_chances()
        if self.again:
            _count_afresh(scene, self.actor)
        sheet.initiative = roll.total
        hold_the_missed(scene, sheet)
        numbers = ", ".join(str(number) for number in sheet.chances)
        sentence = text("{who} acts on {numbers}.", who=Who(who=self.actor), numbers=numbers)
        scene.say(sentence, roll)
        try_for_more(scene, self, sentence, roll)


def _count_afresh(scene: Scene, who: CharacterId) -> None:
    """As long as nobody has acted, the highest comes first again; later on only whoever was up may lose the place."""
    fight = scene.fight()
    if fight is None:
        return
    acted = any(slot.spent and not scene.sheet(Sheet, slot.character).surprised for slot in scene.slots())
    if not acted:
        fight.active, fight.lowest = None, None
    elif (fight.active or "").rpartition(":")[0] == who:
        fight.active = None


class RollInitiative(Move):
    """Initiative of everybody who has not rolled yet, each with their own dice."""

    game: ClassVar[str] = "squad"
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        fight, own = state.fight(), state.has(Duty.ORDER) == self.game
        if fight is None or not own or not state.waiting_for():
            return text("No initiative is wanted now.")
        return None

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for who in scene.waiting_for():
            scene.then(InitiativeRoll(actor=who))


# --- a chance, and what becomes of it ----------------------------------------------------------------------


class Turn(OwnMove):
    """Something done with a chance of one's own. `slot` is the chance that was shown, when it matters."""

    game: ClassVar[str] = "squad"
    slot: Annotated[str | None, Field(max_length=60)] = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        fight = state.fight()
        if fight is None:
            return text("There is no fight at this table.")
        slot = own_slot(state, self.actor)
        if slot is None or self.slot not in (None, slot.id):
            return unable(state, self.actor) or text("It is not {who}'s turn: wait for it.", who=Who(who=self.actor))
        return text("A blow is still open: decide it first.") if state.held_up() else unable(state, self.actor)

    def spend(self, scene: Scene) -> None:
        """The chance is used; what could still be done about the last act lapses."""
        scene.lapse(Window.NEXT_ACT)
        scene.order().let_go(scene, self.own_slot(scene))

    def own_slot(self, state: State) -> Slot:
        slot = own_slot(state, self.actor)
        if slot is None:
            raise RuleError("It is not {who}'s turn: wait for it.", who=Who(who=self.actor))
        return slot


class Hold(Turn):
    """S-19: the chance is kept, to be used after a slot of a lower number, or by itself after those at `until`.

    Where nobody comes after it any more, the count runs down to 1 and it may still be used there.
    """

    until: Annotated[int | None, Field(ge=1, le=12)] = None

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if state.has(Duty.ORDER) != self.game:
            return text("Only in a countdown can a chance be held back.")
        sheet, nth = state.sheet(Sheet, self.actor), nth_of(self.own_slot(state).id)
        if nth in sheet.held:
            return text("That chance is held already.")
        if sheet.chances[nth] == 1:
            return text("Nobody acts after 1: a held chance would be lost.")
        if self.until is not None and self.until >= sheet.chances[nth]:
            return text("Hold until a lower number than {number}.", number=sheet.chances[nth])
        return None

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        nth, fight = nth_of(self.own_slot(scene).id), scene.fight()
        assert fight is not None
        fight.active = None
        sheet = scene.sheet(Sheet, self.actor)
        sheet.held = (*sheet.held, nth)
        who = Who(who=self.actor)
        if self.until is None:
            scene.say(text("{who} holds back.", who=who))
        else:
            sheet.until = {**sheet.until, str(nth): self.until}
            scene.say(text("{who} holds back until {number}.", who=who, number=self.until))


def hold_the_missed(scene: Scene, sheet: Sheet) -> None:
    """Chances at numbers the count has passed meanwhile are held: it never runs backwards, and nothing is lost."""
    fight = scene.fight()
    active = None if fight is None else next((one for one in scene.slots() if one.id == fight.active), None)
    if fight is None or not fight.settled or sheet.id not in fight.members:
        return
    now = active.number if active is not None else fight.lowest
    missed = [nth for nth, number in enumerate(sheet.chances) if now is not None and number > now]
    sheet.held = (*sheet.held, *(nth for nth in missed if nth not in (*sheet.held, *sheet.spent)))


def nth_of(slot: str) -> int:
    return int(slot.rpartition(":")[2])
