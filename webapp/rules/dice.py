"""Chance is handed in: fair, scripted or told from the dice on the table."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Protocol

from webapp.rules.errors import FacesWanted

_system = random.SystemRandom()


class Dice(Protocol):
    """Throws dice; a face is 1 … sides."""

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]: ...


class FairDice:
    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        return tuple(_system.randint(1, side) for side in sides)


class SeededDice:
    """Fair, but the same again for the same seed: for random play in tests and for replays."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._random.randint(1, side) for side in sides)


class ScriptedDice:
    """Faces known beforehand. Running out, a face too high, or faces left at the end are loud."""

    def __init__(self, faces: Iterable[int]) -> None:
        self.faces = list(faces)

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._one(side) for side in sides)

    def _one(self, sides: int) -> int:
        assert self.faces, f"no face left for a d{sides}"
        face = self.faces.pop(0)
        assert 1 <= face <= sides, f"a d{sides} can't show {face}"
        return face

    def done(self) -> None:
        assert not self.faces, f"faces never rolled: {self.faces}"


class ToldDice:
    """The faces told so far, in order; asks for what is missing of a throw, all its dice at once."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._faces = list(faces)

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        if len(self._faces) < len(sides):
            raise FacesWanted(sides[len(self._faces) :])
        told, self._faces = self._faces[: len(sides)], self._faces[len(sides) :]
        return tuple(told)
