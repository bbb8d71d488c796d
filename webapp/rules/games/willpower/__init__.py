"""Willpower: tests to roll under, and a die of nerve that saves them for a price."""

from __future__ import annotations

from functools import cache
from typing import Any

from webapp.rules.blocks import Block, HealthNow, Section
from webapp.rules.content import sample, starts
from webapp.rules.damage import Hurting
from webapp.rules.document import Character, Duty, Side
from webapp.rules.encounter import FightOrder
from webapp.rules.games.willpower.care import Night, begins, cannot_rest, ends, night_outlook, outlook, rests
from webapp.rules.games.willpower.content import book
from webapp.rules.games.willpower.harm import Harm, conclude, hurt_by, hurt_outlook
from webapp.rules.games.willpower.house import House
from webapp.rules.games.willpower.moves import MOVES, QUESTIONS, STEPS
from webapp.rules.games.willpower.offers.acts import acts
from webapp.rules.games.willpower.offers.gm import gm_blocks
from webapp.rules.games.willpower.order import GutsOrder
from webapp.rules.games.willpower.rolls import unable
from webapp.rules.games.willpower.section import TITLE, section
from webapp.rules.games.willpower.sheet import Condition, Sheet
from webapp.rules.games.willpower.turns import must_lash_out
from webapp.rules.period import Period
from webapp.rules.ruleset import RuleSet, Sample, Start
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.tables import ShownTable
from webapp.rules.text import Text, text


class Willpower(RuleSet[Sheet]):
    id = "willpower"
    title = TITLE
    line = text("Roll under your score; a die of nerve saves the rolls that fail, and shrinks until you panic.")
    duties = {Duty.TESTS: 3, Duty.BLOWS: 3, Duty.FEAR: 2, Duty.ORDER: 3}
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
        return tuple(acts(state, character, sheet))

    def gm_blocks(self, state: State) -> tuple[Block, ...]:
        return tuple(gm_blocks(state))

    def health(self, sheet: Sheet) -> HealthNow:
        lost = sheet.condition is Condition.DEAD
        return HealthNow(now=sheet.hp.now, full=sheet.hp.full, down=sheet.condition.words, lost=lost)

    def hurt(self, scene: Scene, who: str, harm: Hurting) -> None:
        hurt_by(scene, who, harm)

    def hurt_outlook(self, state: State, who: str, harm: Hurting) -> tuple[Text, ...]:
        return tuple(hurt_outlook(state, who, harm))

    def conclude(self, scene: Scene, sheet: Sheet) -> None:
        conclude(scene, sheet)

    def outlook(self, period: Period, state: State, who: str) -> tuple[Text, ...]:
        return tuple(outlook(period, state, who))

    def begins(self, period: Period, scene: Scene, who: str) -> None:
        begins(period, scene, who)

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        ends(period, scene, who)

    def cannot_rest(self, state: State, who: str) -> Text | None:
        return cannot_rest(state, who)

    def night_outlook(self, state: State, who: str, night: Night) -> tuple[Text, ...]:
        return tuple(night_outlook(state, who, night))

    def holds_turn(self, state: State, who: str) -> Text | None:
        return must_lash_out(state, who)

    def no_attack(self, state: State, who: str) -> Text | None:
        return unable(state, who) or must_lash_out(state, who)

    def rests(self, scene: Scene, who: str, night: Night) -> None:
        rests(scene, who, night)

    def tables(self, state: State) -> tuple[ShownTable, ...]:
        return state.house(House).tables()

    def fight_order(self) -> FightOrder:
        return GutsOrder()

    def starts(self) -> tuple[Start, ...]:
        return _starts()

    def samples(self) -> tuple[Sample, ...]:
        return (sample(self.id, "belfry", book("belfry"), _starts()),)


@cache
def _starts() -> tuple[Start, ...]:
    return starts(book("starts"), _sheet)


def _sheet(side: Side, written: dict[str, Any]) -> dict[str, Any]:
    """Weapons and spells are written by their names in the book."""
    hp = written.get("hp", written.get("strength"))
    gear = book("gear")
    return written | {
        "hp": {"now": hp, "full": hp},
        "weapons": {id: gear["weapon"][id] for id in written.get("weapons", ())},
        "spells": {id: gear["spell"][id] for id in written.get("spells", ())},
    }


RULESET = Willpower()
