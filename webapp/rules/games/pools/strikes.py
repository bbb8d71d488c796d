"""Strikes: declared, rolled, defended, and how many dice of damage are rolled."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.document import CharacterId, Side
from webapp.rules.errors import RuleError
from webapp.rules.games.pools.harm import deal
from webapp.rules.games.pools.house import Aim, House
from webapp.rules.games.pools.lasting import begin
from webapp.rules.games.pools.reckoning import Hit, reckon, worth
from webapp.rules.games.pools.rolls import VULNERABLE_DL, Outcome, no_target, own, skill_ask
from webapp.rules.games.pools.sheet import Attack, Continuing, Part, Pool, Sheet, Skill, StrikeType
from webapp.rules.games.pools.turns import Turn, carried_out
from webapp.rules.move import Step
from webapp.rules.odds import chance, odds_of, totals
from webapp.rules.people import exchange, reveal
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.sight import may_tell
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text
from webapp.rules.values import Frozen
from webapp.rules.viewer import Role

BEST, ALL, FEWER = "best", "all", "fewer"
AIMED = -2


class Blow(Frozen):
    """A Strike on its way: `faces` and `total` of the attack roll once it has fallen."""

    attacker: CharacterId
    target: CharacterId
    attack: str
    strikes: str
    part: Part | None = None
    faces: tuple[int, ...] = ()
    total: int = 0

    def held(self, state: State) -> Attack:
        found = state.sheet(Sheet, self.attacker).attacks.get(self.attack)
        if found is None:
            raise RuleError("There is no such attack on the sheet.")
        return found

    def kinds(self, state: State) -> tuple[str, ...]:
        """Flowing counts as the Element and as the subtype (D-52)."""
        attack = self.held(state)
        flowing = StrikeType.FLOWING.value in self.strikes
        return tuple(kind for kind in (attack.element, attack.subtype if flowing else "") if kind)

    def hit(self, state: State) -> Hit:
        attack = self.held(state)
        return Hit(
            source=self.attacker,
            target=self.target,
            damage=attack.damage,
            onto=attack.onto,
            kinds=self.kinds(state),
            strikes=self.strikes,
            faces=self.faces,
            strike=True,
            part=self.part,
        )


# --- attack ------------------------------------------------------------------------------------------------


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


# --- defence -----------------------------------------------------------------------------------------------


WHEN_STRUCK = StandingOrder(
    name="defend",
    title=text("When somebody attacks me"),
    values=(("ask", text("Ask me")), ("best", text("Defend with my best"))),
)


class Defend(Question):
    """Which of the skills that the attack allows; the best one, unless another is chosen."""

    game: ClassVar[str] = "pools"
    standing_order = WHEN_STRUCK
    default = BEST
    blow: Blow

    def ask(self, state: State) -> Text:
        names = {"who": Who(who=self.blow.attacker), "target": Who(who=self.blow.target)}
        return text("{who} attacks {target}: {total}. Defend with what?", **names, total=self.blow.total)

    def brief(self) -> Text:
        return text("defend with?")

    def ahead(self) -> tuple[Text, ...]:
        return (text("damage"),)

    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(
            Choice(
                id=skill.value,
                label=text(skill.value.capitalize()),
                **odds_of(ask),
                why_not=None if chance(ask) else text("No face can make more than {total}.", total=self.blow.total),
            )
            for skill in self._skills(state)
            for ask in (Defence(blow=self.blow, skill=skill).ask(state),)
        )

    def choice(self, state: State, wanted: str) -> Choice | None:
        if wanted == BEST:
            return max(self.choices(state), key=lambda choice: choice.chance or Fraction(0), default=None)
        return super().choice(state, wanted)

    def pointless(self, state: State) -> bool:
        """One skill at most could do it, or one does it for certain; the unconscious can't defend at all."""
        if len(self._skills(state)) < 2 or not state.sheet(Sheet, self.blow.target).conscious:
            return True
        chances = [choice.chance for choice in self.choices(state) if choice.chance]
        return len(chances) < 2 or 1 in chances

    def ordered(self, state: State) -> str | None:
        usual = BEST if state.character(self.blow.target).side is Side.FOE else "ask"
        return BEST if state.habits(self.blow.target).orders.get("defend", usual) == BEST else None

    def passed_by(self) -> Text:
        return text("Defend with the best")

    def decided(self, choice: str) -> Text:
        return text("the GM defended for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        if picked is None or not picked.chance or not scene.sheet(Sheet, self.blow.target).conscious:
            sentence = text(
                "{who} can't defend against {total}.", who=Who(who=self.blow.target), total=self.blow.total
            )
            scene.say(sentence, brief=sentence, outcome=Outcome.HIT)
            land(scene, self.blow)
        else:
            scene.then(Defence(blow=self.blow, skill=Skill(picked.id)))

    def _skills(self, state: State) -> tuple[Skill, ...]:
        attack = state.sheet(Sheet, self.blow.attacker).attacks.get(self.blow.attack)
        return () if attack is None else attack.defences


class Defence(Step):
    """More than the attack's total defends: ties are the attacker's."""

    game: ClassVar[str] = "pools"
    blow: Blow
    skill: Skill

    @property
    def thrower(self) -> CharacterId:
        return self.blow.target

    def ask(self, state: State) -> Ask:
        ask = defence_ask(state, self.blow, self.skill)
        against = text("more than {total}", total=self.blow.total)
        return ask.model_copy(update={"wins": Wins.AT_LEAST, "target": self.blow.total + 1, "against": against})

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        sentence = text(
            "{who} defends with {skill}: {total} against {attack}, {outcome}.",
            who=Who(who=self.blow.target),
            skill=self.skill.value.capitalize(),
            total=self._total(roll),
            attack=self.blow.total,
            outcome="not hit" if roll.success else "hit",
        )
        brief = text("{who} defends with {total}", who=Who(who=self.blow.target), total=self._total(roll))
        scene.say(sentence, roll, brief=brief, outcome=Outcome.MISS if roll.success else Outcome.HIT)
        if not roll.success:
            land(scene, self.blow)

    def _total(self, roll: Roll) -> Figure | int:
        """What comes on top because the attacker is Vulnerable is the attacker's figure."""
        on_top = any(one.about == self.blow.attacker for one in roll.ask.modifiers)
        return own(self.blow.attacker, roll.total) if on_top else roll.total


def defence_ask(state: State, blow: Blow, skill: Skill) -> Ask:
    """D-38: against whoever is Vulnerable to what it strikes with the result counts 2 higher, per type."""
    weak = {kind for kind in blow.hit(state).types if kind in state.sheet(Sheet, blow.attacker).vulnerable}
    extra = Modifier(
        source=text("the attacker is Vulnerable to it"), amount=VULNERABLE_DL * len(weak), about=blow.attacker
    )
    ask = skill_ask(state, blow.target, skill, *((extra,) if weak else ()), defending=True)
    return ask.model_copy(update={"what": text("defence with {skill}", skill=skill.value.capitalize())})


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


# --- damage ------------------------------------------------------------------------------------------------


def land(scene: Scene, blow: Blow) -> None:
    hit = blow.hit(scene)
    scene.open(HowMany(id=scene.new_id(), addressee=blow.attacker, blow=blow, dice=reckon(scene, hit).dice))


WHEN_HITTING = StandingOrder(
    name="hold",
    title=text("When I hit"),
    values=(("ask", text("Ask how many dice")), ("never", text("Always roll all of them"))),
)


class HowMany(Question):
    """D-23: the dealer may take away any number of dice before rolling."""

    game: ClassVar[str] = "pools"
    standing_order = WHEN_HITTING
    default = ALL
    blow: Blow
    dice: int

    def ask(self, state: State) -> Text:
        reckoning = reckon(state, self.blow.hit(state))
        return text(
            "You hit {target}: {sum}, need {face}. Roll how many?",
            target=Who(who=self.blow.target),
            sum=reckoning.sum,
            face=reckoning.face,
        )

    def brief(self) -> Text:
        return text("how many dice?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        hit, about, known = self.blow.hit(state), self.blow.target, self._known(state)
        all_of_them = worth(state, hit)
        full = Choice(
            id=ALL,
            label=text("Roll {dice}d12: any Injury", dice=known),
            chance=all_of_them.chance,
            about=about,
            pool=f"{known}d12",
            price=all_of_them.price,
        )
        fewer = Choice(
            id=FEWER,
            label=text("Roll only"),
            amounts=(0, known - 1),
            about=about,
            worths=tuple(worth(state, hit, self.dice - dice) for dice in range(known)),
        )
        return (full, fewer)

    def _known(self, state: State) -> int:
        """How many one may know of: those that a hidden Threshold adds fall with them, if none are held back."""
        if may_tell(state, self.blow.target):
            return self.dice
        return self.dice - reckon(state, self.blow.hit(state)).lent

    def pointless(self, state: State) -> bool:
        if self.blow.attack not in state.sheet(Sheet, self.blow.attacker).attacks:
            return True
        reckoning = reckon(state, self.blow.hit(state))
        return reckoning.immune or self.dice == 0

    def ordered(self, state: State) -> str | None:
        found = state.character(self.blow.attacker)
        if found.side is Side.FOE and not found.seats:
            return ALL
        return ALL if state.habits(found.id).orders.get("hold", "ask") == "never" else None

    def passed_by(self) -> Text:
        return text("All dice")

    def decided(self, choice: str) -> Text:
        return text("the GM rolled the damage for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        held_back = self.dice - (amount or 0) if choice == FEWER else 0
        scene.then(Damage(blow=self.blow, held_back=held_back))


class Damage(Step):
    """The attacker's dice, and with them the part; harm that goes on begins."""

    game: ClassVar[str] = "pools"
    blow: Blow
    held_back: int = 0

    @property
    def thrower(self) -> CharacterId:
        return self.blow.attacker

    def apply(self, scene: Scene) -> None:
        attack = self.blow.held(scene)
        carries = scene.new_id() if attack.lasting else None
        hit = self.blow.hit(scene).model_copy(update={"carries": carries})
        dealt = deal(scene, hit, self.held_back)
        if dealt.immune:
            return
        if hit.has(StrikeType.FLOWING) and attack.side_effect:
            scene.say(text("{attack} flows: {effect}", attack=attack.name, effect=attack.side_effect))  # D-51
        if carries is not None:
            harm = Continuing(
                name=attack.name,
                dice=attack.lasting,
                onto=attack.onto,
                kinds=hit.kinds,
                strikes=hit.strikes,
                part=dealt.part if attack.onto == Pool.GRIT else None,
                source=self.blow.attacker,
            )
            begin(scene, hit.target, harm, roller=hit.source, id=carries, after=dealt)
