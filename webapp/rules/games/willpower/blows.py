"""Blows: a hero's attack and its special effects, and a foe's, which a hero parries or dodges."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId
from webapp.rules.fighting import own_slot
from webapp.rules.games.willpower.harm import Landing, ask_who_is_close, hurt
from webapp.rules.games.willpower.house import Effect, House
from webapp.rules.games.willpower.nerve import HOLDS, Panic, lower, willpower
from webapp.rules.games.willpower.rolls import (
    GAME,
    NOBODY,
    ActorStep,
    Edge,
    Outcome,
    is_foe,
    out_of_sight_or_sheet,
    own_fight,
    unable,
)
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Sheet, State
from webapp.rules.games.willpower.trial import HIGHEST, LOWEST, Trial
from webapp.rules.games.willpower.turns import ATTACK, Turn, end_turn, out_of_reach
from webapp.rules.knots import engage
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import odds_of
from webapp.rules.people import exchange, reveal
from webapp.rules.question import Choice, Question, StandingOrder, Window
from webapp.rules.roll import Ask, Modifier, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Arg, Figure, Text, Who, text

PARRY, DODGE = "parry", "dodge"
BRINGS = {Effect.VICIOUS: State.BLEEDING, Effect.ENTANGLE: State.ENTANGLED, Effect.PIN_DOWN: State.PINNED}


# --- a hero strikes ----------------------------------------------------------------------------------------


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


# --- a foe strikes -----------------------------------------------------------------------------------------


class FoeAttacks(Move):
    """A foe never rolls: the hero it strikes at parries or dodges. Striking brings it into sight, as a rule."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    foe: CharacterId
    target: CharacterId
    ranged: bool | None = None
    stay_hidden: bool = False

    def refusal(self, state: Table) -> Text | None:
        if not is_foe(state, self.foe):
            return NOBODY
        unseen = out_of_sight_or_sheet(state, self.target, of=self.foe)
        if unseen is not None:
            return unseen
        if is_foe(state, self.target):
            return text("Foes strike at heroes.")
        if state.sheet(Sheet, self.target).hp.now == 0:
            return text("{who} is down already.", who=Who(who=self.target))
        return unable(state, self.foe) or self._not_now(state)

    def _not_now(self, state: Table) -> Text | None:
        if own_fight(state, self.foe) is not None and own_slot(state, self.foe) is None:
            return text("It is not {who}'s turn: wait for it.", who=Who(who=self.foe))
        return text("A blow is still open: decide it first.") if state.held_up() else None

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        end_turn(scene, self.foe)
        scene.then(self.strike(scene))

    def strike(self, state: Table) -> FoeStrike:
        ranged = self.is_ranged(state)
        return FoeStrike(foe=self.foe, target=self.target, ranged=ranged, stay_hidden=self.stay_hidden)

    def is_ranged(self, state: Table) -> bool:
        return state.sheet(Sheet, self.foe).ranged if self.ranged is None else self.ranged


class FoeStrike(Step):
    game: ClassVar[str] = GAME
    foe: CharacterId
    target: CharacterId
    ranged: bool
    stay_hidden: bool = False

    def apply(self, scene: Scene) -> None:
        target = scene.find(Sheet, self.target)
        if target is None or target.hp.now == 0 or not scene.sheet(Sheet, self.foe).can_act:
            return
        if scene.is_hidden(self.foe) and not self.stay_hidden:
            reveal(scene, self.foe)
        exchange(scene, self.foe, self.target)
        if not self.ranged:
            engage(scene, self.foe, self.target)
        scene.sheet(Sheet, self.foe).fought = self.target
        names: dict[str, Arg] = {"foe": Who(who=self.foe), "target": Who(who=self.target)}
        word = "{foe} shoots at {target}." if self.ranged else "{foe} strikes at {target}."
        scene.say(text(word, **names), brief=text(word.rstrip("."), **names))
        if scene.is_hidden(self.foe):
            felt = {**names, "foe": "Something"}
            scene.say(text(word, **felt), brief=text(word.rstrip("."), **felt))
        scene.open(Defend(id=scene.new_id(), addressee=self.target, foe=self.foe, ranged=self.ranged))


def ways_of(sheet: Sheet, *, ranged: bool) -> tuple[str, ...]:
    """A parry needs something to parry with, and is no use against what comes from afar."""
    return (DODGE,) if ranged or not sheet.can_parry else (DODGE, PARRY)


WHEN_STRUCK = StandingOrder(
    name="dodge",
    title=text("When somebody strikes at me"),
    values=(("ask", text("Ask me")), ("best", text("The better of parry and dodge"))),
)


class Defend(Question):
    """Parry or dodge? The tap chooses and rolls; it costs no action."""

    game: ClassVar[str] = GAME
    standing_order = WHEN_STRUCK
    default = "better"

    foe: CharacterId
    ranged: bool

    def ask(self, state: Table) -> Text:
        damage = Figure(figure_of=self.foe, value=state.sheet(Sheet, self.foe).strikes_for)
        worn = state.sheet(Sheet, self._who).protection
        words = "{foe} strikes for {damage}, less {worn} for armour. Parry or dodge?"
        if not worn:
            words = "{foe} strikes for {damage}. Parry or dodge?"
        return text(words, foe=Who(who=self.foe), damage=damage, worn=worn)

    def brief(self) -> Text:
        return text("parry or dodge?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("damage"),)

    def choices(self, state: Table) -> tuple[Choice, ...]:
        return tuple(self._choice(state, way) for way in self._ways(state))

    def choice(self, state: Table, wanted: str) -> Choice | None:
        if wanted == self.default:
            return max(self.choices(state), key=lambda one: one.chance or 0)
        return super().choice(state, wanted)

    def pointless(self, state: Table) -> bool:
        """Only one way to defend, or nobody left to strike at."""
        return len(self._ways(state)) == 1 or state.sheet(Sheet, self._who).hp.now == 0

    def ordered(self, state: Table) -> str | None:
        best = state.habits(self.addressee).orders.get("dodge") == "best"
        return self.default if best else None

    def passed_by(self) -> Text:
        return text("The better defence")

    def decided(self, choice: str) -> Text:
        return text("the GM had you {way}.", way=choice if choice in (PARRY, DODGE) else "defend yourself")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        assert picked is not None
        if scene.sheet(Sheet, self._who).hp.now == 0:
            scene.say(text("{who} is down already.", who=Who(who=self._who)))
            return
        scene.then(self._roll(picked.id))

    def _ways(self, state: Table) -> tuple[str, ...]:
        return ways_of(state.sheet(Sheet, self._who), ranged=self.ranged)

    def _choice(self, state: Table, way: str) -> Choice:
        ask = self._roll(way).ask(state)
        label = text("Parry with Melee") if way == PARRY else text("Dodge with Dexterity")
        price = text("a natural 1 strikes back") if not self.ranged else None
        return Choice(id=way, label=label, **odds_of(ask), price=price)

    def _roll(self, way: str) -> DefenceRoll:
        attribute = Attribute.MELEE if way == PARRY else Attribute.DEXTERITY
        return DefenceRoll(actor=self._who, against=self.foe, attribute=attribute, ranged=self.ranged)

    @property
    def _who(self) -> CharacterId:
        assert self.addressee is not None
        return self.addressee


class DefenceRoll(Trial):
    """Costs no action, so Panic can't take it away. A natural 20: armour is no help."""

    costs_action = False
    against: CharacterId
    ranged: bool

    @property
    def parries(self) -> bool:
        return self.attribute is Attribute.MELEE

    def named(self, state: Table) -> Text:
        return text("Melee, to parry") if self.parries else text("Dexterity, to dodge")

    def edges(self, state: Table) -> tuple[Edge, ...]:
        sheet = state.sheet(Sheet, self.actor)
        shield = Edge.ADVANTAGE if self.parries and sheet.shield else Edge.NONE
        return (shield, Edge.DISADVANTAGE if State.ENTANGLED in sheet.states else Edge.NONE)

    def succeeds(self, scene: Scene) -> None:
        if self.natural == LOWEST and not self.ranged:
            scene.then(StrikeBack(actor=self.actor, target=self.against))

    def fails(self, scene: Scene) -> None:
        scene.then(Wound(foe=self.against, target=self.actor, armour=self.natural != HIGHEST))


class StrikeBack(ActorStep):
    """A critical success in close combat: one's own damage die at once."""

    target: CharacterId

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        weapon = HANDS if sheet.is_ranged(sheet.in_hand) else sheet.in_hand
        roll = scene.roll(damage_ask(scene, self.actor, weapon))
        scene.say(text("{who} strikes back at once.", who=Who(who=self.actor)))
        scene.then(Landing(targets=(self.target,), damage=roll.total, rolls=(roll,)))


class Wound(Step):
    """The foe's fixed damage less Protection."""

    game: ClassVar[str] = GAME
    foe: CharacterId
    target: CharacterId
    armour: bool = True

    def apply(self, scene: Scene) -> None:
        foe = scene.find(Sheet, self.foe)
        if foe is not None and scene.find(Sheet, self.target) is not None:
            hurt(scene, self.target, foe.strikes_for, armour=self.armour)
