"""A d20 test: strictly under the score, with a natural 20's price and Willpower spent after the fact."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.calls import audience, report
from webapp.rules.document import Audience, CharacterId
from webapp.rules.games.willpower.house import House, SpendAtD4
from webapp.rules.games.willpower.nerve import Deed, Panic, Risk, lower
from webapp.rules.games.willpower.rolls import GAME, Edge, Outcome, balance
from webapp.rules.games.willpower.sheet import DICE, Attribute, Sheet, State
from webapp.rules.move import Step
from webapp.rules.odds import chance
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.scene import State as Table
from webapp.rules.text import Text, Who, text

STAND, SPEND = "stand", "spend"
LOWEST, HIGHEST = 1, 20


class Trial(Deed):
    """`roll` is there once it has fallen; `off` are the Willpower faces taken off it; `call`: it answers one.

    `worse`: Panic has put it at disadvantage.
    """

    edge: Edge = Edge.NONE
    worse: bool = False
    modifier: int = 0
    call: str | None = None
    roll: Roll | None = None
    off: tuple[int, ...] = ()

    @property
    def roller(self) -> CharacterId:
        raise NotImplementedError

    @property
    def tests(self) -> Attribute:
        raise NotImplementedError

    @property
    def foe(self) -> CharacterId | None:
        """Against whom, when its level makes it harder."""
        return None

    def named(self, state: Table) -> Text:
        return text(self.tests.value.capitalize())

    def edges(self, state: Table) -> tuple[Edge, ...]:
        return ()

    def succeeds(self, scene: Scene) -> None:
        """What a success brings."""

    def fails(self, scene: Scene) -> None:
        """What a failure brings, when it stands."""

    def question(self, scene: Scene) -> Question:
        """What is asked after a failure."""
        return Spend(id=scene.new_id(), addressee=self.roller, trial=scene.rulebook.dump_step(self))

    def at_disadvantage(self) -> Trial:
        return self if self.roll is not None else self.model_copy(update={"worse": True})

    # --- the roll

    @property
    def thrower(self) -> CharacterId:
        return self.roller

    def ask(self, state: Table) -> Ask:
        sheet = state.sheet(Sheet, self.roller)
        shaken = Edge.DISADVANTAGE if self.worse or State.SHAKEN in sheet.states else Edge.NONE
        edge = balance((self.edge, shaken, *self.edges(state)))
        return state.judged(
            Ask(
                what=self.named(state),
                roller=self.roller,
                dice=edge.dice,
                keep=edge.keep,
                wins=Wins.UNDER,
                target=sheet.score(self.tests),
                tested=True,
                always=LOWEST,
                never=HIGHEST,
                modifiers=tuple(self._modifiers(state)),
                against=self._against(state),
            )
        )

    def _modifiers(self, state: Table) -> list[Modifier]:
        found = [Modifier(source=text("by the GM"), amount=self.modifier)] if self.modifier else []
        above = self._levels_above(state)
        return [*found, Modifier(source=text("higher level"), amount=above)] if above else found

    def _levels_above(self, state: Table) -> int:
        """A foe of higher level is that much harder; a lower one is no easier."""
        other = None if self.foe is None else state.find(Sheet, self.foe)
        if other is None or other.damage is None:
            return 0
        return max(0, other.level - state.sheet(Sheet, self.roller).level)

    def _against(self, state: Table) -> Text:
        """With a foe the chance tells its level, whether that is above the hero's or not."""
        under = text("under {score}", score=state.sheet(Sheet, self.roller).score(self.tests))
        return under if self.foe is None else text("{under} against {foe}", under=under, foe=Who(who=self.foe))

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        fallen = self.model_copy(update={"roll": roll})
        fallen.say(scene)
        if fallen.natural == HIGHEST:
            decide = scene.rulebook.dump_step(Decide(trial=scene.rulebook.dump_step(fallen)))
            secret = self.is_secret(scene)
            scene.then(Risk(actor=self.roller, why=text("a natural 20"), following=decide, secret=secret))
        else:
            fallen.decide(scene)

    def say(self, scene: Scene) -> None:
        assert self.roll is not None
        outcome = self.outcome
        sentence = text(
            "{who} rolls {what}: {total} (needs {against}), {outcome}.",
            who=Who(who=self.roller),
            what=self.roll.ask.what,
            total=self.roll.total,
            against=self.roll.ask.against or "",
            outcome=outcome.value,
        )
        told = audience(scene, self.call, self.roller)
        scene.say(sentence, self.roll, brief=None if self.call else sentence, outcome=outcome, audience=told)

    # --- what came of it

    @property
    def natural(self) -> int:
        """The face of the die that counts (B0-8)."""
        assert self.roll is not None
        return self.roll.kept[0]

    @property
    def total(self) -> int:
        assert self.roll is not None
        return self.roll.total - sum(self.off)

    @property
    def won(self) -> bool:
        """One place decides: the natural faces, and strictly under (B0-24)."""
        assert self.roll is not None
        assert self.roll.ask.target is not None
        return self.total < self.roll.ask.target if self.off else self.roll.success

    @property
    def outcome(self) -> Outcome:
        if self.natural == LOWEST:
            return Outcome.CRITICAL_SUCCESS
        if self.natural == HIGHEST and not self.off:
            return Outcome.CRITICAL_FAILURE
        return Outcome.SUCCESS if self.won else Outcome.FAILURE

    def decide(self, scene: Scene) -> None:
        if self.won:
            self.tell(scene)
            self.succeeds(scene)
        elif self.is_secret(scene):
            self.let_it_stand(scene)
        else:
            scene.open(self.question(scene))

    def is_secret(self, state: Table) -> bool:
        """Nobody can be asked about a roll they know nothing of; it costs what it costs all the same."""
        return audience(state, self.call, self.roller) == Audience.GM

    def let_it_stand(self, scene: Scene) -> None:
        self.tell(scene)
        self.fails(scene)

    def tell(self, scene: Scene) -> None:
        """To the call it answers, if any."""
        result = text("{total}, {outcome}", total=self.total, outcome=self.outcome.value)
        report(scene, self.call, self.roller, result, *(() if self.roll is None else (self.roll,)))

    # --- spending

    def spend_ask(self, state: Table) -> Ask:
        """W-06, W-07: the size held before the drop; what it must show to save the roll."""
        assert self.roll is not None
        assert self.roll.ask.target is not None
        needed = self.total - self.roll.ask.target + 1
        return Ask(
            what=text("Willpower, spent"),
            roller=self.roller,
            dice=(state.sheet(Sheet, self.roller).willpower,),
            wins=Wins.AT_LEAST,
            target=needed,
            against=text("{number} or more", number=needed),
        )

    def may_spend(self, state: Table) -> bool:
        """Not where it can't help (B0-9: nor on a natural 20, as a rule)."""
        house, sheet = state.house(House), state.sheet(Sheet, self.roller)
        if self.natural == HIGHEST and not house.spend_on_natural_20:
            return False
        if sheet.damage is not None or (house.spend_at_d4 is SpendAtD4.FORBID and sheet.willpower == DICE.ranks[0]):
            return False
        return bool(chance(self.spend_ask(state)))

    def spend_choice(self, state: Table) -> Choice:
        ask = self.spend_ask(state)
        smaller = DICE.shift(ask.dice[0], -1)
        price = text("the die goes down to a d{die}", die=smaller or 0)
        if smaller is None:
            free = state.house(House).spend_at_d4 is SpendAtD4.FREE
            price = text("the die stays a d4") if free else text("it runs out: certain Panic")
        label = text("Spend Willpower, d{die}", die=ask.dice[0])
        return Choice(id=SPEND, label=label, chance=chance(ask), price=price)


class Decide(Deed):
    """What a fallen test comes to, once what it cost is paid."""

    game: ClassVar[str] = GAME
    trial: dict[str, Any]

    def is_action(self, state: Table) -> bool:
        return self._trial(state).is_action(state)

    def needs_hand(self, state: Table) -> bool:
        return self._trial(state).needs_hand(state)

    def apply(self, scene: Scene) -> None:
        self._trial(scene).decide(scene)

    def _trial(self, state: Table) -> Trial:
        return trial_of(state, self.trial)


WHEN_FAILED = StandingOrder(
    name="spend",
    title=text("When a roll of mine fails"),
    values=(("ask", text("Offer Willpower")), ("never", text("Never spend Willpower"))),
)


class Spend(Question):
    """W-04 … W-10; asked again after a spend that was not enough (B0-11)."""

    game: ClassVar[str] = GAME
    standing_order: ClassVar[StandingOrder | None] = WHEN_FAILED
    default = STAND

    trial: dict[str, Any]

    @property
    def call(self) -> str | None:
        """The call that waits for it, if one does."""
        found = self.trial.get("call")
        return found if isinstance(found, str) else None

    def ask(self, state: Table) -> Text:
        trial = self._trial(state)
        assert trial.roll is not None
        return text(
            "{what}: {total} (needs {against}). Spend Willpower?",
            what=trial.roll.ask.what,
            total=trial.total,
            against=trial.roll.ask.against or "",
        )

    def brief(self) -> Text:
        return text("Willpower?")

    def choices(self, state: Table) -> tuple[Choice, ...]:
        return (Choice(id=STAND, label=text("Let it stand")), self._trial(state).spend_choice(state))

    def pointless(self, state: Table) -> bool:
        return not self._trial(state).may_spend(state)

    def ordered(self, state: Table) -> str | None:
        return STAND if state.habits(self.addressee).orders.get("spend") == "never" else None

    def passed_by(self) -> Text:
        return text("No Willpower spent")

    def decided(self, choice: str) -> Text:
        return text("the GM let the failure stand.") if choice == STAND else text("the GM spent your Willpower.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == SPEND:
            scene.then(Spending(actor=self._trial(scene).roller, trial=self.trial))
        else:
            self._trial(scene).let_it_stand(scene)

    def _trial(self, state: Table) -> Trial:
        return trial_of(state, self.trial)


class Spending(Step):
    """One size down for certain, and the face comes off the roll."""

    game: ClassVar[str] = GAME
    actor: CharacterId
    trial: dict[str, Any]

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        trial = trial_of(scene, self.trial)
        roll = scene.roll(trial.spend_ask(scene))
        before = trial.total
        trial = trial.model_copy(update={"off": (*trial.off, roll.total)})
        ran_out = lower(scene, self.actor)
        panics = ran_out and scene.house(House).spend_at_d4 is not SpendAtD4.FREE
        self._say(scene, trial, before, roll)
        decide = Decide(trial=scene.rulebook.dump_step(trial))
        scene.then(Panic(actor=self.actor, following=scene.rulebook.dump_step(decide)) if panics else decide)

    def _say(self, scene: Scene, trial: Trial, before: int, roll: Roll) -> None:
        assert trial.roll is not None
        outcome = Outcome.SUCCESS if trial.won else Outcome.FAILURE
        sentence = text(
            "{who} spends Willpower: {before} − {face} = {total} (needs {against}), {outcome}. "
            "The die is now a d{die}.",
            who=Who(who=self.actor),
            before=before,
            face=roll.total,
            total=trial.total,
            against=trial.roll.ask.against or "",
            outcome=outcome.value,
            die=scene.sheet(Sheet, self.actor).willpower,
        )
        told = audience(scene, trial.call, self.actor)
        scene.say(sentence, roll, brief=None if trial.call else sentence, outcome=outcome, audience=told)


def trial_of(state: Table, stored: dict[str, Any]) -> Trial:
    step = state.rulebook.step(stored)
    assert isinstance(step, Trial)
    return step
