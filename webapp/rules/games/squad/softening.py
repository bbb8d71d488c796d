"""What takes some of the damage off: the dice of armour, of a parrying device or of an arm."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.raising import raised, roll_or_ask_first
from webapp.rules.games.squad.rolls import device_of, throw
from webapp.rules.games.squad.second_try import Rolled, try_for_more
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.games.squad.ways import UNARMED
from webapp.rules.move import Step
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Arg, Who, text


class Softened(Step):
    """What damage comes to, once the dice of these have taken some of it off."""

    softened: tuple[Roll, ...] = ()
    used: tuple[str, ...] = ()

    def soften(self, scene: Scene, who: CharacterId, damage: int, ways: list[str]) -> bool:
        """Throws the next of these dice, and comes back then; False when all have fallen."""
        by = next((way for way in ways if way not in self.used), None)
        if by is None:
            return False
        device = device_of(scene, who, by)
        name, die = ("the parrying arm", UNARMED) if device is None else (device.name, device.die or UNARMED)
        left = max(0, damage - sum(roll.total for roll in self.softened))
        following = scene.rulebook.dump_step(self)
        step = Soften(wearer=who, by=by, name=name, die=die, damage=left, following=following)
        args: dict[str, Arg] = {"who": Who(who=who), "device": name, "die": die, "left": left}
        roll_or_ask_first(
            scene, step, text("{left} damage to {who}: {device}, d{die}, takes some of it off.", **args)
        )
        return True

    def less(self, by: str, roll: Roll) -> Softened:
        return self.model_copy(update={"softened": (*self.softened, roll), "used": (*self.used, by)})


class Soften(Rolled):
    """The die of armour, of a parrying device or arm; a Will Point raises it or rolls it again like any other.

    `damage` is what is left of it: where one is all, there is no better and no worse.
    """

    game: ClassVar[str] = "squad"
    wearer: CharacterId
    by: str
    name: str
    die: int
    damage: int
    following: dict[str, Any]

    @property
    def thrower(self) -> CharacterId:
        return self.wearer

    def is_past(self, state: State) -> bool:
        return self.damage <= 1

    def ask(self, state: State) -> Ask:
        dice = (raised(self.die, self.raised),)
        return Ask(what=text("{device}", device=self.name), roller=self.wearer, dice=dice)

    def apply(self, scene: Scene) -> None:
        roll = throw(scene, self.ask(scene), again=self.again)
        step = scene.rulebook.step(self.following)
        assert isinstance(step, Softened)
        following = step.less(self.by, roll)
        names: dict[str, Arg] = {"who": Who(who=self.wearer), "device": self.name}
        sentence = text("{who} · {device} takes off {total}.", **names, total=roll.total)
        if roll.total >= self.damage:
            scene.then(following)
        elif try_for_more(scene, self, sentence, roll, otherwise=following):
            scene.say(sentence, roll)


def worn(state: State, who: CharacterId) -> list[str]:
    return [id for id, device in state.sheet(Sheet, who).devices.items() if device.protects]
