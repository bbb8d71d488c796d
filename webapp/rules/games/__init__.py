"""All rule sets that ship: each folder beside this file offers one as `RULESET`; and tables that stack them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from typing import Any

from webapp.rules.document import Side
from webapp.rules.ruleset import Rulebook, RuleSet, Sample, Start

Starts = dict[tuple[str, Side, str], Start]


def shipped() -> Rulebook:
    folders = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    games: list[RuleSet[Any]] = [import_module(f"{__name__}.{name}").RULESET for name in folders]
    games.sort(key=lambda game: (game.place, game.id))
    return Rulebook(games, _stacks(games))


def _stacks(games: Iterable[RuleSet[Any]]) -> Iterator[Sample]:
    """Samples of several rule sets, put together from what each of them has to begin with."""
    starts = {(game.id, start.side, start.id): start for game in games for start in game.starts()}
    page = tomllib.loads(files(__name__).joinpath("stacks.toml").read_text(encoding="utf-8"))
    for sample in page["sample"]:
        cast = tuple(_member(one, starts) for one in sample["cast"])
        lines = dict(_line(one, starts) for one in sample["cast"] if one["side"] == Side.HERO)
        yield Sample(**{**sample, "cast": cast, "lines": lines})


def _member(one: dict[str, Any], starts: Starts) -> tuple[Any, ...]:
    side = Side(one["side"])
    sheets = {game: starts[game, side, start].body for game, start in one["starts"].items()}
    return side, one["name"], one.get("copies", 1), sheets


def _line(one: dict[str, Any], starts: Starts) -> tuple[str, str]:
    """What the first of a hero's rule sets says of it."""
    game, start = next(iter(one["starts"].items()))
    return one["name"], starts[game, Side(one["side"]), start].about
