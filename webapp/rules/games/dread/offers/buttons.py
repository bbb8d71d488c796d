"""Small things that every page of offers needs."""

from __future__ import annotations

from typing import Any

from webapp.rules.blocks import Button, Menu, Place
from webapp.rules.odds import odds_of
from webapp.rules.offer import lone
from webapp.rules.roll import Ask
from webapp.rules.text import Text, text

DIFFICULTIES = ((2, "easy"), (4, "fair"), (6, "hard"), (8, "very hard"))


def named(word: str, number: int) -> Text:
    return text("{word} {number}", word=word.capitalize(), number=number)


def rolled(button: Button, ask: Ask) -> Button:
    return button.model_copy(update=odds_of(ask, about=None))


def menu(key: str, label: Text, *buttons: Button, **more: Any) -> Menu:
    return lone(key, label, *buttons, **{"place": Place.SHEET, **more})
