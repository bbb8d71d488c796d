"""A hero's attack, its damage and its special effects."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules.appearing import exchange, reveal
from webapp.rules.document import CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.harm import Landing, ask_who_is_close
from webapp.rules.games.willpower.house import Effect, House
from webapp.rules.games.willpower.nerve import HOLDS, Panic, lower, willpower
from webapp.rules.games.willpower.rolls import (
    GAME,
    ActorStep,
    Edge,
    Outcome,
    is_foe,
    out_of_sight_or_sheet,
    own_fight,
)
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Sheet, State
from webapp.rules.games.willpower.trial import LOWEST, Trial
from webapp.rules.games.willpower.turns import ATTACK, Turn, out_of_reach
from webapp.rules.knots import engage
from webapp.rules.roll import Ask, Modifier, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

BRINGS = {Effect.VICIOUS: State.BLEEDING, Effect.ENTANGLE: State.ENTANGLED, Effect.PIN_DOWN: State.PINNED}


class Attack(Turn):
    """Melee or Shooting, with the weapon in hand when none is named; the effect is named with it (B0-3)."""

    game: ClassVar[str] = GAME
    target: CharacterId
    weapon: Annotated[str, Field(max_length=40)] = ""
    effect: Effect | None = None
    edge: Annotated[Edge, Field(title="Rolled with")] = Edge.NONE

    def act(self, state: Table) -> str:
        return ATTACK

    def deed(self, state: Table) -> AttackRoll:
        sheet = state.sheet(Sheet, self.actor)
        weapon = self.weapon or sheet.in_hand
        return AttackRoll(
            actor=self.actor,
            against=self.target,
            attribute=Attribute.SHOOTING if sheet.is_ranged(weapon) else Attribute.MELEE,
            weapon=weapon,
            effect=self.effect,
            edge=self.edge,
        )

    def hindrance(self, state: Table) -> Text | None:
        if self.target == self.actor or is_foe(state, self.actor):
            return NOBODY
        unseen = out_of_sight_or_sheet(state, self.target, of=self.actor)
        if unseen is not None:
            return unseen
        if state.sheet(Sheet, self.target).hp.now == 0:
            return text("{who} is down already.", who=Who(who=self.target))
        if out_of_reach(state, self.actor, self.target):
            return text("{who} lashes out at the nearest: somebody close.", who=Who(who=self.actor))
        if self.effect is not None and not state.house(House).allows(self.effect):
            return text("{effect} is not played at this table.", effect=self.effect.label)
        return self._not_in_hand(state)

    def _not_in_hand(self, state: Table) -> Text | None:
        sheet = state.sheet(Sheet, self.actor)
        held = sheet.weapons.get(self.weapon)
        if self.weapon not in ("", HANDS) and held is None:
            return text("There is no such weapon on the sheet.")
        if held is not None and held.dropped:
            return text("{weapon} lies on the ground: pick it up first.", weapon=held.name)
        if held is not None and self.weapon != sheet.in_hand and own_fight(state, self.actor) is not None:
            return text("Draw {weapon} first: that is an action.", weapon=held.name)
        return None

    def ask(self, state: Table) -> Ask:
        return self.deed(state).ask(state)


class AttackRoll(Trial):
    """Melee or Shooting; a success does damage."""

    against: CharacterId
    weapon: str
    effect: Effect | None = None

    def named(self, state: Table) -> Text:
        weapon = state.sheet(Sheet, self.actor).name_of(self.weapon)
        return text("{attribute} with {weapon}", attribute=self.attribute.value.capitalize(), weapon=weapon)

    def edges(self, state: Table) -> tuple[Edge, ...]:
        """W-24: others attack the entangled with advantage."""
        entangled = State.ENTANGLED in state.sheet(Sheet, self.against).states
        return (Edge.ADVANTAGE,) if entangled else ()

    def needs_hand(self, state: Table) -> bool:
        return self.weapon in state.sheet(Sheet, self.actor).weapons

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        sheet.fought = self.against
        if self.weapon != HANDS:
            sheet.hand = self.weapon
        if scene.is_hidden(self.actor):
            reveal(scene, self.actor)
        exchange(scene, self.actor, self.against)
        if self.attribute is Attribute.MELEE:
            engage(scene, self.actor, self.against)
        super().apply(scene)

    def succeeds(self, scene: Scene) -> None:
        critical = self.natural == LOWEST
        scene.then(
            Damage(actor=self.actor, target=self.against, weapon=self.weapon, effect=self.effect, critical=critical)
        )


class Damage(ActorStep):
    """The weapon's die; a natural 1 adds its highest face."""

    target: CharacterId
    weapon: str
    effect: Effect | None = None
    critical: bool = False

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(damage_ask(scene, self.actor, self.weapon, critical=self.critical))
        if self.effect is None:
            scene.then(Landing(targets=(self.target,), damage=roll.total, rolls=(roll,)))
        else:
            effect = EffectRoll(
                actor=self.actor, target=self.target, weapon=self.weapon, damage=roll, effect=self.effect
            )
            scene.then(effect)


def damage_ask(state: Table, who: CharacterId, weapon: str, *, critical: bool = False) -> Ask:
    die = state.sheet(Sheet, who).die_of(weapon)
    more = (Modifier(source=text("critical success"), amount=die),) if critical else ()
    return Ask(what=text("damage"), roller=who, dice=(die,), modifiers=more)


class EffectRoll(ActorStep):
    """W-16, W-17: above 2 the effect works; on 1 or 2 it does not, and the die drops with the same roll (B0-2)."""

    target: CharacterId
    weapon: str
    damage: Roll
    effect: Effect

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(willpower(scene, self.actor))
        works = roll.total >= HOLDS
        self._say(scene, roll, works=works)
        landing = Landing(targets=(self.target,), damage=self.damage.total, rolls=(self.damage,))
        if works:
            self._works(scene, landing, roll)
        elif lower(scene, self.actor):
            scene.then(Panic(actor=self.actor, following=scene.rulebook.dump_step(landing)))
        else:
            scene.then(landing)

    def _works(self, scene: Scene, landing: Landing, roll: Roll) -> None:
        more: dict[str, Any] = {"brings": BRINGS.get(self.effect), "disarms": self.effect is Effect.DISARM}
        if self.effect is Effect.BUTCHER:
            more |= {"damage": landing.damage + roll.total, "rolls": (self.damage, roll)}
        landing = landing.model_copy(update=more)
        if self.effect is Effect.WHIRLWIND:
            afar = scene.sheet(Sheet, self.actor).is_ranged(self.weapon)
            ask_who_is_close(scene, self.actor, landing, *(() if afar else (self.target,)))
        else:
            scene.then(landing)

    def _say(self, scene: Scene, roll: Roll, *, works: bool) -> None:
        word = "it works" if works else "no effect, and the die drops"
        sentence = text(
            "{who} · {effect}: Willpower {face}, {word}.",
            who=Who(who=self.actor),
            effect=self.effect.label,
            face=roll.total,
            word=word,
        )
        outcome = Outcome.EFFECT if works else Outcome.NO_EFFECT
        scene.say(sentence, roll, brief=text("{effect}: {word}", **sentence.args), outcome=outcome)
