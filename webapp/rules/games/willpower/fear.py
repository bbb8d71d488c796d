"""Facing what is fearsome: a Guts roll, and whether to stand one's ground all the same."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.calls import audience, call_for
from webapp.rules.document import Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.willpower.nerve import Risk, willpower
from webapp.rules.games.willpower.rolls import GAME, Outcome, put
from webapp.rules.games.willpower.sheet import DICE, Attribute, Sheet, State
from webapp.rules.games.willpower.tasks import who_can_roll
from webapp.rules.games.willpower.trial import SPEND, Spend, Trial
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

HOLD, FLEE = "hold", "flee"


class FaceIt(Move):
    """W-27: the GM calls for Guts; of a foe its level counts. Empty: all heroes."""

    game: ClassVar[str] = GAME
    by = Leave.GM
    heroes: Annotated[tuple[CharacterId, ...], Field(max_length=40)] = ()
    what: Annotated[str, Field(min_length=1, max_length=60)] = "something disturbing"
    foe: CharacterId | None = None

    def refusal(self, state: Table) -> Text | None:
        named = self.heroes if self.foe is None else (*self.heroes, self.foe)
        if any(state.find(Character, who) is None for who in named):
            return NOBODY
        return None if who_can_roll(state, self.heroes) else text("There is no hero who could face it.")

    def apply(self, scene: Scene) -> None:
        seen = self.foe is not None and not scene.is_hidden(self.foe)
        what = Who(who=self.foe) if seen and self.foe is not None else self.what
        steps: dict[CharacterId, Step] = {
            who: GutsRoll(actor=who, against=self.foe) for who in who_can_roll(scene, self.heroes)
        }
        call_for(scene, text("Guts, to face {what}", what=what), steps, secret=False)
        if self.foe is not None and scene.find(Sheet, self.foe) is not None:
            mark_as_faced(scene, self.foe)


class GutsRoll(Trial):
    """One card for all that may follow: spend, stand or flee."""

    costs_action = False
    attribute: Attribute = Attribute.GUTS

    def question(self, scene: Scene) -> Question:
        return StandOrFlee(id=scene.new_id(), addressee=self.actor, trial=scene.rulebook.dump_step(self))


class StandOrFlee(Spend):
    """Standing risks Willpower; going does not (W-27, W-28)."""

    game: ClassVar[str] = GAME
    standing_order = None
    default = FLEE

    def ask(self, state: Table) -> Text:
        return text("{what} Stand your ground, or flee?", what=self._failed(state))

    def brief(self) -> Text:
        return text("stand or flee?")

    def choices(self, state: Table) -> tuple[Choice, ...]:
        ask = willpower(state, self._who)
        smaller = DICE.shift(ask.dice[0], -1)
        price = text("Willpower: on 1 or 2 the die goes down to a d{die}", die=smaller or 0)
        if smaller is None:
            price = text("Willpower: on 1 or 2 it runs out, and you panic")
        stand = Choice(id=HOLD, label=text("Stand your ground"), **odds_of(ask), price=price)
        flee = Choice(id=FLEE, label=text("Flee"), price=text("both actions of your next turn go into it"))
        spend = (self._trial(state).spend_choice(state),) if self._trial(state).may_spend(state) else ()
        return (flee, stand, *spend)

    def pointless(self, state: Table) -> bool:
        return False

    def ordered(self, state: Table) -> str | None:
        return None

    def passed_by(self) -> Text:
        return text("Flee")

    def decided(self, choice: str) -> Text:
        words = {FLEE: "the GM let you flee.", HOLD: "the GM let you stand your ground."}
        return text(words.get(choice, "the GM spent your Willpower."))

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == SPEND:
            super().settle(scene, choice, amount)
            return
        trial = self._trial(scene)
        who, told = Who(who=trial.actor), audience(scene, trial.call, trial.actor)
        if choice == HOLD:
            trial.tell(scene, "stands all the same")
            scene.say(text("{who} stands all the same.", who=who), outcome=Outcome.STOOD, audience=told)
            scene.then(Risk(actor=trial.actor, why=text("standing one's ground"), call=trial.call))
            return
        trial.tell(scene, "flees")
        scene.say(text("{who} flees.", who=who), outcome=Outcome.FLED, audience=told)
        put(scene, trial.actor, State.BOLTING)

    def _failed(self, state: Table) -> Text:
        trial = self._trial(state)
        assert trial.roll is not None
        words = "{what}: {total} (needs {needed})."
        return text(words, what=trial.roll.ask.what, total=trial.sum, needed=trial.needed)


def knows_fear(state: Table, *, faced: bool) -> list[CharacterId]:
    """Fearsome ones in sight who are still up, one for all that share a name, faced by the heroes or not yet."""
    found: dict[str, CharacterId] = {}
    for one in state.characters():
        sheet = state.find(Sheet, one.id)
        if sheet is not None and sheet.fearsome and sheet.faced == faced and sheet.hp.now > 0 and not one.hidden:
            found.setdefault(one.alias or one.name, one.id)
    return list(found.values())


def mark_as_faced(scene: Scene, foe: CharacterId) -> None:
    """It and all like it: meeting them once is enough."""
    met = scene.character(foe)
    for one in scene.characters(met.side):
        sheet = scene.find(Sheet, one.id)
        if sheet is not None and (one.name, one.hidden) == (met.name, met.hidden):
            sheet.faced = True
