"""Blows: attack, parry, damage, what is left of a device, and breaking off."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Audience, CharacterId, Side
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.countdown import Turn
from webapp.rules.games.squad.house import House, ParryEffect, Wear
from webapp.rules.games.squad.rolls import (
    NO_SHEET,
    NOBODY,
    Outcome,
    Rolled,
    cannot_raise,
    device_of,
    half_of,
    in_sight,
    pay_to_raise,
    raised,
    second_try,
    throw,
)
from webapp.rules.games.squad.sheet import ARM, DICE, LET_IT_HIT, Attribute, Condition, Device, Power, Range, Sheet
from webapp.rules.knots import close_to, engage, part
from webapp.rules.move import Step
from webapp.rules.odds import odds_of
from webapp.rules.people import exchange, reveal
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene, State
from webapp.rules.text import Arg, Health, Text, Who, number, text
from webapp.rules.values import Frozen

UNARMED = 4
RAISED = "raised "
NO_ONE = "nobody"


class Way(Frozen):
    """How somebody strikes: with a device, a power, or bare hands when both are empty."""

    device: Annotated[str, Field(max_length=40)] = ""
    power: Annotated[str, Field(max_length=40)] = ""
    range: Range | None = None

    def held(self, state: State, who: CharacterId) -> Device | Power | None:
        sheet = state.sheet(Sheet, who)
        return sheet.powers.get(self.power) if self.power else sheet.devices.get(self.device)

    def reach(self, state: State, who: CharacterId) -> Range:
        match self.held(state, who):
            case Device(make=make):
                return self.range or make.range
            case Power(kind=kind):
                return kind.range or Range.CLOSE
        return self.range or Range.CLOSE

    def name(self, state: State, who: CharacterId) -> str:
        held = self.held(state, who)
        return "bare hands" if held is None else held.name

    def attack_die(self, state: State, who: CharacterId) -> int:
        held, attribute = self.held(state, who), self.reach(state, who).attribute
        return state.sheet(Sheet, who).die_with(attribute, held if isinstance(held, Device) else None)

    def damage_die(self, state: State, who: CharacterId) -> int:
        """A device that lifts an attribute does a d4, as bare hands do (B2-30)."""
        held = self.held(state, who)
        return UNARMED if held is None else held.die or UNARMED

    def refusal(self, state: State, who: CharacterId) -> Text | None:
        match self.held(state, who):
            case Device() as device if not device.strikes:
                return text("{device} is no use for striking.", device=device.name)
            case Power() as power if power.kind.range is None:
                return text("{power} does not strike.", power=power.name)
            case Power(uses=uses) as power if uses.now == 0:
                return text("{power} is used up.", power=power.name)
            case None if self.device or self.power:
                return text("There is no such device or power on the sheet.")
            case None if self.range not in (None, Range.CLOSE):
                return text("Bare hands reach no further than that.")
            case Device() as device if self.range is not None and Range.MENTAL in (self.range, device.make.range):
                bent = self.range is not device.make.range
                return text("{device} does not strike like that.", device=device.name) if bent else None
        return None


class Blow(Frozen):
    """A blow on its way: the attacker's total is what a parry must reach. `free`: the target is breaking off."""

    attacker: CharacterId
    target: CharacterId
    way: Way
    range: Range
    total: int = 0
    raise_damage: bool = False
    free: bool = False


# --- attack ------------------------------------------------------------------------------------------------


class Attack(Turn):
    """S-21 … S-26: TUF or STW against half of the target's; equal or higher hits. A mental one is a matter of ATN.

    `raised` raises the attack die, `raise_damage` the damage die if it comes to that; each costs a Will Point.
    """

    device: Annotated[str, Field(max_length=40)] = ""
    power: Annotated[str, Field(max_length=40)] = ""
    target: CharacterId
    range: Range | None = None
    raised: bool = False
    raise_damage: bool = False
    stay_hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        return refused or self.impossible(state)

    def impossible(self, state: State) -> Text | None:
        """Why this attack can't be made, whoever's turn it is."""
        if state.sheet(Sheet, self.actor).surprised:
            return text("{who} is surprised: no attack this round.", who=Who(who=self.actor))
        if self.target == self.actor or not in_sight(state, self.target, of=self.actor):
            return NOBODY
        target = state.find(Sheet, self.target)
        if target is None:
            return NO_SHEET
        if target.condition is Condition.AWAY:
            return text("{who} is out of the fight.", who=Who(who=self.target))
        return self.way.refusal(state, self.actor) or self._no_raise(state)

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        self.make(scene)

    def make(self, scene: Scene) -> None:
        """What it takes beside the chance, then the roll."""
        if scene.is_hidden(self.actor) and not self.stay_hidden:
            reveal(scene, self.actor)
        if self.power:
            scene.sheet(Sheet, self.actor).powers[self.power].uses.lose(1)
        pay_to_raise(scene, self.actor, self.raised)
        scene.then(self.strike(scene))

    def strike(self, state: State) -> Strike:
        blow = Blow(
            attacker=self.actor,
            target=self.target,
            way=self.way,
            range=self.way.reach(state, self.actor),
            raise_damage=self.raise_damage,
        )
        return Strike(blow=blow, raised=self.raised)

    def ask(self, state: State) -> Ask:
        return self.strike(state).ask(state)

    @property
    def way(self) -> Way:
        return Way(device=self.device, power=self.power, range=self.range)

    def _no_raise(self, state: State) -> Text | None:
        dice = [self.way.attack_die(state, self.actor)] if self.raised else []
        dice += [self.way.damage_die(state, self.actor)] if self.raise_damage else []
        return cannot_raise(state, self.actor, *dice) if dice else None


class Strike(Rolled):
    """The attack roll. A hit may be parried, unless it is mental or free."""

    game: ClassVar[str] = "squad"
    blow: Blow

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def ask(self, state: State) -> Ask:
        blow = self.blow
        target, against = half_of(state, blow.target, blow.range.attribute)
        free = (Modifier(source=text("free blow"), amount=1),) if blow.free else ()
        return state.judged(
            Ask(
                what=text("attack with {attribute}", attribute=blow.range.attribute.value),
                roller=blow.attacker,
                dice=(raised(blow.way.attack_die(state, blow.attacker), self.raised),),
                modifiers=free,
                wins=Wins.AT_LEAST,
                target=target,
                against=against,
            )
        )

    def apply(self, scene: Scene) -> None:
        blow = self.blow
        scene.sheet(Sheet, blow.attacker).fought = blow.target
        scene.sheet(Sheet, blow.target).fought = blow.attacker
        if blow.range is Range.CLOSE:
            engage(scene, blow.attacker, blow.target)
        roll = throw(scene, self.ask(scene))
        exchange(scene, blow.attacker, blow.target)
        landed = blow.model_copy(update={"total": roll.total})
        sentence = self._say(scene, roll, why_no_parry(scene, landed) if roll.success else None)
        if not roll.success:
            second_try(scene, self, sentence, otherwise=Leaving(actor=blow.target) if blow.free else None)
            return
        if blow.free or blow.range is Range.MENTAL:
            scene.then(Damage(blow=landed))
        else:
            scene.open(Parry(id=scene.new_id(), addressee=blow.target, blow=landed))

    def _say(self, scene: Scene, roll: Roll, why: Text | None) -> Text:
        who, target = Who(who=self.blow.attacker), Who(who=self.blow.target)
        sentence = text(
            "{who} attacks {target} with {device}: {total} against {number}, {outcome}.",
            who=who,
            target=target,
            device=self.blow.way.name(scene, self.blow.attacker),
            total=roll.total,
            number=roll.ask.against or "",
            outcome="a hit" if roll.success else "a miss",
        )
        word = "{who} hits with {total}" if roll.success else "{who} misses {target}"
        brief = text(word, who=who, target=target, total=roll.total)
        scene.say(sentence, roll, brief=brief, outcome=Outcome.HIT if roll.success else Outcome.MISS, why=why)
        return sentence


# --- parry -------------------------------------------------------------------------------------------------


WHEN_HIT = StandingOrder(
    name="parry",
    title=text("When a blow hits me"),
    values=(("ask", text("Ask me")), ("best", text("Parry if I can")), ("never", text("Never parry"))),
)


class Parry(Question):
    """S-27 … S-31: a blow that hits may be parried, with a device or an arm."""

    game: ClassVar[str] = "squad"
    standing_order = WHEN_HIT
    default = LET_IT_HIT

    blow: Blow

    def ask(self, state: State) -> Text:
        after = strikers_left(state, self.blow.target)
        return text(
            "{who} hits {target} with {total}.{more} Parry?",
            who=Who(who=self.blow.attacker),
            target=Who(who=self.blow.target),
            total=self.blow.total,
            more=text(" {count} more may still strike this round.", count=after) if after else "",
        )

    def brief(self) -> Text:
        return text("parry?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("damage"), text("armour"))

    def choices(self, state: State) -> tuple[Choice, ...]:
        let_it_hit = Choice(id=LET_IT_HIT, label=text("Let it hit"))
        tries = [self._choice(state, way) for way in self._ways(state)]
        better = [self._choice(state, RAISED + way) for way in self._ways(state) if self._may_raise(state, way)]
        return (let_it_hit, *tries, *better)

    def pointless(self, state: State) -> bool:
        """No parry left or allowed, or no die, raised or not, that could reach the blow."""
        sheet = state.sheet(Sheet, self.blow.target)
        if not state.house(House).parry or sheet.parries_left == 0 or not sheet.can_act:
            return True
        return not any(choice.chance for choice in self.choices(state))

    def ordered(self, state: State) -> str | None:
        """Foes parry as well as they can, unless told not to; a hero's player may have said the same, or never."""
        target = state.character(self.blow.target)
        usual = state.sheet(Sheet, target.id).parry.value if target.side is Side.FOE else "ask"
        match state.habits(target.id).orders.get("parry", usual):
            case "never":
                return LET_IT_HIT
            case "best":
                return self._best(state)
        return None

    def passed_by(self) -> Text:
        return text("No parry")

    def decided(self, choice: str) -> Text:
        return text("the GM let it hit.") if choice == LET_IT_HIT else text("the GM parried for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == LET_IT_HIT:
            scene.then(Damage(blow=self.blow))
            return
        target, lifts = self.blow.target, choice.startswith(RAISED)
        scene.sheet(Sheet, target).parried += 1
        pay_to_raise(scene, target, lifts)
        scene.then(ParryRoll(blow=self.blow, way=choice.removeprefix(RAISED), raised=lifts))

    def _choice(self, state: State, choice: str) -> Choice:
        way, lifts = choice.removeprefix(RAISED), choice.startswith(RAISED)
        sheet, device = state.sheet(Sheet, self.blow.target), device_of(state, self.blow.target, way)
        left = _parries_left(sheet)
        cost = text("damage less a d4 hits you") if device is None else device_cost(state, device)
        roll = ParryRoll(blow=self.blow, way=way, raised=lifts)
        return Choice(
            id=choice,
            label=text("Parry with {device}", device="an arm" if device is None else device.name),
            **odds_of(roll.ask(state), about=None),
            price=text("{cost} · {left}", cost=cost, left=left),
            switch=text("Raise the die · 1 Will Point") if lifts else None,
        )

    def _ways(self, state: State) -> list[str]:
        devices = state.sheet(Sheet, self.blow.target).devices
        return [*(id for id, device in devices.items() if device.parries), ARM]

    def _may_raise(self, state: State, way: str) -> bool:
        return cannot_raise(state, self.blow.target, ParryRoll(blow=self.blow, way=way).ask(state).dice[0]) is None

    def _best(self, state: State) -> str:
        """The likeliest without a Will Point; among equals a device with the larger die, an arm last.

        A blow that only a raised die could reach is let through.
        """

        def worth(choice: Choice) -> tuple[Fraction, int]:
            device = device_of(state, self.blow.target, choice.id)
            return choice.chance or Fraction(0), -1 if device is None else device.die or UNARMED

        best = max((self._choice(state, way) for way in self._ways(state)), key=worth)
        return best.id if best.chance else LET_IT_HIT


def _parries_left(sheet: Sheet) -> Text:
    """How dear one more is."""
    if len(sheet.chances) == 1:
        return text("your only parry this round")
    if sheet.parries_left == 1:
        return text("your last parry this round")
    return text("{count} of {all} parries left", count=sheet.parries_left, all=len(sheet.chances))


def why_no_parry(state: State, blow: Blow) -> Text | None:
    """Why a hero is not asked; what a foe does is its own business."""
    if state.character(blow.target).side is Side.FOE:
        return None
    if blow.free:
        return text("A free blow can't be parried.")
    if blow.range is Range.MENTAL:
        return text("What is mental can't be parried.")
    return _not_asked(state, blow)


def _not_asked(state: State, blow: Blow) -> Text | None:
    """S-27, S-29, B2-4: who may parry, how often, and with what; or what the player has ordered."""
    sheet, who = state.sheet(Sheet, blow.target), Who(who=blow.target)
    if not state.house(House).parry:
        return text("No parry: this table plays without.")
    if sheet.surprised:
        return text("No parry: {who} is surprised.", who=who)
    if not sheet.can_act:
        return text("No parry: {who} is down.", who=who)
    if sheet.parries_left == 0:
        return text("No parry: {who} has none left this round.", who=who)
    parry = Parry(id="", addressee=blow.target, blow=blow)
    if parry.pointless(state):
        return text("No parry: no die of {who}'s can show {total}.", who=who, total=blow.total)
    return text("No parry: as {who}'s player ordered.", who=who) if parry.ordered(state) == LET_IT_HIT else None


class ParryRoll(Rolled):
    """The die that defends against such a blow (B2-11), lifted by a device that lifts it; equal parries (S-30)."""

    game: ClassVar[str] = "squad"
    blow: Blow
    way: str

    @property
    def thrower(self) -> CharacterId:
        return self.blow.target

    def ask(self, state: State) -> Ask:
        target, attribute = self.blow.target, self.blow.range.attribute
        die = state.sheet(Sheet, target).die_with(attribute, device_of(state, target, self.way))
        return state.judged(
            Ask(
                what=text("parry with {attribute}", attribute=attribute.value),
                roller=target,
                dice=(raised(die, self.raised),),
                wins=Wins.AT_LEAST,
                target=self.blow.total,
                against=text("{total}", total=self.blow.total),
            )
        )

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene))
        device = device_of(scene, self.blow.target, self.way)
        outcome = Outcome.PARRIED if roll.success else Outcome.NOT_PARRIED
        names: dict[str, Arg] = {"who": Who(who=self.blow.target), "total": roll.total}
        sentence = text(
            "{who} parries with {device}: {total} against {number}, {outcome}.",
            **names,
            device="an arm" if device is None else device.name,
            number=self.blow.total,
            outcome=outcome.value,
        )
        word = "{who} parries with {total}" if roll.success else "{who} fails to parry with {total}"
        scene.say(sentence, roll, brief=text(word, **names), outcome=outcome)
        if roll.success:
            scene.then(Damage(blow=self.blow, parried_with=self.way))
        else:
            second_try(scene, self, sentence, otherwise=Damage(blow=self.blow))


def device_cost(state: State, device: Device) -> Text:
    """What a parry may cost this device, before it is tried."""
    house = state.house(House)
    if house.parry_effect is ParryEffect.DEVICE_DIE_REDUCES:
        return text("damage less a d{die} hits you", die=device.die or UNARMED)
    if house.device_wear is Wear.NONE or device.die is None:
        return text("you are not hurt")
    smaller = DICE.shift(device.die, -1)
    worn = text("may break it") if smaller is None else text("may wear it to a d{die}", die=smaller)
    return text("you are not hurt; {worn}", worn=worn)


def strikers_left(state: State, who: CharacterId) -> int:
    """How many in sight on the other side still have a chance to strike this round."""
    side = state.character(who).side
    slots = [slot for slot in state.slots() if not slot.spent and not state.sheet(Sheet, slot.character).surprised]
    others = {slot.character for slot in slots if state.character(slot.character).side is not side}
    return len([other for other in others if not state.is_hidden(other)])


# --- damage ------------------------------------------------------------------------------------------------


class Damage(Step):
    """S-32: the attacker rolls the die of the weapon or power."""

    game: ClassVar[str] = "squad"
    blow: Blow
    parried_with: str | None = None

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def apply(self, scene: Scene) -> None:
        die = self.blow.way.damage_die(scene, self.blow.attacker)
        lifts = self.blow.raise_damage and cannot_raise(scene, self.blow.attacker, die) is None
        pay_to_raise(scene, self.blow.attacker, lifts)
        roll = throw(scene, Ask(what=text("damage"), roller=self.blow.attacker, dice=(raised(die, lifts),)))
        with_device = self.parried_with not in (None, ARM)
        following = Parried if with_device else Landing
        scene.then(following(blow=self.blow, damage=roll, parried_with=self.parried_with))


class Landing(Step):
    """S-33 … S-35: an arm softens by a d4, armour by its die; the rest comes off HP, never less than nothing.

    Armour is no help against what is mental; there 0 HP is a breakdown (S-49).
    """

    game: ClassVar[str] = "squad"
    blow: Blow
    damage: Roll
    parried_with: str | None = None
    softened: tuple[Roll, ...] = ()

    @property
    def thrower(self) -> CharacterId:
        return self.blow.target

    def apply(self, scene: Scene) -> None:
        softened = [*self.softened, *self._arm(scene), *self._armour(scene)]
        hits = max(0, self.damage.total - sum(roll.total for roll in softened))
        sheet = scene.sheet(Sheet, self.blow.target)
        lost = sheet.hp.lose(hits)
        self._say(scene, sheet, hits, softened)
        if lost and sheet.hp.now == 0:
            fall(scene, self.blow.target, mental=self.blow.range is Range.MENTAL)
        if self.blow.free:
            scene.then(Leaving(actor=self.blow.target))

    def _arm(self, scene: Scene) -> list[Roll]:
        if self.parried_with != ARM:
            return []
        return [throw(scene, Ask(what=text("the parrying arm"), roller=self.blow.target, dice=(UNARMED,)))]

    def _armour(self, scene: Scene) -> list[Roll]:
        if self.blow.range is Range.MENTAL:
            return []
        worn = [device for device in scene.sheet(Sheet, self.blow.target).devices.values() if device.protects]
        return [_soften(scene, self.blow.target, device) for device in worn]

    def _say(self, scene: Scene, sheet: Sheet, hits: int, softened: list[Roll]) -> None:
        target = Who(who=self.blow.target)
        minus = "".join(f" − {roll.total}" for roll in softened)
        sentence = text(
            "{who} takes {hits} damage{sum}{health:, }.",
            who=target,
            hits=hits,
            sum=f" ({self.damage.total}{minus})" if softened else "",
            health=Health(health_of=self.blow.target, now=sheet.hp.now, full=sheet.hp.full),
        )
        brief = text("{who} takes {hits}", who=target, hits=hits)
        outcome = Outcome.HURT if hits else Outcome.UNHURT
        secret = unseen(scene, self.blow)
        scene.say(sentence, self.damage, *softened, brief=brief, outcome=outcome, audience=secret)
        if secret is not None:
            felt = text("Something strikes {who}: {change}{health:, }.", **sentence.args, change=number(-hits))
            scene.say(felt, *softened, brief=brief)


class Parried(Step):
    """S-31: the blow lands on the parrying device. What its die leaves wears it, or goes on to hit (B2-8)."""

    game: ClassVar[str] = "squad"
    blow: Blow
    damage: Roll
    parried_with: str

    @property
    def thrower(self) -> CharacterId:
        return self.blow.target

    def apply(self, scene: Scene) -> None:
        device = device_of(scene, self.blow.target, self.parried_with)
        if device is None:
            raise RuleError("There is no such device on the sheet.")
        softened = _soften(scene, self.blow.target, device)
        if scene.house(House).parry_effect is ParryEffect.DEVICE_DIE_REDUCES:
            scene.then(Landing(blow=self.blow, damage=self.damage, softened=(softened,)))
            return
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


def _soften(scene: Scene, who: CharacterId, device: Device) -> Roll:
    return throw(scene, Ask(what=text("{device}", device=device.name), roller=who, dice=(device.die or UNARMED,)))


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
        sheet.bleeds = sheet.die(Attribute.TUF) // 2
        sentence = text("{who} goes down.", who=Who(who=who))
    scene.say(sentence, brief=sentence, outcome=Outcome.DOWN)


def unseen(state: State, blow: Blow) -> Audience | None:
    """The full story of a blow out of hiding is the GM's; None when everybody saw it."""
    return Audience.GM if state.is_hidden(blow.attacker) else None


# --- breaking off ------------------------------------------------------------------------------------------


class BreakOff(Turn):
    """S-38 … S-42: it takes the chance, and gives one opponent a free blow at +1 that can't be parried."""

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        scene.say(
            text("{who} breaks off.", who=Who(who=self.actor)),
            brief=text("{who} breaks off", who=Who(who=self.actor)),
        )
        question = FreeBlow(id=scene.new_id(), addressee=None, leaver=self.actor, usual=None)
        last = scene.sheet(Sheet, self.actor).fought
        question.usual = last if last in question.close(scene) else None
        scene.open(question)


class FreeBlow(Question):
    """B2-21: the GM names the one opponent, and what the free blow is struck with."""

    game: ClassVar[str] = "squad"
    leaver: CharacterId
    usual: CharacterId | None

    @property
    def about(self) -> CharacterId:
        return self.leaver

    @property
    def default(self) -> str:  # type: ignore[override]
        return f"{self.usual}:" if self.usual is not None else NO_ONE

    def ask(self, state: State) -> Text:
        return text("{who} breaks off. Who gets the free blow?", who=Who(who=self.leaver))

    def brief(self) -> Text:
        return text("free blow?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("away"),)

    def choices(self, state: State) -> tuple[Choice, ...]:
        nobody = Choice(id=NO_ONE, label=text("Nobody is close"))
        strikes = [
            self._strike(state, other, device)
            for other in self.close(state)
            for device in self._devices(state, other)
        ]
        return (nobody, *strikes)

    def pointless(self, state: State) -> bool:
        return not self.close(state)

    def passed_by(self) -> Text:
        return text("No free blow") if self.usual is None else text("Free blow by {who}", who=Who(who=self.usual))

    def choice(self, state: State, wanted: str) -> Choice | None:
        found = super().choice(state, wanted)
        if found is None and wanted == self.default:
            return self._likely(state)
        return found

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        if picked is None or picked.id == NO_ONE:
            scene.then(Leaving(actor=self.leaver))
            return
        attacker, _, device = picked.id.partition(":")
        way = Way(device=device)
        blow = Blow(attacker=attacker, target=self.leaver, way=way, range=way.reach(scene, attacker), free=True)
        if scene.is_hidden(attacker):
            reveal(scene, attacker)
        scene.then(Strike(blow=blow))

    def _likely(self, state: State) -> Choice:
        """The last opponent with the likeliest device close at hand, or nobody when that one can't strike."""
        nobody = Choice(id=NO_ONE, label=text("Nobody is close"))
        if self.usual is None or self.usual not in self.close(state):
            return nobody
        devices = state.sheet(Sheet, self.usual).devices
        usual = [self._strike(state, self.usual, device) for device in self._devices(state, self.usual)]
        near = [one for one in usual if self._is_near(devices.get(one.id.partition(":")[2]))]
        return max(near or usual, key=lambda choice: choice.chance or Fraction(0), default=nobody)

    def _is_near(self, device: Device | None) -> bool:
        return device is None or device.make.range is Range.CLOSE

    def _strike(self, state: State, other: CharacterId, device: str) -> Choice:
        way = Way(device=device)
        blow = Blow(attacker=other, target=self.leaver, way=way, range=way.reach(state, other), free=True)
        return Choice(
            id=f"{other}:{device}",
            label=text("{who} with {device}", who=Who(who=other), device=way.name(state, other)),
            **odds_of(Strike(blow=blow).ask(state), about=None),
        )

    def _devices(self, state: State, other: CharacterId) -> list[str]:
        """Whatever strikes, what is close at hand first; bare hands where nothing of that kind is."""
        devices = {id: one for id, one in state.sheet(Sheet, other).devices.items() if one.strikes}
        near = [id for id, one in devices.items() if self._is_near(one)]
        return [*(near or [""]), *(id for id in devices if id not in near)]

    def close(self, state: State) -> list[CharacterId]:
        """Those on the other side who may strike, the knot first; the surprised make no attack at all (S-13)."""
        fight = state.fight()
        side = state.character(self.leaver).side
        able = [who for who in (fight.members if fight is not None else ()) if state.order().can_act(state, who)]
        could = [
            who for who in able if state.character(who).side is not side and not state.sheet(Sheet, who).surprised
        ]
        return sorted(could, key=lambda who: who not in close_to(state, self.leaver))


class Leaving(Step):
    """S-42, B2-22: whoever is still above 0 HP may go, or stay after all."""

    game: ClassVar[str] = "squad"
    actor: CharacterId

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        if scene.sheet(Sheet, self.actor).can_act:
            scene.open(LeaveOrStay(id=scene.new_id(), addressee=self.actor))


class LeaveOrStay(Question):
    game: ClassVar[str] = "squad"
    default = "leave"

    def ask(self, state: State) -> Text:
        return text("You are still standing. Leave the fight, or stay after all?")

    def brief(self) -> Text:
        return text("away?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="leave", label=text("Leave the fight")), Choice(id="stay", label=text("Stay after all")))

    def ordered(self, state: State) -> str | None:
        assert self.addressee is not None
        return "leave" if state.character(self.addressee).side is Side.FOE else None

    def passed_by(self) -> Text:
        return text("Away")

    def decided(self, choice: str) -> Text:
        return text("the GM let you get away.") if choice == "leave" else text("the GM let you stay.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        assert self.addressee is not None
        who = Who(who=self.addressee)
        if choice == "leave":
            scene.sheet(Sheet, self.addressee).condition = Condition.AWAY
            part(scene, self.addressee)
            scene.say(text("{who} gets away.", who=who), brief=text("{who} gets away", who=who), outcome=Outcome.AWAY)
        else:
            scene.say(text("{who} stays after all.", who=who), brief=text("{who} stays", who=who))
