"""Party and foes, and who sits at the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from nicegui import ui

from webapp.hall import Presence
from webapp.pages.gm.card import OpenCard
from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.sight import Sight
from webapp.rules.state import PEOPLE
from webapp.seats import is_on_paper
from webapp.ui import blocks
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.markup import asks, card_head, move_attrs
from webapp.ui.page import TableView
from webapp.ui.part import Part
from webapp.ui.people import Seated, people

MORE_FOES = 40
MOST_STATES = 5  # of a card that is not open
HIDING = 12  # of the foes kept for later, so many are listed at first


class Cast(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        with ui.element("section").classes("column cast").props('aria-label="Party and foes"'):
            self.people = Piece(people((), self.row.code))
            self.list = Shelf(classes="cast-list")
        self.open = OpenCard(view)

    def draw(self) -> None:
        self.people.show(*self.drawn("people", pieces=self._people))
        self.list.show(self.drawn_as_picked("cast", pieces=self._cast))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name == "page.find":
            return self._find(str(move.get("name")))
        return self.open.at_page(name, move)

    def _people(self) -> Iterator[Item]:
        yield people(self._seats(), self.row.code)

    def _seats(self) -> list[Seated]:
        """Who sits at the table, and what became of their pages."""
        self.table.state.note(PEOPLE)
        hall = self.page.hall
        found = []
        for seat in hall.seats(self.row.id).values():
            presence, since = hall.presence(seat.id)
            since = since or hall.last_seen(self.row.id, seat.id)
            found.append(Seated(seat.id, seat.name, presence, since, on_paper=is_on_paper(seat)))
        return found

    def _cast(self) -> Iterator[Item]:
        self.table.state.note(PEOPLE)
        cards = self.picture.cards()
        for side, title in ((Side.HERO, "Party"), (Side.FOE, "Foes")):
            yield Item(f"title {side}", title, tag="h2", classes="wide")
            here = [card for card in cards if card.side is side]
            if not here:
                words = "Nobody yet: invite the players." if side is Side.HERO else "No foes yet: add some."
                yield Item(f"none {side}", words, tag="p", classes="wide quiet")
            yield from self._members(here)

    def _members(self, here: list[Card]) -> Iterator[Item]:
        late = self._late(here)
        for card in here:
            if card.id not in late:
                yield from self._member(card)
        if late:
            yield self._more_in_hiding(len(late))

    def _late(self, here: list[Card]) -> set[str]:
        """Those in hiding and in no fight, beyond as many as the GM wants to see."""
        fight = self.table.state.fight()
        members = () if fight is None else fight.members
        hiding = [card.id for card in here if card.hidden and card.id not in members]
        return set(hiding[self._hiding_shown() :])

    def _hiding_shown(self) -> int:
        shown = self.picked.get("hiding", "")
        return int(shown) if shown.isascii() and shown.isdecimal() else HIDING

    def _more_in_hiding(self, count: int) -> Item:
        words = f"{count} more in hiding"
        more = str(self._hiding_shown() + MORE_FOES)
        attrs = move_attrs({"move": "page.tab", "menu": "hiding", "tab": more}, words)
        return Item("hiding", words, tag="button", classes="chip wide", attrs=attrs)

    def _member(self, card: Card) -> Iterable[Item]:
        presence = self._presence(card)
        if self.picked.get("card") == card.id:
            return _label_first(self._cast_member(card.id, presence))
        return self.drawn("member", card.id, presence, pieces=lambda: self._cast_member(card.id, presence))

    def _cast_member(self, who: str, presence: str) -> Iterator[Item]:
        card, sight = self.picture.card(who), Sight(self.table.state, self.viewer)
        assert card is not None
        picked = self.picked.get("card") == card.id
        yield self._card_head(card, presence, picked=picked)
        if card.hidden:
            yield _reveal(card, picked=picked)
        for hp in card.vitals[:1]:
            counts = (item for item in blocks.gauge(hp, card.id, sight) if item.tag == "button")
            yield from (_keyed(item) if picked else item for item in counts)
        if picked:
            yield from self.open.pieces(card, sight)

    def _card_head(self, card: Card, presence: str, *, picked: bool) -> Item:
        attrs = move_attrs({"move": "page.tab", "menu": "card", "tab": "" if picked else card.id}, card.name)
        attrs |= {"aria-expanded": "true" if picked else "false", "data-card": card.id}
        head = card_head(card, more=presence, most=None if picked else MOST_STATES)
        attrs |= {"data-because": asks(card=card.id, block="health")["data-because"]}
        attrs |= {"data-drag": card.id, "draggable": "true"} if self.picture.fight() is not None else {}
        unseen = " unseen" if card.hidden else ""
        return Item(f"{card.id} head", head, tag="button", classes=f"card-head{unseen}", attrs=attrs)

    def _presence(self, card: Card) -> str:
        """Is the phone behind this hero here? What others call a foe."""
        if card.alias:
            return f" · players see “{card.alias}”"
        if card.side is not Side.HERO:
            return ""
        seats = self.table.state.character(card.id).seats
        names = self.page.hall.seats(self.row.id)
        known = [names[seat] for seat in seats if seat in names]
        who = ", ".join(seat.name for seat in known)
        if known and all(is_on_paper(seat) for seat in known):
            return f" · {who} on paper: you drive"
        now = {self.page.hall.presence(seat)[0] for seat in seats}
        nearest = next((one for one in (Presence.HERE, Presence.ASLEEP) if one in now), Presence.GONE)
        return f" · {who} {nearest}" if who else " · no player"

    def _find(self, name: str) -> Answer:
        """Opens the card of whoever is called so, or begins so, or has it in the name."""
        wanted = name.strip().casefold()
        called = [(card, card.name.casefold()) for card in self.picture.cards()]
        ranked = sorted(called, key=lambda one: (one[1] != wanted, not one[1].startswith(wanted)))
        found = next((card for card, own in ranked if wanted and wanted in own), None)
        if found is None:
            return {"ok": False, "say": f"Nobody at this table is called {name[:40]}. Try another part of the name."}
        if found.id in self._late([card for card in self.picture.cards() if card.side is found.side]):
            self.picked["hiding"] = str(len(called))
        self.picked["card"] = found.id
        self.mark()
        return OK | {"focus": f'[data-card="{found.id}"][aria-expanded="true"]'}


def _reveal(card: Card, *, picked: bool) -> Item:
    attrs = move_attrs({"move": "table.reveal", "character": card.id}, f"Reveal {card.name}")
    attrs |= {"data-key": "h"} if picked else {}
    return Item(f"{card.id} reveal", "Reveal", tag="button", classes="button small reveal", attrs=attrs)


def _keyed(count: Item) -> Item:
    """The plus or minus of the open card, for the key of the same name."""
    key = "-" if count.key.endswith(" minus") else "+"
    return replace(count, attrs={**count.attrs, "data-key": key})


def _label_first(items: Iterable[Item]) -> Iterator[Item]:
    """In a list a number stands before both of its buttons, so that no button can slip into another's row."""
    minus: Item | None = None
    for item in items:
        if item.key.endswith(" minus"):
            minus = item
            continue
        both = [one for one in (minus, item) if one is not None]
        yield from both if item.key.endswith(" plus") else reversed(both)
        minus = None
