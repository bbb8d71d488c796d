"""A d20 test: strictly under the score, with a natural 20's price and Willpower spent after the fact."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.calls import audience, report
from webapp.rules.document import Audience, CharacterId
from webapp.rules.games.willpower.house import House, SpendAtD4
from webapp.rules.games.willpower.nerve import Deed, Panic, Risk, lower
from webapp.rules.games.willpower.rolls import GAME, ActorStep, Edge, Outcome, balance
from webapp.rules.games.willpower.sheet import DICE, Attribute, Sheet, State
from webapp.rules.odds import chance, odds_of
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Modifier, Roll, Wins
from webapp.rules.scene import Scene
from webapp.rules.sight import may_tell
from webapp.rules.state import State as Table
from webapp.rules.text import Arg, Figure, Text, Who, text

STAND, SPEND = "stand", "spend"
LOWEST, HIGHEST = 1, 20


class Trial(Deed):
    """`against`: a foe, whose level may make it harder. `call`: what the GM has called for, and no action then.

    `worse`: Panic has put it at disadvantage. `roll` is there once it has fallen, `off` are the Willpower faces
    taken off it.
    """

    costs_action: ClassVar[bool] = True

    attribute: Attribute
    against: CharacterId | None = None
    edge: Edge = Edge.NONE
    worse: bool = False
    modifier: int = 0
    call: str | None = None
    roll: Roll | None = None
    off: tuple[int, ...] = ()

    def named(self, state: Table) -> Text:
        return text(self.attribute.value.capitalize())

    def edges(self, state: Table) -> tuple[Edge, ...]:
        return ()

    def succeeds(self, scene: Scene) -> None:
        """What a success brings."""

    def fails(self, scene: Scene) -> None:
        """What a failure brings, when it stands."""

    def question(self, scene: Scene) -> Question:
        """What is asked after a failure."""
        return Spend(id=scene.new_id(), addressee=self.actor, trial=scene.rulebook.dump_step(self))

    def is_action(self, state: Table) -> bool:
        return self.costs_action and self.call is None

    def at_disadvantage(self) -> Trial:
        return self if self.roll is not None else self.model_copy(update={"worse": True})

    # --- the roll

    def ask(self, state: Table) -> Ask:
        sheet = state.sheet(Sheet, self.actor)
        shaken = Edge.DISADVANTAGE if self.worse or State.SHAKEN in sheet.states else Edge.NONE
        edge = balance((self.edge, shaken, *self.edges(state)))
        return state.judged(
            Ask(
                what=self.named(state),
                roller=self.actor,
                dice=edge.dice,
                keep=edge.keep,
                wins=Wins.UNDER,
                target=sheet.score(self.attribute),
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
        if above:
            found.append(Modifier(source=text("higher level"), amount=above, about=self.against))
        return found

    def _levels_above(self, state: Table) -> int:
        """A foe of higher level is that much harder; a lower one is no easier."""
        other = None if self.against is None else state.find(Sheet, self.against)
        if other is None or other.damage is None:
            return 0
        return max(0, other.level - state.sheet(Sheet, self.actor).level)

    def _against(self, state: Table) -> Text:
        """With a foe the chance tells its level, whether that is above the hero's or not."""
        score = state.sheet(Sheet, self.actor).score(self.attribute)
        held = text("{attribute} {score}", attribute=self.attribute.value.capitalize(), score=score)
        if self.against is None:
            return held
        return text("{held}, facing {foe}", held=held, foe=Who(who=self.against))

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        fallen = self.model_copy(update={"roll": roll})
        fallen.say(scene)
        if fallen.natural == HIGHEST:
            decide = scene.rulebook.dump_step(Decide(actor=self.actor, trial=scene.rulebook.dump_step(fallen)))
            scene.then(Risk(actor=self.actor, why=text("a natural 20"), following=decide, call=self.call))
        else:
            fallen.decide(scene)

    def say(self, scene: Scene) -> None:
        assert self.roll is not None
        outcome = self.outcome
        sentence = text(
            "{who} rolls {what}: {total} (needs {needed}), {outcome}.",
            who=Who(who=self.actor),
            what=self.roll.ask.what,
            total=self.sum,
            needed=self.needed,
            outcome=outcome.value,
        )
        brief = text("{who}: {total}, {outcome}", who=Who(who=self.actor), total=self.shown, outcome=outcome.value)
        told = audience(scene, self.call, self.actor)
        scene.say(sentence, self.roll, brief=None if self.call else brief, outcome=outcome, audience=told)
        self.tell_of_the_unseen(scene, text("{what}: {face}", what=self.roll.ask.what, face=self.natural))

    def tell_of_the_unseen(self, scene: Scene, what: Text) -> None:
        """Where the full story names somebody out of sight, everybody learns what can be seen of it."""
        if self.against is None or self.call is not None or not scene.is_hidden(self.against):
            return
        args: dict[str, Arg] = {"who": Who(who=self.actor), "what": what, "outcome": self.outcome.value}
        scene.say(text("{who} · {what}, {outcome}.", **args), brief=text("{who}: {what}, {outcome}", **args))

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
    def above(self) -> int:
        """What the level of a foe has added; that is its own to tell."""
        assert self.roll is not None
        return sum(one.amount for one in self.roll.ask.modifiers if one.about is not None)

    def figure(self, value: int) -> Text:
        """A number that tells the foe's level to whoever can subtract."""
        if not self.above or self.against is None:
            return text("{number}", number=value)
        return text("{number}", number=Figure(figure_of=self.against, value=value))

    @property
    def shown(self) -> Text:
        return self.figure(self.total)

    @property
    def needed(self) -> Text:
        assert self.roll is not None
        under = text("under {score}", score=self.roll.ask.target or 0)
        if self.against is None:
            return under
        return text("{under} against {foe}", under=under, foe=Who(who=self.against))

    @property
    def sum(self) -> Text:
        """How the total came about: "12 + 2 = 14", "13 − 3 = 10"; a face alone says it all."""
        assert self.roll is not None
        own = self.roll.ask.bonus - self.above
        shown = " ".join([str(self.natural), *([_signed(own)] if own else [])])
        less = "".join(f" {_signed(-off)}" for off in self.off)
        if not (own or self.above or self.off):
            return text("{sum}", sum=shown)
        args: dict[str, Arg] = {"above": self.figure(self.above), "total": self.shown, "sum": shown, "less": less}
        return text("{sum} + {above}{less} = {total}" if self.above else "{sum}{less} = {total}", **args)

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
        if self.won:
            return Outcome.SUCCESS
        return Outcome.CRITICAL_FAILURE if self.natural == HIGHEST else Outcome.FAILURE

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
        return audience(state, self.call, self.actor) == Audience.GM

    def let_it_stand(self, scene: Scene) -> None:
        self.tell(scene)
        self.fails(scene)

    def tell(self, scene: Scene, then: str = "") -> None:
        """To the call it answers, if any; `then` is what the hero makes of it."""
        words = "{total}, {outcome}, {then}" if then else "{total}, {outcome}"
        unseen = self.against is not None and scene.is_hidden(self.against)
        total = text("{face}", face=self.natural) if unseen and self.above else self.shown
        result = text(words, total=total, outcome=self.outcome.value, then=then)
        report(scene, self.call, self.actor, result, *(() if self.roll is None else (self.roll,)), made=self.won)

    # --- spending

    def spend_ask(self, state: Table) -> Ask:
        """W-06, W-07: the size held before the drop; what it must show to save the roll."""
        assert self.roll is not None
        assert self.roll.ask.target is not None
        needed = self.total - self.roll.ask.target + 1
        return Ask(
            what=text("Willpower, spent"),
            roller=self.actor,
            dice=(state.sheet(Sheet, self.actor).willpower,),
            wins=Wins.AT_LEAST,
            target=needed,
            against=text("{number} or more", number=self.figure(needed)),
        )

    def may_spend(self, state: Table) -> bool:
        """Not where it can't help, unless that would tell (B0-9: nor on a natural 20, as a rule)."""
        house, sheet = state.house(House), state.sheet(Sheet, self.actor)
        if self.natural == HIGHEST and not house.spend_on_natural_20:
            return False
        if sheet.damage is not None or (house.spend_at_d4 is SpendAtD4.FORBID and sheet.willpower == DICE.ranks[0]):
            return False
        ask = self.spend_ask(state)
        return bool(chance(ask)) or not may_tell(state, ask.about)

    def spend_choice(self, state: Table) -> Choice:
        ask = self.spend_ask(state)
        smaller = DICE.shift(ask.dice[0], -1)
        price = text("needs {need}; the die goes down to a d{die}", need=ask.against or "", die=smaller or 0)
        if smaller is None:
            free = state.house(House).spend_at_d4 is SpendAtD4.FREE
            words = "needs {need}; the die stays a d4" if free else "needs {need}; it runs out: certain Panic"
            price = text(words, need=ask.against or "")
        label = text("Spend Willpower, d{die}", die=ask.dice[0])
        about = None if may_tell(state, ask.about) else ask.about
        return Choice(id=SPEND, label=label, **odds_of(ask, about=about), price=price)


class Decide(Deed):
    """What a fallen test comes to, once what it cost is paid."""

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
            "{what}: {total} (needs {needed}). Spend Willpower?",
            what=trial.roll.ask.what,
            total=trial.sum,
            needed=trial.needed,
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
            scene.then(Spending(actor=self._trial(scene).actor, trial=self.trial))
        else:
            self._trial(scene).let_it_stand(scene)

    def _trial(self, state: Table) -> Trial:
        return trial_of(state, self.trial)


class Spending(ActorStep):
    """One size down for certain, and the face comes off the roll."""

    trial: dict[str, Any]

    def apply(self, scene: Scene) -> None:
        trial = trial_of(scene, self.trial)
        roll = scene.roll(trial.spend_ask(scene))
        before = trial.shown
        trial = trial.model_copy(update={"off": (*trial.off, roll.total)})
        ran_out = lower(scene, self.actor)
        panics = ran_out and scene.house(House).spend_at_d4 is not SpendAtD4.FREE
        self._say(scene, trial, before, roll)
        decide = Decide(actor=self.actor, trial=scene.rulebook.dump_step(trial))
        following = scene.rulebook.dump_step(decide)
        scene.then(Panic(actor=self.actor, following=following, call=trial.call) if panics else decide)

    def _say(self, scene: Scene, trial: Trial, before: Text, roll: Roll) -> None:
        assert trial.roll is not None
        sentence = text(
            "{who} spends Willpower: {before} − {face} = {total} (needs {needed}), {outcome}. "
            "The die is now a d{die}.",
            who=Who(who=self.actor),
            before=before,
            face=roll.total,
            total=trial.shown,
            needed=trial.needed,
            outcome=trial.outcome.value,
            die=scene.sheet(Sheet, self.actor).willpower,
        )
        brief = text("spends {face}: {total}, {outcome}", **sentence.args)
        told = audience(scene, trial.call, self.actor)
        scene.say(sentence, roll, brief=None if trial.call else brief, outcome=trial.outcome, audience=told)
        trial.tell_of_the_unseen(scene, text("spends Willpower: {face}", face=roll.total))


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else '−'} {abs(amount)}"


def trial_of(state: Table, stored: dict[str, Any]) -> Trial:
    step = state.rulebook.step(stored)
    assert isinstance(step, Trial)
    return step
