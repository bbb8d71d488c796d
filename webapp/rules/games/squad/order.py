"""The countdown: chances at one's number and every fifth below it, from the highest down to 1."""

from __future__ import annotations

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.games.squad.house import House, NewInitiative
from webapp.rules.games.squad.moves import RollInitiative, nth_of
from webapp.rules.games.squad.sheet import Attribute, Sheet
from webapp.rules.move import Move
from webapp.rules.scene import Scene, State
from webapp.rules.text import Text, Who, text

ROUND_MINUTES = 6


class Countdown(FightOrder):
    def waiting_for(self, state: State, fight: Encounter) -> tuple[CharacterId, ...]:
        ready = [one.id for one in state.characters() if self._takes_part(state, fight, one.id)]
        return tuple(who for who in ready if state.sheet(Sheet, who).initiative is None)

    def call(self, state: State, fight: Encounter) -> Move:
        return RollInitiative()

    def slots(self, state: State, fight: Encounter) -> tuple[Slot, ...]:
        """S-15 … S-17; ties: heroes first, then the larger STW die, then the GM's order (B2-6)."""
        slots = [
            Slot(
                id=f"{who}:{nth}",
                character=who,
                number=number,
                spent=nth in sheet.spent,
                waits=nth in sheet.held and nth not in sheet.spent,
            )
            for who in fight.members
            if self._takes_part(state, fight, who)
            for sheet in (state.sheet(Sheet, who),)
            for nth, number in enumerate(sheet.chances)
        ]
        return tuple(sorted(slots, key=lambda slot: self._rank(state, fight, slot)))

    def can_act(self, state: State, who: CharacterId) -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.can_act

    def let_go(self, scene: Scene, slot: Slot) -> None:
        sheet = scene.sheet(Sheet, slot.character)
        sheet.spent = (*sheet.spent, nth_of(slot.id))

    def begin_round(self, scene: Scene, fight: Encounter) -> None:
        """S-37: initiative again, or the old one kept, as the house plays."""
        keep = scene.house(House).new_initiative is NewInitiative.KEEP and fight.round > 1
        for who in fight.members:
            sheet = scene.find(Sheet, who)
            if sheet is not None:
                sheet.spent, sheet.held, sheet.parried = (), (), 0
                sheet.initiative = sheet.initiative if keep else None

    def end_round(self, scene: Scene, fight: Encounter) -> None:
        """S-10, S-36: six minutes have passed; who can't go on?"""
        scene.clock.minutes += ROUND_MINUTES
        scene.say(text("Round {round} is over: {minutes} minutes.", round=fight.round, minutes=ROUND_MINUTES))
        for who in fight.members:
            sheet, character = scene.find(Sheet, who), scene.find(Character, who)
            if sheet is not None and character is not None and not sheet.can_act:
                state = sheet.condition.words or text("at 0 HP")
                scene.say(text("{who}: {state}.", who=Who(who=who), state=state))

    def leave(self, scene: Scene, who: CharacterId) -> None:
        sheet = scene.find(Sheet, who)
        if sheet is not None:
            sheet.initiative, sheet.spent, sheet.held, sheet.parried = None, (), (), 0

    def pass_label(self, state: State, slot: Slot) -> Text | None:
        hero = state.character(slot.character).side is Side.HERO
        word = "{number}: {who}'s chance is let go" if hero else "{number}: {who} does nothing"
        return text(word, number=slot.number, who=Who(who=slot.character))

    def _takes_part(self, state: State, fight: Encounter, who: CharacterId) -> bool:
        member = fight.members.get(who)
        return member is not None and member.joined <= fight.round and self.can_act(state, who)

    def _rank(self, state: State, fight: Encounter, slot: Slot) -> tuple[int, bool, int, int]:
        foe = state.character(slot.character).side is Side.FOE
        stw = state.sheet(Sheet, slot.character).die(Attribute.STW)
        return -slot.number, foe, -stw, fight.members[slot.character].place
