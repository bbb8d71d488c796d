"""Healing by dice, whatever wants to be healed."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId
from webapp.rules.games.pools.lasting import Kinds
from webapp.rules.games.pools.rolls import Outcome, health_is_open, no_target, thrown
from webapp.rules.games.pools.sheet import CONDUIT, UNCONSCIOUS, WOUNDED, Dice, KindNamed, Part, Pool, Sheet, pool_of
from webapp.rules.games.pools.turns import Turn, carried_out
from webapp.rules.move import Step
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

FACE_THAT_HEALS = 6
NO_DICE_FOR = {
    UNCONSCIOUS: "No dice heal that: wake them.",
    CONDUIT: "A ruptured conduit wants to be treated.",
}


class Heal(Turn):
    """D-62, D-63: so many d12, each 6 and up gives 1 back; Reduction is no hindrance (B1-29).

    `pool`: or the affliction that loses a Tier by each (D-01); of wounds those of `part`, else the worst one.
    """

    dice: Dice
    pool: Annotated[KindNamed, Field(title="What")] = Pool.GRIT.value
    part: Part | None = None
    kinds: Annotated[Kinds, Field(title="Type")] = ()
    patients: Annotated[tuple[CharacterId, ...], Field(min_length=1, max_length=20)]

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        unseen = (no_target(state, who, of=self.actor) for who in self.patients)
        return next((no for no in unseen if no is not None), None) or self._no_use(state)

    def _no_use(self, state: State) -> Text | None:
        if self.pool in NO_DICE_FOR:
            return text(NO_DICE_FOR[self.pool])
        has = pool_of(self.pool) is not None or any(
            ill_by(state.sheet(Sheet, who), self.pool, self.part) for who in self.patients
        )
        return None if has else text("Nobody of them is {what}.", what=self.pool)

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        carried_out(scene, self.actor)
        for who in dict.fromkeys(self.patients):
            healing = Healing(
                actor=self.actor, patient=who, dice=self.dice, pool=self.pool, part=self.part, kinds=self.kinds
            )
            scene.then(healing)


def ill_by(sheet: Sheet, affliction: str, part: Part | None = None) -> int:
    """Tiers that healing could take away."""
    return sheet.wounded(part or sheet.worst_part) if affliction == WOUNDED else sheet.tiers(affliction)


class Healing(Step):
    game: ClassVar[str] = "pools"
    actor: CharacterId
    patient: CharacterId
    dice: int
    pool: str
    part: Part | None = None
    kinds: tuple[str, ...] = ()

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        return healing_ask(text("healing"), self.actor, self.dice, FACE_THAT_HEALS)

    def apply(self, scene: Scene) -> None:
        sheet, who = scene.sheet(Sheet, self.patient), Who(who=self.patient)
        if any(kind in sheet.vulnerable or sheet.is_immune(kind) for kind in self.kinds):  # D-37, D-34
            scene.say(text("Healing of that kind does nothing for {who}.", who=who), outcome=Outcome.NOT_HEALED)
            return
        roll = scene.roll(self.ask(scene))
        won, is_open = self._gives_back(sheet, roll.total), health_is_open(scene, self.patient)
        sentence = text(
            "{who}: need {needed}: {faces} → {counted} heal{won}.",
            who=who,
            needed=FACE_THAT_HEALS,
            faces=thrown(scene, roll),
            counted=roll.total,
            won=self._won(won) if is_open else "",
        )
        scene.say(sentence, roll, outcome=Outcome.HEALED if won else Outcome.NOT_HEALED)

    def _gives_back(self, sheet: Sheet, healed: int) -> int:
        """Potential that came back, or Tiers that went."""
        pool = pool_of(self.pool)
        if pool is not None:
            return sheet.pool(pool).gain(healed)
        went = min(healed, ill_by(sheet, self.pool, self.part))
        if self.pool == WOUNDED:
            part = self.part or sheet.worst_part
            sheet.set_wound(part, sheet.wounded(part) - went)
        else:
            sheet.set_tiers(self.pool, sheet.tiers(self.pool) - went)
        return went

    def _won(self, won: int) -> Text:
        words = ", {what} −{won}" if pool_of(self.pool) is None else ", {won} {what} back"
        return text(words, won=won, what=self.pool.capitalize())


def healing_ask(what: Text, roller: CharacterId, dice: int, needed: int) -> Ask:
    return Ask(
        what=text("{what}, need {needed}", what=what, needed=needed),
        roller=roller,
        dice=(12,) * dice,
        counts_from=needed,
    )
