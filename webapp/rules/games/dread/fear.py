"""A fear test: asked for, rolled, perhaps tried again, and what it leaves behind."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules.answers import settle
from webapp.rules.asking import Faces
from webapp.rules.calls import Called, audience, call_for, report
from webapp.rules.document import Audience, Character, CharacterId, Side
from webapp.rules.errors import RuleError
from webapp.rules.games.dread.house import CritRule, House, When
from webapp.rules.games.dread.rolls import NO_SHEET, NOBODY, against_fear, is_critical, points, prospect, soak
from webapp.rules.games.dread.sheet import Difficulty, Fear, Outcome, Pending, Sheet
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.values import Frozen

ROLL, REFUSE = "roll", "refuse"
KEEP, AGAIN = "keep", "again"
NO, YES = "no", "yes"


class Said(StrEnum):
    """What a line of the log tells; how a test ends is told by its outcome."""

    PASSED = "passed"
    FAILED = "failed"
    FAILED_BADLY = "failed badly"
    SUCCESS = "success"
    FAILURE = "failure"
    SCARES = "scares"
    SCARES_NOBODY = "scares nobody"
    SOAKED = "soaked"
    CALM = "calm"
    HEALED = "healed"
    PERMANENT = "permanent"
    CORRUPTED = "corrupted"


class Result(Frozen):
    """How a test came out. `critical` None: the GM has yet to say. No roll: it was told from other dice."""

    total: int
    success: bool
    critical: bool | None = None
    roll: Roll | None = None

    @property
    def said(self) -> Said:
        if self.success:
            return Said.PASSED
        return Said.FAILED_BADLY if self.critical else Said.FAILED


class OfATest(Step):
    """One character's part in a fear test, asked for in a call. `secret`: the GM's hand rolls, none other reads."""

    game: ClassVar[str] = "dread"
    actor: CharacterId
    difficulty: Difficulty
    call: str | None = None
    secret: bool = False

    @property
    def thrower(self) -> CharacterId | None:
        return None if self.secret else self.actor

    def the_same(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OfATest.model_fields}

    def by_whom(self, ask: Ask) -> Ask:
        return ask.model_copy(update={"roller": self.thrower})

    def readers(self, state: State) -> Audience | None:
        return Audience.GM if self.secret else audience(state, self.call, self.actor)


class FearTest(OfATest):
    """F-01: willpower against the difficulty. `again`: the second try."""

    again: bool = False

    def ask(self, state: State) -> Ask:
        return against_fear(state, self.actor, self.difficulty)

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.by_whom(self.ask(scene)), again=self.again)
        critical = False if roll.success else is_critical(scene.house(House).crit_rule, roll)
        weigh(scene, self, Result(total=roll.total, success=roll.success, critical=critical, roll=roll))


def weigh(scene: Scene, test: FearTest, result: Result) -> None:
    """Says how it came out; a failure may be tried again before anything follows from it (B3-13)."""
    words = {Said.PASSED: "resisted", Said.FAILED: "a failure", Said.FAILED_BADLY: "a critical failure"}
    sentence = text(
        "{who} faces fear {difficulty}: {total}, {outcome}.",
        who=Who(who=test.actor),
        difficulty=test.difficulty,
        total=result.total,
        outcome=words[result.said],
    )
    rolls = () if result.roll is None else (result.roll,)
    scene.say(sentence, *rolls, outcome=result.said, audience=test.readers(scene))
    if result.success:
        decide(scene, test, result)
        return
    scene.open(
        UseToughness(
            id=scene.new_id(),
            addressee=test.thrower,
            hero=test.actor,
            call=test.call,
            test=scene.rulebook.dump_step(test),
            result=result,
        )
    )


def decide(scene: Scene, test: FearTest, result: Result) -> None:
    """The last result stands; under one reading the GM says whether a failure is panic."""
    if not result.success and result.critical is None:
        held = scene.rulebook.dump_step(test)
        scene.open(
            Critical(id=scene.new_id(), addressee=None, hero=test.actor, call=test.call, test=held, result=result)
        )
        return
    failed = Outcome.PANICKED if result.critical else Outcome.SCARED
    outcome = Outcome.RESISTED if result.success else failed
    scene.then(Shaken(**test.the_same(), outcome=outcome, total=result.total, roll=result.roll))


class Shaken(OfATest):
    """F-02 … F-08, F-20: state and points, set once; then the soak, on which the new state counts already (B3-7)."""

    outcome: Outcome
    total: int | None = None
    roll: Roll | None = None

    def apply(self, scene: Scene) -> None:
        sheet, house = scene.sheet(Sheet, self.actor), scene.house(House)
        sheet.frighten(self.outcome)
        due = points(self.outcome, self.difficulty, house.panic_rounding)
        rolls = () if self.roll is None else (self.roll,)
        if due and house.insanity_when is When.DEFERRED:
            put_off(scene, sheet, self.difficulty, self.outcome, due)
            insanity = text("{due} insanity to be settled later", due=due)
        elif due:
            soaked = scene.roll(self.by_whom(soak(scene, self.actor)))
            insanity = gain(sheet, due, soaked)
            rolls = (*rolls, soaked)
        else:
            insanity = text("no insanity")
        self._say(scene, sheet, insanity, rolls)

    def _say(self, scene: Scene, sheet: Sheet, insanity: Text, rolls: tuple[Roll, ...]) -> None:
        sentence = text(
            "{who} {state}: {insanity}.", who=Who(who=self.actor), state=self._state(sheet), insanity=insanity
        )
        own = rolls if self.roll is None else rolls[1:]
        scene.say(
            sentence,
            *own,
            brief=None if self.call else sentence,
            outcome=self.outcome,
            audience=self.readers(scene),
        )
        shown = (
            self.outcome.words
            if self.total is None
            else text("{n}, {outcome}", n=self.total, outcome=self.outcome.words)
        )
        result, resisted = (
            text("{shown}, {insanity}", shown=shown, insanity=insanity),
            self.outcome is Outcome.RESISTED,
        )
        report(scene, self.call, self.actor, result, *rolls, made=resisted)

    def _state(self, sheet: Sheet) -> Text:
        if self.outcome is Outcome.RESISTED:
            return text("does not give way to fear")
        still = text(", and is still panicked") if sheet.fear is not self.outcome.fear else text("")
        word = "panics" if self.outcome is Outcome.PANICKED else "is scared"
        cost = self.outcome.fear.penalty
        return text("{word} ({cost:+} on all rolls){still}", word=word, cost=cost, still=still)


def gain(sheet: Sheet, due: int, soaked: Roll) -> Text:
    """F-10, B3-9: what the soak leaves is gained, once for each gain (B3-10)."""
    off = min(due, soaked.total)
    sheet.temporary += due - off
    return text("{due} − {off} soaked = {gained} insanity", due=due, off=off, gained=due - off)


def put_off(scene: Scene, sheet: Sheet, difficulty: int, outcome: Outcome, due: int) -> None:
    number = 1 + max((line.number for line in sheet.pending.values()), default=0)
    line = Pending(number=number, difficulty=difficulty, outcome=outcome, due=due, minutes=scene.clock.minutes)
    sheet.pending = {**sheet.pending, scene.new_id(): line}


# --- what is asked -----------------------------------------------------------------------------------------


class Resist(Called):
    """One hero's fear test. Not to roll counts as scared (B3-18)."""

    game: ClassVar[str] = "dread"

    def ask(self, state: State) -> Text:
        test = self._test(state)
        words = prospect(state, test.actor, test.difficulty).words
        return text("Fear, difficulty {difficulty}: {words}.", difficulty=test.difficulty, words=words)

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (
            Choice(id=ROLL, label=text("Roll"), **odds_of(self._test(state).ask(state))),
            Choice(id=REFUSE, label=text("Don't roll"), price=text("counts as scared")),
        )

    def ordered(self, state: State) -> str | None:
        return ROLL if _plays_itself(state, self.addressee) else None

    def decided(self, choice: str) -> Text:
        return text("the GM rolled for you.") if choice == ROLL else text("the GM let you be scared.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        test = self._test(scene)
        scene.then(test if choice == ROLL else Shaken(**test.the_same(), outcome=Outcome.SCARED))

    def _test(self, state: State) -> FearTest:
        return _test(state, self.step)


class UseToughness(Question):
    """F-14, F-15, B3-12: another try at a failed test; the last result counts."""

    game: ClassVar[str] = "dread"
    window = Window.STANDS
    holds_up = False
    default = KEEP

    hero: CharacterId
    call: str | None
    test: dict[str, Any]
    result: Result

    def ask(self, state: State) -> Text:
        test = _test(state, self.test)
        return text(
            "{who}: {total} against fear {difficulty}, {how}. Use toughness?",
            who=Who(who=self.hero),
            total=self.result.total,
            difficulty=test.difficulty,
            how="a critical failure" if self.result.critical else "a failure",
        )

    def brief(self) -> Text:
        return text("toughness?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        sheet, test = state.sheet(Sheet, self.hero), _test(state, self.test)
        left = text("1 of {left} rerolls left this session; the new result stands", left=sheet.rerolls)
        return (
            Choice(id=KEEP, label=text("Let it stand"), price=self._price(state, test)),
            Choice(id=AGAIN, label=text("Try again"), **odds_of(test.ask(state)), price=left),
        )

    def pointless(self, state: State) -> bool:
        """None left, played without, or no die that could make it better."""
        sheet = state.find(Sheet, self.hero)
        if sheet is None or not state.house(House).toughness or not sheet.rerolls:
            return True
        found = prospect(state, self.hero, _test(state, self.test).difficulty)
        return found.panicked == 1 or not (self.result.critical or found.resisted)

    def ordered(self, state: State) -> str | None:
        return AGAIN if _plays_itself(state, self.addressee) else None

    def passed_by(self) -> Text:
        return text("It stands")

    def decided(self, choice: str) -> Text:
        return text("the GM let the roll stand.") if choice == KEEP else text("the GM used your toughness.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        test = _test(scene, self.test)
        if choice == KEEP:
            decide(scene, test, self.result)
            return
        test = test.model_copy(update={"again": True})
        sheet = scene.sheet(Sheet, self.hero)
        sheet.used += 1
        sentence = text("{who} is tough, and tries again: {left} left.", who=Who(who=self.hero), left=sheet.rerolls)
        scene.say(sentence, audience=test.readers(scene))
        if self.result.roll is None and not test.secret:
            scene.open(_resist(scene, test))
        else:
            scene.then(test)

    def _price(self, state: State, test: FearTest) -> Text:
        if self.result.critical is None:
            return text("scared, unless the GM says it is panic")
        outcome = Outcome.PANICKED if self.result.critical else Outcome.SCARED
        due = points(outcome, test.difficulty, state.house(House).panic_rounding)
        return text("{outcome}, {due} insanity before the soak", outcome=outcome.words, due=due)


class Critical(Question):
    """The house rule by which the GM says what is panic."""

    game: ClassVar[str] = "dread"
    window = Window.STANDS
    holds_up = False
    default = NO

    hero: CharacterId
    call: str | None
    test: dict[str, Any]
    result: Result

    def ask(self, state: State) -> Text:
        test = _test(state, self.test)
        dice = "" if self.result.roll is None else " (+{} −{})".format(*self.result.roll.faces)
        return text(
            "{who} fails against fear {difficulty} with {total}{dice}. Is it critical?",
            who=Who(who=self.hero),
            difficulty=test.difficulty,
            total=self.result.total,
            dice=dice,
        )

    def brief(self) -> Text:
        return text("critical?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id=NO, label=text("No: scared")), Choice(id=YES, label=text("Yes: panicked")))

    def pointless(self, state: State) -> bool:
        return state.find(Sheet, self.hero) is None

    def passed_by(self) -> Text:
        return text("Scared, no panic")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        decide(scene, _test(scene, self.test), self.result.model_copy(update={"critical": choice == YES}))


def _test(state: State, held: dict[str, Any]) -> FearTest:
    step = state.rulebook.step(held)
    assert isinstance(step, FearTest)
    return step


def _plays_itself(state: State, who: CharacterId | None) -> bool:
    """Foes without a person roll by themselves, and try again while they can."""
    found = None if who is None else state.find(Character, who)
    return found is not None and found.side is Side.FOE and not found.seats


def _resist(scene: Scene, test: FearTest) -> Resist:
    held = scene.rulebook.dump_step(test)
    return Resist(id=scene.new_id(), addressee=test.actor, call=test.call, title=title(test.difficulty), step=held)


def open_tests(state: State, who: CharacterId) -> list[Question]:
    """All that waits before this one's fright is decided, dice still to be told among them."""
    return [question for question in state.questions() if _tests_whom(state, question) == who]


def _tests_whom(state: State, question: Question) -> CharacterId | None:
    match question:
        case Resist():
            return question.addressee
        case UseToughness() | Critical():
            return question.hero
        case Faces():
            step = state.rulebook.step(question.step)
            return step.actor if isinstance(step, OfATest) else None
    return None


def decide_tests(scene: Scene, who: CharacterId) -> None:
    """As they are where nobody answers."""
    while waiting := open_tests(scene, who):
        settle(scene, waiting[0], waiting[0].default)


# --- who asks for it ---------------------------------------------------------------------------------------


def title(difficulty: int) -> Text:
    return text("Fear {difficulty}", difficulty=difficulty)


def ask_for_fear(scene: Scene, difficulty: int, whom: tuple[CharacterId, ...], *, secret: bool = False) -> None:
    steps: dict[CharacterId, Step] = {
        who: FearTest(actor=who, difficulty=difficulty, secret=secret) for who in dict.fromkeys(whom)
    }
    call_for(scene, title(difficulty), steps, secret=secret, question=Resist)


class CallFear(Move):
    """F-01: the GM asks for a fear test. Empty: all heroes who are up, for the others don't see it."""

    game: ClassVar[str] = "dread"
    by = Leave.GM
    difficulty: Difficulty
    characters: Annotated[tuple[CharacterId, ...], Field(max_length=500)] = ()
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        return not_all_can_fear(state, self.characters) or (
            None if self._asked(state) else text("There is no hero who could be frightened.")
        )

    def apply(self, scene: Scene) -> None:
        ask_for_fear(scene, self.difficulty, self._asked(scene), secret=self.secret)

    def _asked(self, state: State) -> tuple[CharacterId, ...]:
        heroes = [one for one in state.characters(Side.HERO) if state.find(Sheet, one.id) is not None]
        return self.characters or tuple(one.id for one in heroes if not state.rulebook.downs(state, one))


def not_all_can_fear(state: State, whom: tuple[CharacterId, ...]) -> Text | None:
    if any(state.find(Character, who) is None for who in whom):
        return NOBODY
    return NO_SHEET if any(state.find(Sheet, who) is None for who in whom) else None


class TellFear(OwnMove):
    """A fear test from other dice: the total and whether it is a critical failure. It answers an open test first."""

    game: ClassVar[str] = "dread"
    total: Annotated[int, Field(ge=-99, le=999)]
    difficulty: Difficulty | None = None
    critical: bool = False

    def refusal(self, state: State) -> Text | None:
        if state.find(Sheet, self.actor) is None:
            return NO_SHEET
        if self.difficulty is None and self._open(state) is None:
            return text("No fear test waits: tell its difficulty too.")
        return None

    def apply(self, scene: Scene) -> None:
        test = self._wanted(scene)
        success = self.total >= test.difficulty
        if self.critical and success:
            raise RuleError("A roll that reaches the difficulty can't be a critical failure.")
        critical = self.critical or (None if self._gm_says(scene) and not success else False)
        weigh(scene, test, Result(total=self.total, success=success, critical=critical))

    def _wanted(self, scene: Scene) -> FearTest:
        """The open test of this difficulty is answered; another one stands for itself."""
        question = self._open(scene)
        if question is None:
            assert self.difficulty is not None
            return FearTest(actor=self.actor, difficulty=self.difficulty)
        scene.withdraw(question)
        scene.thread = question.thread
        return _test(scene, question.step)

    def _open(self, state: State) -> Resist | None:
        waiting = (one for one in state.questions() if isinstance(one, Resist) and one.addressee == self.actor)
        return next(
            (one for one in waiting if self.difficulty in (None, _test(state, one.step).difficulty)),
            None,
        )

    def _gm_says(self, state: State) -> bool:
        return state.house(House).crit_rule is CritRule.GM


def is_afraid(state: State, who: CharacterId) -> bool:
    sheet = state.find(Sheet, who)
    return sheet is not None and sheet.fear is not Fear.NONE
