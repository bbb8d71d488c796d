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
    """The faces told so far, in order; asks for those of a throw that has none, all its dice at once.

    `thrown` are the places of faces that the program threw for whoever was asked. `used` is how many faces
    served so far, `by_hand` whether the last throw was rolled on the table.
    """

    def __init__(self, faces: Iterable[int], thrown: Iterable[int] = ()) -> None:
        self._faces = list(faces)
        self._thrown = set(thrown)
        self.used = 0
        self.by_hand = True

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        places = range(self.used, self.used + len(sides))
        told = tuple(self._faces[places.start : places.stop])
        if len(told) < len(sides) or any(face > side for face, side in zip(told, sides, strict=True)):
            raise FacesWanted(sides)
        self.by_hand = self._thrown.isdisjoint(places)
        self.used = places.stop
        return told
