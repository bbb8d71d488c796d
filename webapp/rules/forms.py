"""Forms from models: one input for each field that a person may fill in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le, MaxLen
from pydantic import BaseModel, StringConstraints
from pydantic.fields import FieldInfo

from webapp.rules.blocks import Form, Input, Reach
from webapp.rules.document import Character, Document
from webapp.rules.text import Text, Who, text
from webapp.rules.values import Handling, Ladder

LEFT_OUT = ("id", "version")
UNSAID = "now"  # of a track: its name alone says it


def inputs(document: BaseModel, *, bookkeeping: bool = False) -> tuple[Input, ...]:
    """All fields of a model by their paths; what the fight keeps for itself only when asked for."""
    return tuple(_of(document, (), (), bookkeeping=bookkeeping))


def disguise(character: Character) -> Form:
    """What others get to know of somebody, as one form."""
    usual = ("", text("As usual"))
    fields = {
        one.name: one.model_copy(update={"options": (usual, *one.options[1:])}) if one.options else one
        for one in inputs(character)
    }
    return Form(
        key="seen_as",
        label=text("What players see"),
        move={"move": "table.disguise", "character": character.id},
        fields=tuple(fields[name] for name in ("alias", "shows_health", "odds")),
        button=text("Show it so"),
        reach=Reach.GM,
    )


def introduction(character: Character) -> Form:
    """What a hero is called, and what is read beside the name by whoever chooses one."""
    fields = {one.name: one for one in inputs(character, bookkeeping=True)}
    line = {"label": text("In a few words"), "help": text("Read by whoever chooses a hero at the door.")}
    return Form(
        key="introduction",
        label=text("Who {who} is", who=Who(who=character.id)),
        move={"move": "table.introduce", "actor": character.id},
        fields=(fields["name"], fields["line"].model_copy(update=line)),
        button=text("Save"),
    )


def label_of(document: Document, path: Sequence[str]) -> str:
    """A field in words people read: "Long blade: die", "HP, full", "First aid"."""
    held: Any = document
    words: tuple[str, ...] = ()
    for name in path:
        field = type(held).model_fields.get(name) if isinstance(held, BaseModel) else None
        words = _next_words(words, held, name, field)
        held = held.get(name) if isinstance(held, dict) else getattr(held, name, None)
    return _label(words)


def value_of(document: Document, path: Sequence[str], value: Any) -> str | None:
    """One of several values in the words of its form: "Each round"; None for what has no words of its own."""
    held: Any = document
    for name in path[:-1]:
        held = held.get(name) if isinstance(held, dict) else getattr(held, name, None)
    field = type(held).model_fields.get(path[-1]) if isinstance(held, BaseModel) else None
    plain = None if field is None else _Plain.of(field.annotation, field.metadata)
    found = [] if plain is None else [one for one in plain.options if _value(one) == value]
    return _words(found[0]) if found and not isinstance(value, bool) else None


def _next_words(words: tuple[str, ...], held: Any, name: str, field: FieldInfo | None) -> tuple[str, ...]:
    """One step down a path; what is kept in a map goes by its own name instead of the map's."""
    if isinstance(held, dict):
        return (f"{getattr(held.get(name), 'name', name)}:",)
    if name == UNSAID and words:
        return words
    title = None if field is None else field.title
    return (*words, title or name.replace("_", " "))


def _label(words: tuple[str, ...]) -> str:
    return sentence_case(", ".join(words).replace(":,", ":").removesuffix(":"))


def sentence_case(words: str) -> str:
    """A capital first, unless it is a die or a number; the GM has two."""
    words = re.sub(r"\bgm\b", "GM", words)
    return words[:1].upper() + words[1:] if words[:2].isalpha() else words


def _of(record: BaseModel, path: tuple[str, ...], words: tuple[str, ...], *, bookkeeping: bool) -> list[Input]:
    found: list[Input] = []
    for name, field in type(record).model_fields.items():
        if name in LEFT_OUT or (Handling.TRAIL in field.metadata and not bookkeeping):
            continue
        said = _next_words(words, record, name, field)
        found += _field((*path, name), said, field, getattr(record, name), bookkeeping=bookkeeping)
    return found


def _field(
    path: tuple[str, ...], words: tuple[str, ...], field: FieldInfo, value: Any, *, bookkeeping: bool
) -> list[Input]:
    if isinstance(value, BaseModel):
        return _of(value, path, words, bookkeeping=bookkeeping)
    if isinstance(value, dict):
        return [
            one
            for key, item in value.items()
            for one in _held(field, (*path, key), _next_words((), value, key, None), item, bookkeeping=bookkeeping)
        ]
    plain = _Plain.of(field.annotation, field.metadata)
    if plain is None or (plain.kind is str and Handling.TRAIL in field.metadata):
        return []
    return [plain.input(path, _label(words), field.description, value)]


def _held(
    field: FieldInfo, path: tuple[str, ...], words: tuple[str, ...], item: Any, *, bookkeeping: bool
) -> list[Input]:
    """One thing kept in a map: a record of its own, or a plain value."""
    if isinstance(item, BaseModel):
        return _of(item, path, words, bookkeeping=bookkeeping)
    kinds = get_args(field.annotation)
    plain = _Plain.of(kinds[1], ()) if len(kinds) > 1 else None
    return [] if plain is None else [plain.input(path, _label(words), None, item)]


class _Plain:
    """What one field holds: one type, or one of several values, with all that limits it; it may be empty."""

    def __init__(
        self, kind: type, marks: Sequence[Any], options: Sequence[Any] = (), *, optional: bool = False
    ) -> None:
        self.kind = kind
        self.options = options
        self.optional = optional
        self.marks = [inner for mark in marks for inner in (mark, *getattr(mark, "metadata", ()))]

    @classmethod
    def of(cls, annotation: Any, marks: Sequence[Any], *, optional: bool = False) -> _Plain | None:
        """None for what no single input can hold."""
        origin, parts = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return cls.of(parts[0], (*marks, *parts[1:]), optional=optional)
        if origin in (Union, UnionType):
            kinds = [kind for kind in parts if kind is not type(None)]
            return cls.of(kinds[0], marks, optional=len(parts) > 1) if len(kinds) == 1 else None
        if origin is Literal:
            return None if "" in parts else cls(Enum, marks, parts, optional=optional)
        if not isinstance(annotation, type) or issubclass(annotation, BaseModel):
            return None
        options = tuple(annotation) if issubclass(annotation, Enum) else ()
        return cls(annotation, marks, options, optional=optional)

    def input(self, path: tuple[str, ...], words: str, description: str | None, value: Any) -> Input:
        name, label = ".".join(path), text("{label}", label=words)
        help = None if description is None else text("{help}", help=description)
        if issubclass(self.kind, bool):
            return Input(name=name, label=label, kind="switch", value=value, help=help)
        if self.options:
            choices = [(str(_value(one)), text("{one}", one=_words(one))) for one in self.options]
            return self._choice(name, label, "nothing", choices, _value(value), help)
        ladder = next((mark for mark in self.marks if isinstance(mark, Ladder)), None)
        if ladder is not None:
            dice = [(str(die), text("d{die}", die=die)) for die in ladder.ranks]
            return self._choice(name, label, "none", dice, value, help, number=True)
        if issubclass(self.kind, int):
            lowest = next((int(str(mark.ge)) for mark in self.marks if isinstance(mark, Ge)), None)
            highest = next((int(str(mark.le)) for mark in self.marks if isinstance(mark, Le)), None)
            return Input(
                name=name, label=label, kind="number", value=value, lowest=lowest, highest=highest, help=help
            )
        longest = next((mark.max_length for mark in self.marks if isinstance(mark, MaxLen | StringConstraints)), None)
        return Input(name=name, label=label, kind="text", value=value, longest=longest or 40, help=help)

    def _choice(
        self,
        name: str,
        label: Text,
        nothing: str,
        choices: Sequence[tuple[str, Text]],
        value: Any,
        help: Text | None,
        *,
        number: bool = False,
    ) -> Input:
        options = (*((("", text(nothing)),) if self.optional else ()), *choices)
        shown = "" if value is None else str(value)
        return Input(name=name, label=label, kind="choice", value=shown, options=options, help=help, number=number)


def _value(one: Any) -> Any:
    return one.value if isinstance(one, Enum) else one


def _words(one: Any) -> str:
    """A value as people read it: its own `label`, where it has one, else its name with blanks."""
    label = getattr(one, "label", None)
    if isinstance(label, str):
        return label
    return sentence_case(str(_value(one)).replace("_", " "))
