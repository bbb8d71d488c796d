"""A roll's second try for a Will Point."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.document import CharacterId
from webapp.rules.games.squad.rolls import has_will
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.move import Step
from webapp.rules.odds import chance, odds_of
from webapp.rules.question import Choice, Question, StandingOrder, Window
from webapp.rules.roll import Ask, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.sight import may_tell
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

KEEP, AGAIN = "keep", "again"


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
