"""The rule set's pages of data: tables, gear, people."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def book(name: str) -> dict[str, Any]:
    page = files(__name__).joinpath(f"{name}.toml")
    return tomllib.loads(page.read_text(encoding="utf-8"))
