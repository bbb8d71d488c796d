"""A rule set's content: its pages, and the starts and sample tables that are written there."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

from webapp.rules.document import Side
from webapp.rules.ruleset import Sample, Start

Entry = dict[str, Any]
ABOUT = ("id", "name", "line")


@cache
def page(package: str, name: str) -> Entry:
    """One page of the content of this rule set."""
    found = files(package).joinpath(f"content/{name}.toml")
    return tomllib.loads(found.read_text(encoding="utf-8"))


def starts(content: Entry, body: Callable[[Side, Entry], Entry]) -> tuple[Start, ...]:
    """`body` makes a sheet of what is written about one, without its id, name and line."""
    return tuple(_start(side, entry, body) for side in Side for entry in content[side.value])


def _start(side: Side, entry: Entry, body: Callable[[Side, Entry], Entry]) -> Start:
    about = {name: entry[name] for name in ABOUT}
    written = {name: value for name, value in entry.items() if name not in ABOUT}
    return Start(**about, side=side, body=body(side, written))


def _as_it_starts(body: Entry, written: Entry) -> Entry:
    return body


def sample(
    game: str,
    name: str,
    content: Entry,
    starts: tuple[Start, ...],
    sheet: Callable[[Entry, Entry], Entry] = _as_it_starts,
) -> Sample:
    """`sheet` makes one of the body a member of the cast starts with, and of what is written about it."""
    start = {one.id: one for one in starts}
    cast = tuple(
        (Side(one["side"]), one["name"], one.get("copies", 1), {game: sheet(start[one["start"]].body, one)})
        for one in content["cast"]
    )
    lines = {one["name"]: start[one["start"]].about for one in content["cast"] if one["side"] == Side.HERO}
    return Sample(id=name, name=content["name"], line=content["line"], games=(game,), cast=cast, lines=lines)
