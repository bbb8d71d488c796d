"""What helps: healing, rest by the hour, treatment, and being woken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.document import Character, CharacterId
from webapp.rules.games.pools.ailments import mend_conduit
from webapp.rules.games.pools.lasting import Kinds, round_ends
from webapp.rules.games.pools.rolls import (
    BEST_FACE,
    NO_SHEET,
    NOBODY,
    Outcome,
    health_is_open,
    hopeless,
    no_target,
    skill_ask,
    thrown,
)
from webapp.rules.games.pools.sheet import (
    CONDUIT,
    FATIGUED,
    UNAWARE,
    UNCONSCIOUS,
    WOUNDED,
    Dice,
    KindNamed,
    Part,
    Pool,
    Sheet,
    Skill,
    pool_of,
)
from webapp.rules.games.pools.turns import Turn, Waking, carried_out, end_turn, wake
from webapp.rules.move import Leave, Move, Step
from webapp.rules.period import Period
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

FACE_THAT_HEALS = 6
HEALING_RECOVERIES = 10
HOURS_OF_A_DAY = 24
TREAT_DL = 6
NO_DICE_FOR = {
    UNCONSCIOUS: "No dice heal that: wake them.",
    CONDUIT: "A ruptured conduit wants to be treated.",
}
RECOVERING = (Pool.GRIT, Pool.ENERGY, Pool.RESOLVE)


# --- healing -----------------------------------------------------------------------------------------------


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
            faces=thrown(roll),
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


# --- rest --------------------------------------------------------------------------------------------------


class Night(period.Night):
    """D-67: armour that is worn makes Recovery harder."""

    armour_off: Annotated[bool, Field(title="Armour is off")] = False


def cannot_rest(state: State, who: CharacterId) -> Text | None:
    """An hour is hundreds of rounds: nobody sleeps while they burn."""
    harm = next(iter(state.sheet(Sheet, who).lasting.values()), None)
    return None if harm is None else text("{who}: {harm} goes on. End that first.", who=Who(who=who), harm=harm.name)


def rests(scene: Scene, who: CharacterId, night: Night) -> None:
    scene.then(Resting(actor=who, hours=night.hours, bare=night.armour_off))


def night_outlook(state: State, who: CharacterId, night: Night) -> Iterator[Text]:
    sheet = state.sheet(Sheet, who)
    needed, heals = needed_to_recover(sheet, bare=night.armour_off), recoveries_to_heal(sheet, night)
    if needed > BEST_FACE:
        yield text("armour too heavy to recover in")
    else:
        yield text(
            "{heals} of {hours} hours heal: each die from {needed} up", heals=heals, hours=night.hours, needed=needed
        )
    if sheet.tiers(FATIGUED):
        yield text("Fatigued falls once Energy is full")
    if any(sheet.wounds.values()) and sheet.rested + night.hours >= HOURS_OF_A_DAY:
        yield text("wounds close by a Tier")


class Resting(Step):
    """One's hours of rest, one Recovery each (D-65); the first ten of a day heal (D-66, D-68)."""

    game: ClassVar[str] = "pools"
    actor: CharacterId
    hours: int
    bare: bool = False

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        night = Night(hours=self.hours, armour_off=self.bare)
        needed, heals = needed_to_recover(sheet, bare=self.bare), recoveries_to_heal(sheet, night)
        recovering = [pool for pool in RECOVERING if sheet.pool(pool).now < sheet.pool(pool).full]
        what = text("recovery: {pools}", pools=", ".join(pool.value.capitalize() for pool in recovering))
        ask = healing_ask(what, self.actor, len(recovering) * heals, needed)
        rolls = (scene.roll(ask),) if ask.dice else ()
        faces = iter(rolls[0].faces if rolls else ())
        before = {pool: sheet.pool(pool).now for pool in recovering}
        tired = sheet.tiers(FATIGUED)
        for hour in range(self.hours):
            rested = sheet.energy.now == sheet.energy.full
            for pool in recovering if hour < heals else ():
                sheet.pool(pool).gain(int(next(faces) >= needed))
            if rested and sheet.tiers(FATIGUED):
                sheet.set_tiers(FATIGUED, sheet.tiers(FATIGUED) - 1)
        sheet.recoveries = min(999, sheet.recoveries + self.hours)
        won = {pool: sheet.pool(pool).now - had for pool, had in before.items()}
        scene.say(self._sentence(sheet, won, needed, heals, tired), *rolls, outcome=Outcome.RECOVERED)
        self._close_wounds(scene, sheet)
        self._come_to(scene, sheet)

    def _sentence(self, sheet: Sheet, won: dict[Pool, int], needed: int, heals: int, tired: int) -> Text:
        gains = ", ".join(f"{pool.value.capitalize()} +{amount}" for pool, amount in won.items())
        if not won:
            gains = "nothing is missing"
        elif needed > BEST_FACE:
            gains = "armour too heavy to recover in"
        elif not heals:
            gains = "no more healing today"
        less = tired - sheet.tiers(FATIGUED)
        return text(
            "{who} recovers, need {needed}: {gains}{less}.",
            who=Who(who=self.actor),
            needed=needed,
            gains=gains,
            less=f", Fatigued −{less}" if less else "",
        )

    def _close_wounds(self, scene: Scene, sheet: Sheet) -> None:
        """House material: one Tier of each wounded part goes per day of rest, counted from the wound on."""
        wounded = any(sheet.wounds.values())
        days, sheet.rested = divmod(sheet.rested + self.hours, HOURS_OF_A_DAY) if wounded else (0, 0)
        if days:
            sheet.wounds = {part: max(0, tiers - days) for part, tiers in sheet.wounds.items()}
            scene.say(text("{who}'s wounds are closing.", who=Who(who=self.actor)), outcome=Outcome.HEALED)

    def _come_to(self, scene: Scene, sheet: Sheet) -> None:
        """House material: an hour is many turns: nobody stays unaware, and whoever a face can wake is awake."""
        sheet.set_tiers(UNAWARE, 0)
        if not sheet.conscious and hopeless(Waking(actor=self.actor).ask(scene)) is None:
            wake(scene, self.actor)


def needed_to_recover(sheet: Sheet, *, bare: bool = False) -> int:
    """D-67, for Recovery alone (B1-25)."""
    return FACE_THAT_HEALS + (0 if bare else sheet.bulk)


def recoveries_to_heal(sheet: Sheet, night: Night) -> int:
    """How many of these hours heal: none in armour that no face can beat (B1-24)."""
    left = max(0, HEALING_RECOVERIES - sheet.recoveries)
    return min(night.hours, left) if needed_to_recover(sheet, bare=night.armour_off) <= BEST_FACE else 0


def ends(when: Period, scene: Scene, who: CharacterId) -> None:
    match when:
        case Period.TURN:
            end_turn(scene, who)
        case Period.ROUND:
            round_ends(scene, who)
        case Period.FIGHT:
            sheet = scene.sheet(Sheet, who)
            sheet.forget_turn()
            sheet.priority, sheet.acted = None, False
        case Period.DAY:  # B1-27: the table's day
            scene.sheet(Sheet, who).recoveries = 0


def outlook(when: Period, state: State, who: CharacterId) -> Iterator[Text]:
    used = state.sheet(Sheet, who).recoveries
    if when is Period.DAY and used:
        yield text("{used} recoveries are forgotten: ten heal again", used=used)


# --- treatment and waking ----------------------------------------------------------------------------------


class Treat(Turn):
    """House material: Tools, DL 6 + Tier, takes a Tier of Wounded off a part, or mends a ruptured conduit."""

    patient: CharacterId
    part: Part | None = None

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state) or no_target(state, self.patient, of=self.actor)
        if refused is not None:
            return refused
        if not self._tiers(state):
            what = "ruptured conduit" if self.part is None else f"wound on the {self.part.value}"
            return text("{who} has no {what}.", who=Who(who=self.patient), what=what)
        return hopeless(self.ask(state))

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        self.spend(scene)
        carried_out(scene, self.actor)
        names = {"who": Who(who=self.actor), "patient": Who(who=self.patient)}
        sentence = text(
            "{who} treats {patient}: {total} against {target}, {outcome}.",
            **names,
            total=roll.total,
            target=roll.ask.against or "",
            outcome="it helps" if roll.success else "no use",
        )
        scene.say(sentence, roll, outcome=Outcome.SUCCESS if roll.success else Outcome.FAILURE)
        if not roll.success:
            return
        patient = scene.sheet(Sheet, self.patient)
        if self.part is not None:
            patient.set_wound(self.part, patient.wounded(self.part) - 1)
        else:
            mend_conduit(patient, 1)

    def ask(self, state: State) -> Ask:
        dl = TREAT_DL + self._tiers(state)
        return skill_ask(state, self.actor, Skill.TOOLS, dl=dl, uses=Part.RIGHT_ARM, acting=True)

    def _tiers(self, state: State) -> int:
        patient = state.sheet(Sheet, self.patient)
        return patient.tiers(CONDUIT) if self.part is None else patient.wounded(self.part)


class Wake(Turn):
    """House material: a Major Action wakes whoever has Grit again."""

    patient: CharacterId

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state) or no_target(state, self.patient, of=self.actor)
        if refused is not None:
            return refused
        patient = state.sheet(Sheet, self.patient)
        if patient.conscious:
            return text("{who} is awake.", who=Who(who=self.patient))
        return text("{who} has no Grit to wake with.", who=Who(who=self.patient)) if not patient.grit.now else None

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        carried_out(scene, self.actor)
        scene.say(text("{who} wakes {patient}.", who=Who(who=self.actor), patient=Who(who=self.patient)))
        wake(scene, self.patient)


class Rouse(Move):
    """The GM's way out where no face can wake somebody."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        return text("{who} is awake.", who=Who(who=self.character)) if sheet.conscious else None

    def apply(self, scene: Scene) -> None:
        wake(scene, self.character)
