"""What the log holds for the large screen: the act in hand, cards turned over together, what a rest brought."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal

from webapp.history import Entry
from webapp.rules.asking import Faces
from webapp.rules.calls import MADE, TURNED
from webapp.rules.document import DEAD, DOWN, Line, Side
from webapp.rules.lines_view import LineView, line_view
from webapp.rules.question import Question
from webapp.rules.sight import Sight
from webapp.rules.state import State
from webapp.rules.text import Arg, Text, Who

FAR_ENOUGH = 60  # entries back
MOST_TARGETS = 4


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody in an act, by the name this viewer knows; `character` None: out of sight."""

    character: str | None
    name: str


@dataclass(frozen=True, slots=True)
class Act:
    """The act in hand: `line` is its newest roll, `after` what came of it; `waits` while somebody must decide."""

    id: str
    at: datetime | None
    by: Actor | None
    to: tuple[Actor, ...]
    line: LineView | None
    after: tuple[LineView, ...]
    waits: bool


@dataclass(frozen=True, slots=True)
class Result:
    character: str
    name: str
    words: str
    made: bool | None = None
    side: Side = Side.HERO


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """The results of a call, or what came to many at once, shown together."""

    id: str
    at: datetime
    title: str
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Rested:
    """What a night or another stretch of time has brought, its name first."""

    title: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fallen:
    """Heroes lost for good, each with what brought it about."""

    id: str
    at: datetime
    heroes: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    """An entry that counts, with those of its lines that this viewer may read."""

    entry: Entry
    lines: tuple[tuple[Line, LineView], ...]
    comes_to_many: bool

    @property
    def rolled(self) -> bool:
        return any(seen.rolls for _, seen in self.lines)

    @property
    def turned(self) -> bool:
        return self.comes_to_many or any(line.sentence.template == TURNED for line, _ in self.lines)

    @property
    def counts(self) -> bool:
        """A roll that settles something, or one person's; everybody's initiative is no act of anybody."""
        rolls = [roll for line, _ in self.lines for roll in line.rolls]
        judged = any(roll.verdict is not None for _, seen in self.lines for roll in seen.rolls)
        return self.turned or judged or len({roll.ask.roller for roll in rolls}) == 1


def act_in_hand(sight: Sight, entries: Sequence[Entry]) -> Act | None:
    """The act that waits for somebody, else the newest one in which a die fell."""
    if sight.covered:
        return None
    waits = next((one for one in sight.state.questions() if one.holds_up and not _is_called(one)), None)
    if waits is not None:
        return _act(sight, _of_thread(sight, entries, waits.thread), waits=waits.id)
    newest = next((one for one in _told(sight, entries) if one.counts), None)
    if newest is None or newest.turned:
        return None
    return _act(sight, _of_thread(sight, entries, newest.entry.thread), waits=None)


def turned_over(sight: Sight, entries: Sequence[Entry]) -> TurnedOver | None:
    """The newest row with a roll, if it is the results of a call or came to many at once."""
    newest = next((one for one in _told(sight, entries) if one.counts), None)
    if newest is None or not newest.turned:
        return None
    if newest.comes_to_many:
        return _came_to_many(sight, newest)
    lines = [line for line, _ in newest.lines if line.sentence.template == TURNED]
    return TurnedOver(
        id=newest.entry.id,
        at=newest.entry.at,
        title=_word(sight, lines[0].sentence.args["title"]),
        results=tuple(_result(sight, line) for line in lines),
    )


def _came_to_many(sight: Sight, told: _Told) -> TurnedOver:
    """What it is, then all that is told of each."""
    (_, title), *rest = told.lines
    of: dict[str, list[str]] = {}
    for line, seen in rest:
        if (who := next(_named(line.sentence), None)) is not None:
            of.setdefault(who, []).append(seen.words)
    sides = {one.id: one.side for one in sight.state.characters()}
    results = tuple(
        Result(who, sight.name(who), " ".join(words), side=sides.get(who, Side.HERO)) for who, words in of.items()
    )
    return TurnedOver(id=told.entry.id, at=told.entry.at, title=title.words.rstrip("."), results=results)


def rest(sight: Sight, entries: Sequence[Entry]) -> Rested | None:
    """The newest act, if it was time that passed for everybody."""
    newest = next(_told(sight, entries), None)
    its = [] if newest is None else _of_thread(sight, entries, newest.entry.thread)
    if not any(_is(sight.state, one.entry, "rests") for one in its):
        return None
    words = [seen.words for one in reversed(its) for _, seen in one.lines]
    return Rested(title=words[0], words=tuple(words[1:]))


def fallen(sight: Sight, entries: Sequence[Entry]) -> Fallen | None:
    """The newest row by which heroes are lost."""
    deaths = (entry for entry in _newest(entries) if any(line.outcome == DEAD for line in entry.lines))
    for one in _readable(sight, deaths):
        dead = ((_hero(sight, line), seen.words) for line, seen in one.lines if line.outcome == DEAD)
        lost = {who: words for who, words in dead if who is not None}
        if lost:
            told = list(_told(sight, entries))
            heroes = tuple(Result(who, sight.name(who), _brought_down(told, who) or lost[who]) for who in lost)
            return Fallen(id=f"fallen {one.entry.id}", at=one.entry.at, heroes=heroes)
    return None


def _hero(sight: Sight, line: Line) -> str | None:
    """The hero a line speaks of."""
    heroes = {one.id for one in sight.state.characters() if one.side is Side.HERO and sight.sees(one)}
    return next((who for who in _named(line.sentence) if who in heroes), None)


def _brought_down(told: Sequence[_Told], who: str) -> str:
    """The blow before the line by which this one went down."""
    for one in told:
        lines = [(line, seen) for line, seen in one.lines if who in _named(line.sentence)]
        downs = [nth for nth, (line, _) in enumerate(lines) if line.outcome == DOWN]
        if downs:
            return lines[max(0, downs[-1] - 1)][1].words
    return ""


def lines_told(sight: Sight, entry: Entry) -> tuple[tuple[Line, LineView], ...]:
    """Those lines of a row that this viewer may read: made once for all whom they tell the same."""

    def named() -> frozenset[str]:
        return frozenset().union(*(line.mentions() for line in entry.lines))

    def told() -> tuple[tuple[Line, LineView], ...]:
        seen = ((line, line_view(sight, line)) for line in entry.lines)
        return tuple((line, view) for line, view in seen if view is not None)

    alike = sight.likeness(sight.state.recall(("named", entry.number), named))
    return sight.state.recall(("lines", entry.number, alike), told, again=False)


# --- how it is found ---------------------------------------------------------------------------------------


def _newest(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Newest first, without what was undone."""
    return (entry for entry in islice(reversed(entries), FAR_ENOUGH) if entry.counts)


def _told(sight: Sight, entries: Sequence[Entry]) -> Iterator[_Told]:
    return _readable(sight, _newest(entries))


def _of_thread(sight: Sight, entries: Sequence[Entry], thread: str) -> list[_Told]:
    return list(_readable(sight, (entry for entry in _newest(entries) if entry.thread == thread)))


def _readable(sight: Sight, entries: Iterable[Entry]) -> Iterator[_Told]:
    """Without what this viewer can't read."""
    for entry in entries:
        lines = lines_told(sight, entry)
        if lines:
            yield _Told(entry, lines, _is(sight.state, entry, "comes_to_many"))


def _is_called(question: Question) -> bool:
    step = question.step if isinstance(question, Faces) else {}
    return getattr(question, "call", None) is not None or step.get("call") is not None


def _is(state: State, entry: Entry, what: Literal["rests", "comes_to_many"]) -> bool:
    step = state.rulebook.steps.get(str(entry.move.get("move")))
    return getattr(step, what, False)


def _act(sight: Sight, its: Sequence[_Told], *, waits: str | None) -> Act | None:
    """`its` are the entries of one thread, newest first."""
    rolled = next((one for one in its if one.rolled), None)
    if rolled is None and waits is None:
        return None
    lines = [seen for _, seen in rolled.lines] if rolled is not None else []
    main = _main(lines)
    by, to = _who(line for one in reversed(its) for line, _ in one.lines)
    return Act(
        id=rolled.entry.id if rolled is not None else str(waits),
        at=None if rolled is None else rolled.entry.at,
        by=None if by is None else _actor(sight, by),
        to=tuple(_actor(sight, who) for who in to[:MOST_TARGETS]),
        line=None if main is None else lines[main],
        after=() if main is None else tuple(lines[main + 1 :]),
        waits=waits is not None,
    )


def _main(lines: Sequence[LineView]) -> int | None:
    """The last line in which a roll was judged, else the one with the most dice, the last of those alike."""
    rolled = [nth for nth, line in enumerate(lines) if line.rolls]
    judged = [nth for nth in rolled if any(roll.verdict is not None for roll in lines[nth].rolls)]
    if judged or not rolled:
        return judged[-1] if judged else None
    return max(rolled, key=lambda nth: (sum(len(roll.dice) for roll in lines[nth].rolls), nth))


def _who(lines: Iterable[Line]) -> tuple[str | None, list[str]]:
    """Who acts upon whom. One who was acted upon and rolls only answers; anybody else begins anew."""
    by: str | None = None
    to: list[str] = []
    for line in lines:
        named = list(dict.fromkeys(_named(line.sentence)))
        roller = next((roll.ask.roller for roll in line.rolls if roll.ask.roller is not None), None)
        if roller is not None and roller != by and roller not in to:
            by, to = roller, []
        if by is None:
            by = next(iter(named), None)
        if by in named or (roller == by and not to):
            to += [who for who in named if who != by and who not in to]
    return by, to


def _named(sentence: Text) -> Iterator[str]:
    """Those a sentence speaks of, in its own order."""
    for arg in sentence.args.values():
        match arg:
            case Who(who=who):
                yield who
            case Text():
                yield from _named(arg)


def _actor(sight: Sight, who: str) -> Actor:
    there = next((one for one in sight.state.characters() if one.id == who and sight.sees(one)), None)
    return Actor(character=None if there is None else who, name=sight.name(who))


def _result(sight: Sight, line: Line) -> Result:
    who = line.sentence.args["who"]
    assert isinstance(who, Who)
    made = line.sentence.args.get(MADE)
    return Result(
        character=who.who,
        name=sight.name(who.who),
        words=_word(sight, line.sentence.args["result"]),
        made=None if made is None else bool(made),
    )


def _word(sight: Sight, arg: Arg) -> str:
    return sight.words(arg) if isinstance(arg, Text) else str(arg)
