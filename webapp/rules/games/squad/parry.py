"""Parry: a blow that hits may be turned, with a device or an arm."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from webapp.rules.document import CharacterId, Side
from webapp.rules.games.squad.damage import Damage
from webapp.rules.games.squad.house import House, ParryEffect, Wear
from webapp.rules.games.squad.raising import RAISE, cannot_raise, pay_to_raise, raised
from webapp.rules.games.squad.rolls import Outcome, device_of, throw
from webapp.rules.games.squad.second_try import Rolled, second_try
from webapp.rules.games.squad.sheet import ARM, DICE, LET_IT_HIT, Device, Range, Sheet
from webapp.rules.games.squad.softening import worn
from webapp.rules.games.squad.ways import UNARMED, Blow
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Arg, Figure, Text, Who, listed, text

RAISED = "raised "
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
            "{who} hits {target} with {total}: damage {harm}.{more} Parry?",
            who=Who(who=self.blow.attacker),
            target=Who(who=self.blow.target),
            total=self.blow.total,
            harm=_harm(state, self.blow),
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
            switch=RAISE if lifts else None,
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
        roll = throw(scene, self.ask(scene), again=self.again)
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


def _harm(state: State, blow: Blow) -> Text:
    """How hard it may hit, as far as that may be known, and what is worn against it."""
    die = raised(blow.way.damage_die(state, blow.attacker), blow.raise_damage)
    damage = Figure(figure_of=blow.attacker, value=f"d{die}")
    devices = state.sheet(Sheet, blow.target).devices
    against = (devices[id] for id in worn(state, blow.target))
    off = listed((text("d{die} of {device}", die=one.die or 0, device=one.name) for one in against), between=" and ")
    return text("{damage}, less {off}" if off.args else "{damage}", damage=damage, off=off)


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
