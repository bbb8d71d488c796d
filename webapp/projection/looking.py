"""What all of one viewer's picture is worked out with."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

from webapp.rules.sight import Sight
from webapp.rules.state import TOLD, State
from webapp.rules.viewer import Viewer
from webapp.table import Table

ViewT = TypeVar("ViewT")


class Looking:
    """One viewer before one table. All pages of one viewer share what was worked out."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        self.table = table
        self.viewer = viewer

    @property
    def _state(self) -> State:
        return self.table.state

    @property
    def _sight(self) -> Sight:
        return Sight(self.table.state, self.viewer)

    def _recall(self, *what: Hashable, work_out: Callable[[], ViewT]) -> ViewT:
        """What comes of documents alone, for this viewer: worked out once until one of those it reads has changed."""
        return self._state.recall((self.viewer, *what), work_out)

    def _recall_told(self, *what: Hashable, work_out: Callable[[], ViewT]) -> ViewT:
        """What comes of the log or of the people here too: worked out once until anything is told."""

        def noted() -> ViewT:
            self._state.note(TOLD)
            return work_out()

        return self._recall(*what, work_out=noted)
