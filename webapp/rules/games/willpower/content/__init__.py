"""The rule set's pages of data: tables, gear, people."""

from __future__ import annotations

from typing import Any

from webapp.rules.content import page


def book(name: str) -> dict[str, Any]:
    return page("webapp.rules.games.willpower", name)
