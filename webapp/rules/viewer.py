"""Who is looking, and who acts."""

from __future__ import annotations

from enum import StrEnum

from webapp.rules.document import Character
from webapp.rules.values import Frozen


class Role(StrEnum):
    GM = "gm"
    PLAYER = "player"
    SCREEN = "screen"


class Viewer(Frozen):
    """Who is looking. A seat is needed to act as a player."""

    role: Role
    seat: str | None = None

    def owns(self, character: Character) -> bool:
        return self.seat is not None and self.seat in character.seats
