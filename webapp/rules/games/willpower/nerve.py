"""The die of nerve: risking it, losing a size, and what happens when it runs out."""

from __future__ import annotations

from typing import Any

from webapp.rules.calls import amend, audience
from webapp.rules.document import Audience, CharacterId
from webapp.rules.games.willpower.house import House, Panics, ThisAction
from webapp.rules.games.willpower.rolls import ActorStep, Outcome, put
from webapp.rules.games.willpower.sheet import DICE, Sheet, State
from webapp.rules.move import Step
from webapp.rules.roll import Ask, Keep, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

HOLDS = 3


class Deed(ActorStep):
    """What is about to be done, and may be lost to Panic."""

    def is_action(self, state: Table) -> bool:
        return True

    def needs_hand(self, state: Table) -> bool:
        """Does it need what is in hand?"""
        return False

    def at_disadvantage(self) -> Step:
        """The same, where it is still to be rolled for."""
        return self


class Mishap(ActorStep):
    """What else comes when the die runs out; then what goes on after it."""

    following: dict[str, Any] | None = None


def willpower(state: Table, who: CharacterId, *, worse: bool = False) -> Ask:
    """W-11: from 3 up the die holds. At disadvantage the lower of two counts (B0-6, B0-7)."""
    die = state.sheet(Sheet, who).willpower
    return Ask(
        what=text("Willpower"),
        roller=who,
        dice=(die, die) if worse else (die,),
        keep=Keep.LOWEST if worse else Keep.ALL,
        wins=Wins.AT_LEAST,
        target=HOLDS,
        against=text("{number} or more", number=HOLDS),
    )


class Risk(ActorStep):
    """W-11, W-12: one roll for one trigger, with the size then held (B0-20). Then what was in hand goes on."""

    why: Text
    following: dict[str, Any] | None = None
    call: str | None = None

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(willpower(scene, self.actor))
        wear(scene, self.actor, roll, self.why, following=self.following, call=self.call)


def wear(
    scene: Scene,
    who: CharacterId,
    roll: Roll,
    why: Text,
    *,
    following: dict[str, Any] | None,
    mishap: dict[str, Any] | None = None,
    raised: int = 0,
    call: str | None = None,
) -> None:
    """What a Willpower roll does to its die, and what follows from that. `call`: it belongs to a called test."""
    told = audience(scene, call, who)
    paid = text("{face} + {raised} HP = {total}", face=roll.total, raised=raised, total=roll.total + raised)
    args: dict[str, Any] = {"who": Who(who=who), "why": why, "face": paid if raised else roll.total}
    if roll.total + raised >= HOLDS:
        say = "{who} · {why}: Willpower {face}, the die holds."
        scene.say(
            text(say, **args), roll, brief=text("{who}'s nerve holds", **args), outcome=Outcome.HELD, audience=told
        )
        go_on(scene, following)
        return
    ran_out = lower(scene, who)
    args["die"] = scene.sheet(Sheet, who).willpower
    say = "{who} · {why}: Willpower {face}, the die is down to a d{die}."
    if ran_out:
        say = "{who} · {why}: Willpower {face}, the die runs out."
    scene.say(
        text(say, **args), roll, brief=text("{who}'s Willpower drops", **args), outcome=Outcome.DROPPED, audience=told
    )
    if ran_out:
        scene.then(Panic(actor=who, following=following, mishap=mishap, call=call))
    else:
        go_on(scene, following)


def lower(scene: Scene, who: CharacterId) -> bool:
    """One size down; True: it ran out (W-34), and stands at the smallest again (W-36)."""
    sheet = scene.sheet(Sheet, who)
    smaller = DICE.shift(sheet.willpower, -1)
    sheet.willpower = smaller or DICE.ranks[0]
    return smaller is None


def go_on(scene: Scene, following: dict[str, Any] | None) -> None:
    if following is not None:
        scene.then(scene.rulebook.step(following))


class Panic(ActorStep):
    """W-35: one d6 on the table; its row also says what becomes of the action in hand (B0-13)."""

    following: dict[str, Any] | None = None
    mishap: dict[str, Any] | None = None
    call: str | None = None

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(Ask(what=text("Panic"), roller=self.actor, dice=(6,)))
        row = scene.house(House).panic.row(roll.total)
        who = Who(who=self.actor)
        step = None if self.following is None else scene.rulebook.step(self.following)
        lost = isinstance(step, Deed) and step.is_action(scene) and self._is_lost(scene, step, row.action)
        sentence = text("{who} panics ({face}). {words}.", who=who, face=roll.total, words=row.words.rstrip("."))
        brief = None if self.call else text("{who} panics", who=who)
        scene.say(sentence, roll, brief=brief, outcome=Outcome.PANIC, audience=self._told(scene))
        amend(scene, self.call, self.actor, text("panics ({face})", face=roll.total))
        self._suffer(scene, row.does)
        if lost:
            scene.say(text("{who}: this action is lost.", who=who), outcome=Outcome.LOST)
        going_on = None if lost else self.following
        if isinstance(step, Deed) and row.action is ThisAction.AT_DISADVANTAGE:
            going_on = scene.rulebook.dump_step(step.at_disadvantage())
        if self.mishap is None:
            go_on(scene, going_on)
        else:
            mishap = scene.rulebook.step(self.mishap)
            scene.then(mishap.model_copy(update={"following": going_on}))

    def _told(self, scene: Scene) -> Audience | None:
        """As face down as the test that brought it; but nobody panics without knowing."""
        told = audience(scene, self.call, self.actor)
        return None if told == Audience.GM else told

    def _is_lost(self, scene: Scene, step: Deed, action: ThisAction) -> bool:
        if action is ThisAction.EMPTY_HANDED:
            return step.needs_hand(scene)
        return action is ThisAction.LOST

    def _suffer(self, scene: Scene, does: Panics) -> None:
        if does in PUTS:
            state, words = PUTS[does]
            put(scene, self.actor, state)
            scene.say(text(words, who=Who(who=self.actor)), audience=self._told(scene))
        elif does is Panics.DROP:
            dropped = scene.sheet(Sheet, self.actor).drop_what_is_in_hand()
            words = "{who} has nothing in hand to drop." if dropped is None else "{who} drops {weapon}."
            sentence = text(words, who=Who(who=self.actor), weapon=dropped or "")
            scene.say(sentence, audience=self._told(scene))


PUTS = {
    Panics.FREEZE: (State.FROZEN, "{who} is frozen: no actions next turn."),
    Panics.BOLT: (State.BOLTING, "{who} bolts: both actions of the next turn are moves away."),
    Panics.SHAKE: (State.SHAKEN, "{who} is shaken: all tests at disadvantage."),
    Panics.LASH_OUT: (State.LASHING, "{who} will attack the nearest creature next turn, friend or foe."),
}
