"""Afflictions that come and go, wounds among them, and the disease that using too much Energy may bring."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.games.pools.house import House, RupturedConduit
from webapp.rules.games.pools.rolls import Outcome, close, health_is_open, hopeless, skill_ask
from webapp.rules.games.pools.sheet import CONDUIT, FATIGUED, UNCONSCIOUS, WOUNDED, Part, Sheet, Skill
from webapp.rules.move import Step
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

CONDUIT_DL = 3
MOST_TIERS = 999


def gain(scene: Scene, who: CharacterId, affliction: str, tiers: int) -> bool:
    """Tiers of one name add up; an ailment one is Immune to is prevented (D-31)."""
    sheet = scene.sheet(Sheet, who)
    if tiers <= 0:
        return False
    if sheet.is_immune(affliction):
        scene.say(text("{who} is immune to {what}.", who=Who(who=who), what=affliction), outcome=Outcome.IMMUNE)
        return False
    now = 1 if affliction == UNCONSCIOUS else min(MOST_TIERS, sheet.tiers(affliction) + tiers)
    sheet.set_tiers(affliction, now)
    if affliction == UNCONSCIOUS:
        sheet.declared, sheet.injured = "", 0
    return True


def afflict(scene: Scene, who: CharacterId, affliction: str, tiers: int) -> bool:
    """Tiers by whatever way they come, with all that goes with them."""
    if affliction == CONDUIT:
        return rupture(scene, who, tiers)
    return gain(scene, who, affliction, tiers)


def tire(scene: Scene, who: CharacterId, tiers: int, *, because: str) -> None:
    """D-14, D-19."""
    if gain(scene, who, FATIGUED, tiers):
        scene.say(
            text(
                "{who}: {tiers} beyond {because}, Fatigued {now}.",
                who=Who(who=who),
                tiers=tiers,
                because=because,
                now=scene.sheet(Sheet, who).tiers(FATIGUED),
            ),
            audience=close(scene, who),
            outcome=Outcome.FATIGUED,
        )


def wound(
    scene: Scene,
    who: CharacterId,
    part: Part,
    tiers: int,
    how: Text | None = None,
    *,
    rolls: tuple[Roll, ...] = (),
) -> bool:
    """`how` its Tiers come about: for those who may know them. `rolls` of the part, if it was rolled."""
    sheet = scene.sheet(Sheet, who)
    if tiers <= 0:
        return False
    if sheet.is_immune(WOUNDED):
        scene.say(text("{who} is immune to {what}.", who=Who(who=who), what=WOUNDED), outcome=Outcome.IMMUNE)
        return False
    sheet.set_wound(part, min(MOST_TIERS, sheet.wounded(part) + tiers))
    brief = text("{who}: Serious Injury, {part}", who=Who(who=who), part=part.value)
    sentence = text(
        "{brief}: Wounded {tiers}{how}{now}.",
        brief=brief,
        tiers=tiers,
        how="" if how is None else text(" ({how})", how=how),
        now="" if sheet.wounded(part) == tiers else text(", {now} in all", now=sheet.wounded(part)),
    )
    if health_is_open(scene, who):
        scene.say(sentence, *rolls, brief=brief, outcome=Outcome.WOUNDED)
    else:
        scene.say(text("{brief}.", brief=brief), *rolls, brief=brief, outcome=Outcome.WOUNDED)
        scene.say(sentence, audience=close(scene, who))
    return True


# --- Ruptured Conduit --------------------------------------------------------------------------------------


def strain(scene: Scene, who: CharacterId, excess: int) -> None:
    """D-15, B1-22: Energy was used beyond what is left."""
    if not _may_rupture(scene.sheet(Sheet, who)):
        return
    match scene.house(House).ruptured_conduit:
        case RupturedConduit.ASK_GM:
            scene.open(Conduit(id=scene.new_id(), addressee=None, who=who, excess=excess))
        case RupturedConduit.ENDURE_CHECK:
            scene.then(ConduitCheck(actor=who, excess=excess))


def _may_rupture(sheet: Sheet) -> bool:
    return sheet.energy.full > 0 and not sheet.is_immune(CONDUIT)


class Conduit(Question):
    """Energy beyond 0 *may* bring the disease on: the GM says, or has Endure rolled."""

    game: ClassVar[str] = "pools"
    window = Window.STANDS
    holds_up = False
    chip = True
    default = "no"

    who: CharacterId
    excess: int

    def ask(self, state: State) -> Text:
        return text("{who} used {excess} Energy too many. A ruptured conduit?", who=self._named, excess=self.excess)

    def brief(self) -> Text:
        return text("conduit?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        check = ConduitCheck(actor=self.who, excess=self.excess).ask(state)
        price = text("Full Energy is 1 lower until it is treated")
        return (
            Choice(id="no", label=text("No")),
            Choice(
                id="check",
                label=text("Roll Endure"),
                **odds_of(check, about=self.who),
                price=price,
                why_not=hopeless(check),
            ),
            Choice(id="yes", label=text("It ruptures"), price=price),
        )

    def pointless(self, state: State) -> bool:
        """What can't rupture; and nobody cares about the conduits of a foe that is down."""
        found, sheet = state.find(Character, self.who), state.find(Sheet, self.who)
        if found is None or sheet is None or not _may_rupture(sheet):
            return True
        return found.side is Side.FOE and not sheet.conscious

    def passed_by(self) -> Text:
        return text("No ruptured conduit")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == "check":
            scene.then(ConduitCheck(actor=self.who, excess=self.excess))
        elif choice == "yes":
            rupture(scene, self.who)

    @property
    def _named(self) -> Who:
        return Who(who=self.who)


class ConduitCheck(Step):
    """House material: Endure against DL 3 + excess."""

    game: ClassVar[str] = "pools"
    actor: CharacterId
    excess: int

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def ask(self, state: State) -> Ask:
        return skill_ask(state, self.actor, Skill.ENDURE, dl=CONDUIT_DL + self.excess)

    def apply(self, scene: Scene) -> None:
        ask = self.ask(scene)
        if hopeless(ask) is not None:
            scene.say(text("{who} can't hold it.", who=Who(who=self.actor)), outcome=Outcome.FAILURE)
            rupture(scene, self.actor)
            return
        roll = scene.roll(ask)
        word = (
            "{who} endures the strain: {total} against {target}." if roll.success else "{who} can't hold it: {total}."
        )
        sentence = text(word, who=Who(who=self.actor), total=roll.total, target=ask.against or "")
        scene.say(sentence, roll, outcome=Outcome.SUCCESS if roll.success else Outcome.FAILURE)
        if not roll.success:
            rupture(scene, self.actor)


def rupture(scene: Scene, who: CharacterId, tiers: int = 1) -> bool:
    """Full Energy is lower by as much, until it is mended."""
    energy = scene.sheet(Sheet, who).energy
    tiers = min(tiers, energy.full)
    if not gain(scene, who, CONDUIT, tiers):
        return False
    energy.full -= tiers
    scene.say(
        text("{who} has a ruptured conduit: full Energy is {full} now.", who=Who(who=who), full=energy.full),
        audience=close(scene, who),
        outcome=Outcome.CONDUIT,
    )
    return True


def mend_conduit(sheet: Sheet, tiers: int) -> None:
    """However it goes, full Energy comes back with it."""
    mended = min(tiers, sheet.tiers(CONDUIT))
    sheet.set_tiers(CONDUIT, sheet.tiers(CONDUIT) - mended)
    sheet.energy.full = min(MOST_TIERS, sheet.energy.full + mended)
