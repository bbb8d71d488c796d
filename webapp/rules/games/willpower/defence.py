"""A foe's blow, which a hero parries or dodges."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.appearing import exchange, reveal
from webapp.rules.document import CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.blows import damage_ask
from webapp.rules.games.willpower.harm import Landing, hurt
from webapp.rules.games.willpower.rolls import GAME, ActorStep, Edge, is_foe, out_of_sight_or_sheet, own_fight, unable
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Sheet, State
from webapp.rules.games.willpower.trial import HIGHEST, LOWEST, Trial
from webapp.rules.games.willpower.turns import end_turn
from webapp.rules.knots import engage
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, StandingOrder, Window
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Arg, Figure, Text, Who, text
from webapp.rules.turns import own_slot

PARRY, DODGE = "parry", "dodge"


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
