"""Priority: Zeal, highest first, a turn each; the GM's own turn comes last and ends the round."""

from __future__ import annotations

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.games.pools.foes import suggested
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.games.pools.strikes import Strike
from webapp.rules.games.pools.turns import RollPriority
from webapp.rules.move import Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


class ByPriority(FightOrder):
    called = text("Priority")
    counted = False

    def waiting_for(self, state: State, fight: Encounter) -> tuple[CharacterId, ...]:
        there = [one.id for one in state.characters() if _takes_part(state, fight, one.id)]
        return tuple(who for who in there if state.sheet(Sheet, who).priority is None)

    def call(self, state: State, fight: Encounter) -> Move:
        return RollPriority()

    def slots(self, state: State, fight: Encounter) -> tuple[Slot, ...]:
        """One each, of the unconscious too: their turns end by themselves. Ties: heroes, then the GM's order."""
        slots = [
            Slot(id=f"{who}:{fight.round}", character=who, number=sheet.priority, spent=sheet.acted)
            for who in fight.members
            if _takes_part(state, fight, who)
            for sheet in (state.sheet(Sheet, who),)
            if sheet.priority is not None
        ]
        return tuple(sorted(slots, key=lambda slot: _rank(state, fight, slot)))

    def can_act(self, state: State, who: CharacterId) -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.conscious

    def passes(self, state: State, slot: Slot) -> Text | None:
        if self.can_act(state, slot.character):
            return None
        return text("{who}'s turn passes.", who=Who(who=slot.character))

    def suggest(self, state: State, fight: Encounter) -> Move | None:
        active = next((slot for slot in self.slots(state, fight) if slot.id == fight.active), None)
        return suggested(state, fight, active)

    def let_go(self, scene: Scene, slot: Slot) -> None:
        scene.sheet(Sheet, slot.character).acted = True

    def begin_round(self, scene: Scene, fight: Encounter) -> None:
        """Priority is rolled once a fight; newcomers roll theirs when they come in."""
        for who in fight.members:
            sheet = scene.find(Sheet, who)
            if sheet is None:
                continue
            sheet.acted = False
            sheet.forget_turn()
            if fight.round == 1:
                sheet.priority = None

    def gone_by(self, slot: Slot) -> Text | None:
        return text("{who}'s turn is over.", who=Who(who=slot.character))

    def pass_label(self, state: State, slot: Slot) -> Text | None:
        fight = state.fight()
        plan = None if fight is None else suggested(state, fight, slot)
        who = Who(who=slot.character)
        if isinstance(plan, Strike):
            names = {"who": who, "target": Who(who=plan.target)}
            weapon = state.sheet(Sheet, plan.actor).attacks[plan.attack].name
            return text("{number}: {who} attacks {target} with {weapon}", number=slot.number, **names, weapon=weapon)
        if plan is not None:
            return text("{number}: {who} pushes on", number=slot.number, who=who)
        hero = state.character(slot.character).side is Side.HERO
        word = "{number}: end {who}'s turn" if hero else "{number}: {who} does nothing"
        return text(word, number=slot.number, who=who)


def _takes_part(state: State, fight: Encounter, who: CharacterId) -> bool:
    member = fight.members.get(who)
    there = state.find(Character, who) is not None and state.find(Sheet, who) is not None
    return member is not None and there and member.joined <= fight.round


def _rank(state: State, fight: Encounter, slot: Slot) -> tuple[int, bool, int]:
    foe = state.character(slot.character).side is Side.FOE
    return -slot.number, foe, fight.members[slot.character].place
