"""Initiative, and a turn of two actions: the same one twice is a risk, a third needs the GM's leave."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.harm import bleed
from webapp.rules.games.willpower.nerve import Deed, Risk
from webapp.rules.games.willpower.rolls import (
    GAME,
    NO_SHEET,
    ActorStep,
    Outcome,
    in_sight,
    is_foe,
    own_fight,
    this_turn,
    unable,
)
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Sheet, State
from webapp.rules.games.willpower.trial import Trial
from webapp.rules.knots import close_to, part
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Window
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import own_slot

BEFORE, FOES, AFTER = 3, 2, 1
ATTACK, CAST, MOVE, DRAW = "attack", "cast", "move", "draw"


# --- initiative --------------------------------------------------------------------------------------------


class Initiative(OwnMove):
    """A Guts test: before the enemy, or after it."""

    game: ClassVar[str] = GAME

    def refusal(self, state: Table) -> Text | None:
        fight = own_fight(state, self.actor)
        if fight is None or state.has(Duty.ORDER) != GAME or self.actor not in state.waiting_for():
            return text("No initiative is wanted now.")
        return None

    def ask(self, state: Table) -> Ask:
        return InitiativeRoll(actor=self.actor).ask(state)

    def apply(self, scene: Scene) -> None:
        scene.then(InitiativeRoll(actor=self.actor))


class InitiativeRoll(Trial):
    """A natural 1 gives one more action in the first turn, a natural 20 leaves only one."""

    costs_action = False
    attribute: Attribute = Attribute.GUTS

    def named(self, state: Table) -> Text:
        return text("Guts, for initiative")

    def succeeds(self, scene: Scene) -> None:
        self._takes_place(scene, BEFORE, "before the enemy")

    def fails(self, scene: Scene) -> None:
        self._takes_place(scene, AFTER, "after the enemy")

    def _takes_place(self, scene: Scene, place: int, words: str) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        sheet.forget_turn()
        sheet.initiative = place
        sheet.actions = {Outcome.CRITICAL_SUCCESS: 3, Outcome.CRITICAL_FAILURE: 1}.get(self.outcome, 2)
        scene.say(text("{who} acts {words}.", who=Who(who=self.actor), words=words))


class RollInitiative(Move):
    """Initiative of all heroes who have not rolled yet, each with their own dice."""

    game: ClassVar[str] = GAME
    by = Leave.GM

    def refusal(self, state: Table) -> Text | None:
        fight = state.fight()
        if fight is None or state.has(Duty.ORDER) != GAME or not state.waiting_for():
            return text("No initiative is wanted now.")
        return None

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for who in scene.waiting_for():
            scene.then(InitiativeRoll(actor=who))


# --- a turn ------------------------------------------------------------------------------------------------


class Turn(OwnMove):
    """Something done as an action. Where this game runs the fight it takes one of the turn's two."""

    game: ClassVar[str] = GAME

    def act(self, state: Table) -> str:
        """What counts as the same action again."""
        raise NotImplementedError

    def deed(self, state: Table) -> Step:
        """What is done."""
        raise NotImplementedError

    def refusal(self, state: Table) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        return (
            unable(state, self.actor) or self._not_its_turn(state) or self._hampered(state) or self.hindrance(state)
        )

    def hindrance(self, state: Table) -> Text | None:
        """Why this very thing can't be done, by somebody who is able and up."""
        return None

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        deed = self.deed(scene)
        if own_fight(scene, self.actor) is None:
            scene.then(deed)
        else:
            take_action(scene, self.actor, self.act(scene), deed)

    def _not_its_turn(self, state: Table) -> Text | None:
        if own_fight(state, self.actor) is None:
            return None
        if own_slot(state, self.actor) is None:
            return text("It is not {who}'s turn: wait for it.", who=Who(who=self.actor))
        if state.held_up():
            return text("Something is still open: answer what waits first.")
        sheet = state.sheet(Sheet, self.actor)
        if len(sheet.acts) >= sheet.actions:
            return text("{who}'s actions are used: one more needs the GM's leave.", who=Who(who=self.actor))
        return None

    def _hampered(self, state: Table) -> Text | None:
        act, sheet, who = self.act(state), state.sheet(Sheet, self.actor), Who(who=self.actor)
        if act == MOVE and State.PINNED in sheet.states:
            return text("{who} is pinned down and can't move.", who=who)
        return None if act == ATTACK else must_lash_out(state, self.actor)


def take_action(scene: Scene, who: CharacterId, act: str, deed: Step) -> None:
    """W-14: the same action again risks Willpower first."""
    sheet = scene.sheet(Sheet, who)
    again = act in sheet.acts
    sheet.acts = (*sheet.acts, act)
    if again:
        following = scene.rulebook.dump_step(deed)
        why = text("{act} again", act=act.partition(": ")[2] or act)
        scene.then(Risk(actor=who, why=why, following=following))
    else:
        scene.then(deed)
    scene.then(ActDone(actor=who))


class OfAnother(Deed):
    """What another rule set does with one of this turn's actions."""

    step: dict[str, Any]

    def apply(self, scene: Scene) -> None:
        scene.then(scene.rulebook.step(self.step))


class ActDone(ActorStep):
    """A turn whose actions are used is over."""

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        if len(sheet.acts) >= sheet.actions:
            end_turn(scene, self.actor)


def must_lash_out(state: Table, who: CharacterId) -> Text | None:
    if not this_turn(state, who, State.LASHING) or ATTACK in state.sheet(Sheet, who).acts:
        return None
    return text("{who} lashes out: first an attack on the nearest creature, friend or foe.", who=Who(who=who))


def out_of_reach(state: Table, who: CharacterId, target: CharacterId) -> bool:
    """Is this one further off than those close by, for somebody who has yet to lash out at the nearest?"""
    if must_lash_out(state, who) is None:
        return False
    near = [other for other in close_to(state, who) if in_sight(state, other, of=who) and _stands(state, other)]
    return bool(near) and target not in near


def _stands(state: Table, who: CharacterId) -> bool:
    sheet = state.find(Sheet, who)
    return sheet is not None and sheet.hp.now > 0


def begin_turn(scene: Scene, who: CharacterId) -> None:
    """Initiative may have given its first turn another number of actions; any other order gives two."""
    sheet = scene.sheet(Sheet, who)
    sheet.begun += 1
    if scene.has(Duty.ORDER) != GAME:
        sheet.forget_turn()
    if this_turn(scene, who, State.BOLTING) and State.PINNED not in sheet.states:
        part(scene, who)
    bleed(scene, who)


def end_turn(scene: Scene, who: CharacterId) -> None:
    """The turn is used."""
    slot = own_slot(scene, who)
    if slot is not None:
        scene.order().let_go(scene, slot)


class Act(Turn):
    """A move, a draw, or anything else by its name (W-13, W-14)."""

    game: ClassVar[str] = GAME
    does: Literal["move", "draw", "other"]
    name: Annotated[str, Field(title="What", max_length=40)] = ""
    weapon: Annotated[str, Field(max_length=40)] = ""

    def act(self, state: Table) -> str:
        return f"other: {self.name.strip().lower() or 'something'}" if self.does == "other" else self.does

    def deed(self, state: Table) -> Step:
        return Doing(actor=self.actor, does=self.does, name=self.name.strip(), weapon=self.weapon)

    def hindrance(self, state: Table) -> Text | None:
        held = state.sheet(Sheet, self.actor).weapons.get(self.weapon)
        if self.does == DRAW and self.weapon != HANDS and (held is None or held.dropped):
            return text("There is no such weapon to draw.")
        return None


class Doing(Deed):
    """An action that needs no roll."""

    does: Literal["move", "draw", "other"]
    name: str = ""
    weapon: str = ""

    def apply(self, scene: Scene) -> None:
        who, sheet = Who(who=self.actor), scene.sheet(Sheet, self.actor)
        match self.does:
            case "move":
                sentence = text("{who} moves.", who=who)
            case "draw":
                sheet.hand = self.weapon
                words = "{who} draws {weapon}." if self.weapon != HANDS else "{who} puts the weapon away."
                sentence = text(words, who=who, weapon=sheet.name_of(self.weapon))
            case _:
                sentence = text("{who} acts: {name}.", who=who, name=self.name or "something")
        scene.say(sentence, outcome=Outcome.ACTED)


class GrantAction(Move):
    """The GM's leave for one action more, also right after the turn."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: Table) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None or is_foe(state, self.character):
            return NO_SHEET
        fight = own_fight(state, self.character)
        if fight is None or state.has(Duty.ORDER) != GAME or self.character not in fight.begun.values():
            return text("It is not {who}'s turn: wait for it.", who=Who(who=self.character))
        return unable(state, self.character) or self._enough(sheet)

    def _enough(self, sheet: Sheet) -> Text | None:
        return text("That is enough for one turn.") if sheet.actions >= 9 else None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.character)
        sheet.actions = 1 + (len(sheet.acts) if sheet.spent else sheet.actions)
        sheet.spent = False
        scene.say(text("{who} may act once more.", who=Who(who=self.character)))
