"""Own dice in the open: streaks, the raised die, and the second try for a Will Point."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, ClassVar

from webapp.rules.document import DEAD, DOWN, Character, CharacterId, Side
from webapp.rules.games.squad.house import House
from webapp.rules.games.squad.sheet import DICE, Attribute, Condition, Device, Sheet, half
from webapp.rules.move import Step
from webapp.rules.odds import chance, odds_of
from webapp.rules.question import Choice, Question, StandingOrder, Window
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.sight import may_tell
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text

NOBODY = text("There is nobody of that kind at this table: choose somebody who is here.")
NO_SHEET = text("There is no Shadow Squad sheet for that.")
KEEP, AGAIN = "keep", "again"


class Outcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    HIT = "hit"
    MISS = "miss"
    PARRIED = "parried"
    NOT_PARRIED = "not parried"
    HURT = "hurt"
    UNHURT = "unhurt"
    DOWN = DOWN
    DEVICE_WORN = "device worn"
    DEVICE_BROKEN = "device broken"
    WILL_GONE = "will gone"
    WILL_WON = "will won"
    SURPRISED = "surprised"
    STABLE = "stable"
    DEAD = DEAD
    HEALED = "healed"
    AWAY = "away"


# --- streaks -----------------------------------------------------------------------------------------------


def throw(scene: Scene, ask: Ask, *, again: bool = False) -> Roll:
    """A roll in the open; the own dice of a player's character make streaks (S-61, S-62, B2-23 … B2-25).

    What a hidden hero rolls is the GM's alone, and a streak would betray it.
    """
    roll = scene.roll(ask, again=again)
    who = ask.roller
    if who is not None and has_will(scene, who) and not scene.is_hidden(who):
        for side, face in zip(ask.dice, roll.faces, strict=True):
            _count_streak(scene, who, side, face)
    return roll


def has_will(state: State, who: CharacterId) -> bool:
    """Will Points are a player character's; monster dice know none, whatever side they fight on (B2-23)."""
    return state.character(who).side is Side.HERO and state.sheet(Sheet, who).monster is None


def _count_streak(scene: Scene, who: CharacterId, side: int, face: int) -> None:
    sheet = scene.sheet(Sheet, who)
    end = "low" if face == 1 else "high" if face == side else ""
    fires = end != "" and end == sheet.streak
    sheet.streak = "" if fires and not scene.house(House).streak_overlap else end  # type: ignore[assignment]
    if fires:
        _fire(scene, who, end)


def _fire(scene: Scene, who: CharacterId, end: str) -> None:
    sheet = scene.sheet(Sheet, who)
    if end == "high":
        sheet.win_will()
        words, outcome = "{who}: the highest face twice in a row, a Will Point is won.", Outcome.WILL_WON
    else:
        words, outcome = "{who}: two 1s in a row, a Will Point is gone.", Outcome.WILL_GONE
        if sheet.will == 0:
            words = "{who}: two 1s in a row, but there is no Will Point to lose."
        sheet.will = max(0, sheet.will - 1)
    scene.say(text(words, who=Who(who=who)), outcome=outcome, late=True)


# --- raising a die -----------------------------------------------------------------------------------------


def raised(die: int, wanted: bool) -> int:
    return DICE.up(die) if wanted else die


def pay_to_raise(scene: Scene, who: CharacterId, wanted: bool) -> None:
    """S-56: one Will Point raises the die of one roll by one rank, before it is rolled."""
    if wanted:
        scene.sheet(Sheet, who).will -= 1
        scene.say(text("{who} spends a Will Point to raise the die.", who=Who(who=who)))


def cannot_raise(state: State, who: CharacterId, *dice: int) -> Text | None:
    """Why these dice can't all be raised: each costs a point, and a d12 is the top (B2-19)."""
    if any(DICE.is_top(die) for die in dice):
        return text("A d12 can't be raised: roll it as it is.")
    if state.sheet(Sheet, who).will < len(dice):
        return text("There is no Will Point left for that: roll without.")
    return None


ROLL, RAISE_IT = "roll", "raise"
RAISE = text("Raise the die · 1 Will Point")


def roll_or_raise(state: State, step: Rolled) -> tuple[Choice, ...]:
    """One tap to roll, and the same with the die raised where that can be."""
    plain, who = step.ask(state), step.thrower
    roll = Choice(id=ROLL, label=text("Roll"), **_worth(plain))
    if who is None or cannot_raise(state, who, plain.dice[0]) is not None:
        return (roll,)
    higher = step.model_copy(update={"raised": True}).ask(state)
    return (roll, Choice(id=RAISE_IT, label=text("Roll"), switch=RAISE, **_worth(higher)))


def _worth(ask: Ask) -> dict[str, Any]:
    """The chance; where nothing is to be reached, the die."""
    return {"price": text("{die}", die=ask.pool)} if ask.wins is Wins.ALWAYS else odds_of(ask)


class AskedFirst(Question):
    """S-56: whoever wants to be asked may raise the die before it is rolled; for all others it rolls at once."""

    game: ClassVar[str] = "squad"
    default = ROLL

    def roll(self, state: State) -> Rolled:
        raise NotImplementedError

    def choices(self, state: State) -> tuple[Choice, ...]:
        step = self.roll(state)
        return (Choice(id=ROLL, label=text("Roll")),) if step.is_past(state) else roll_or_raise(state, step)

    def pointless(self, state: State) -> bool:
        assert self.addressee is not None
        step = self.roll(state)
        return step.is_past(state) or cannot_raise(state, self.addressee, step.ask(state).dice[0]) is not None

    def ordered(self, state: State) -> str | None:
        assert self.addressee is not None
        return None if asks_at_any(state, self.addressee) else ROLL

    def passed_by(self) -> Text:
        return text("Roll for them")

    def decided(self, choice: str) -> Text:
        return text("the GM rolled for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        assert self.addressee is not None
        lifts = choice == RAISE_IT
        pay_to_raise(scene, self.addressee, lifts)
        scene.then(self.roll(scene).model_copy(update={"raised": lifts}))


class RaiseFirst(AskedFirst):
    """Before a roll that comes by itself, so that no act could have raised its die."""

    what: Text
    act: dict[str, Any]

    def ask(self, state: State) -> Text:
        return self.what

    def brief(self) -> Text:
        return text("raise it?")

    def roll(self, state: State) -> Rolled:
        step = state.rulebook.step(self.act)
        assert isinstance(step, Rolled)
        return step


def roll_or_ask_first(scene: Scene, step: Rolled, what: Text) -> None:
    who = step.thrower
    if who is None or not has_will(scene, who):
        scene.then(step)
    else:
        scene.open(RaiseFirst(id=scene.new_id(), addressee=who, what=what, act=scene.rulebook.dump_step(step)))


# --- the second try ----------------------------------------------------------------------------------------


class Rolled(Step):
    """A roll that may be tried once more. `raised` was paid; `again` marks the second try, which stands (B2-28)."""

    raised: bool = False
    again: bool = False

    def ask(self, state: State) -> Ask:
        raise NotImplementedError

    def is_past(self, state: State) -> bool:
        """Is there nothing left to roll for or against, so that nobody can ask it?"""
        return False


WHEN_FAILED = StandingOrder(
    name="reroll",
    title=text("When a roll of mine fails"),
    values=(
        ("ask", text("Offer a re-roll")),
        ("any", text("Ask me at any roll a Will Point could better")),
        ("never", text("Never re-roll")),
    ),
)


def asks_at_any(state: State, who: CharacterId) -> bool:
    """Does this player want to be asked about rolls that have not failed, too?"""
    return state.habits(who).orders.get(WHEN_FAILED.name) == "any"


class Reroll(Question):
    """S-57: one Will Point for a second try, whose result stands.

    `beat`: the total that more is wanted than, where the roll was not judged: a number, damage, healing.
    """

    game: ClassVar[str] = "squad"
    standing_order = WHEN_FAILED
    window = Window.NEXT_ACT
    holds_up = False
    chip = True
    default = KEEP

    what: Text
    act: dict[str, Any]
    otherwise: dict[str, Any] | None = None
    beat: int | None = None

    def ask(self, state: State) -> Text:
        return text("{what} Re-roll it for a Will Point?", what=self.what)

    def brief(self) -> Text:
        return text("re-roll?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        if self._step(state).is_past(state):
            return (Choice(id=KEEP, label=text("Keep it")),)
        left = state.sheet(Sheet, self._who).will
        price = text("1 of {left} Will Points; the second result stands", left=left)
        ask = self._wanted(state)
        return (
            Choice(id=KEEP, label=text("Keep it")),
            Choice(id=AGAIN, label=text("Re-roll"), price=price, **odds_of(ask)),
        )

    def pointless(self, state: State) -> bool:
        """Whether it is hopeless would tell a foe's figure to those who may not know it."""
        if self._step(state).is_past(state):
            return True
        ask = self._wanted(state)
        return state.sheet(Sheet, self._who).will == 0 or (not chance(ask) and may_tell(state, ask.about))

    def ordered(self, state: State) -> str | None:
        if self.beat is not None:
            return None if asks_at_any(state, self._who) else KEEP
        return KEEP if state.habits(self._who).orders.get(WHEN_FAILED.name) == "never" else None

    def passed_by(self) -> Text:
        return text("No re-roll")

    def decided(self, choice: str) -> Text:
        return text("the GM kept the roll.") if choice == KEEP else text("the GM re-rolled for you.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == AGAIN:
            scene.sheet(Sheet, self._who).will -= 1
            scene.say(text("{who} spends a Will Point to re-roll.", who=Who(who=self._who)))
            scene.then(self._step(scene).model_copy(update={"again": True}))
        elif self.otherwise is not None:
            scene.then(scene.rulebook.step(self.otherwise))

    @property
    def _who(self) -> CharacterId:
        assert self.addressee is not None
        return self.addressee

    def _wanted(self, state: State) -> Ask:
        """The roll, judged by whether it would help."""
        ask = self._step(state).ask(state)
        if self.beat is None:
            return ask
        more = text("more than {total}", total=self.beat)
        return ask.model_copy(update={"wins": Wins.AT_LEAST, "target": self.beat + 1, "against": more})

    def _step(self, state: State) -> Rolled:
        step = state.rulebook.step(self.act)
        assert isinstance(step, Rolled)
        return step


class RerollNow(Reroll):
    """A second try that what comes next depends on, so that the fight waits for it."""

    window = Window.FIGHT
    holds_up = True
    chip = False


def leave_the_last(scene: Scene, who: CharacterId) -> None:
    """Whoever does something new keeps the roll before it as it was."""
    for question in list(scene.all(Reroll)):
        if question.addressee == who:
            scene.withdraw(question)


def second_try(scene: Scene, step: Rolled, what: Text, *, otherwise: Step | None = None) -> None:
    """After a failure: offers the re-roll, or goes on with what happens `otherwise`."""
    question = _second_try(scene, step, what, otherwise=otherwise)
    if question is not None:
        scene.open(question)
    elif otherwise is not None:
        scene.then(otherwise)


def try_for_more(scene: Scene, step: Rolled, what: Text, roll: Roll, *, otherwise: Step | None = None) -> bool:
    """After a roll that is not judged: offers another where more would be better. Is it offered?"""
    question = _second_try(scene, step, what, otherwise=otherwise, beat=roll.total)
    if question is not None:
        return scene.open(question)
    if otherwise is not None:
        scene.then(otherwise)
    return False


def may_try_again(state: State, step: Rolled) -> bool:
    """Not after a second try, and not without a Will Point."""
    who = step.thrower
    return who is not None and not step.again and has_will(state, who) and state.sheet(Sheet, who).will > 0


def _second_try(
    scene: Scene, step: Rolled, what: Text, *, otherwise: Step | None, beat: int | None = None
) -> Reroll | None:
    if not may_try_again(scene, step):
        return None
    kind = Reroll if otherwise is None else RerollNow
    return kind(
        id=scene.new_id(),
        addressee=step.thrower,
        what=what,
        act=scene.rulebook.dump_step(step),
        otherwise=None if otherwise is None else scene.rulebook.dump_step(otherwise),
        beat=beat,
    )


# --- what several of these ask -----------------------------------------------------------------------------


def unable(state: State, who: CharacterId) -> Text | None:
    sheet = state.sheet(Sheet, who)
    if sheet.can_act:
        return None
    unconscious = sheet.condition in (Condition.FIT, Condition.STABLE)
    condition = "unconscious" if unconscious else sheet.condition.value
    return text("{who} is {condition}.", who=Who(who=who), condition=condition)


def cannot_try(state: State, who: CharacterId) -> Text | None:
    """Why this one can't try a task; whoever got away from a fight may, elsewhere (S-42)."""
    sheet = state.sheet(Sheet, who)
    return None if sheet.condition is Condition.AWAY and sheet.hp.now > 0 else unable(state, who)


def surprised(state: State, who: CharacterId) -> Text | None:
    """S-13: no attack in the first round."""
    if not state.sheet(Sheet, who).surprised:
        return None
    return text("{who} is surprised: no attack this round.", who=Who(who=who))


def in_sight(state: State, who: CharacterId, *, of: CharacterId) -> bool:
    """Heroes and their players know nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or state.character(of).side is Side.FOE


def half_of(state: State, who: CharacterId, attribute: Attribute) -> tuple[int, Text]:
    """The difficulty that somebody's die sets, and how it came about (S-05, S-06)."""
    sheet = state.sheet(Sheet, who)
    die = sheet.die(attribute)
    return half(die), text(
        "{number} (half of {who}'s {kind})",
        number=Figure(figure_of=who, value=half(die)),
        who=Who(who=who),
        kind="monster die" if sheet.monster else attribute.value,
    )


def device_of(state: State, who: CharacterId, device: str) -> Device | None:
    return state.sheet(Sheet, who).devices.get(device)
