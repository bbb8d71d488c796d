"""Damage: the attacker's die, what an arm, armour or a parrying device takes off, and what 0 HP means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import damage as many
from webapp.rules.document import Audience, CharacterId
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.away import Leaving
from webapp.rules.games.squad.house import House, ParryEffect, Wear
from webapp.rules.games.squad.raising import cannot_raise, pay_to_raise, raised
from webapp.rules.games.squad.rolls import Outcome, device_of, throw
from webapp.rules.games.squad.second_try import Rolled, try_for_more
from webapp.rules.games.squad.sheet import ARM, Attribute, Condition, Device, Range, Sheet, half
from webapp.rules.games.squad.softening import Softened, worn
from webapp.rules.games.squad.ways import UNARMED, Blow
from webapp.rules.odds import totals
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Arg, Health, Text, Who, number, text


class Damage(Rolled):
    """S-32: the attacker rolls the die of the weapon or power. `die`: what a second try is rolled with (B2-28)."""

    game: ClassVar[str] = "squad"
    blow: Blow
    parried_with: str | None = None
    die: int | None = None

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def ask(self, state: State) -> Ask:
        die = self.die or self.blow.way.damage_die(state, self.blow.attacker)
        return Ask(what=text("damage"), roller=self.blow.attacker, dice=(raised(die, self.raised),))

    def apply(self, scene: Scene) -> None:
        step = self if self.again else self._paid_for(scene)
        roll = throw(scene, step.ask(scene))
        with_device = self.parried_with not in (None, ARM)
        following = (Parried if with_device else Landing)(blow=self.blow, damage=roll, parried_with=self.parried_with)
        sentence = text("{who} rolls {total} damage.", who=Who(who=self.blow.attacker), total=roll.total)
        if try_for_more(scene, step, sentence, roll, otherwise=following):
            scene.say(sentence, roll)

    def _paid_for(self, scene: Scene) -> Damage:
        """With the die raised, where that was wished for with the attack and can be done."""
        die = self.blow.way.damage_die(scene, self.blow.attacker)
        if self.raised:
            return self.model_copy(update={"die": die})
        lifts = self.blow.raise_damage and cannot_raise(scene, self.blow.attacker, die) is None
        pay_to_raise(scene, self.blow.attacker, lifts)
        return self.model_copy(update={"raised": lifts, "die": die})


# --- what it comes to --------------------------------------------------------------------------------------


class Landing(Softened):
    """S-33 … S-35: what is left after an arm (a d4), a device and armour comes off HP, never less than nothing.

    Armour is no help against what is mental; there 0 HP is a breakdown (S-49).
    """

    game: ClassVar[str] = "squad"
    blow: Blow
    damage: Roll
    parried_with: str | None = None

    def apply(self, scene: Scene) -> None:
        if self.soften(scene, self.blow.target, self.damage.total, self._ways(scene)):
            return
        hits = max(0, self.damage.total - sum(roll.total for roll in self.softened))
        sheet = scene.sheet(Sheet, self.blow.target)
        lost = sheet.hp.lose(hits)
        self._say(scene, sheet, hits)
        if lost and sheet.hp.now == 0:
            fall(scene, self.blow.target, mental=self.blow.range is Range.MENTAL)
        if self.blow.free:
            scene.then(Leaving(actor=self.blow.target))

    def _ways(self, state: State) -> list[str]:
        """B2-9: what parried, then armour."""
        parrying = [] if self.parried_with is None else [self.parried_with]
        return parrying if self.blow.range is Range.MENTAL else [*parrying, *worn(state, self.blow.target)]

    def _say(self, scene: Scene, sheet: Sheet, hits: int) -> None:
        sentence = _taken(sheet, hits, self.damage.total, self.softened)
        brief = text("{who} takes {hits}", who=Who(who=self.blow.target), hits=hits)
        outcome = Outcome.HURT if hits else Outcome.UNHURT
        secret = unseen(scene, self.blow)
        scene.say(sentence, self.damage, *self.softened, brief=brief, outcome=outcome, audience=secret)
        if secret is not None:
            felt = text("Something strikes {who}: {change}{health:, }.", **sentence.args, change=number(-hits))
            scene.say(felt, *self.softened, brief=brief)


class Parried(Softened):
    """S-31: the blow lands on the parrying device. What its die leaves wears it, or goes on to hit (B2-8)."""

    game: ClassVar[str] = "squad"
    blow: Blow
    damage: Roll
    parried_with: str

    def apply(self, scene: Scene) -> None:
        device = device_of(scene, self.blow.target, self.parried_with)
        if device is None:
            raise RuleError("There is no such device on the sheet.")
        if scene.house(House).parry_effect is ParryEffect.DEVICE_DIE_REDUCES:
            scene.then(Landing(blow=self.blow, damage=self.damage, parried_with=self.parried_with))
        elif not self.soften(scene, self.blow.target, self.damage.total, [self.parried_with]):
            self._lands_on(scene, device, self.softened[0])

    def _lands_on(self, scene: Scene, device: Device, softened: Roll) -> None:
        left = max(0, self.damage.total - softened.total)
        self._say(scene, device, softened, left)
        if left and device.die is not None and scene.house(House).device_wear is Wear.RANK:
            wear(scene, self.blow.target, device)

    def _say(self, scene: Scene, device: Device, softened: Roll, left: int) -> None:
        names: dict[str, Arg] = {"who": Who(who=self.blow.target), "device": device.name}
        sentence = text(
            "{who}'s {device} takes the blow: {damage} − {softened}, {left}.",
            **names,
            damage=self.damage.total,
            softened=softened.total,
            left=text("{left} too many", left=left) if left else text("and holds"),
        )
        brief = text("{device} takes {left}", device=device.name, left=left)
        secret = unseen(scene, self.blow)
        scene.say(sentence, self.damage, softened, brief=brief, outcome=Outcome.UNHURT, audience=secret)
        if secret is not None:
            scene.say(text("Something strikes {who}'s {device}.", **names), softened, brief=brief)


def _taken(sheet: Sheet, hits: int, damage: int, softened: tuple[Roll, ...]) -> Text:
    minus = "".join(f" − {roll.total}" for roll in softened)
    return text(
        "{who} takes {hits} damage{sum}{health:, }.",
        who=Who(who=sheet.id),
        hits=hits,
        sum=f" ({damage}{minus})" if softened else "",
        health=Health(health_of=sheet.id, now=sheet.hp.now, full=sheet.hp.full),
    )


def wear(scene: Scene, who: CharacterId, device: Device) -> None:
    device.wear()
    names: dict[str, Arg] = {"who": Who(who=who), "device": device.name}
    if device.broken:
        scene.say(text("{who}'s {device} breaks.", **names), outcome=Outcome.DEVICE_BROKEN)
    else:
        worn = text("{who}'s {device} is down to a d{die}.", **names, die=device.die or 0)
        scene.say(worn, outcome=Outcome.DEVICE_WORN)


def fall(scene: Scene, who: CharacterId, *, mental: bool = False) -> None:
    """S-43, S-49: at 0 HP one is unconscious and dying, or broken down; the kind of the last hit tells (B2-31)."""
    sheet = scene.sheet(Sheet, who)
    if mental:
        sheet.condition = Condition.BROKEN_DOWN
        sentence = text("{who} breaks down.", who=Who(who=who))
    else:
        sheet.condition = Condition.DYING
        sheet.bleeds = half(sheet.own_die(Attribute.TUF))
        sentence = text("{who} goes down.", who=Who(who=who))
    scene.say(sentence, brief=sentence, outcome=Outcome.DOWN)


def unseen(state: State, blow: Blow) -> Audience | None:
    """The full story of a blow out of hiding is the GM's; None when everybody saw it."""
    return Audience.GM if state.is_hidden(blow.attacker) else None


# --- what nobody strikes with --------------------------------------------------------------------------------


class Harm(many.Harm):
    armour: Annotated[bool, Field(title="Armour helps")] = True
    mental: Annotated[bool, Field(title="Of the mind: no armour")] = False

    @property
    def softened(self) -> bool:
        return self.armour and not self.mental


class Befalls(Softened):
    """A fall, a fire: armour softens it by the dice of whoever wears it, and no parry is of use."""

    game: ClassVar[str] = "squad"
    target: CharacterId
    damage: int
    how: Harm
    rolls: tuple[Roll, ...] = ()
    why: Text | None = None

    def apply(self, scene: Scene) -> None:
        ways = worn(scene, self.target) if self.how.softened else []
        if self.soften(scene, self.target, self.damage, ways):
            return
        hits = max(0, self.damage - sum(roll.total for roll in self.softened))
        sheet = scene.sheet(Sheet, self.target)
        lost = sheet.hp.lose(hits)
        brief = text("{who} takes {hits}", who=Who(who=self.target), hits=hits)
        outcome = Outcome.HURT if hits else Outcome.UNHURT
        sentence = _taken(sheet, hits, self.damage, self.softened)
        scene.say(sentence, *self.rolls, *self.softened, brief=brief, outcome=outcome, why=self.why)
        if lost and sheet.hp.now == 0:
            fall(scene, self.target, mental=self.how.mental)


def hurt(scene: Scene, who: CharacterId, harm: many.Hurting) -> None:
    harm = harm.thrown(scene)
    assert isinstance(harm.how, Harm)
    scene.then(Befalls(target=who, damage=harm.amount, how=harm.how, rolls=harm.rolls, why=harm.why))


def hurt_outlook(state: State, who: CharacterId, harm: many.Hurting) -> Iterator[Text]:
    assert isinstance(harm.how, Harm)
    sheet, amounts = state.sheet(Sheet, who), harm.amounts()
    if harm.how.softened:
        dice = tuple(device.die or UNARMED for device in sheet.devices.values() if device.protects)
        amounts = many.less(amounts, dict(totals(Ask(what=text("armour"), dice=dice))))
    yield from many.outlook_words(amounts, sheet.hp.now, "HP")
