"""The order: heroes whose Guts held, then the enemy, then the other heroes; one turn each a round."""

from __future__ import annotations

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.games.willpower.defence import FoeAttacks
from webapp.rules.games.willpower.foes import suggested
from webapp.rules.games.willpower.rolls import is_foe, this_turn
from webapp.rules.games.willpower.sheet import Sheet, State
from webapp.rules.games.willpower.turns import AFTER, FOES, OfAnother, RollInitiative, take_action
from webapp.rules.move import Move, Step
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

TURN = "turn"


class GutsOrder(FightOrder):
    """Guts are rolled once a fight and kept; who joins later rolls then."""

    counted = False

    def waiting_for(self, state: Table, fight: Encounter) -> tuple[CharacterId, ...]:
        """Foes wait for nobody's dice."""
        ready = [one.id for one in state.characters() if self._takes_part(state, fight, one.id)]
        return tuple(who for who in ready if not is_foe(state, who) and state.sheet(Sheet, who).initiative is None)

    def call(self, state: Table, fight: Encounter) -> Move:
        return RollInitiative()

    def slots(self, state: Table, fight: Encounter) -> tuple[Slot, ...]:
        """One turn each; ties: heroes first, then the GM's order."""
        slots = [
            Slot(id=f"{who}:{TURN}", character=who, number=_place(state, who), spent=state.sheet(Sheet, who).spent)
            for who in fight.members
            if self._takes_part(state, fight, who)
        ]
        return tuple(sorted(slots, key=lambda slot: self._rank(state, fight, slot)))

    def can_act(self, state: Table, who: CharacterId) -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.can_act

    def passes(self, state: Table, slot: Slot) -> Text | None:
        """A turn that Panic has taken away goes by itself."""
        who = Who(who=slot.character)
        if this_turn(state, slot.character, State.FROZEN):
            return text("{who} is frozen: the turn goes by.", who=who)
        if this_turn(state, slot.character, State.BOLTING):
            if State.PINNED in state.sheet(Sheet, slot.character).states:
                return text("{who} would bolt but is pinned down: the turn goes by.", who=who)
            return text("{who} bolts: both actions go into getting away.", who=who)
        return None

    def suggest(self, state: Table, fight: Encounter) -> Move | None:
        return suggested(state, fight, self.slots(state, fight))

    def plan(self, state: Table, fight: Encounter) -> tuple[Text, ...]:
        found = suggested(state, fight, self.slots(state, fight))
        return () if found is None else tuple(_strike(state, attack) for attack in found.attacks)

    def let_go(self, scene: Scene, slot: Slot) -> None:
        scene.sheet(Sheet, slot.character).spent = True

    def attack(self, scene: Scene, slot: Slot, name: str, deed: Step) -> None:
        """One of the turn's actions."""
        if is_foe(scene, slot.character):
            super().attack(scene, slot, name, deed)
        else:
            following = OfAnother(actor=slot.character, step=scene.rulebook.dump_step(deed))
            take_action(scene, slot.character, f"other: {name}", following)

    def begin_round(self, scene: Scene, fight: Encounter) -> None:
        for who in fight.members:
            sheet = scene.find(Sheet, who)
            if sheet is None:
                continue
            sheet.forget_turn()

    def gone_by(self, slot: Slot) -> Text | None:
        return text("{who}'s turn is over.", who=Who(who=slot.character))

    def place_words(self, state: Table, slot: Slot) -> Text | None:
        if slot.number == FOES:
            return text("the enemy")
        return text("before the enemy" if slot.number > FOES else "after the enemy")

    def pass_label(self, state: Table, slot: Slot) -> Text | None:
        fight = state.fight()
        plan = None if fight is None else suggested(state, fight, self.slots(state, fight))
        if plan is not None and len(plan.attacks) == 1:
            attack = plan.attacks[0]
            return text("{foe} attacks {target}", foe=Who(who=attack.foe), target=Who(who=attack.target))
        if plan is not None:
            return text("Both attack") if len(plan.attacks) == 2 else text("All {n} attack", n=len(plan.attacks))
        hero = state.character(slot.character).side is Side.HERO
        return text("End {who}'s turn" if hero else "{who} does nothing", who=Who(who=slot.character))

    def _takes_part(self, state: Table, fight: Encounter, who: CharacterId) -> bool:
        member = fight.members.get(who)
        there = member is not None and member.joined <= fight.round and state.find(Character, who) is not None
        return there and self.can_act(state, who)

    def _rank(self, state: Table, fight: Encounter, slot: Slot) -> tuple[int, bool, int]:
        foe = state.character(slot.character).side is Side.FOE
        return -slot.number, foe, fight.members[slot.character].place


def _strike(state: Table, attack: FoeAttacks) -> Text:
    """From how near and how hard."""
    return text(
        "{foe} → {target}, {how}, {damage} damage",
        foe=Who(who=attack.foe),
        target=Who(who=attack.target),
        how="from afar" if attack.is_ranged(state) else "close up",
        damage=state.sheet(Sheet, attack.foe).strikes_for,
    )


def _place(state: Table, who: CharacterId) -> int:
    if is_foe(state, who):
        return FOES
    return state.sheet(Sheet, who).initiative or AFTER
