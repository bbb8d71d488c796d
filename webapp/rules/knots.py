"""Knots: who is in whose face. They stand in for a map.

A knot comes about when somebody attacks in close combat, or by the GM's hand, and goes with the fight.
"""

from __future__ import annotations

from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.encounter import Encounter
from webapp.rules.errors import NOBODY
from webapp.rules.move import Leave, Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


def close_to(state: State, who: CharacterId) -> tuple[CharacterId, ...]:
    """All others in the same knot."""
    fight = state.fight()
    knot = None if fight is None else fight.knots.get(who)
    if fight is None or knot is None:
        return ()
    return tuple(other for other in fight.members if other != who and fight.knots.get(other) == knot)


def engage(scene: Scene, attacker: CharacterId, target: CharacterId) -> None:
    """An attack in close combat: the attacker comes to the target. The unseen leave no such trace."""
    fight = scene.fight()
    members = {} if fight is None else fight.members
    unseen = any(scene.is_hidden(who) for who in (attacker, target))
    if fight is None or unseen or not {attacker, target} <= set(members) or target in close_to(scene, attacker):
        return
    part(scene, attacker)
    knot = fight.knots.get(target) or scene.new_id()
    fight.knots = {**fight.knots, target: knot, attacker: knot}


def part(scene: Scene, who: CharacterId) -> None:
    """Out of its knot; nobody is left in one alone."""
    fight = scene.fight()
    if fight is None or who not in fight.knots:
        return
    left = close_to(scene, who)
    alone = {who, *(left if len(left) == 1 else ())}
    fight.knots = {other: knot for other, knot in fight.knots.items() if other not in alone}


def seen_knots(state: State, fight: Encounter, seen: set[CharacterId]) -> tuple[tuple[CharacterId, ...], ...]:
    """The knots as far as these are seen, in the order of the fight; a foe who is down is in nobody's face."""
    knots: dict[str, list[CharacterId]] = {}
    for who in sorted(fight.members, key=lambda one: fight.members[one].place):
        if who in seen and who in fight.knots and not _is_out(state, who):
            knots.setdefault(fight.knots[who], []).append(who)
    return tuple(tuple(knot) for knot in knots.values() if len(knot) > 1)


def _is_out(state: State, who: CharacterId) -> bool:
    foe = state.character(who)
    health = state.rulebook.health(state, foe) if foe.side is Side.FOE else None
    return health is not None and health.down is not None


class Tie(Move):
    """The GM puts somebody into another's knot; without `to` out of any."""

    by = Leave.GM
    character: CharacterId
    to: CharacterId | None = None

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None:
            return text("There is no fight at this table.")
        named = {self.character, self.to} - {None}
        if self.character == self.to or any(state.find(Character, str(who)) is None for who in named):
            return NOBODY
        if not named <= set(fight.members):
            return text("Only those in the fight are close to each other.")
        stands = self.character not in fight.knots if self.to is None else self.to in close_to(state, self.character)
        return text("That is how it stands already.") if stands else None

    def apply(self, scene: Scene) -> None:
        fight, who = scene.fight(), Who(who=self.character)
        assert fight is not None
        part(scene, self.character)
        if self.to is None:
            scene.say(text("{who} is close to nobody.", who=who), audience=self._audience(scene))
            return
        knot = fight.knots.get(self.to) or scene.new_id()
        fight.knots = {**fight.knots, self.to: knot, self.character: knot}
        sentence = text("{who} is close to {other}.", who=who, other=Who(who=self.to))
        scene.say(sentence, audience=self._audience(scene))

    def _audience(self, scene: Scene) -> Audience | None:
        hidden = any(scene.is_hidden(who) for who in (self.character, self.to) if who is not None)
        return Audience.GM if hidden else None


MOVES: tuple[type[Move], ...] = (Tie,)
