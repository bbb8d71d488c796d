"""Harm and what helps: first aid, bleeding out, healing powers, breakdowns, rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.countdown import Turn, hold_the_missed
from webapp.rules.games.squad.damage import fall
from webapp.rules.games.squad.house import House, RestHp
from webapp.rules.games.squad.rolls import (
    NO_SHEET,
    NOBODY,
    Outcome,
    Rolled,
    cannot_raise,
    in_sight,
    leave_the_last,
    pay_to_raise,
    raised,
    second_try,
    throw,
    try_for_more,
    unable,
)
from webapp.rules.games.squad.sheet import Attribute, Condition, PowerKind, Sheet, half
from webapp.rules.move import Leave, Move, Step
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Health, Text, Who, text

FULL_REST = 8
DOWN = (Condition.DYING, Condition.STABLE, Condition.DEAD)
ROUND_MINUTES = 6


class Helping(Turn):
    """Something done for another: in a fight it takes a chance, outside it takes none."""

    patient: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if not in_sight(state, self.patient, of=self.actor):
            return NOBODY
        if state.find(Sheet, self.patient) is None:
            return NO_SHEET
        if self._in_fight(state):
            return super().refusal(state)
        return unable(state, self.actor)

    def take_chance(self, scene: Scene) -> None:
        leave_the_last(scene, self.actor)
        if self._in_fight(scene):
            self.spend(scene)

    def _in_fight(self, state: State) -> bool:
        fight = state.fight()
        return fight is not None and self.actor in fight.members


# --- first aid ---------------------------------------------------------------------------------------------


class FirstAid(Helping):
    """S-44 … S-46: with a kit or training, STW against 8 minus half the patient's TUF die (B2-15)."""

    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if not state.sheet(Sheet, self.actor).first_aid:
            return text("First aid needs a kit or training.")
        if state.sheet(Sheet, self.patient).condition is not Condition.DYING:
            return text("{who} needs no first aid.", who=Who(who=self.patient))
        die = state.sheet(Sheet, self.actor).die(Attribute.STW)
        return cannot_raise(state, self.actor, die) if self.raised else None

    def apply(self, scene: Scene) -> None:
        self.take_chance(scene)
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(Aid(actor=self.actor, patient=self.patient, raised=self.raised))

    def ask(self, state: State) -> Ask:
        return Aid(actor=self.actor, patient=self.patient, raised=self.raised).ask(state)


class Aid(Rolled):
    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        toughness = half(state.sheet(Sheet, self.patient).own_die(Attribute.TUF))
        return state.judged(
            Ask(
                what=text("first aid with STW"),
                roller=self.actor,
                dice=(raised(state.sheet(Sheet, self.actor).die(Attribute.STW), self.raised),),
                wins=Wins.AT_LEAST,
                target=8 - toughness,
                against=text(
                    "{number} (8 − {half})",
                    number=Figure(figure_of=self.patient, value=8 - toughness),
                    half=Figure(figure_of=self.patient, value=toughness),
                ),
            )
        )

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene), again=self.again)
        names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
        word = "{patient} is stable" if roll.success else "no use yet"
        sentence = text(
            "{who} gives {patient} first aid: {total} against {number}, {outcome}.",
            **names,
            total=roll.total,
            number=Figure(figure_of=self.patient, value=roll.ask.target or 0),
            outcome=text(word, **names),
        )
        scene.say(sentence, roll, brief=sentence, outcome=Outcome.STABLE if roll.success else Outcome.FAILURE)
        patient = scene.sheet(Sheet, self.patient)
        if not roll.success:
            second_try(scene, self, sentence)
        elif patient.condition is Condition.DYING:
            patient.condition, patient.bleeds = Condition.STABLE, None


def bleed(scene: Scene, who: CharacterId, rounds: int = 1) -> None:
    """B2-16: as many rounds as half the TUF die, then it is too late."""
    sheet = scene.sheet(Sheet, who)
    if sheet.condition is not Condition.DYING:
        return
    left = half(sheet.own_die(Attribute.TUF)) if sheet.bleeds is None else sheet.bleeds
    sheet.bleeds = max(0, left - rounds)
    if sheet.bleeds == 0:
        sheet.condition, sheet.bleeds = Condition.DEAD, None
        scene.say(text("{who} dies.", who=Who(who=who)), outcome=Outcome.DEAD)
    else:
        unit = "round" if sheet.bleeds == 1 else "rounds"
        scene.say(text("{who} is dying: {left} {unit} left.", who=Who(who=who), left=sheet.bleeds, unit=unit))


def is_dying(state: State, who: CharacterId) -> bool:
    sheet = state.find(Sheet, who)
    return sheet is not None and sheet.condition is Condition.DYING


def round_outlook(state: State, who: CharacterId) -> tuple[Text, ...]:
    """What one more round does to somebody who is dying."""
    if not is_dying(state, who):
        return ()
    sheet = state.sheet(Sheet, who)
    left = (half(sheet.own_die(Attribute.TUF)) if sheet.bleeds is None else sheet.bleeds) - 1
    if left <= 0:
        return (text("dies"),)
    return (text("1 round left") if left == 1 else text("{left} rounds left", left=left),)


def fight_ends(scene: Scene, who: CharacterId) -> None:
    """Chances are forgotten, those who broke off are back, and healing powers are there again."""
    sheet = scene.sheet(Sheet, who)
    sheet.forget_round()
    sheet.initiative, sheet.surprised, sheet.fought = None, False, None
    if sheet.condition is Condition.AWAY:
        sheet.condition = Condition.FIT
    for power in sheet.powers.values():
        if power.kind is PowerKind.HEALING:
            power.uses.gain(power.uses.full)


def round_ends(scene: Scene, who: CharacterId) -> None:
    """S-10, S-36: six minutes have passed; who bleeds, who can't go on?"""
    sheet, fight = scene.sheet(Sheet, who), scene.fight()
    sheet.surprised = False
    if sheet.condition is Condition.DYING:
        bleed(scene, who, 1)
    elif not sheet.can_act and fight is not None and who in fight.members:
        state = sheet.condition.words or text("at 0 HP")
        scene.say(text("{who}: {state}.", who=Who(who=who), state=state))


def conclude(scene: Scene, sheet: Sheet) -> None:
    """S-43, S-46: whoever is at 0 HP is down, by whatever way; whoever has HP back is up again."""
    if sheet.hp.now == 0 and sheet.condition is Condition.FIT and sheet.hp.full > 0:
        fall(scene, sheet.id)
    elif sheet.hp.now > 0 and sheet.condition in DOWN:
        sheet.condition, sheet.bleeds = Condition.FIT, None
        hold_the_missed(scene, sheet)
        scene.say(text("{who} is up again.", who=Who(who=sheet.id)), outcome=Outcome.HEALED)


# --- powers that help --------------------------------------------------------------------------------------


class UsePower(Helping):
    """S-48: a healing power gives its die in HP. A power of another kind is told, and used up by one."""

    power: Annotated[str, Field(max_length=40)]
    raised: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        power = state.sheet(Sheet, self.actor).powers.get(self.power)
        if power is None:
            return text("There is no such power on the sheet.")
        if power.uses.now == 0:
            return text("{power} is used up.", power=power.name)
        if power.kind.range is not None:
            return text("{power} is used by attacking.", power=power.name)
        if power.kind is not PowerKind.HEALING:
            return text("{power} rolls no die.", power=power.name) if self.raised else None
        no_raise = cannot_raise(state, self.actor, power.die) if self.raised else None
        return self._beyond_healing(state) or no_raise

    def _beyond_healing(self, state: State) -> Text | None:
        patient = state.sheet(Sheet, self.patient)
        who = Who(who=self.patient)
        if patient.condition is Condition.DEAD:
            return text("{who} is dead.", who=who)
        if patient.condition is Condition.BROKEN_DOWN:
            return text("{who} needs a specialist, not a power.", who=who)
        return text("{who} is not hurt.", who=who) if patient.hp.now == patient.hp.full else None

    def apply(self, scene: Scene) -> None:
        self.take_chance(scene)
        power = scene.sheet(Sheet, self.actor).powers[self.power]
        power.uses.lose(1)
        if power.kind is PowerKind.HEALING:
            pay_to_raise(scene, self.actor, self.raised)
            scene.then(Healing(actor=self.actor, patient=self.patient, power=self.power, raised=self.raised))
        else:
            scene.say(text("{who} uses {power}. {line}", who=Who(who=self.actor), power=power.name, line=power.line))


class Healing(Rolled):
    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId
    power: str

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        power = state.sheet(Sheet, self.actor).powers.get(self.power)
        if power is None:
            raise RuleError("There is no such power on the sheet.")
        dice = (raised(power.die, self.raised),)
        return Ask(what=text("{power}", power=power.name), roller=self.actor, dice=dice)

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        healed = Healed(actor=self.actor, patient=self.patient, power=self.power, roll=roll)
        hp = scene.sheet(Sheet, self.patient).hp
        sentence = text("{who} rolls {total} for healing.", who=Who(who=self.actor), total=roll.total)
        if roll.total >= hp.full - hp.now:
            scene.then(healed)
        elif try_for_more(scene, self, sentence, roll, otherwise=healed):
            scene.say(sentence, roll)


class Healed(Step):
    """The HP come back."""

    game: ClassVar[str] = "squad"
    actor: CharacterId
    patient: CharacterId
    power: str
    roll: Roll

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        patient, roll = scene.sheet(Sheet, self.patient), self.roll
        if patient.condition in (Condition.DEAD, Condition.BROKEN_DOWN):
            scene.say(text("No power helps {who} any more.", who=Who(who=self.patient)), roll)
            return
        won = patient.hp.gain(roll.total)
        scene.say(
            text(
                "{who} heals {patient} with {power}: {won} HP{health:, }.",
                who=Who(who=self.actor),
                patient=Who(who=self.patient),
                power=roll.ask.what,
                won=won,
                health=Health(health_of=self.patient, now=patient.hp.now, full=patient.hp.full),
            ),
            roll,
            outcome=Outcome.HEALED,
        )


# --- breakdowns and rest -----------------------------------------------------------------------------------


class Treat(Move):
    """S-50, S-51: a specialist's treatment is the only way back from a breakdown."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    patient: CharacterId
    specialist: Annotated[str, Field(title="By whom", min_length=1, max_length=60)] = "a specialist"

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.patient)
        if sheet is None or state.find(Character, self.patient) is None:
            return NOBODY
        if sheet.condition is not Condition.BROKEN_DOWN:
            return text("{who} has not broken down.", who=Who(who=self.patient))
        return None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.patient)
        sheet.condition = Condition.FIT
        if sheet.hp.now == 0:
            sheet.hp.gain(1)
        who = Who(who=self.patient)
        scene.say(
            text("{who} is treated by {specialist}.", who=who, specialist=self.specialist), outcome=Outcome.HEALED
        )


class Night(period.Night):
    """S-47, B2-32: what a rest of eight hours gives back."""

    first_aid: Annotated[bool, Field(title="With first aid")] = True
    repair: Annotated[bool, Field(title="Devices are mended")] = True


def cannot_rest(state: State, who: CharacterId) -> Text | None:
    if state.sheet(Sheet, who).condition is Condition.DYING:
        return text("{who} is dying: first aid comes before rest.", who=Who(who=who))
    return None


def rests(scene: Scene, who: CharacterId, night: Night) -> None:
    """S-47: each full eight hours with first aid gives 1 or 2 HP; without, nothing.

    A full rest repairs one rank of each worn device (B2-32) and gives powers back.
    """
    sheet, nights = scene.sheet(Sheet, who), night.hours // FULL_REST
    if not nights or sheet.condition is Condition.DEAD:
        return
    for power in sheet.powers.values():
        power.uses.gain(power.uses.full)
    if _heals(sheet, night):
        scene.then(Sleep(patient=who, nights=nights))
    if night.repair:
        for device in sheet.devices.values():
            if device.repair():
                scene.say(text("{who}'s {device} is mended by a rank.", who=Who(who=who), device=device.name))


def _heals(sheet: Sheet, night: Night) -> bool:
    return night.first_aid and sheet.condition in (Condition.FIT, Condition.STABLE)


class Sleep(Step):
    """The HP of full nights, by the GM's dice."""

    game: ClassVar[str] = "squad"
    patient: CharacterId
    nights: int

    def apply(self, scene: Scene) -> None:
        sheet, who = scene.sheet(Sheet, self.patient), Who(who=self.patient)
        house = scene.house(House).rest_hp
        rolls: tuple[Roll, ...] = ()
        if house is RestHp.D2:
            rolls = (scene.roll(Ask(what=text("rest of {who}", who=who), dice=(2,) * self.nights)),)
            given = rolls[0].total
        else:
            given = self.nights * int(house.value)
        won = sheet.hp.gain(given)
        health = Health(health_of=self.patient, now=sheet.hp.now, full=sheet.hp.full)
        scene.say(
            text("{who} gets {won} HP back{health:, }.", who=who, won=won, health=health),
            *rolls,
            outcome=Outcome.HEALED,
        )


def night_outlook(state: State, who: CharacterId, night: Night) -> Iterator[Text]:
    sheet, nights = state.sheet(Sheet, who), night.hours // FULL_REST
    if not nights or sheet.condition is Condition.DEAD:
        return
    if _heals(sheet, night) and sheet.hp.now < sheet.hp.full:
        each = "1 or 2" if state.house(House).rest_hp is RestHp.D2 else state.house(House).rest_hp.value
        words = "{each} HP back for each of {nights} nights" if nights > 1 else "{each} HP back"
        yield text(words, each=each, nights=nights)
    if any(power.uses.now < power.uses.full for power in sheet.powers.values()):
        yield text("powers are there again")
    for device in sheet.devices.values() if night.repair else ():
        if device.model_copy(deep=True).repair():
            yield text("{device} is mended by a rank", device=device.name)
