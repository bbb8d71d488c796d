"""Grit, Energy and Resolve: pools that spill into one another, and wounds where the blow fell."""

from __future__ import annotations

from functools import cache
from typing import Any

from webapp.rules import damage
from webapp.rules.blocks import Block, HealthNow, Section
from webapp.rules.content import sample, starts
from webapp.rules.damage import Hurting
from webapp.rules.document import Character, Duty, Side
from webapp.rules.encounter import FightOrder
from webapp.rules.games.pools.book import attack_body, book, reduction_body
from webapp.rules.games.pools.house import House
from webapp.rules.games.pools.hurts import Harm, hurt_many, hurt_outlook
from webapp.rules.games.pools.lasting import conclude, no_part
from webapp.rules.games.pools.moves import MOVES, QUESTIONS, STEPS
from webapp.rules.games.pools.offers.acts import acts
from webapp.rules.games.pools.offers.gm import gm_blocks
from webapp.rules.games.pools.order import ByPriority
from webapp.rules.games.pools.rest import Night, cannot_rest, ends, night_outlook, outlook, rests
from webapp.rules.games.pools.rolls import unable
from webapp.rules.games.pools.section import TITLE, section
from webapp.rules.games.pools.sheet import Sheet
from webapp.rules.period import Period
from webapp.rules.ruleset import RuleSet, Sample, Start
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.tables import ShownTable
from webapp.rules.text import Text, text


class Pools(RuleSet[Sheet]):
    id = "pools"
    title = TITLE
    line = text("Three pools that spill into one another, handfuls of d12, and wounds where the blow fell.")
    duties = {Duty.TESTS: 2, Duty.BLOWS: 2, Duty.ORDER: 2}
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
        """The Unconscious may wake at the end of any turn."""
        down = None if sheet.conscious else text("unconscious")
        return HealthNow(now=sheet.grit.now, full=sheet.grit.full, down=down, may_get_up=True)

    def hurt(self, scene: Scene, who: str, harm: Hurting) -> None:
        hurt_many(scene, who, harm)

    def cannot_be_hurt(self, state: State, who: str, harm: damage.Harm) -> Text | None:
        assert isinstance(harm, Harm)
        return no_part(state, who, harm.part)

    def hurt_outlook(self, state: State, who: str, harm: Hurting) -> tuple[Text, ...]:
        return tuple(hurt_outlook(state, who, harm))

    def conclude(self, scene: Scene, sheet: Sheet) -> None:
        conclude(scene, sheet)

    def outlook(self, period: Period, state: State, who: str) -> tuple[Text, ...]:
        return tuple(outlook(period, state, who))

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        ends(period, scene, who)

    def night_outlook(self, state: State, who: str, night: Night) -> tuple[Text, ...]:
        return tuple(night_outlook(state, who, night))

    def cannot_rest(self, state: State, who: str) -> Text | None:
        return cannot_rest(state, who)

    def no_attack(self, state: State, who: str) -> Text | None:
        """D-16 among others."""
        return unable(state, who)

    def rests(self, scene: Scene, who: str, night: Night) -> None:
        rests(scene, who, night)

    def tables(self, state: State) -> tuple[ShownTable, ...]:
        return (state.house(House).parts.shown(),)

    def fight_order(self) -> FightOrder:
        return ByPriority()

    def starts(self) -> tuple[Start, ...]:
        return _starts()

    def samples(self) -> tuple[Sample, ...]:
        return (sample(self.id, "lockhouse", book("lockhouse"), _starts()),)


@cache
def _starts() -> tuple[Start, ...]:
    return starts(book("starts"), _sheet)


def _sheet(side: Side, written: dict[str, Any]) -> dict[str, Any]:
    """Pools are written as full; attacks and armour by their names in the book."""
    wields, wears = written.get("wields", ()), written.get("wears", ())
    body = {name: value for name, value in written.items() if name not in ("wields", "wears")}
    for pool in ("grit", "energy", "resolve"):
        body[pool] = {"now": body[pool], "full": body[pool]}
    body["attacks"] = {id: attack_body(id) for id in wields} | written.get("attacks", {})
    body["reductions"] = {id: reduction_body(id) for id in wears} | written.get("reductions", {})
    body["bulk"] = sum(book("gear")["armour"][id]["bulk"] for id in wears)
    return body


RULESET = Pools()
