"""The one family of errors a person may meet. Each is a sentence; everything else that goes wrong is a bug.

RuleError            a move that can't be made; nothing was changed
└─ FacesWanted       a roll waits for dice from the table
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

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


def sentence_of(error: ValidationError) -> Text:
    """The first thing that is wrong with what was sent, in words."""
    first = error.errors()[0]
    where = " ".join(str(part).replace("_", " ") for part in first["loc"] if not isinstance(part, int))[:80]
    return text("{what}", what=_words(first, where))


def _words(first: Any, where: str) -> str:
    bounds = first.get("ctx", {})
    field = where.capitalize() or "That"
    match first["type"]:
        case "missing":
            return f"{field} is missing."
        case "string_too_short":
            return f"{field} can't be empty."
        case "string_too_long":
            return f"{field} is too long: {bounds['max_length']} letters at most."
        case "greater_than_equal":
            return f"{field} must be at least {bounds['ge']}."
        case "less_than_equal":
            return f"{field} can be {bounds['le']} at most."
        case "int_parsing" | "int_type" | "int_from_float":
            return f"{field} must be a whole number."
        case "value_error":
            return str(bounds["error"])
    return f"{field} is not something this table understands."
