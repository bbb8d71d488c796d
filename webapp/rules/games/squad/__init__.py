"""Shadow Squad: attributes that are dice, a fight that counts down, parries that answer blows."""

from __future__ import annotations

from functools import cache
from typing import Any

from webapp.rules.blocks import Block, HealthNow, Section
from webapp.rules.content import sample, starts
from webapp.rules.damage import Hurting
from webapp.rules.document import Character, Duty, Side
from webapp.rules.encounter import FightOrder
from webapp.rules.games.squad.damage import Harm, hurt, hurt_outlook
from webapp.rules.games.squad.gear import book
from webapp.rules.games.squad.harm import ROUND_MINUTES, bleed, conclude, fight_ends, round_ends, round_outlook
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.moves import MOVES, QUESTIONS, STEPS
from webapp.rules.games.squad.offers.acts import acts
from webapp.rules.games.squad.offers.gm import gm_blocks
from webapp.rules.games.squad.order import Countdown
from webapp.rules.games.squad.rest import Night, cannot_rest, night_outlook, rests
from webapp.rules.games.squad.rolls import surprised, unable
from webapp.rules.games.squad.section import section
from webapp.rules.games.squad.sheet import Condition, Sheet
from webapp.rules.period import Period
from webapp.rules.ruleset import RuleSet, Sample, Start
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text

HERO_HP = 15
HERO_WILL = 3


class ShadowSquad(RuleSet[Sheet]):
    id = "squad"
    title = text("Shadow Squad")
    line = text("A fight that counts down, attributes that are dice, and a parry that answers each blow.")
    place = 1
    duties = {Duty.TESTS: 1, Duty.BLOWS: 1, Duty.ORDER: 1}
    round_minutes = ROUND_MINUTES
    sheet = Sheet
    house = House
    moves = MOVES
    steps = STEPS
    questions = QUESTIONS
    night = Night
    harm = Harm

    def section(self, state: State, character: Character, sheet: Sheet) -> Section:
        return section(state, character, sheet)

    def acts(self, state: State, character: Character, sheet: Sheet) -> tuple[Block, ...]:
        return acts(state, character, sheet)

    def gm_blocks(self, state: State) -> tuple[Block, ...]:
        return tuple(gm_blocks(state))

    def health(self, sheet: Sheet) -> HealthNow:
        dying = sheet.bleeds if sheet.condition is Condition.DYING else None
        lost = sheet.condition is Condition.DEAD
        return HealthNow(now=sheet.hp.now, full=sheet.hp.full, down=_down(sheet), dying=dying, lost=lost)

    def hurt(self, scene: Scene, who: str, harm: Hurting) -> None:
        hurt(scene, who, harm)

    def hurt_outlook(self, state: State, who: str, harm: Hurting) -> tuple[Text, ...]:
        return tuple(hurt_outlook(state, who, harm))

    def conclude(self, scene: Scene, sheet: Sheet) -> None:
        conclude(scene, sheet)

    def begins(self, period: Period, scene: Scene, who: str) -> None:
        if period is Period.ROUND:
            scene.sheet(Sheet, who).forget_round()

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        match period:
            case Period.ROUND:
                round_ends(scene, who)
            case Period.FIGHT:
                fight_ends(scene, who)
            case Period.SESSION:  # streaks do not cross sessions (B2-26)
                scene.sheet(Sheet, who).streak = ""

    def outlook(self, period: Period, state: State, who: str) -> tuple[Text, ...]:
        if period is Period.ROUND:
            return round_outlook(state, who)
        streak = period is Period.SESSION and state.aside(Sheet, who).streak
        return (text("streaks begin afresh"),) if streak else ()

    def cannot_rest(self, state: State, who: str) -> Text | None:
        return cannot_rest(state, who)

    def night_outlook(self, state: State, who: str, night: Night) -> tuple[Text, ...]:
        return tuple(night_outlook(state, who, night))

    def no_attack(self, state: State, who: str) -> Text | None:
        return unable(state, who) or surprised(state, who)

    def rests(self, scene: Scene, who: str, night: Night) -> None:
        rests(scene, who, night)

    def waits(self, scene: Scene, who: str, minutes: int) -> None:
        """The dying bleed."""
        bleed(scene, who, minutes // ROUND_MINUTES)

    def fight_order(self) -> FightOrder:
        return Countdown()

    def starts(self) -> tuple[Start, ...]:
        return _starts()

    def samples(self) -> tuple[Sample, ...]:
        return (sample(self.id, "warehouse", book("warehouse"), _starts(), _with_powers),)


def _down(sheet: Sheet) -> Text | None:
    """A hero's own time is everybody's business; a foe's would tell its die."""
    if sheet.condition is Condition.DYING and sheet.bleeds is not None and sheet.monster is None:
        return text("dying: {n} rounds left" if sheet.bleeds > 1 else "dying: last round", n=sheet.bleeds)
    return sheet.condition.words


@cache
def _starts() -> tuple[Start, ...]:
    return starts(book("starts"), _sheet)


def _sheet(side: Side, written: dict[str, Any]) -> dict[str, Any]:
    hp = written.get("hp", HERO_HP)
    return {**written, "hp": {"now": hp, "full": hp}} | ({"will": HERO_WILL} if side is Side.HERO else {})


def _with_powers(body: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    return {**body, "powers": {key: _power(key) for key in entry.get("powers", ())}}


def _power(key: str) -> dict[str, Any]:
    body = book("gear")["power"][key]
    return {**body, "uses": {"now": body["uses"], "full": body["uses"]}}


RULESET = ShadowSquad()
