"""What Lanterns knows of somebody: how steady they are, how much breath they have, and how long their light burns."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import document
from webapp.rules.values import Track

GAME = "lanterns"


class Sheet(document.Sheet):
    game: ClassVar[str] = GAME

    steady: Annotated[int, Field(ge=1, le=9)] = 3
    breath: Track = Track.of(5)
    light: Track = Track.of(4)
    lanterns: Track = Track.of(1)
