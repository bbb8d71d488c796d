"""The one family of errors a person may meet. Each is a sentence; everything else that goes wrong is a bug.

RuleError            a move that can't be made; nothing was changed
└─ FacesWanted       a roll waits for dice from the table
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from webapp.rules.text import Arg, Text, text

NOBODY = text("There is nobody of that kind at this table: choose somebody who is here.")
KEY = "[key]"  # what a validator calls the name under which a map keeps something


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


def sentence_of(error: ValidationError, model: type[BaseModel] | None = None) -> Text:
    """The first thing that is wrong with what was sent, in words; fields go by the titles of the model."""
    first = error.errors()[0]
    where, help = _field_words(first["loc"], model)
    return text("{what}", what=_words(first, where, help))


def _field_words(where: Sequence[int | str], model: type[BaseModel] | None) -> tuple[str, str]:
    """What a field is called, and what is said of it. In a map it may be the name of a thing that is wrong."""
    if where[-1:] == (KEY,):
        holder, help = _field_words(where[:-2], model)
        return (f"name in {holder}" if holder else "name"), help
    words, help = [], ""
    for part in where:
        field = None if model is None else model.model_fields.get(str(part))
        if not isinstance(part, int):
            words.append((field and field.title) or str(part).replace("_", " "))
        help = help if field is None else field.description or ""
        model = None if field is None else _model_in(field.annotation)
    return " ".join(words)[:80], help


def _model_in(kind: object) -> type[BaseModel] | None:
    return kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None


def _words(first: ErrorDetails, where: str, help: str) -> str:
    bounds = first.get("ctx", {})
    field = (where[:1].upper() + where[1:]) or "That"
    match first["type"]:
        case "missing":
            return f"{field} is missing: fill it in."
        case "string_too_short":
            return f"{field} can't be empty: fill it in."
        case "string_too_long":
            return f"{field} is too long: {bounds['max_length']} letters at most."
        case "greater_than_equal":
            return f"{field} must be at least {bounds['ge']}."
        case "less_than_equal":
            return f"{field} can be {bounds['le']} at most."
        case "int_parsing" | "int_type" | "int_from_float":
            return f"{field} must be a whole number."
        case "too_short" if isinstance(first["input"], str):
            return f"{field} can't be empty: fill it in."
        case "too_short":
            return f"{field}: choose at least {bounds['min_length']}."
        case "too_long":
            return f"{field}: {bounds['max_length']} at most."
        case "enum" | "literal_error":
            return f"{field}: choose one of those that are offered."
        case "string_pattern_mismatch" if not str(first["input"]).strip():
            return f"{field} can't be empty: fill it in."
        case "string_pattern_mismatch" if help:
            return f"{field}: {help}"
        case "value_error":
            return str(bounds["error"])
    return f"{field} is not something this table understands. Load the page again, and try once more."
