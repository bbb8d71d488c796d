"""The countdown: surprise, initiative, and what becomes of each chance."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.encounter import Encounter, Slot
from webapp.rules.errors import RuleError
from webapp.rules.fighting import own_slot
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.rolls import NO_SHEET, NOBODY, Outcome, throw, unable
from webapp.rules.games.squad.sheet import Attribute, Sheet, half
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Window
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene, State
from webapp.rules.text import Figure, Text, Who, text

# --- surprise ----------------------------------------------------------------------------------------------


class Surprise(Move):
    """S-11, S-12: every hero in the fight rolls ATN; `ambush`: to surprise the foes, else not to be surprised."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    ambush: bool

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None or not may_surprise(state, fight):
            return text("Surprise comes before anybody acts in the first round.")
        return None if _others(state, fight) else text("There is nobody to surprise or be surprised by.")

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for hero in scene.characters(Side.HERO):
            if hero.id in fight.members and scene.order().can_act(scene, hero.id):
                scene.then(Wariness(actor=hero.id, ambush=self.ambush))


def may_surprise(state: State, fight: Encounter) -> bool:
    """Before initiative; where another order needs none, before the first turn is used."""
    if fight.round > 1:
        return False
    elsewhere = state.has(Duty.ORDER) != Surprise.game
    return not fight.settled or (elsewhere and not any(slot.spent for slot in state.slots()))


class Wariness(Step):
    """One hero's roll against half the highest ATN or monster die on the other side (B2-5)."""

    game: ClassVar[str] = "squad"
    actor: CharacterId
    ambush: bool

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        fight = state.fight()
        assert fight is not None
        dice = {who: state.sheet(Sheet, who).die(Attribute.ATN) for who in _others(state, fight)}
        keenest = max(dice, key=lambda who: (dice[who], not state.is_hidden(who)))
        die = dice[keenest]
        return state.judged(
            Ask(
                what=text("ATN, to surprise") if self.ambush else text("ATN, not to be surprised"),
                roller=self.actor,
                dice=(state.sheet(Sheet, self.actor).die(Attribute.ATN),),
                wins=Wins.AT_LEAST,
                target=half(die),
                against=text(
                    "{number} (half of the keenest on the other side)",
                    number=Figure(figure_of=keenest, value=half(die)),
                ),
            )
        )

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        if fight is None or not _others(scene, fight):
            return
        roll = throw(scene, self.ask(scene))
        who = Who(who=self.actor)
        if self.ambush and roll.success:
            for other in _others(scene, fight):
                scene.sheet(Sheet, other).surprised = True
            scene.say(text("{who} takes the other side by surprise.", who=who), roll, outcome=Outcome.SURPRISED)
        elif not self.ambush and not roll.success:
            scene.sheet(Sheet, self.actor).surprised = True
            scene.say(text("{who} is surprised.", who=who), roll, outcome=Outcome.SURPRISED)
        elif self.ambush:
            scene.say(text("{who} gives it away.", who=who), roll, outcome=Outcome.FAILURE)
        else:
            scene.say(text("{who} sees it coming.", who=who), roll, outcome=Outcome.SUCCESS)


class SetSurprised(Move):
    """The GM's last word on who is surprised."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    character: CharacterId
    surprised: bool

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        fight = state.fight()
        if fight is None or fight.round > 1:
            return text("Only the first round of a fight knows surprise.")
        return text("That is how it stands already.") if sheet.surprised == self.surprised else None

    def apply(self, scene: Scene) -> None:
        scene.sheet(Sheet, self.character).surprised = self.surprised
        word = "is surprised" if self.surprised else "is not surprised after all"
        scene.say(text("{who} {word}.", who=Who(who=self.character), word=word))


def _others(state: State, fight: Encounter) -> list[CharacterId]:
    """The foes in this fight who can be surprised or surprise."""
    order = state.order()
    return [one.id for one in state.characters(Side.FOE) if one.id in fight.members and order.can_act(state, one.id)]


# --- initiative --------------------------------------------------------------------------------------------


class Initiative(OwnMove):
    """S-14: the STW die, or the monster die; the number is noted."""

    game: ClassVar[str] = "squad"

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        own = state.has(Duty.ORDER) == self.game
        if fight is None or not own or self.actor not in state.waiting_for():
            return text("No initiative is wanted now.")
        return None

    def ask(self, state: State) -> Ask:
        die = state.sheet(Sheet, self.actor).die(state.house(House).initiative)
        return state.judged(Ask(what=text("initiative"), roller=self.actor, dice=(die,), lowest=1, tested=True))

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        sheet = scene.sheet(Sheet, self.actor)
        sheet.forget_round()
        sheet.initiative = roll.total
        hold_the_missed(scene, sheet)
        numbers = ", ".join(str(number) for number in sheet.chances)
        scene.say(text("{who} acts on {numbers}.", who=Who(who=self.actor), numbers=numbers), roll)


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
        for who in scene.order().waiting_for(scene, fight):
            scene.then(Initiative(actor=who))


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
    """S-19: the chance is kept, to be used after a slot of a lower number, or by itself after those at `until`."""

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
