"""Shadow Squad at the table: tasks, the countdown, attack, parry and damage."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.encounter import may_still_act
from webapp.rules.errors import RuleError
from webapp.rules.games.squad.house import House, ParryEffect, Wear
from webapp.rules.games.squad.sheet import ARM, DICE, LET_IT_HIT, Attribute, Condition, Device, Make, Sheet, half
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.moves import reveal
from webapp.rules.odds import chance
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.scene import Scene, State
from webapp.rules.text import Arg, Figure, Health, Text, Who, number, text
from webapp.rules.values import Frozen

UNARMED = 4


class Outcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    HIT = "hit"
    MISS = "miss"
    PARRIED = "parried"
    NOT_PARRIED = "not parried"
    HURT = "hurt"
    UNHURT = "unhurt"
    DOWN = "down"
    DEVICE_WORN = "device worn"
    DEVICE_BROKEN = "device broken"


class Range(StrEnum):
    CLOSE = "close"
    RANGED = "ranged"

    @property
    def attribute(self) -> Attribute:
        """Close blows are a matter of TUF, ranged ones of STW (S-22, S-23)."""
        return Attribute.TUF if self is Range.CLOSE else Attribute.STW


# --- tasks -------------------------------------------------------------------------------------------------


class Task(OwnMove):
    """S-04 … S-07: the attribute die against a number, or against half of somebody's die."""

    game: ClassVar[str] = "squad"
    attribute: Attribute
    difficulty: Annotated[int | None, Field(ge=1, le=30)] = None
    against: CharacterId | None = None
    their: Attribute | None = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if (self.difficulty is None) == (self.against is None):
            return text("Name a difficulty, or somebody to try it against.")
        if self.against is not None and not in_sight(state, self.against, of=self.actor):
            return NOBODY
        return unable(state, self.actor)

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        outcome = Outcome.SUCCESS if roll.success else Outcome.FAILURE
        sentence = text(
            "{who} rolls {attribute}: {total} against {target}, {outcome}.",
            who=Who(who=self.actor),
            attribute=self.attribute.value,
            total=roll.total,
            target=roll.ask.against or "",
            outcome=outcome.value,
        )
        scene.say(sentence, roll, brief=sentence, outcome=outcome)

    def ask(self, state: State) -> Ask:
        target, against = self._difficulty(state)
        return Ask(
            what=text("{attribute}", attribute=self.attribute.value),
            roller=self.actor,
            dice=(state.sheet(Sheet, self.actor).die(self.attribute),),
            wins=Wins.AT_LEAST,
            target=target,
            against=against,
        )

    def _difficulty(self, state: State) -> tuple[int, Text]:
        if self.against is None:
            assert self.difficulty is not None
            return self.difficulty, text("{number}", number=self.difficulty)
        return half_of(state, self.against, self.their or self.attribute)


# --- the countdown -----------------------------------------------------------------------------------------


class Initiative(OwnMove):
    """S-14: the STW die, or the monster die; the number is noted."""

    game: ClassVar[str] = "squad"

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None or self.actor not in state.order().waiting_for(state, fight):
            return text("No initiative is wanted now.")
        return None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        roll = scene.roll(
            Ask(
                what=text("initiative"),
                roller=self.actor,
                dice=(sheet.die(scene.house(House).initiative),),
            )
        )
        sheet.initiative, sheet.spent, sheet.held, sheet.parried = roll.total, (), (), 0
        numbers = ", ".join(str(number) for number in sheet.chances)
        scene.say(text("{who} acts on {numbers}.", who=Who(who=self.actor), numbers=numbers), roll)


class RollInitiative(Move):
    """Initiative of everybody who has not rolled yet, each with their own dice."""

    game: ClassVar[str] = "squad"
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None or not state.order().waiting_for(state, fight):
            return text("No initiative is wanted now.")
        return None

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for who in scene.order().waiting_for(scene, fight):
            scene.then(Initiative(actor=who))


class Turn(OwnMove):
    """Something done with a chance of one's own. `slot` is the chance that was shown, when it matters."""

    game: ClassVar[str] = "squad"
    slot: Annotated[str | None, Field(max_length=60)] = None

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        fight = state.fight()
        if fight is None:
            return text("There is no fight at this table.")
        slot = may_still_act(state.slots(), fight, self.actor)
        if slot is None or self.slot not in (None, slot.id):
            return unable(state, self.actor) or text("It is not {who}'s turn.", who=Who(who=self.actor))
        return text("A blow is still open.") if state.held_up() else unable(state, self.actor)

    def spend(self, scene: Scene) -> None:
        nth = self._nth(scene)
        sheet = scene.sheet(Sheet, self.actor)
        sheet.spent = (*sheet.spent, nth)

    def _nth(self, state: State) -> int:
        fight = state.fight()
        slot = None if fight is None else may_still_act(state.slots(), fight, self.actor)
        if slot is None:
            raise RuleError("It is not {who}'s turn.", who=Who(who=self.actor))
        return nth_of(slot.id)


class Hold(Turn):
    """S-19: the chance is kept, to be used after a slot of a lower number."""

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if self._nth(state) in state.sheet(Sheet, self.actor).held:
            return text("That chance is held already.")
        return None

    def apply(self, scene: Scene) -> None:
        nth = self._nth(scene)
        sheet = scene.sheet(Sheet, self.actor)
        sheet.held = (*sheet.held, nth)
        scene.say(text("{who} holds back.", who=Who(who=self.actor)))


class Pass(Turn):
    """The chance is let go, or was used for something that needs no roll."""

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        scene.say(text("{who} is done.", who=Who(who=self.actor)))


# --- attack and parry --------------------------------------------------------------------------------------


class Blow(Frozen):
    """A hit on its way: the attacker's total is what a parry must reach."""

    attacker: CharacterId
    target: CharacterId
    device: str
    range: Range
    total: int


class Attack(Turn):
    """S-21 … S-26: TUF or STW against half of the target's; equal or higher hits.

    `device` "" strikes with bare hands; `range` None takes the device's own.
    """

    device: Annotated[str, Field(max_length=40)] = ""
    target: CharacterId
    range: Range | None = None
    stay_hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if self.target == self.actor or not in_sight(state, self.target, of=self.actor):
            return NOBODY
        if state.find(Sheet, self.target) is None:
            return NO_SHEET
        device = device_of(state, self.actor, self.device)
        if self.device and device is None:
            return text("There is no such device on the sheet.")
        if device is not None and not device.strikes:
            return text("{device} is no use for striking.", device=device.name)
        return None

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        if scene.is_hidden(self.actor) and not self.stay_hidden:
            reveal(scene, self.actor)
        roll = scene.roll(self.ask(scene))
        hit = roll.success
        names: dict[str, Arg] = {"who": Who(who=self.actor), "target": Who(who=self.target)}
        scene.say(
            text(
                "{who} attacks {target} with {device}: {total} against {number}, {outcome}.",
                **names,
                device=self._device_name(scene),
                total=roll.total,
                number=roll.ask.against or "",
                outcome="a hit" if hit else "a miss",
            ),
            roll,
            brief=text("{who} hits with {total}", who=names["who"], total=roll.total)
            if hit
            else text("{who} misses {target}", **names),
            outcome=Outcome.HIT if hit else Outcome.MISS,
        )
        if hit:
            scene.open(Parry(id=scene.new_id(), addressee=self.target, blow=self._blow(scene, roll)))

    def ask(self, state: State) -> Ask:
        device = device_of(state, self.actor, self.device)
        attribute = self._range(state).attribute
        target, against = half_of(state, self.target, attribute)
        return Ask(
            what=text("attack with {attribute}", attribute=attribute.value),
            roller=self.actor,
            dice=(state.sheet(Sheet, self.actor).die_with(attribute, device),),
            wins=Wins.AT_LEAST,
            target=target,
            against=against,
        )

    def _blow(self, state: State, roll: Roll) -> Blow:
        return Blow(
            attacker=self.actor,
            target=self.target,
            device=self.device,
            range=self._range(state),
            total=roll.total,
        )

    def _range(self, state: State) -> Range:
        device = device_of(state, self.actor, self.device)
        return self.range or (Range.RANGED if device is not None and device.make is Make.RANGED else Range.CLOSE)

    def _device_name(self, state: State) -> str:
        device = device_of(state, self.actor, self.device)
        return "bare hands" if device is None else device.name


class Parry(Question):
    """S-27 … S-31: a blow that hits may be parried, with a device or an arm."""

    game: ClassVar[str] = "squad"
    standing_order = "parry"
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
        sheet = state.sheet(Sheet, self.blow.target)
        left = text("{count} of {all} parries left", count=sheet.parries_left, all=len(sheet.chances))
        with_devices = (
            Choice(
                id=id,
                label=text("Parry with {device}", device=device.name),
                chance=self._chance(state, id),
                price=text("{cost} · {left}", cost=device_cost(state, device), left=left),
            )
            for id, device in sheet.devices.items()
            if device.parries
        )
        arm = Choice(
            id=ARM,
            label=text("Parry with an arm"),
            chance=self._chance(state, ARM),
            price=text("damage less a d4 hits you · {left}", left=left),
        )
        let_it_hit = Choice(id=LET_IT_HIT, label=text("Let it hit"))
        return (let_it_hit, *with_devices, arm)

    def pointless(self, state: State) -> bool:
        """No parry left or allowed, or no die that could reach the blow."""
        sheet = state.sheet(Sheet, self.blow.target)
        if not state.house(House).parry or sheet.parries_left == 0 or not sheet.can_act:
            return True
        return all(not choice.chance for choice in self.choices(state) if choice.id != LET_IT_HIT)

    def ordered(self, state: State) -> str | None:
        """Foes parry as well as they can; a hero's player may have said the same, or never."""
        target = state.character(self.blow.target)
        order = state.habits(target.id).orders.get("parry", "best" if target.side is Side.FOE else "ask")
        match order:
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
        scene.sheet(Sheet, self.blow.target).parried += 1
        roll = scene.roll(self.roll_for(scene, choice))
        outcome = Outcome.PARRIED if roll.success else Outcome.NOT_PARRIED
        who, device = Who(who=self.blow.target), device_of(scene, self.blow.target, choice)
        scene.say(
            text(
                "{who} parries with {device}: {total} against {number}, {outcome}.",
                who=who,
                device="an arm" if device is None else device.name,
                total=roll.total,
                number=self.blow.total,
                outcome=outcome.value,
            ),
            roll,
            brief=text("{who} {outcome} with {total}", who=who, outcome=_parry_word(roll), total=roll.total),
            outcome=outcome,
        )
        scene.then(Damage(blow=self.blow, parried_with=choice if roll.success else None))

    def roll_for(self, state: State, choice: str) -> Ask:
        """The die that defends against such a blow (B2-11), lifted by a device that lifts it."""
        target, attribute = self.blow.target, self.blow.range.attribute
        device = device_of(state, target, choice)
        return Ask(
            what=text("parry with {attribute}", attribute=attribute.value),
            roller=target,
            dice=(state.sheet(Sheet, target).die_with(attribute, device),),
            wins=Wins.AT_LEAST,
            target=self.blow.total,
            against=text("{total}", total=self.blow.total),
        )

    def _chance(self, state: State, choice: str) -> Fraction:
        return chance(self.roll_for(state, choice))

    def _best(self, state: State) -> str:
        """The likeliest; among equals a device with the larger die, an arm last."""

        def worth(choice: Choice) -> tuple[Fraction, int]:
            device = device_of(state, self.blow.target, choice.id)
            return choice.chance or Fraction(0), -1 if device is None else device.die or UNARMED

        return max((choice for choice in self.choices(state) if choice.id != LET_IT_HIT), key=worth).id


def _parry_word(roll: Roll) -> str:
    return "parries" if roll.success else "fails to parry"


# --- damage ------------------------------------------------------------------------------------------------


class Damage(Step):
    """S-32: the attacker rolls the die of the weapon; a device that lifts an attribute does a d4 (B2-30)."""

    game: ClassVar[str] = "squad"
    blow: Blow
    parried_with: str | None = None

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def apply(self, scene: Scene) -> None:
        device = device_of(scene, self.blow.attacker, self.blow.device)
        die = UNARMED if device is None else device.die or UNARMED
        roll = scene.roll(Ask(what=text("damage"), roller=self.blow.attacker, dice=(die,)))
        following = Parried if self.parried_with not in (None, ARM) else Landing
        scene.then(following(blow=self.blow, damage=roll, parried_with=self.parried_with))


class Landing(Step):
    """S-33 … S-35: an arm softens by a d4, armour by its die; the rest comes off HP, never less than nothing."""

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
            fall(scene, self.blow.target)

    def _arm(self, scene: Scene) -> list[Roll]:
        if self.parried_with != ARM:
            return []
        return [scene.roll(Ask(what=text("the parrying arm"), roller=self.blow.target, dice=(UNARMED,)))]

    def _armour(self, scene: Scene) -> list[Roll]:
        worn = [device for device in scene.sheet(Sheet, self.blow.target).devices.values() if device.protects]
        return [
            scene.roll(
                Ask(
                    what=text("{device}", device=device.name),
                    roller=self.blow.target,
                    dice=(device.die or UNARMED,),
                )
            )
            for device in worn
        ]

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
        softened = scene.roll(
            Ask(
                what=text("{device}", device=device.name),
                roller=self.blow.target,
                dice=(device.die or UNARMED,),
            )
        )
        if scene.house(House).parry_effect is ParryEffect.DEVICE_DIE_REDUCES:
            scene.then(Landing(blow=self.blow, damage=self.damage, softened=(softened,)))
            return
        left = max(0, self.damage.total - softened.total)
        names: dict[str, Arg] = {"who": Who(who=self.blow.target), "device": device.name}
        sentence = text(
            "{who}'s {device} takes the blow: {damage} − {softened}.",
            **names,
            damage=self.damage.total,
            softened=softened.total,
        )
        brief = text("{device} takes {left}", device=device.name, left=left)
        secret = unseen(scene, self.blow)
        scene.say(sentence, self.damage, softened, brief=brief, outcome=Outcome.UNHURT, audience=secret)
        if secret is not None:
            scene.say(text("Something strikes {who}'s {device}.", **names), softened, brief=brief)
        if left and device.die is not None and scene.house(House).device_wear is Wear.RANK:
            wear(scene, self.blow.target, device)


def wear(scene: Scene, who: CharacterId, device: Device) -> None:
    """One die rank down; below d4 the device breaks (B2-32)."""
    assert device.die is not None
    smaller = DICE.shift(device.die, -1)
    names: dict[str, Arg] = {"who": Who(who=who), "device": device.name}
    if smaller is None:
        device.broken = True
        scene.say(text("{who}'s {device} breaks.", **names), outcome=Outcome.DEVICE_BROKEN)
    else:
        device.die = smaller
        scene.say(text("{who}'s {device} is down to a d{die}.", **names, die=smaller), outcome=Outcome.DEVICE_WORN)


def fall(scene: Scene, who: CharacterId) -> None:
    """S-43: at 0 HP one is unconscious, and will die without first aid."""
    scene.sheet(Sheet, who).condition = Condition.DYING
    sentence = text("{who} goes down.", who=Who(who=who))
    scene.say(sentence, brief=sentence, outcome=Outcome.DOWN)


# --- what several of these ask -----------------------------------------------------------------------------

NOBODY = text("There is nobody of that kind at this table.")
NO_SHEET = text("There is no Shadow Squad sheet for that.")


def unable(state: State, who: CharacterId) -> Text | None:
    condition = state.sheet(Sheet, who).condition
    if condition is Condition.FIT:
        return None
    return text("{who} is {condition}.", who=Who(who=who), condition=condition.value)


def in_sight(state: State, who: CharacterId, *, of: CharacterId) -> bool:
    """Heroes and their players know nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or state.character(of).side is Side.FOE


def half_of(state: State, who: CharacterId, attribute: Attribute) -> tuple[int, Text]:
    """The difficulty that somebody's die sets, and how it came about (S-05, S-06)."""
    sheet = state.sheet(Sheet, who)
    die = sheet.die(attribute)
    return half(die), text(
        "{number} (half of {who}'s {kind})",
        number=Figure(figure_of=who, value=half(die)),
        who=Who(who=who),
        kind="monster die" if sheet.monster else attribute.value,
    )


def unseen(state: State, blow: Blow) -> Audience | None:
    """The full story of a blow out of hiding is the GM's; None when everybody saw it."""
    return Audience.GM if state.is_hidden(blow.attacker) else None


def device_of(state: State, who: CharacterId, device: str) -> Device | None:
    return state.sheet(Sheet, who).devices.get(device)


def device_cost(state: State, device: Device) -> Text:
    """What a parry may cost this device, before it is tried."""
    house = state.house(House)
    softens = device.die or UNARMED
    if house.parry_effect is ParryEffect.DEVICE_DIE_REDUCES:
        return text("damage less a d{die} hits you", die=softens)
    if house.device_wear is Wear.NONE or device.die is None:
        return text("you are not hurt")
    smaller = DICE.shift(device.die, -1)
    worn = text("may break it") if smaller is None else text("may wear it to a d{die}", die=smaller)
    return text("you are not hurt; {worn}", worn=worn)


def nth_of(slot: str) -> int:
    return int(slot.rpartition(":")[2])


def strikers_left(state: State, who: CharacterId) -> int:
    """How many on the other side still have a chance this round."""
    side = state.character(who).side
    slots = [slot for slot in state.slots() if not slot.spent]
    others = {slot.character for slot in slots if state.character(slot.character).side is not side}
    return len([other for other in others if not state.is_hidden(other)])


MOVES: tuple[type[Move], ...] = (Task, Initiative, RollInitiative, Hold, Pass, Attack)
STEPS: tuple[type[Step], ...] = (Damage, Landing, Parried)
