"""Strikes: declared, perhaps aimed, and rolled; and how likely one is to hit."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.appearing import exchange, reveal
from webapp.rules.document import CharacterId
from webapp.rules.games.pools.blow import Blow
from webapp.rules.games.pools.defence import Defend, defence_ask
from webapp.rules.games.pools.house import Aim, House
from webapp.rules.games.pools.rolls import Outcome, no_target, skill_ask
from webapp.rules.games.pools.sheet import Part, Sheet
from webapp.rules.games.pools.turns import Turn, carried_out
from webapp.rules.move import Step
from webapp.rules.odds import totals
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Modifier
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.viewer import Role

AIMED = -2


class Strike(Turn):
    """An attack of the sheet at a target, perhaps aimed at a part. `mode`: which of its Strike Types."""

    attack: Annotated[str, Field(max_length=40)]
    mode: Annotated[int, Field(ge=0, le=4)] = 0
    target: CharacterId
    part: Part | None = None
    stay_hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state)
        if refused is not None:
            return refused
        if state.held_up():
            return text("A blow is still open: decide it first.")
        unseen = no_target(state, self.target, of=self.actor)
        if unseen is not None:
            return unseen
        attack = state.sheet(Sheet, self.actor).attacks.get(self.attack)
        if attack is None:
            return text("There is no such attack on the sheet.")
        if self.mode >= len(attack.modes):
            return text("{attack} has no such Strike Type.", attack=attack.name)
        if self.part is not None and self.part not in state.sheet(Sheet, self.target).parts:
            return text("There is no such part to aim at.")
        return None

    def apply(self, scene: Scene) -> None:
        swing = Swing(blow=self.blow(scene))
        self.spend(scene)
        if scene.is_hidden(self.actor) and not self.stay_hidden:
            reveal(scene, self.actor)
        leave = scene.house(House).aim is Aim.GM_LEAVE and scene.viewer.role is not Role.GM
        if self.part is not None and leave:
            scene.open(MayAim(id=scene.new_id(), addressee=None, blow=swing.blow))
        else:
            scene.then(swing)

    def blow(self, state: State) -> Blow:
        strikes = state.sheet(Sheet, self.actor).attacks[self.attack].modes[self.mode]
        return Blow(attacker=self.actor, target=self.target, attack=self.attack, strikes=strikes, part=self.part)

    def ask(self, state: State) -> Ask:
        return Swing(blow=self.blow(state)).ask(state)


class MayAim(Question):
    """Aiming always would always mean the head: the GM gives leave."""

    game: ClassVar[str] = "pools"
    default = "no"
    blow: Blow

    def ask(self, state: State) -> Text:
        part = "" if self.blow.part is None else self.blow.part.value
        names = {"who": Who(who=self.blow.attacker), "target": Who(who=self.blow.target)}
        return text("{who} aims at {target}'s {part}. Allowed?", **names, part=part)

    def brief(self) -> Text:
        return text("aimed?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("attack"), text("defence"), text("damage"))

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="no", label=text("Not aimed")), Choice(id="yes", label=text("Let it be aimed")))

    def pointless(self, state: State) -> bool:
        return Swing(blow=self.blow).pointless(state)

    def passed_by(self) -> Text:
        return text("Not aimed")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        part = self.blow.part if choice == "yes" else None
        scene.then(Swing(blow=self.blow.model_copy(update={"part": part})))


class Swing(Step):
    """The attack roll; all its faces are kept for what its Strike Types read off them."""

    game: ClassVar[str] = "pools"
    blow: Blow

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def ask(self, state: State) -> Ask:
        attack = self.blow.held(state)
        dearly = self.blow.part is not None and state.house(House).aim is Aim.MINUS_2
        aimed = (Modifier(source=text("aimed"), amount=AIMED),) if dearly else ()
        ask = skill_ask(state, self.blow.attacker, attack.skill, *aimed, uses=attack.uses, acting=True)
        return ask.model_copy(update={"what": text("attack with {skill}", skill=attack.skill.value.capitalize())})

    def pointless(self, state: State) -> bool:
        """Whoever has fallen unconscious meanwhile strikes at nobody."""
        return not state.sheet(Sheet, self.blow.attacker).conscious

    def apply(self, scene: Scene) -> None:
        blow = self.blow
        if self.pointless(scene):
            scene.say(text("{who} is unconscious: the attack comes to nothing.", who=Who(who=blow.attacker)))
            return
        roll = scene.roll(self.ask(scene))
        carried_out(scene, blow.attacker)
        exchange(scene, blow.attacker, blow.target)
        names = {"who": Who(who=blow.attacker), "target": Who(who=blow.target)}
        sentence = text(
            "{who} attacks {target} with {attack}: {total}.", **names, attack=blow.held(scene).name, total=roll.total
        )
        brief = text("{who} attacks {target}: {total}", **names, total=roll.total)
        scene.say(sentence, roll, brief=brief, outcome=Outcome.ATTACK)
        thrown = blow.model_copy(update={"faces": roll.faces, "total": roll.total})
        scene.open(Defend(id=scene.new_id(), addressee=blow.target, blow=thrown))


def hit_chance(state: State, strike: Strike) -> Fraction:
    """Exact, against the defence that is best for the target."""
    blow = strike.blow(state)
    attack = totals(strike.ask(state))
    if not state.sheet(Sheet, blow.target).conscious:
        return Fraction(1)
    return min(
        (_beats(attack, totals(defence_ask(state, blow, skill))) for skill in blow.held(state).defences),
        default=Fraction(1),
    )


Totals = tuple[tuple[int, Fraction], ...]


def _beats(attack: Totals, defence: Totals) -> Fraction:
    """Ties are the attacker's; both come smallest first, so each is walked through once."""
    won, below, weaker = Fraction(0), Fraction(0), iter(defence)
    other = next(weaker, None)
    for total, share in attack:
        while other is not None and other[0] <= total:
            below += other[1]
            other = next(weaker, None)
        won += share * below
    return won
