"""Care: tending, picking up, helping up, rest, and what ends with a scene and a day."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.harm import bleed, carry_over, forget_fight
from webapp.rules.games.willpower.nerve import Deed
from webapp.rules.games.willpower.rolls import GAME, NO_SHEET, Outcome, expire, in_sight, lift, put
from webapp.rules.games.willpower.sheet import FULL_WILLPOWER, Condition, Sheet, State
from webapp.rules.games.willpower.turns import Turn, begin_turn
from webapp.rules.move import Leave, Move, Step
from webapp.rules.period import Period
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Health, Text, Who, text

LONG_REST = 6  # hours


# --- a hand for others -------------------------------------------------------------------------------------


class Helping(Turn):
    game: ClassVar[str] = GAME
    patient: CharacterId

    def hindrance(self, state: Table) -> Text | None:
        if not in_sight(state, self.patient, of=self.actor):
            return NOBODY
        patient = state.find(Sheet, self.patient)
        return NO_SHEET if patient is None else self.no_need(patient)

    def no_need(self, patient: Sheet) -> Text | None:
        raise NotImplementedError


class Tend(Helping):
    """Ends bleeding."""

    def act(self, state: Table) -> str:
        return "tend"

    def deed(self, state: Table) -> Step:
        return Tending(actor=self.actor, patient=self.patient)

    def no_need(self, patient: Sheet) -> Text | None:
        there = State.BLEEDING in patient.states
        return None if there else text("{who} is not bleeding.", who=Who(who=self.patient))


class HelpUp(Helping):
    """Whoever is helped within the scene is back with 1 HP after it."""

    def act(self, state: Table) -> str:
        return "help up"

    def deed(self, state: Table) -> Step:
        return HelpingUp(actor=self.actor, patient=self.patient)

    def no_need(self, patient: Sheet) -> Text | None:
        out = patient.condition is Condition.OUT
        return None if out else text("{who} needs no help of that kind.", who=Who(who=self.patient))


class PickUp(Turn):
    """Ends being disarmed: what lies there is in hand again."""

    game: ClassVar[str] = GAME

    def act(self, state: Table) -> str:
        return "pick up"

    def deed(self, state: Table) -> Step:
        return PickingUp(actor=self.actor)

    def hindrance(self, state: Table) -> Text | None:
        sheet = state.sheet(Sheet, self.actor)
        lies = sheet.disarmed or any(weapon.dropped for weapon in sheet.weapons.values())
        return None if lies else text("Nothing of {who}'s lies on the ground.", who=Who(who=self.actor))


class Tending(Deed):
    patient: CharacterId

    def apply(self, scene: Scene) -> None:
        names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
        if scene.find(Sheet, self.patient) is not None and lift(scene, self.patient, State.BLEEDING):
            scene.say(text("{who} tends {patient}: the bleeding stops.", **names), outcome=Outcome.HELPED)


class HelpingUp(Deed):
    patient: CharacterId

    def apply(self, scene: Scene) -> None:
        sheet = scene.find(Sheet, self.patient)
        if sheet is not None and sheet.condition is Condition.OUT:
            sheet.condition = Condition.HELPED
            names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
            sentence = text("{who} helps {patient}, who will be back after this scene.", **names)
            scene.say(sentence, outcome=Outcome.HELPED)


class PickingUp(Deed):
    def apply(self, scene: Scene) -> None:
        sheet, who = scene.sheet(Sheet, self.actor), Who(who=self.actor)
        sheet.disarmed = False
        found = next((id for id, weapon in sheet.weapons.items() if weapon.dropped), None)
        if found is None:
            scene.say(text("{who} is armed again.", who=who), outcome=Outcome.ACTED)
            return
        sheet.weapons[found].dropped = False
        sheet.hand = found
        scene.say(text("{who} picks up {weapon}.", who=who, weapon=sheet.name_of(found)), outcome=Outcome.ACTED)


class SetState(Move):
    """The GM's last word on what hampers somebody; what turns end ends with the next turn."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    character: CharacterId
    state: State
    on: bool

    def refusal(self, state: Table) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        return text("That is how it stands already.") if (self.state in sheet.states) == self.on else None

    def apply(self, scene: Scene) -> None:
        who = Who(who=self.character)
        if self.on:
            put(scene, self.character, self.state)
            scene.say(text("{who}: {state}.", who=who, state=self.state.value))
        else:
            lift(scene, self.character, self.state)
            scene.say(text("{who}: {state} is over.", who=who, state=self.state.value))


# --- rest --------------------------------------------------------------------------------------------------


class Night(period.Night):
    """W-38 … W-41, B0-21. `allowed`: the GM lets a long rest in the wild count for once."""

    safe: Annotated[bool, Field(title="In a safe place")] = True
    allowed: Annotated[
        bool,
        Field(
            title="Counts in the wild, for once",
            description="A long rest in the wild counts as a short one, unless you say so.",
        ),
    ] = False

    @property
    def is_long(self) -> bool:
        return self.hours >= LONG_REST

    @property
    def counts_as_long(self) -> bool:
        return self.is_long and (self.safe or self.allowed)


def cannot_rest(state: Table, who: CharacterId) -> Text | None:
    """Whoever is out lives or dies with the scene, not in a night."""
    out = state.sheet(Sheet, who).condition in (Condition.OUT, Condition.HELPED)
    return text("{who} is out: end the scene before the night.", who=Who(who=who)) if out else None


def rests(scene: Scene, who: CharacterId, night: Night) -> None:
    sheet = scene.sheet(Sheet, who)
    if sheet.condition is Condition.DEAD:
        return
    args: dict[str, Any] = {"who": Who(who=who)}
    if night.counts_as_long:
        sheet.willpower = max(FULL_WILLPOWER, sheet.willpower)
        args["won"] = sheet.hp.gain(sheet.hp.full)
        lift(scene, who, *State)
        back = ", {won} HP back{health:, }" if args["won"] else ""
        words = f"{{who}}, a long rest: Willpower d{{die}}{back}."
    elif sheet.rested:
        words = "{who} has had the short rest of this day{health:, }."
    else:
        sheet.rested = True
        args["won"] = sheet.hp.gain(sheet.strength // 2)
        words = "{who}, {rest}: {won} HP back{health:, }."
        args["rest"] = "a long rest in the wild, which counts as a short one" if night.is_long else "a short rest"
    args["die"] = sheet.willpower
    args["health"] = Health(health_of=who, now=sheet.hp.now, full=sheet.hp.full)
    scene.say(text(words, **args), outcome=Outcome.RESTED)


def night_outlook(state: Table, who: CharacterId, night: Night) -> Iterator[Text]:
    sheet = state.sheet(Sheet, who)
    if sheet.condition is Condition.DEAD:
        return
    missing = sheet.hp.full - sheet.hp.now
    if night.counts_as_long:
        if missing:
            yield text("{missing} HP back", missing=missing)
        back = sheet.willpower < FULL_WILLPOWER
        words = "the Willpower die is a d{die} again" if back else "the Willpower die stays a d{die}"
        yield text(words, die=max(FULL_WILLPOWER, sheet.willpower))
        return
    if night.is_long:
        yield text("in the wild it counts as a short rest")
    if sheet.rested:
        yield text("has had the short rest of this day")
    else:
        yield text("{won} HP back", won=min(missing, sheet.strength // 2))


# --- periods -----------------------------------------------------------------------------------------------


def begins(when: Period, scene: Scene, who: CharacterId) -> None:
    match when:
        case Period.TURN:
            begin_turn(scene, who)
        case Period.FIGHT:
            carry_over(scene.sheet(Sheet, who))


def ends(when: Period, scene: Scene, who: CharacterId) -> None:
    match when:
        case Period.TURN:
            expire(scene, who)
        case Period.FIGHT:
            forget_fight(scene, who)
        case Period.ROUND if scene.fight() is None:
            bleed(scene, who)
        case Period.SCENE:
            _scene_ends(scene, who)
        case Period.DAY:
            sheet = scene.sheet(Sheet, who)
            sheet.cast_today, sheet.rested = 0, False


def _scene_ends(scene: Scene, who: CharacterId) -> None:
    """Helped: back with 1 HP. Not helped: dead, unless the GM gives HP back."""
    sheet = scene.sheet(Sheet, who)
    lift(scene, who, *(state for state in State if not state.lasts))
    sheet.faced = False
    if sheet.condition is Condition.HELPED:
        sheet.hp.gain(1)
        sheet.condition = Condition.FIT
        scene.say(text("{who} is up again with 1 HP.", who=Who(who=who)), outcome=Outcome.UP)
    elif sheet.condition is Condition.OUT:
        sheet.condition = Condition.DEAD
        scene.say(text("{who} is dead.", who=Who(who=who)), outcome=Outcome.DEAD)


def outlook(when: Period, state: Table, who: CharacterId) -> Iterator[Text]:
    sheet = state.sheet(Sheet, who)
    if when is Period.SCENE:
        if sheet.condition is Condition.HELPED:
            yield text("up again with 1 HP")
        if sheet.condition is Condition.OUT:
            yield text("dies, unless somebody helps")
        over = [one.value for one in sheet.states if not one.lasts]
        if over:
            yield text("over: {states}", states=", ".join(over))
    if when is Period.ROUND and State.BLEEDING in sheet.states and sheet.can_act:
        yield text("bleeds: 1 damage")
    if when is Period.DAY and (sheet.cast_today or sheet.rested):
        yield text("spells and the short rest start afresh")
