"""The countdown: chances at one's number and every fifth below it, from the highest down to 1."""

from __future__ import annotations

from operator import itemgetter

from webapp.rules.document import CharacterId, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.games.squad.attack import Attack
from webapp.rules.games.squad.countdown import RollInitiative, nth_of
from webapp.rules.games.squad.foes import suggested
from webapp.rules.games.squad.house import House, NewInitiative
from webapp.rules.games.squad.sheet import Attribute, Sheet
from webapp.rules.move import Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


class Countdown(FightOrder):
    def waiting_for(self, state: State, fight: Encounter) -> tuple[CharacterId, ...]:
        ready = [one.id for one in state.characters() if self._takes_part(state, fight, one.id)]
        return tuple(who for who in ready if state.sheet(Sheet, who).initiative is None)

    def call(self, state: State, fight: Encounter) -> Move:
        return RollInitiative()

    def slots(self, state: State, fight: Encounter) -> tuple[Slot, ...]:
        """S-15 … S-17; ties: heroes first, then the larger STW die, then the GM's order (B2-6)."""
        ranked = [
            (self._rank(state, fight, sheet, slot), slot)
            for who in fight.members
            if self._takes_part(state, fight, who)
            for sheet in (state.sheet(Sheet, who),)
            for slot in (_slot(who, sheet, nth, number) for nth, number in enumerate(sheet.chances))
        ]
        return tuple(slot for _, slot in sorted(ranked, key=itemgetter(0)))

    def can_act(self, state: State, who: CharacterId) -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.can_act

    def passes(self, state: State, slot: Slot) -> Text | None:
        """S-13: surprised foes do nothing in the first round; a surprised hero may still move, hold or help."""
        foe = state.character(slot.character).side is Side.FOE
        if foe and state.sheet(Sheet, slot.character).surprised:
            return text("{who} is surprised and lets {number} go.", who=Who(who=slot.character), number=slot.number)
        return None

    def suggest(self, state: State, fight: Encounter) -> Move | None:
        return suggested(state, fight, self.slots(state, fight))

    def plan(self, state: State, fight: Encounter) -> tuple[Text, ...]:
        found = suggested(state, fight, self.slots(state, fight))
        return () if found is None else tuple(_strike(state, attack) for attack in found.attacks)

    def let_go(self, scene: Scene, slot: Slot) -> None:
        sheet = scene.sheet(Sheet, slot.character)
        sheet.spent = (*sheet.spent, nth_of(slot.id))

    def begin_round(self, scene: Scene, fight: Encounter) -> None:
        """S-37: initiative again, or the old one kept, as the house plays."""
        keep = scene.house(House).new_initiative is NewInitiative.KEEP and fight.round > 1
        for who in fight.members:
            sheet = scene.find(Sheet, who)
            if sheet is not None:
                sheet.initiative = sheet.initiative if keep else None

    def pass_label(self, state: State, slot: Slot) -> Text | None:
        fight = state.fight()
        plan = None if fight is None else suggested(state, fight, self.slots(state, fight))
        if plan is not None and len(plan.attacks) == 1:
            attack = plan.attacks[0]
            names = {"who": Who(who=attack.actor), "target": Who(who=attack.target)}
            weapon = attack.way.name(state, attack.actor)
            return text("{number}: {who} attacks {target} with {weapon}", number=slot.number, **names, weapon=weapon)
        if plan is not None:
            word = "both" if len(plan.attacks) == 2 else f"all {len(plan.attacks)}"
            return text("{number}: {all} attack", number=slot.number, all=word)
        hero = state.character(slot.character).side is Side.HERO
        word = "{number}: end {who}'s turn" if hero else "{number}: {who} does nothing"
        return text(word, number=slot.number, who=Who(who=slot.character))

    def _takes_part(self, state: State, fight: Encounter, who: CharacterId) -> bool:
        member = fight.members.get(who)
        return member is not None and member.joined <= fight.round and self.can_act(state, who)

    def _rank(self, state: State, fight: Encounter, sheet: Sheet, slot: Slot) -> tuple[int, bool, bool, int, int]:
        """A chance held until a number comes after all others at it."""
        foe = state.character(slot.character).side is Side.FOE
        stw = sheet.die(Attribute.STW)
        return -slot.number, slot.since is not None, foe, -stw, fight.members[slot.character].place


def _strike(state: State, attack: Attack) -> Text:
    names = {"who": Who(who=attack.actor), "target": Who(who=attack.target)}
    return text("{who} → {target} with {weapon}", **names, weapon=attack.way.name(state, attack.actor))


def _slot(who: CharacterId, sheet: Sheet, nth: int, number: int) -> Slot:
    until = sheet.until.get(str(nth))
    spent = nth in sheet.spent
    return Slot(
        id=f"{who}:{nth}",
        character=who,
        number=until or number,
        spent=spent,
        waits=nth in sheet.held and until is None and not spent,
        since=None if until is None else number,
    )
