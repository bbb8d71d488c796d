"""The one family of errors a person may meet. Each is a sentence; everything else that goes wrong is a bug.

RuleError            a move that can't be made; nothing was changed
└─ FacesWanted       a roll waits for dice from the table
"""

from __future__ import annotations

from collections.abc import Sequence

from webapp.rules.text import Arg, Text, text


class RuleError(Exception):
    """Why not, as a sentence for the one who asked."""

    def __init__(self, sentence: Text | str, /, **args: Arg) -> None:
        self.sentence = sentence if isinstance(sentence, Text) else text(sentence, **args)
        super().__init__(self.sentence.template)


class FacesWanted(RuleError):
    """Dice are rolled by hand and these, in order, are still to be told; `what` they are rolled for."""

    def __init__(self, sides: Sequence[int]) -> None:
        super().__init__("Tell the dice: {dice}.", dice=", ".join(f"d{side}" for side in sides))
        self.sides = tuple(sides)
        self.what: Text | None = None
