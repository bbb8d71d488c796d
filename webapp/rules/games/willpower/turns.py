"""Initiative, and a turn of two actions: the same one twice is a risk, a third needs the GM's leave."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.willpower.harm import bleed
from webapp.rules.games.willpower.nerve import Deed, Risk
from webapp.rules.games.willpower.rolls import (
    GAME,
    NO_SHEET,
    NOBODY,
    Outcome,
    is_foe,
    own_fight,
    own_slot,
    this_turn,
    unable,
)
from webapp.rules.games.willpower.sheet import HANDS, Attribute, Sheet, State
from webapp.rules.games.willpower.trial import HIGHEST, LOWEST, Trial
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Window
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.scene import State as Table
from webapp.rules.text import Text, Who, text

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

    game: ClassVar[str] = GAME
    actor: CharacterId

    @property
    def roller(self) -> CharacterId:
        return self.actor

    @property
    def tests(self) -> Attribute:
        return Attribute.GUTS

    def is_action(self, state: Table) -> bool:
        return False

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
        sheet.actions = {LOWEST: 3, HIGHEST: 1}.get(self.natural, 2)
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
        for who in scene.order().waiting_for(scene, fight):
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
        return unable(state, self.actor) or self._not_its_turn(state) or self._hampered(state)

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        deed = self.deed(scene)
        if own_fight(scene, self.actor) is None:
            scene.then(deed)
            return
        sheet, act = scene.sheet(Sheet, self.actor), self.act(scene)
        again = act in sheet.acts
        sheet.acts = (*sheet.acts, act)
        if again:
            following = scene.rulebook.dump_step(deed)
            why = text("{act} again", act=act.partition(": ")[2] or act)
            scene.then(Risk(actor=self.actor, why=why, following=following))
        else:
            scene.then(deed)
        scene.then(ActDone(actor=self.actor))

    def _not_its_turn(self, state: Table) -> Text | None:
        if own_fight(state, self.actor) is None:
            return None
        if own_slot(state, self.actor) is None:
            return text("It is not {who}'s turn.", who=Who(who=self.actor))
        if state.held_up():
            return text("Something is still open.")
        sheet = state.sheet(Sheet, self.actor)
        if len(sheet.acts) >= sheet.actions:
            return text("{who}'s actions are used: one more needs the GM's leave.", who=Who(who=self.actor))
        return None

    def _hampered(self, state: Table) -> Text | None:
        act, sheet, who = self.act(state), state.sheet(Sheet, self.actor), Who(who=self.actor)
        if act == MOVE and State.PINNED in sheet.states:
            return text("{who} is pinned down and can't move.", who=who)
        lashing = this_turn(state, self.actor, State.LASHING) and ATTACK not in sheet.acts
        if lashing and act != ATTACK:
            return text("{who} lashes out: first an attack on the nearest creature, friend or foe.", who=who)
        return None


class ActDone(Step):
    """A turn whose actions are used is over."""

    game: ClassVar[str] = GAME
    actor: CharacterId

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        if len(sheet.acts) >= sheet.actions:
            end_turn(scene, self.actor)


def begin_turn(scene: Scene, who: CharacterId) -> None:
    """Initiative may have given its first turn another number of actions; any other order gives two."""
    sheet = scene.sheet(Sheet, who)
    sheet.begun += 1
    if scene.has(Duty.ORDER) != GAME:
        sheet.forget_turn()
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
    name: Annotated[str, Field(max_length=40)] = ""
    weapon: Annotated[str, Field(max_length=40)] = ""

    def act(self, state: Table) -> str:
        return f"other: {self.name.strip().lower() or 'something'}" if self.does == "other" else self.does

    def deed(self, state: Table) -> Step:
        return Doing(actor=self.actor, does=self.does, name=self.name.strip(), weapon=self.weapon)

    def refusal(self, state: Table) -> Text | None:
        if self.does == DRAW and state.find(Sheet, self.actor) is not None:
            held = state.sheet(Sheet, self.actor).weapons.get(self.weapon)
            if self.weapon != HANDS and (held is None or held.dropped):
                return text("There is no such weapon to draw.")
        return super().refusal(state)


class Doing(Deed):
    """An action that needs no roll."""

    game: ClassVar[str] = GAME
    actor: CharacterId
    does: Literal["move", "draw", "other"]
    name: str = ""
    weapon: str = ""

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        who, sheet = Who(who=self.actor), scene.sheet(Sheet, self.actor)
        match self.does:
            case "move":
                sentence = text("{who} moves.", who=who)
            case "draw":
                sheet.hand = self.weapon
                sentence = text("{who} has {weapon} in hand.", who=who, weapon=sheet.name_of(self.weapon))
            case _:
                sentence = text("{who} acts: {name}.", who=who, name=self.name or "something")
        scene.say(sentence, outcome=Outcome.ACTED)


class EndTurn(OwnMove):
    """The rest of the turn is let go."""

    game: ClassVar[str] = GAME

    def refusal(self, state: Table) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if own_slot(state, self.actor) is None:
            return text("It is not {who}'s turn.", who=Who(who=self.actor))
        return text("Something is still open.") if state.held_up() else None

    def apply(self, scene: Scene) -> None:
        scene.lapse(Window.NEXT_ACT)
        end_turn(scene, self.actor)
        scene.say(text("{who} is done.", who=Who(who=self.actor)))


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
            return text("It is not {who}'s turn.", who=Who(who=self.character))
        return unable(state, self.character) or self._enough(sheet)

    def _enough(self, sheet: Sheet) -> Text | None:
        return text("That is enough for one turn.") if sheet.actions >= 9 else None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.character)
        sheet.actions = max(sheet.actions, len(sheet.acts)) + 1
        sheet.spent = False
        scene.say(text("{who} may act once more.", who=Who(who=self.character)))
