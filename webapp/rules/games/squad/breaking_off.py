"""Breaking off: it takes a chance, and gives one opponent a free blow."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from webapp.rules.appearing import reveal
from webapp.rules.document import CharacterId
from webapp.rules.games.squad.attack import Strike
from webapp.rules.games.squad.away import Leaving
from webapp.rules.games.squad.countdown import Turn
from webapp.rules.games.squad.raising import roll_or_ask_first
from webapp.rules.games.squad.sheet import Device, Range, Sheet
from webapp.rules.games.squad.ways import Blow, Way
from webapp.rules.knots import close_to
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

NO_ONE = "nobody"


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
        names = {"who": Who(who=attacker), "leaver": Who(who=self.leaver)}
        roll_or_ask_first(scene, Strike(blow=blow), text("{leaver} breaks off: a free blow for {who}.", **names))

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
