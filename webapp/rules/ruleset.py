"""What a game must tell to be played here, and the book of all games that are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from pydantic import ValidationError

from webapp.rules import asking, calls, gm_order, tables
from webapp.rules import moves as common
from webapp.rules.blocks import Block, HealthNow, Place, Section
from webapp.rules.damage import Harm, Hurting
from webapp.rules.document import Body, Character, Clock, Document, Duty, Gone, House, Notice, Settings, Sheet, Side
from webapp.rules.encounter import Encounter, FightOrder
from webapp.rules.errors import RuleError, sentence_of
from webapp.rules.gm_order import GmOrder
from webapp.rules.move import Move, Step
from webapp.rules.period import Night, Period
from webapp.rules.question import Question
from webapp.rules.roll import Ask, Modifier
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.tables import ShownTable
from webapp.rules.text import Text
from webapp.rules.values import Frozen

SheetT = TypeVar("SheetT", bound=Sheet)


class Start(Frozen):
    """A sheet to begin with: a hero's quick start or a foe out of the box. `body` lacks the id."""

    id: str
    name: str
    side: Side
    line: str
    body: dict[str, Any]

    @property
    def about(self) -> str:
        """What somebody who begins with it is."""
        return f"{self.name}: {self.line[:1].lower()}{self.line[1:]}"


class Sample(Frozen):
    """A table that is ready to play: its name, a line about it, everybody at it, and what those of a name are."""

    id: str
    name: str
    line: str
    games: tuple[str, ...]
    cast: tuple[tuple[Side, str, int, dict[str, dict[str, Any]]], ...]
    lines: dict[str, str] = {}


class RuleSet(ABC, Generic[SheetT]):
    """One game: typed sheets, moves, questions, a card section, house rules. Hooks below `section` have defaults.

    `line` says in one sentence what it gives a table, for whoever chooses.
    """

    id: ClassVar[str]
    title: ClassVar[Text]
    line: ClassVar[Text]
    place: ClassVar[int] = 100  # among the rule sets, wherever they are listed
    duties: ClassVar[Mapping[Duty, int]] = {}  # what it can do for the table, and which place it takes in that
    round_minutes: ClassVar[int] = 0
    sheet: type[SheetT]
    house: type[House]
    moves: tuple[type[Move], ...]
    steps: tuple[type[Step], ...] = ()
    questions: tuple[type[Question], ...] = ()
    night: type[Night] = Night
    harm: type[Harm] = Harm

    @abstractmethod
    def section(self, state: State, character: Character, sheet: SheetT) -> Section:
        """What is read on a card: vitals, states, facts. It is drawn for every viewer, so it must be cheap."""

    def acts(self, state: State, character: Character, sheet: SheetT) -> tuple[Block, ...]:
        """What can be done with this character: menus and forms, worked out only for those who may do it."""
        return ()

    @abstractmethod
    def starts(self) -> tuple[Start, ...]: ...

    def health(self, sheet: SheetT) -> HealthNow | None:
        return None

    def blank(self, side: Side) -> Body | None:
        """A sheet, without its id, for somebody who comes to the table without one; None: there is none."""
        return next((start.body for start in self.starts() if start.side is side), None)

    def modifiers(self, sheet: SheetT, ask: Ask) -> tuple[Modifier, ...]:
        """What this sheet adds to all rolls of its character, also those of other rule sets; below 0 is worse."""
        return ()

    def outlook(self, period: Period, state: State, who: str) -> tuple[Text, ...]:
        """What the end of this period would do to this character, before it is done."""
        return ()

    def begins(self, period: Period, scene: Scene, who: str) -> None:
        """A turn, a round or a fight begins for this character; it throws no dice."""

    def ends(self, period: Period, scene: Scene, who: str) -> None:
        """A period is over for this character."""

    def cannot_rest(self, state: State, who: str) -> Text | None:
        """Why this character can't rest now."""
        return None

    def night_outlook(self, state: State, who: str, night: Any) -> tuple[Text, ...]:
        """What such a rest would do to this character, before it is done."""
        return ()

    def holds_turn(self, state: State, who: str) -> Text | None:
        """Why this character may not let the rest of its turn go."""
        return None

    def no_attack(self, state: State, who: str) -> Text | None:
        """Why this character can make no attack now, not even one of another rule set."""
        return None

    def rests(self, scene: Scene, who: str, night: Any) -> None:
        """This character has rested."""

    def hurt(self, scene: Scene, who: str, harm: Hurting) -> None:
        """Something that nobody strikes with comes at this character; for rule sets that have blows."""
        raise RuleError("{game} takes damage one by one: use the minus of each card.", game=self.title)

    def cannot_be_hurt(self, state: State, who: str, harm: Harm) -> Text | None:
        """Why such damage can't come to this character."""
        return None

    def hurt_outlook(self, state: State, who: str, harm: Hurting) -> Iterable[Text]:
        """What it would do, before it is done."""
        return ()

    def waits(self, scene: Scene, who: str, minutes: int) -> None:
        """Time has gone by for this character, without rest."""

    def gm_blocks(self, state: State) -> tuple[Block, ...]:
        """What the GM may do for the whole table at once."""
        return ()

    def tables(self, state: State) -> tuple[ShownTable, ...]:
        """Its random tables as they stand at this table."""
        return ()

    def conclude(self, scene: Scene, sheet: SheetT) -> None:
        """Draws what follows from a sheet as it now stands, by whatever move it was changed."""

    def samples(self) -> tuple[Sample, ...]:
        """Whole tables to play at once."""
        return ()

    def fight_order(self) -> FightOrder | None:
        return None


KINDS: tuple[type[Document], ...] = (
    Settings,
    Clock,
    Character,
    Gone,
    Encounter,
    Notice,
    *calls.DOCUMENTS,
    *tables.DOCUMENTS,
)


class Rulebook:
    """All rule sets of this program; parses whatever comes from a browser or from the store."""

    def __init__(self, games: Iterable[RuleSet[Any]], stacks: Iterable[Sample] = ()) -> None:
        """`stacks` are sample tables that play several rule sets."""
        self.games: dict[str, RuleSet[Any]] = {game.id: game for game in games}
        self.samples = (*(sample for game in self.games.values() for sample in game.samples()), *stacks)
        self.questions: list[type[Question]] = [asking.Faces, *calls.QUESTIONS]
        self.documents: dict[str, type[Document]] = {}
        self.steps: dict[str, type[Step]] = {}
        for kind in KINDS:
            self.documents[kind.kind()] = kind
        for step in (*common.MOVES, *common.STEPS):
            self.steps[step.kind()] = step
        for game in self.games.values():
            self._add(game)
        for question in self.questions:
            self.documents[question.kind()] = question

    def _add(self, game: RuleSet[Any]) -> None:
        self.questions += game.questions
        self.documents[game.sheet.kind()] = game.sheet
        self.documents[game.house.kind()] = game.house
        for step in (*game.moves, *game.steps):
            assert step.kind() not in self.steps, f"two moves are called {step.kind()}"
            self.steps[step.kind()] = step

    def move(self, message: Any) -> Move:
        """A move as a browser sent it; RuleError with a sentence for everything else."""
        kind = message.get("move") if isinstance(message, dict) else None
        known = self.steps.get(kind) if isinstance(kind, str) else None
        if known is None or not issubclass(known, Move):
            raise RuleError("This table knows no such move.")
        try:
            return known.model_validate({name: value for name, value in message.items() if name != "move"})
        except ValidationError as error:
            raise RuleError(sentence_of(error, known)) from None

    def step(self, stored: Body) -> Step:
        """A step as the store kept it."""
        return self.steps[str(stored["move"])].model_validate({k: v for k, v in stored.items() if k != "move"})

    def dump_step(self, step: Step) -> Body:
        return {"move": step.kind(), **step.model_dump(mode="json")}

    def document(self, key: str, body: Body) -> Document:
        return self.documents[key.partition("/")[0]].model_validate(body)

    def in_play(self, state: State) -> list[RuleSet[Any]]:
        """The games of this table, the one that has blows and health first."""
        first = state.has(Duty.BLOWS)
        return [self.games[name] for name in sorted(state.settings.games, key=lambda name: name != first)]

    def able(self, games: tuple[str, ...], duty: Duty) -> tuple[str, ...]:
        """Those of these games that can have this duty, the likeliest first."""
        found = [name for name in games if duty in self.games[name].duties]
        return tuple(sorted(found, key=lambda name: self.games[name].duties[duty]))

    def order(self, game: str) -> FightOrder:
        """How this rule set runs a fight; any other name: the GM's own order."""
        found = self.games[game].fight_order() if game in self.games else None
        return found or GmOrder()

    def sections(self, state: State, character: Character) -> list[Section]:
        """One for each rule set in play that this character has a sheet of."""
        found = []
        for game in self.in_play(state):
            sheet = state.find(game.sheet, character.id)
            if sheet is not None:
                section = game.section(state, character, sheet)
                blocks = tuple(_at_its_place(state, game, block) for block in section.blocks)
                found.append(section.model_copy(update={"blocks": blocks}))
        return found

    def acts(self, state: State, character: Character) -> list[tuple[Text, tuple[Block, ...]]]:
        """By rule set, in the order the table plays them; what is another's duty waits under More."""
        found = ((game, state.find(game.sheet, character.id)) for game in self.in_play(state))
        acts = [
            (game.title, tuple(_at_its_place(state, game, block) for block in game.acts(state, character, sheet)))
            for game, sheet in found
            if sheet is not None
        ]
        turn = gm_order.turn_block(state, character.id)
        return [(acts[0][0], (*acts[0][1], *turn)), *acts[1:]] if turn and acts else acts

    def gm_blocks(self, state: State) -> tuple[Block, ...]:
        """What each rule set in play offers the GM for the whole table; what is another's duty under More."""
        return tuple(
            _at_its_place(state, game, block) for game in self.in_play(state) for block in game.gm_blocks(state)
        )

    def health(self, state: State, character: Character) -> HealthNow | None:
        """As the rule set that has blows at this table judges it."""
        game = self.games.get(state.has(Duty.BLOWS))
        return None if game is None else self._health(state, game, character)

    def also_down(self, state: State, character: Character) -> list[tuple[Text, Text]]:
        """By rule set, how somebody is down in those that do not judge it at this table."""
        others = [game for game in self.in_play(state) if game.id != state.has(Duty.BLOWS)]
        found = [(game.title, self._health(state, game, character)) for game in others]
        return [(title, health.down) for title, health in found if health is not None and health.down is not None]

    def _health(self, state: State, game: RuleSet[Any], character: Character) -> HealthNow | None:
        sheet = state.find(game.sheet, character.id)
        return None if sheet is None else game.health(sheet)

    def downs(self, state: State, character: Character) -> dict[str, HealthNow]:
        """The rule sets in play that say this one is down, by name, and how."""
        found = {
            game.id: health
            for game in self.in_play(state)
            for sheet in (state.find(game.sheet, character.id),)
            if sheet is not None and (health := game.health(sheet)) is not None
        }
        return {name: health for name, health in found.items() if health.down is not None}


def _at_its_place(state: State, game: RuleSet[Any], block: Block) -> Block:
    if block.duty is None or state.has(block.duty) == game.id:
        return block
    return block.model_copy(update={"place": Place.MORE})
