"""A Strike on its way, from the attack roll to the damage."""

from __future__ import annotations

from webapp.rules.document import CharacterId
from webapp.rules.errors import RuleError
from webapp.rules.games.pools.reckoning import Hit
from webapp.rules.games.pools.sheet import Attack, Part, Sheet, StrikeType
from webapp.rules.state import State
from webapp.rules.values import Frozen


class Blow(Frozen):
    """A Strike on its way: `faces` and `total` of the attack roll once it has fallen."""

    attacker: CharacterId
    target: CharacterId
    attack: str
    strikes: str
    part: Part | None = None
    faces: tuple[int, ...] = ()
    total: int = 0

    def held(self, state: State) -> Attack:
        found = state.sheet(Sheet, self.attacker).attacks.get(self.attack)
        if found is None:
            raise RuleError("There is no such attack on the sheet.")
        return found

    def kinds(self, state: State) -> tuple[str, ...]:
        """Flowing counts as the Element and as the subtype (D-52)."""
        attack = self.held(state)
        flowing = StrikeType.FLOWING.value in self.strikes
        return tuple(kind for kind in (attack.element, attack.subtype if flowing else "") if kind)

    def hit(self, state: State) -> Hit:
        attack = self.held(state)
        return Hit(
            source=self.attacker,
            target=self.target,
            damage=attack.damage,
            onto=attack.onto,
            kinds=self.kinds(state),
            strikes=self.strikes,
            faces=self.faces,
            strike=True,
            part=self.part,
        )
