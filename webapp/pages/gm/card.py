"""The one card that is open: all of it, and what the GM may do with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from webapp.rules.blocks import Block, Form, Menu, Note, Place
from webapp.rules.cards_view import Card
from webapp.rules.sight import Sight
from webapp.ui import blocks
from webapp.ui.live import OK, Answer, Item
from webapp.ui.markup import icon, move_attrs
from webapp.ui.part import Part
from webapp.ui.places import more_chip, place_of, seldom
from webapp.ui.poster import qr


class OpenCard(Part):
    def pieces(self, card: Card, sight: Sight) -> Iterator[Item]:
        """Vitals, what can be done now, states, what is written; all that is seldom wanted in a fold."""
        idle = self.picture.idle_vitals(card)
        for gauge in card.vitals[1:]:
            yield from blocks.gauge(gauge, card.id, sight) if gauge.key not in idle else ()
        own = [block for _, found in self.picture.blocks(card.id, self.picked) for block in found]
        now = [one for one in own if isinstance(one, Menu | Form) and one.place in (Place.FIGHT, Place.SHEET)]
        yield from blocks.pieces(now, card.id, sight, self.picked)
        notes = [one for one in own if isinstance(one, Note)]
        yield from blocks.pieces(notes, card.id, sight, self.picked)
        yield from self._written(card, sight)
        yield from self._whereabouts(card)
        yield from self._tests(card, own, sight)
        menu = f"more {card.id}"
        is_open = self.picked.get(menu) == "on" or card.id in self.editing
        yield more_chip(menu, is_open=is_open)
        if is_open:
            yield from self._seldom(card, sight)

    def _written(self, card: Card, sight: Sight) -> Iterator[Item]:
        """By rule set; of one that only lies on top, behind its name."""
        sections = self.picture.blocks(card.id, self.picked)
        idle = self.picture.idle_vitals(card)
        for title, own in sections:
            here: list[Block] = [one for one in card.vitals[1:] if idle.get(one.key) == title]
            here += [
                one for one in own if not isinstance(one, Menu | Form | Note) and place_of(one) is not Place.MORE
            ]
            if title in self.picture.idle():
                yield from blocks.fold(title, f"written {card.id}", here, card.id, sight, self.picked)
                continue
            if here and len(sections) > 1:
                yield Item(f"{card.id} {title}", title, tag="h2", classes="wide")
            yield from blocks.pieces(here, card.id, sight, self.picked)

    def _tests(self, card: Card, own: list[Block], sight: Sight) -> Iterator[Item]:
        rolls = [block for block in own if place_of(block) is Place.DICE]
        menu = f"tests {card.id}"
        is_open = self.picked.get(menu) == "on"
        if rolls:
            attrs = move_attrs({"move": "page.tab", "menu": menu, "tab": "" if is_open else "on"}, "Roll a test")
            attrs |= {"aria-expanded": "true" if is_open else "false"}
            words = Markup("{} Roll a test").format(icon("dice"))
            yield Item(f"{menu} chip", words, tag="button", classes="chip wide", attrs=attrs)
        if is_open:
            yield from blocks.pieces(rolls, card.id, sight, self.picked)

    def _whereabouts(self, card: Card) -> Iterator[Item]:
        """In sight or not, in the fight or not."""
        fight = self.table.state.fight()
        ways: list[tuple[str, str, dict[str, Any]]] = []
        if not card.hidden:
            ways.append(("hide", "Hide", {"move": "table.reveal", "character": card.id, "hidden": True}))
        if fight is not None:
            inside = card.id in fight.members
            kind, words = ("leave_fight", "Out of the fight") if inside else ("join_fight", "Into the fight")
            ways.append((kind, words, {"move": f"table.{kind}", "character": card.id}))
        for key, words, move in ways:
            attrs = move_attrs(move, f"{words}: {card.name}") | ({"data-key": "h"} if key == "hide" else {})
            yield Item(f"{card.id} {key}", words, tag="button", classes="button small", attrs=attrs)
        yield from blocks.pieces(
            self.picture.in_the_order(card.id), card.id, Sight(self.table.state, self.viewer), {}
        )

    def _seldom(self, card: Card, sight: Sight) -> Iterator[Item]:
        yield from seldom(self.picture.blocks(card.id, self.picked), card.id, sight, self.picked)
        yield from self.view.edit_pieces(card.id)
        yield from blocks.pieces(self.picture.seen_as(card.id), card.id, sight, self.picked)
        yield from self._links(card)
        move = {"move": "table.remove_character", "character": card.id}
        sure = f"Remove {card.name}, sheet and all? Undo brings it back. Tap again."
        attrs = move_attrs(move, f"Remove {card.name}", sure=sure)
        words = "Remove from the table"
        yield Item(f"{card.id} remove", words, tag="button", classes="button wide danger apart", attrs=attrs)

    def _links(self, card: Card) -> Iterator[Item]:
        """A phone for this hero: moved from the old one, or beside it."""
        for seat in self.table.state.character(card.id).seats:
            for add, words in ((False, "Move to a new phone"), (True, "Add a phone")):
                attrs = move_attrs({"move": "page.link", "seat": seat, "add": add, "character": card.id}, words)
                yield Item(f"{seat} link {add}", words, tag="button", classes="button small", attrs=attrs)
        link = self.picked.get(f"link {card.id}")
        if link:
            words = Markup("<p>Scan within ten minutes:</p>{}<p class='address'>{}</p>").format(qr(link), link)
            yield Item(f"{card.id} link", words, classes="wide qr-box")

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name == "page.link":
            return self._make_link(str(move.get("seat")), str(move.get("character")), add=move.get("add") is True)
        return None

    def _make_link(self, seat: str, character: str, *, add: bool) -> Answer:
        if seat not in self.page.hall.seats(self.row.id):
            return {"ok": False, "say": "There is no such seat at this table."}
        base = next(iter(self.page.hall.addresses()), self.page.base)
        self.picked[f"link {character}"] = f"{base}/link/{self.page.hall.access.link(seat, add=add)}"
        self.mark()
        return OK
