"""Moves that somebody makes up who has read the rules but not the page: fields of the right kind, in no order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from tests.support.play import Message
from webapp.rules.move import Move

Schema = dict[str, Any]
WORDS = ("", "x", "Pip", "strength", "TUF")


class Guesses:
    def __init__(self, seed: int) -> None:
        self.any = random.Random(seed)

    def move(self, kind: str, model: type[Move], ids: Sequence[str]) -> Message:
        """One of this kind, that speaks of these ids where it may."""
        schema = model.model_json_schema()
        found: Message = self._value(schema, schema.get("$defs", {}), ids)
        return {"move": kind, **found}

    def _value(self, schema: Schema, known: dict[str, Schema], ids: Sequence[str]) -> Any:
        one_of = [*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())]
        match schema:
            case {"$ref": str(where)}:
                return self._value(known[where.rpartition("/")[2]], known, ids)
            case {"enum": values}:
                return self.any.choice(values)
            case _ if one_of:
                return self._value(self.any.choice(one_of), known, ids)
            case {"type": "integer"}:
                return self.any.choice([schema.get("minimum", -1), schema.get("maximum", 99), 0, 1, 3])
            case {"type": "boolean"}:
                return self.any.random() < 0.5
            case {"type": "string"}:
                return self.any.choice([*ids, *WORDS])
            case {"type": "array"}:
                one = schema.get("items", {})
                return [self._value(one, known, ids) for _ in range(self.any.randint(0, 3))]
            case {"properties": fields}:
                asked = schema.get("required", ())
                told = [name for name in fields if name in asked or self.any.random() < 0.5]
                return {name: self._value(fields[name], known, ids) for name in told}
        return schema.get("const")
