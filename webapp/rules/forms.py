"""Forms from models: one input for each field that a person may fill in."""

from __future__ import annotations

from enum import Enum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from webapp.rules.document import Document
from webapp.rules.text import text
from webapp.rules.values import Handling, Ladder
from webapp.rules.view import Input

LEFT_OUT = ("id", "version")


def inputs(document: Document, *, bookkeeping: bool = False) -> tuple[Input, ...]:
    """All fields of a document by their paths; what the fight keeps for itself only when asked for."""
    return tuple(_of(document, (), bookkeeping=bookkeeping))


def _of(record: BaseModel, path: tuple[str, ...], *, bookkeeping: bool) -> list[Input]:
    found: list[Input] = []
    for name, field in type(record).model_fields.items():
        if name in LEFT_OUT or (Handling.TRAIL in field.metadata and not bookkeeping):
            continue
        found += _field((*path, name), field, getattr(record, name), bookkeeping=bookkeeping)
    return found


def _field(path: tuple[str, ...], field: FieldInfo, value: Any, *, bookkeeping: bool) -> list[Input]:
    if isinstance(value, BaseModel):
        return _of(value, path, bookkeeping=bookkeeping)
    if isinstance(value, dict):
        return [
            one
            for key, item in value.items()
            if isinstance(item, BaseModel)
            for one in _of(item, (*path, key), bookkeeping=bookkeeping)
        ]
    kind, optional = _plain(field.annotation)
    return [] if kind is None else [_input(path, field, kind, value, optional=optional)]


def _plain(annotation: Any) -> tuple[type | None, bool]:
    """The one plain type a field holds, and whether it may be empty."""
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        return (_plain(kinds[0])[0] if len(kinds) == 1 else None), True
    if get_origin(annotation) is not None and hasattr(annotation, "__metadata__"):
        return _plain(get_args(annotation)[0])
    return (annotation, False) if isinstance(annotation, type) else (None, False)


def _input(path: tuple[str, ...], field: FieldInfo, kind: type, value: Any, *, optional: bool) -> Input:
    label = text("{label}", label=" ".join(path).replace("_", " "))
    help = None if field.description is None else text("{help}", help=field.description)
    name = ".".join(path)
    if issubclass(kind, bool):
        return Input(name=name, label=label, kind="switch", value=value, help=help)
    if issubclass(kind, Enum):
        nothing = (("", text("nothing")),) if optional else ()
        options = (*nothing, *((str(one.value), text("{one}", one=str(one.value).replace("_", " "))) for one in kind))
        shown = "" if value is None else str(value.value)
        return Input(name=name, label=label, kind="choice", value=shown, options=options, help=help)
    ladder = next((mark for mark in field.metadata if isinstance(mark, Ladder)), None)
    if ladder is not None:
        nothing = (("", text("none")),) if optional else ()
        options = (*nothing, *((str(die), text("d{die}", die=die)) for die in ladder.ranks))
        shown = "" if value is None else str(value)
        return Input(name=name, label=label, kind="choice", value=shown, options=options, help=help, number=True)
    if issubclass(kind, int):
        lowest, highest = _bounds(field)
        return Input(name=name, label=label, kind="number", value=value, lowest=lowest, highest=highest, help=help)
    longest = next((mark.max_length for mark in field.metadata if isinstance(mark, MaxLen)), 40)
    return Input(name=name, label=label, kind="text", value=value, longest=longest, help=help)


def _bounds(field: FieldInfo) -> tuple[int | None, int | None]:
    marks = [inner for mark in field.metadata for inner in (mark, *getattr(mark, "metadata", ()))]
    lowest = next((int(str(mark.ge)) for mark in marks if isinstance(mark, Ge)), None)
    highest = next((int(str(mark.le)) for mark in marks if isinstance(mark, Le)), None)
    return lowest, highest
