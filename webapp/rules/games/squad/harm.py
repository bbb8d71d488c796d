"""Bleeding out, falling and getting up again, and what a breakdown needs."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.countdown import hold_the_missed
from webapp.rules.games.squad.damage import fall
from webapp.rules.games.squad.rolls import Outcome
from webapp.rules.games.squad.sheet import Attribute, Condition, PowerKind, Sheet, half
from webapp.rules.move import Leave, Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

DOWN = (Condition.DYING, Condition.STABLE, Condition.DEAD)
ROUND_MINUTES = 6


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
