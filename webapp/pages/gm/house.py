"""The house rules: who does what, each rule set's switches, and the table's own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from markupsafe import Markup

from webapp.rules.blocks import Input
from webapp.rules.by_hand import EditTable
from webapp.rules.document import Document
from webapp.rules.forms import inputs
from webapp.rules.sharing import SetGames
from webapp.rules.sight import Sight
from webapp.rules.text import render, text
from webapp.ui import blocks
from webapp.ui.live import Item, Shelf
from webapp.ui.markup import PLAIN, field, join, move_attrs, submit
from webapp.ui.page import TableView
from webapp.ui.part import Part

WHICH_RULES = "Which rules does this table play?"
KEEPS_SHEETS = "Whatever you take out keeps its sheets, for when it comes back."


class HouseRules(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.forms = Shelf(classes="house-rules")

    def draw(self) -> None:
        self.forms.show(self.drawn("house", pieces=self._house_forms))

    def _house_forms(self) -> Iterator[Item]:
        """Who does what, then each rule set's switches and the table's own; drawn anew only when they change."""
        state, duties = self.table.state, self.picture.duties()
        sight = Sight(state, self.viewer)
        if duties is not None:
            yield from blocks.pieces((duties,), "table", sight, self.picked)
        for game in state.settings.games:
            house = state.house(self.table.rulebook.games[game].house)
            yield _switches(house, render(self.table.rulebook.games[game].title, PLAIN), inputs(house))
        own = tuple(one for one in inputs(state.settings) if one.name in EditTable.EDITABLE)
        yield _switches(state.settings, "This table", own)
        yield self._games_form()

    def _games_form(self) -> Item:
        """Which rule sets are in play; what is taken out keeps its sheets for when it comes back."""
        playing, known = self.table.state.settings.games, self.table.rulebook.games
        boxes = (
            Input(name="games[]", label=game.title, kind="switch", value=name, checked=name in playing)
            for name, game in known.items()
        )
        inside = Markup('<h2>{}</h2><p class="quiet">{}</p><div class="fields one">{}</div>{}').format(
            WHICH_RULES, KEEPS_SHEETS, Markup("").join(field(box) for box in boxes), submit("Play these")
        )
        attrs = move_attrs({"move": SetGames.kind()}, WHICH_RULES)
        return Item("games", inside, tag="form", classes="form", attrs=attrs)


def _switches(document: Document, title: str, fields: tuple[Input, ...]) -> Item:
    inside = Markup("<h2>{}</h2>{}{}").format(
        title, join(_together(key, list(some)) for key, some in groupby(fields, key=_row_of)), submit("Save")
    )
    attrs = move_attrs({"move": EditTable.kind(), "key": document.key, "values": {}}, title)
    return Item(document.key, inside, tag="form", classes="form", attrs=attrs)


def _row_of(one: Input) -> str:
    """What is kept in rows, by its row: "chaos.on_1" of "chaos.on_1.damage"."""
    return one.name.rpartition(".")[0]


def _together(row: str, fields: list[Input]) -> Markup:
    """Plain fields as they come; those of one row side by side under what they have in common."""
    shared = render(fields[0].label, PLAIN).rpartition(": ")[0] if row else ""
    if not shared:
        inside = join(field(one, changed_only=True) for one in fields)
        return Markup('<div class="fields one">{}</div>').format(inside)
    words = (render(one.label, PLAIN).removeprefix(f"{shared}: ") for one in fields)
    short = [
        one.model_copy(update={"label": text("{word}", word=word)}) for one, word in zip(fields, words, strict=True)
    ]
    inside = join(field(one, changed_only=True) for one in short)
    return Markup('<fieldset class="fields row-of"><legend>{}</legend>{}</fieldset>').format(shared, inside)
