"""How many dice of damage a hit rolls, and the damage."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import CharacterId, Side
from webapp.rules.games.pools.blow import Blow
from webapp.rules.games.pools.harm import deal
from webapp.rules.games.pools.lasting import begin
from webapp.rules.games.pools.reckoning import reckon, worth
from webapp.rules.games.pools.sheet import Continuing, Pool, Sheet, StrikeType
from webapp.rules.move import Step
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.scene import Scene
from webapp.rules.sight import may_tell
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

ALL, FEWER = "all", "fewer"


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
            "You hit {target}: {sum}, each needs {face}. Roll how many?",
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
