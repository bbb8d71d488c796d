"""Damage to many at once: how much, who gets all or half of it, and what will become of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from webapp.projection.table import DamageSheet
from webapp.rules.damage import Damage, Share
from webapp.ui.face import face
from webapp.ui.live import OK, Answer, Item, Shelf
from webapp.ui.markup import field, hidden_mark, icon, join, move_attrs, submit
from webapp.ui.names import parted
from webapp.ui.page import TableView
from webapp.ui.part import Part

WORDS = {Share.FULL: "Full", Share.HALF: "Half", Share.NONE: "None"}
FIRST = {"focus": "#damage input[name=dice]"}


class DamageForm(Part):
    """Made when it is opened, and left alone while somebody fills it in; only the outlook follows the table."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.sheet: DamageSheet | None = None
        self.filled_in: dict[str, Any] = {}
        attrs = move_attrs({"move": Damage.kind()}, "Damage") | {"data-live": "page.damage_outlook"}
        self.form = Shelf(tag="form", classes="form damage", attrs=attrs)

    def draw(self) -> None:
        self.form.show(tuple(self._pieces()) if self.sheet is not None else ())

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        match name:
            case "page.damage":
                self.sheet = self.picture.damage_sheet()
            case "page.damage_outlook":
                self.filled_in = {key: value for key, value in move.items() if key != "move"}
            case _:
                return None
        self.mark()
        return OK | FIRST if name == "page.damage" else OK

    def was_done(self, move: object) -> None:
        if move == Damage.kind():
            self.sheet, self.filled_in = None, {}
            self.mark()

    def _pieces(self) -> Iterator[Item]:
        assert self.sheet is not None
        told = self.picture.damage_outlook(self.filled_in)
        yield Item("amount", join(map(field, (*self.sheet.amount, *self.sheet.how))), classes="fields")
        yield Item("groups", join(_group(words, ids) for words, ids in self.sheet.groups), classes="groups")
        for card in self.sheet.cards:
            row = _shares(card.id, card.name)
            mark = Markup(" {}").format(hidden_mark()) if card.hidden else Markup("")
            who = Markup('{}<b id="hurt-{}">{}{}</b>{}').format(
                face(card.name, card.side), card.id, parted(card.name), mark, row
            )
            labelled = {"role": "radiogroup", "aria-labelledby": f"hurt-{card.id}"}
            yield Item(card.id, who, classes="share", attrs=labelled)
            yield Item(f"{card.id} then", _then(told.parts.get(card.id, ())), tag="p", classes="then")
        if self.sheet.left_out:
            words = f"{self.sheet.left_out} more are not listed: bring them into the fight, or out of hiding."
            yield Item("more", words, tag="p", classes="quiet")
        yield Item("submit", submit("Deal the damage"), classes="send")
        yield Item("why", told.why_not, tag="p", classes="quiet send", attrs={"role": "status"})


def _then(parts: tuple[tuple[str, bool], ...]) -> Markup:
    """What comes of it; whoever is lost by it is seen at a glance."""
    grave = Markup('<span class="state">{} {}</span>')
    return Markup(", ").join(
        grave.format(icon("skull"), words) if bad else Markup.escape(words) for words, bad in parts
    )


def _group(words: str, ids: tuple[str, ...]) -> Markup:
    return Markup('<button type="button" class="chip" data-fill="{}">{}</button>').format(" ".join(ids), words)


def _shares(who: str, name: str) -> Markup:
    return join(
        Markup('<label><input type="radio" name="shares.{}" value="{}"{}><span>{}</span></label>').format(
            who, share.value, Markup(" checked") if share is Share.NONE else "", words
        )
        for share, words in WORDS.items()
    )
