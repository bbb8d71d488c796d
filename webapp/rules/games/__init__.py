"""All rule sets that ship: each folder beside this file offers one as `RULESET`."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from webapp.rules.ruleset import Rulebook, RuleSet


def shipped() -> Rulebook:
    folders = sorted(module.name for module in iter_modules(__path__) if module.ispkg)
    games: list[RuleSet[Any]] = [import_module(f"{__name__}.{name}").RULESET for name in folders]
    return Rulebook(sorted(games, key=lambda game: (game.place, game.id)))
