"""A fight is begun and ended, people join it and leave it, and a turn is done."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.encounter import Encounter, Member, Phase, phase_of
from webapp.rules.errors import NOBODY
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.period import Period, begins, ends, in_play
from webapp.rules.question import Window
from webapp.rules.rounds import begin_round, end_round, join, leave
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, counted, listed, text
from webapp.rules.turns import is_down_elsewhere, own_slot


class StartFight(Move):
    """Everybody in sight and able takes part, unless named."""

    by = Leave.GM
    members: tuple[CharacterId, ...] = ()

    def refusal(self, state: State) -> Text | None:
        if state.fight() is not None:
            return text("A fight is going on already.")
        if {one.side for one in self._members(state)} != {Side.HERO, Side.FOE}:
            return text("A fight needs a hero and a foe who can act.")
        return None

    def apply(self, scene: Scene) -> None:
        members = self._members(scene)
        fight = Encounter(
            id=scene.new_id(), members={one.id: Member(place=place) for place, one in enumerate(members)}
        )
        scene.add(fight)
        scene.say(text("A fight begins."))
        for who in fight.members:
            begins(scene, Period.FIGHT, who)
        begin_round(scene, fight)

    def _members(self, state: State) -> list[Character]:
        order = state.order()
        return [
            one
            for one in state.characters()
            if (one.id in self.members if self.members else not one.hidden)
            and order.can_act(state, one.id)
            and not is_down_elsewhere(state, one.id)
        ]


class EndFight(Move):
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        if phase_of(fight, scene.slots()) is Phase.OVER:
            end_round(scene, fight)
        scene.lapse(Window.FIGHT)
        scene.lapse(Window.NEXT_ACT)
        for who in fight.members:
            ends(scene, Period.FIGHT, who)
        scene.remove(fight)
        scene.say(_summary(scene, fight))


def _summary(scene: Scene, fight: Encounter) -> Text:
    """How long it took, and who of those in sight is down."""
    took = counted(fight.round, "round")
    there = [found for who in fight.members if (found := scene.find(Character, who)) is not None and not found.hidden]
    down = [
        text("{who} ({how})", who=Who(who=one.id), how=health.down)
        for one in there
        if (health := scene.rulebook.health(scene, one)) is not None and health.down is not None
    ]
    if not down:
        return text("The fight is over. It took {took}; nobody is down.", took=took)
    return text("The fight is over. It took {took}; down: {down}.", took=took, down=listed(down, between=", "))


class JoinFight(Move):
    """Newcomers of a running fight take part from the next round on."""

    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is not None and self.character in fight.members:
            return text("{who} is in this fight already.", who=Who(who=self.character))
        if state.find(Character, self.character) is None:
            return NOBODY
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        join(scene, self.character)


class LeaveFight(Move):
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is not None and self.character not in fight.members:
            return text("{who} is not in this fight.", who=Who(who=self.character))
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        leave(scene, self.character)
        scene.say(text("{who} leaves the fight.", who=Who(who=self.character)))


class Done(OwnMove):
    """The turn is over, used or not, whoever runs the order."""

    slot: Annotated[str | None, Field(max_length=60)] = None

    def refusal(self, state: State) -> Text | None:
        slot = own_slot(state, self.actor)
        if slot is None or self.slot not in (None, slot.id):
            return text("It is not {who}'s turn: wait for it.", who=Who(who=self.actor))
        if state.held_up():
            return text("Something is still open: answer what waits first.")
        found = (game.holds_turn(state, self.actor) for game in in_play(state, self.actor))
        return next((why for why in found if why is not None), None)

    def apply(self, scene: Scene) -> None:
        slot = own_slot(scene, self.actor)
        assert slot is not None
        scene.lapse(Window.NEXT_ACT)
        scene.order().let_go(scene, slot)
        scene.say(text("{who} is done.", who=Who(who=self.actor)))


def _no_fight(state: State) -> Text | None:
    return text("There is no fight at this table.") if state.fight() is None else None
