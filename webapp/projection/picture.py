"""One viewer's picture of a live table: the only way from documents to a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from webapp.because import because
from webapp.projection.table import WholeTable
from webapp.projection.told import Told
from webapp.rules.answers import missed
from webapp.rules.calls_view import CallView, call_views
from webapp.rules.document import Clock, Cover, Notice, Side
from webapp.rules.questions_view import NoticeView, OrderView, QuestionView, order_views, question_view
from webapp.rules.ruleset import Start
from webapp.rules.tables import ShownTable, tables
from webapp.rules.text import text
from webapp.rules.viewer import Role


@dataclass(frozen=True, slots=True)
class StartGroup:
    """The sheets to begin with of one rule set."""

    game: str
    title: str
    starts: tuple[Start, ...]


class Picture(Told, WholeTable):
    """What one viewer sees of a table."""

    def questions(self) -> tuple[QuestionView, ...]:
        """Those that this viewer may answer, oldest first; the GM sees all."""
        return self._recall("questions", work_out=self._questions)

    def because(self, of: Mapping[str, Any]) -> tuple[str, ...]:
        """Why a number on this viewer's page is what it is: a heading, and what there is to say."""
        return because(self.table, self.viewer, of)

    def calls(self) -> tuple[CallView, ...]:
        """Tests that are called and not turned over yet."""
        return self._recall("calls", work_out=self._calls)

    def standing_orders(self) -> tuple[OrderView, ...]:
        """What may be ordered once for all, by the questions of the games in play."""
        return self._recall("orders", work_out=lambda: order_views(self._sight))

    def notices(self) -> tuple[NoticeView, ...]:
        return self._recall("notices", work_out=self._notices)

    def cover(self) -> Cover:
        """How the GM's key for the large screen stands."""
        return self._state.settings.tv

    def tables(self) -> tuple[ShownTable, ...]:
        """Random tables this viewer may read and roll on."""
        if self.viewer.role is Role.SCREEN:
            return ()
        return tables(self._state, all_of_them=self.viewer.role is Role.GM)

    def starts(self, side: Side) -> tuple[tuple[str, Start], ...]:
        """Sheets to begin with, by rule set."""
        games = self.table.rulebook.in_play(self._state)
        return tuple((game.id, start) for game in games for start in game.starts() if start.side is side)

    def start_groups(self, side: Side) -> tuple[StartGroup, ...]:
        """By rule set, the one that has blows first: whoever is made takes one start of it, and may of the others."""
        groups: dict[str, list[Start]] = {}
        for game, start in self.starts(side):
            groups.setdefault(game, []).append(start)
        words, book = self._sight.words, self.table.rulebook.games
        return tuple(StartGroup(game, words(book[game].title), tuple(starts)) for game, starts in groups.items())

    def minutes(self) -> int:
        return self._state.get(Clock, "table").minutes

    def name(self) -> str:
        return self._state.settings.name

    def _calls(self) -> tuple[CallView, ...]:
        return () if self._sight.covered else call_views(self._sight)

    def _questions(self) -> tuple[QuestionView, ...]:
        mine = filter(self._sight.may_answer, self._state.questions())
        return tuple(question_view(self._sight, one) for one in mine)

    def _notices(self) -> tuple[NoticeView, ...]:
        own = {one.id for one in self._state.characters() if self.viewer.owns(one)}
        return tuple(
            NoticeView(
                character=one.id,
                name=self._sight.name(one.id),
                words=self._sight.words(text("Decided for you: {missed}", missed=missed(one))),
            )
            for one in self._state.all(Notice)
            if one.id in own
        )
