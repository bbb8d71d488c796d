"""A call as one viewer may know it: who is in, and how it went only for the GM until it is turned over."""

from __future__ import annotations

from webapp.rules.calls import Call, Called
from webapp.rules.question import Question
from webapp.rules.sight import Sight
from webapp.rules.values import Frozen
from webapp.rules.viewer import Role


class CalledView(Frozen):
    """One of those called. `result` None: still to come, or face down for this viewer.

    `passed_by` and `choice`: what the GM decides for one who is waited for; `brief`: what was rolled and is to be
    decided still.
    """

    character: str
    name: str
    is_in: bool
    mine: bool
    question: str | None
    passed_by: str = ""
    choice: str = ""
    brief: str = ""
    result: str | None


class CallView(Frozen):
    id: str
    title: str
    secret: bool
    rows: tuple[CalledView, ...]

    @property
    def missing(self) -> int:
        return sum(not row.is_in for row in self.rows)


def call_views(sight: Sight) -> tuple[CallView, ...]:
    """Open calls; a secret one is the GM's alone."""
    calls = (call for call in sight.state.all(Call) if sight.viewer.role is Role.GM or not call.secret)
    return tuple(_view(sight, call) for call in calls)


def _view(sight: Sight, call: Call) -> CallView:
    waiting = {one.addressee: one for one in sight.state.questions() if getattr(one, "call", None) == call.id}
    there = {one.id: one for one in sight.state.characters()}
    names = [who for who in (*call.results, *call.wanted) if who in there and sight.sees(there[who])]
    order = list(there)
    return CallView(
        id=call.id,
        title=sight.words(call.title),
        secret=call.secret,
        rows=tuple(_row(sight, call, who, waiting.get(who)) for who in sorted(set(names), key=order.index)),
    )


def _row(sight: Sight, call: Call, who: str, question: Question | None) -> CalledView:
    character = sight.state.character(who)
    may_know = sight.knows(character)
    result = call.results.get(who)
    asked = question if sight.viewer.role is Role.GM else None
    return CalledView(
        character=who,
        name=sight.name(who),
        is_in=result is not None,
        mine=sight.viewer.owns(character),
        question=None if asked is None else asked.id,
        passed_by="" if asked is None else sight.words(asked.passed_by()),
        choice="" if asked is None else asked.default,
        brief="" if asked is None or isinstance(asked, Called) else sight.words(asked.brief()),
        result=None if result is None or not may_know else sight.words(result),
    )
