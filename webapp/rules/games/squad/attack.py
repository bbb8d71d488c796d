"""Attack: the roll to hit."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.appearing import exchange, reveal
from webapp.rules.document import CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.away import Leaving
from webapp.rules.games.squad.countdown import Turn
from webapp.rules.games.squad.damage import Damage
from webapp.rules.games.squad.parry import Parry, why_no_parry
from webapp.rules.games.squad.raising import cannot_raise, pay_to_raise, raised, roll_or_ask_first
from webapp.rules.games.squad.rolls import NO_SHEET, Outcome, half_of, in_sight, surprised, throw
from webapp.rules.games.squad.second_try import Rolled, second_try
from webapp.rules.games.squad.sheet import Condition, Range, Sheet
from webapp.rules.games.squad.ways import Blow, Way
from webapp.rules.knots import engage
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


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
        refused = surprised(state, self.actor)
        if refused is not None:
            return refused
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
        roll = throw(scene, self.ask(scene), again=self.again)
        exchange(scene, blow.attacker, blow.target)
        landed = blow.model_copy(update={"total": roll.total})
        sentence = self._say(scene, roll, why_no_parry(scene, landed) if roll.success else None)
        if not roll.success:
            second_try(scene, self, sentence, otherwise=Leaving(actor=blow.target) if blow.free else None)
            return
        if blow.free:
            what = text("The free blow hits: {who} rolls damage.", who=Who(who=blow.attacker))
            roll_or_ask_first(scene, Damage(blow=landed), what)
        elif blow.range is Range.MENTAL:
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
