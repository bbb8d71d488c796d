"""How fast the light goes, as the table likes it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from tests.fifth.sheet import GAME
from webapp.rules import document


class House(document.House):
    game: ClassVar[str] = GAME

    id: str = GAME
    burns: Annotated[int, Field(ge=0, le=9)] = Field(
        title="A turn burns", default=1, description="So much light goes with every turn."
    )
