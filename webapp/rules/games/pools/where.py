"""Where harm falls: rolled, or picked by whoever dealt it."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.games.pools.ailments import wound
from webapp.rules.games.pools.house import House
from webapp.rules.games.pools.rolls import health_is_open
from webapp.rules.games.pools.sheet import Part, Sheet
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


def roll_part(scene: Scene, who: CharacterId, *, roller: CharacterId | None) -> tuple[Part | None, tuple[Roll, ...]]:
    """House material: where it lands; a part that is not there is rolled again, None: the dealer picks."""
    there, faces = {None, *scene.sheet(Sheet, who).parts}, scene.house(House).parts.faces
    rolls: list[Roll] = []
    if not any(where.part in there for where in faces):
        return None, ()
    while not rolls or faces[rolls[-1].total - 1].part not in there:
        ask = Ask(what=text("the part"), roller=roller, dice=(len(faces),))
        rolls.append(scene.roll(ask, again=bool(rolls)))
    return faces[rolls[-1].total - 1].part, tuple(rolls)


def say_where(scene: Scene, who: CharacterId, part: Part | None, rolls: tuple[Roll, ...]) -> None:
    where = "the attacker picks the part" if part is None else part.value
    scene.say(text("Where {who} is hurt: {where}.", who=Who(who=who), where=where), *rolls)


class PickPart(Question):
    """A 12 on the part die: whoever dealt the harm picks, for a wound or for harm that goes on (`harm`).

    Both are suffered already, so it outlasts the fight.
    """

    game: ClassVar[str] = "pools"
    window = Window.STANDS
    target: CharacterId
    tiers: int = 0
    how: Text | None = None
    harm: str | None = None

    @property
    def default(self) -> str:  # type: ignore[override]
        return Part.TORSO.value

    def ask(self, state: State) -> Text:
        who, goes_on = Who(who=self.target), " and the harm goes on there" if self.harm is not None else ""
        if not self.tiers:
            return text("Pick the part of {who} where the harm goes on.", who=who)
        if not health_is_open(state, self.target):
            return text("Pick the part: {who} is wounded{more}.", who=who, more=goes_on)
        return text("Pick the part: {who} is Wounded {tiers}{more}.", who=who, tiers=self.tiers, more=goes_on)

    def brief(self) -> Text:
        return text("which part?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(
            Choice(id=part.value, label=text(part.value.capitalize()))
            for part in sorted(state.sheet(Sheet, self.target).parts, key=lambda part: part is not Part.TORSO)
        )

    def choice(self, state: State, wanted: str) -> Choice | None:
        """What has no torso is hurt at its first part by default."""
        found = super().choice(state, wanted)
        return self.choices(state)[0] if found is None and wanted == self.default else found

    def pointless(self, state: State) -> bool:
        return len(state.sheet(Sheet, self.target).parts) == 1

    def ordered(self, state: State) -> str | None:
        return self.default if _by_itself(state, self.addressee) else None

    def passed_by(self) -> Text:
        return text("The torso")

    def decided(self, choice: str) -> Text:
        return text("the GM picked the {part}.", part=choice)

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        assert picked is not None
        if self.tiers:
            wound(scene, self.target, Part(picked.id), self.tiers, self.how)
        if self.harm is not None:
            settle_on(scene, self.target, self.harm, Part(picked.id))


def settle_on(scene: Scene, who: CharacterId, harm: str, part: Part) -> None:
    """From now on it hurts there each time (D-59), and its Injury is added up with all that goes on there."""
    sheet = scene.sheet(Sheet, who)
    if harm in sheet.lasting:
        sheet.lasting = {**sheet.lasting, harm: sheet.lasting[harm].model_copy(update={"part": part})}


def _by_itself(state: State, who: CharacterId | None) -> bool:
    """A foe without a person picks nothing."""
    found = None if who is None else state.find(Character, who)
    return found is not None and found.side is Side.FOE and not found.seats
