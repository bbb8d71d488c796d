"""A fear test: asked for, rolled, and perhaps tried again."""

from __future__ import annotations

from typing import Any, ClassVar

from webapp.rules.answers import settle
from webapp.rules.asking import Faces
from webapp.rules.calls import Called
from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.games.dread.house import House
from webapp.rules.games.dread.rolls import against_fear, is_critical, points, prospect
from webapp.rules.games.dread.shaken import OfATest, Result, Said, Shaken
from webapp.rules.games.dread.sheet import Fear, Outcome, Sheet
from webapp.rules.odds import odds_of
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Ask
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

ROLL, REFUSE = "roll", "refuse"
KEEP, AGAIN = "keep", "again"
NO, YES = "no", "yes"


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
        return fear_test(state, self.step)


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
        test = fear_test(state, self.test)
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
        sheet, test = state.sheet(Sheet, self.hero), fear_test(state, self.test)
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
        found = prospect(state, self.hero, fear_test(state, self.test).difficulty)
        return found.panicked == 1 or not (self.result.critical or found.resisted)

    def ordered(self, state: State) -> str | None:
        return AGAIN if _plays_itself(state, self.addressee) else None

    def passed_by(self) -> Text:
        return text("It stands")

    def decided(self, choice: str) -> Text:
        return text("the GM let the roll stand.") if choice == KEEP else text("the GM used your toughness.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        test = fear_test(scene, self.test)
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
        test = fear_test(state, self.test)
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
        decide(scene, fear_test(scene, self.test), self.result.model_copy(update={"critical": choice == YES}))


def fear_test(state: State, held: dict[str, Any]) -> FearTest:
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


def title(difficulty: int) -> Text:
    return text("Fear {difficulty}", difficulty=difficulty)


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


def is_afraid(state: State, who: CharacterId) -> bool:
    sheet = state.find(Sheet, who)
    return sheet is not None and sheet.fear is not Fear.NONE
