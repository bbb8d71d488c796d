"""Damage to many at once: a fall, a fireball, a burning house.

How much is said once; what it does to each is the business of the rule set that has blows at this table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, StringConstraints, ValidationError

from webapp.rules.blocks import Input
from webapp.rules.document import Audience, Character, CharacterId, Duty
from webapp.rules.errors import NOBODY, RuleError, sentence_of
from webapp.rules.forms import inputs
from webapp.rules.move import Leave, Move, Step
from webapp.rules.odds import totals
from webapp.rules.roll import Ask, Modifier, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, percent, text
from webapp.rules.values import READABLE, Frozen, Ladder, Plain

if TYPE_CHECKING:
    from webapp.rules.ruleset import RuleSet

DICE = Ladder(4, 6, 8, 10, 12, 20)
CERTAIN, LIKELY = "{what}", "{what}: {chance}"  # what may happen beside the numbers
NO_HARM = text("No rule set at this table has blows and health: nobody can be hurt.")
NOBODY_CHOSEN = text("Choose who is hurt: full or half.")
NO_AMOUNT = text("Say how much: a number, or dice.")


class Share(StrEnum):
    """How much of it comes to somebody; half is rounded down."""

    FULL = "full"
    HALF = "half"
    NONE = "none"

    def of(self, amount: int) -> int:
        return {Share.FULL: amount, Share.HALF: amount // 2, Share.NONE: 0}[self]


class Harm(Frozen):
    """What a rule set asks for besides, in fields of its own.

    `die`: the only one its damage is thrown with; `counts_from`: its dice are not added up but counted from there.
    """

    die: ClassVar[int | None] = None
    counts_from: ClassVar[int | None] = None


class Hurting(Frozen):
    """What comes at one character. `roll` None: whatever is thrown is thrown for this one alone."""

    ask: Ask
    share: Share
    how: Harm
    roll: Roll | None = None

    @property
    def rolls(self) -> tuple[Roll, ...]:
        return (self.roll,) if self.roll is not None and self.ask.dice else ()

    @property
    def amount(self) -> int:
        assert self.roll is not None
        return self.share.of(self.roll.total)

    @property
    def why(self) -> Text | None:
        """How the amount follows from the roll, where it is not the roll itself."""
        return None if self.share is Share.FULL else text("Half of it, rounded down.")

    def thrown(self, scene: Scene) -> Hurting:
        """The same with its dice on the table, for rule sets that add them up."""
        return self if self.roll is not None else self.model_copy(update={"roll": scene.roll(self.ask)})

    def amounts(self) -> dict[int, Fraction]:
        """Every amount that may come of it, with its chance."""
        found: dict[int, Fraction] = {}
        for total, share in totals(self.ask):
            amount = self.share.of(total)
            found[amount] = found.get(amount, Fraction(0)) + share
        return found


class Amount(Step):
    """So many dice and a number; `each`: the dice are thrown for everybody anew. `how`: in the rule set's words."""

    what: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=60), READABLE, Field(title="What it is")
    ] = ""
    dice: Annotated[int, Field(title="Dice", ge=0, le=30)] = 0
    sides: Annotated[int, Field(title="Of how many sides"), DICE] = 6
    plus: Annotated[int, Field(title="Damage", ge=0, le=999)] = 0
    each: bool = False
    how: Annotated[dict[Annotated[str, Field(max_length=40)], Plain], Field(max_length=20)] = {}

    def pointless(self, state: State) -> bool:
        return state.has(Duty.BLOWS) not in state.rulebook.games

    def harm(self, state: State) -> Harm:
        """This damage as the rule set asks for it."""
        kind = game_of(state).harm
        asked = {name: value for name, value in self.how.items() if name in kind.model_fields}
        try:
            return kind.model_validate(asked)
        except ValidationError as error:
            raise RuleError(sentence_of(error, kind)) from None

    def ask(self, state: State, who: CharacterId | None = None) -> Ask:
        kind = game_of(state).harm
        plus = (Modifier(source=text("in any case"), amount=self.plus),) if self.plus else ()
        name = text("{what}", what=self.what or "damage")
        return Ask(
            what=name if who is None else text("{what} for {who}", what=name, who=Who(who=who)),
            dice=(kind.die or self.sides,) * self.dice,
            counts_from=kind.counts_from,
            modifiers=plus,
        )

    def hurting(self, state: State, who: CharacterId, share: Share, roll: Roll | None = None) -> Hurting:
        ask = self.ask(state, who) if roll is None else roll.ask
        return Hurting(ask=ask, share=share, how=self.harm(state), roll=roll)


class Damage(Amount, Move):
    """The GM hurts many in one act; `shares` by character, who is not named gets nothing."""

    by = Leave.GM
    comes_to_many = True
    shares: Annotated[dict[CharacterId, Share], Field(title="Who", max_length=500)] = {}

    def refusal(self, state: State) -> Text | None:
        if self.pointless(state):
            return NO_HARM
        if not self.hurt:
            return NOBODY_CHOSEN
        if any(state.find(Character, who) is None for who in self.shares):
            return NOBODY
        if not self.dice and not self.plus:
            return NO_AMOUNT
        if self.sides not in DICE:
            return text("A die is a d4, d6, d8, d10, d12 or d20.")
        try:
            harm = self.harm(state)
        except RuleError as error:
            return error.sentence
        found = (_cannot(state, who, harm) for who in self.hurt)
        return next((why for why in found if why is not None), None)

    def apply(self, scene: Scene) -> None:
        if self.pointless(scene):
            return
        roll = scene.roll(self.ask(scene)) if not (self.each and self.dice) else None
        self._say(scene, roll)
        kept = self.model_dump(include=set(Amount.model_fields))
        for who, share in self.hurt.items():
            scene.then(Hurt(**kept, target=who, share=share, roll=roll))

    @property
    def hurt(self) -> dict[CharacterId, Share]:
        return {who: share for who, share in self.shares.items() if share is not Share.NONE}

    def _say(self, scene: Scene, roll: Roll | None) -> None:
        """What it is and how much; nobody learns whether the unseen are among those it comes to."""
        ask = self.ask(scene)
        words = "{what}: {damage}, for each." if roll is None else "{what}: {damage}{total}."
        total = text(" makes {total}", total=roll.total) if roll is not None and ask.dice else ""
        what = text("{what}", what=self.what or "Damage")
        sentence = text(words, what=what, damage=self._damage(ask), total=total)
        seen = any(not scene.is_hidden(who) for who in self.hurt)
        rolls = (roll,) if roll is not None and ask.dice else ()
        scene.say(sentence, *rolls, brief=what, audience=Audience.EVERYBODY if seen else Audience.GM)

    def _damage(self, ask: Ask) -> str:
        if not ask.dice:
            return str(self.plus)
        return f"{ask.pool} + {self.plus}" if self.plus else ask.pool


class Hurt(Amount):
    """One of those it comes to."""

    target: CharacterId
    share: Share
    roll: Roll | None = None

    def pointless(self, state: State) -> bool:
        return super().pointless(state) or state.find(game_of(state).sheet, self.target) is None

    def apply(self, scene: Scene) -> None:
        if not self.pointless(scene):
            game_of(scene).hurt(scene, self.target, self.hurting(scene, self.target, self.share, self.roll))


def game_of(state: State) -> RuleSet[Any]:
    """The rule set that says what damage does."""
    return state.rulebook.games[state.has(Duty.BLOWS)]


def _cannot(state: State, who: CharacterId, harm: Harm) -> Text | None:
    game = game_of(state)
    if state.find(game.sheet, who) is None:
        return text("{who} has no sheet of {game}: leave them out.", who=Who(who=who), game=game.title)
    return game.cannot_be_hurt(state, who, harm)


def can_be_hurt(state: State) -> list[Character]:
    """Everybody with a sheet of the rule set that says what damage does."""
    if state.has(Duty.BLOWS) not in state.rulebook.games:
        return []
    kind = game_of(state).sheet
    return [one for one in state.characters() if state.find(kind, one.id) is not None]


def amount_inputs(state: State) -> tuple[Input, ...]:
    """How much, for a form; a rule set whose damage takes one die only asks for no other."""
    if state.has(Duty.BLOWS) not in state.rulebook.games:
        return ()
    die = game_of(state).harm.die
    dice = text("Dice") if die is None else text("Dice, each a d{die}", die=die)
    sides = tuple((str(side), text("d{side}", side=side)) for side in DICE.ranks)
    return (
        Input(name="dice", label=dice, kind="number", value=0, lowest=0, highest=30),
        *(
            ()
            if die is not None
            else (Input(name="sides", label=text("Die"), kind="choice", value="6", options=sides, number=True),)
        ),
        Input(name="plus", label=text("Plus a number"), kind="number", value=0, lowest=0, highest=999),
        Input(name="what", label=text("What it is, for the log"), kind="text", value="", longest=60),
        Input(name="each", label=text("Thrown for each"), kind="switch", value=False),
    )


def harm_inputs(state: State) -> tuple[Input, ...]:
    """What the rule set asks for besides."""
    return inputs(game_of(state).harm()) if state.has(Duty.BLOWS) in state.rulebook.games else ()


def damage_outlook(state: State, damage: Damage) -> Iterator[tuple[CharacterId, tuple[Text, ...]]]:
    """What would become of each, before it is done."""
    game = game_of(state)
    for who, share in damage.hurt.items():
        yield who, tuple(game.hurt_outlook(state, who, damage.hurting(state, who, share)))


def less(amounts: dict[int, Fraction], off: dict[int, Fraction]) -> dict[int, Fraction]:
    """What is left of it when something is taken off, never less than nothing."""
    found: dict[int, Fraction] = {}
    for (amount, share), (softer, chance) in product(amounts.items(), off.items()):
        left = max(0, amount - softer)
        found[left] = found.get(left, Fraction(0)) + share * chance
    return found


def outlook_words(amounts: dict[int, Fraction], now: int, unit: str) -> Iterator[Text]:
    """What is taken of a track that stands at `now`, and whether that is all of it."""
    lowest, highest = min(amounts), max(amounts)
    yield span("takes", amounts)
    if now <= 0:
        yield text("is down already")
    elif highest >= now:
        yield sure("goes down", sum((share for amount, share in amounts.items() if amount >= now), Fraction(0)))
    else:
        words = "{left} {unit} left" if lowest == highest else "at least {left} {unit} left"
        yield text(words, left=now - highest, unit=unit)


def span(word: str, amounts: Iterable[int]) -> Text:
    """ "takes 3 to 12" """
    found = sorted(amounts)
    words = "{word} {few}" if found[0] == found[-1] else "{word} {few} to {many}"
    return text(words, word=word, few=found[0], many=found[-1])


def sure(what: str, chance: Fraction) -> Text:
    """What happens, with its chance unless it is certain."""
    return text(CERTAIN, what=what) if chance == 1 else text(LIKELY, what=what, chance=percent(chance))


def is_grave(told: Text) -> bool:
    """Does it tell of more than numbers: that somebody goes down, or worse?"""
    return told.template in (CERTAIN, LIKELY)
