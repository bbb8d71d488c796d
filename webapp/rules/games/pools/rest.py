"""Rest: hours of recovery and of healing, and what the periods bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.document import CharacterId
from webapp.rules.games.pools.healing import FACE_THAT_HEALS, healing_ask
from webapp.rules.games.pools.lasting import round_ends
from webapp.rules.games.pools.rolls import BEST_FACE, Outcome, hopeless
from webapp.rules.games.pools.sheet import FATIGUED, UNAWARE, Pool, Sheet
from webapp.rules.games.pools.turns import Waking, end_turn, wake
from webapp.rules.move import Step
from webapp.rules.period import Period
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

HEALING_RECOVERIES = 10
HOURS_OF_A_DAY = 24
RECOVERING = (Pool.GRIT, Pool.ENERGY, Pool.RESOLVE)


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
    elif worn(sheet):
        yield text(
            "{heals} of {hours} hours heal, where a die shows {needed} or more",
            heals=heals,
            hours=night.hours,
            needed=needed,
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
        recovering = worn(sheet)
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


def worn(sheet: Sheet) -> list[Pool]:
    """The pools that rest would fill, and that are not full."""
    return [pool for pool in RECOVERING if sheet.pool(pool).now < sheet.pool(pool).full]


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
