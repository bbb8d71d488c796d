"""The fight with its one big button, and what the GM may do for everybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.hall import Presence
from webapp.leave import why_not
from webapp.rules.blocks import Block, Form, Menu, Place
from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.errors import RuleError
from webapp.rules.fighting import StartFight
from webapp.rules.move import Move
from webapp.rules.sight import Sight
from webapp.rules.state import PEOPLE
from webapp.rules.text import render
from webapp.ui import blocks, menus
from webapp.ui.fight import countdown
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.markup import RIBBON, move_attrs, ribbon
from webapp.ui.names import parted, parted_in
from webapp.ui.page import TableView
from webapp.ui.part import Part
from webapp.ui.places import more_chip, place_of
from webapp.ui.poster import door, invitation


class Fight(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.previewed: Move | None = None
        with ui.element("section").classes("column fight").props('aria-label="The fight"'):
            self.big = Shelf(classes="big")
            self.welcome = Shelf(classes="welcome")
            self.ribbon = Piece(Item("ribbon", "", classes="ribbon", attrs=RIBBON))
            self.table_acts = Shelf(classes="acts")
            self.toggles = Shelf(classes="acts toggles")
            self.acts = Shelf(classes="acts")
            self.order = Piece(Item("order", ""))

    def draw(self) -> None:
        self.big.show(self.drawn("big", pieces=self._big))
        self.welcome.show(self.drawn("welcome", *door(self.page.hall), pieces=self._welcome))
        self.ribbon.show(*self.drawn("ribbon", pieces=self._ribbon))
        acts = self._table_acts
        self.table_acts.show(acts() if self.previewed else self.drawn_as_picked("table acts", pieces=acts))
        self.toggles.show(self.drawn("toggles", pieces=self._toggles))
        self.acts.show(self.drawn_as_picked("acts", pieces=self._acts))
        self.order.show(*self.drawn("order", pieces=self._order))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        return self._preview(move) if name == "page.preview" else None

    def was_done(self, move: object) -> None:
        """What was shown before is no preview any more."""
        if self.previewed is not None and move == self.previewed.kind():
            self.previewed = None

    def _preview(self, move: dict[str, Any]) -> Answer:
        """Shows what a form would do, and does nothing."""
        try:
            blanks = {name: value for name, value in move.items() if name != "of"}
            wanted = self.table.rulebook.move({**blanks, "move": move.get("of")})
            refused = why_not(wanted, Sight(self.table.state, self.viewer))
        except RuleError as error:
            refused = error.sentence
            wanted = None
        if refused is not None:
            return {"ok": False, "say": render(refused, Sight(self.table.state, self.viewer))}
        self.previewed = wanted
        self.mark()
        return OK

    def _big(self) -> Iterator[Item]:
        button = self.picture.big_button()
        if button is not None:
            why = self.picture.big_button_refused()
            attrs = move_attrs(button.move, button.label, why_not=why) | {"data-key": "space"}
            words = Markup("<span>{}</span><small>Space</small>").format(parted_in(button.label))
            yield Item("next", words, tag="button", classes="button primary next", attrs=attrs)
            if why is not None:
                yield Item("why", why, tag="p", classes="quiet")
            if button.move["move"] == StartFight.kind():
                yield from self._with_the_hidden()
            yield from self._end_it()
            outlook = self.picture.round_outlook()
            if outlook:
                yield Item("outlook", f"Then: {' · '.join(outlook)}", tag="p", classes="outlook")

    def _end_it(self) -> Iterator[Item]:
        ending = self.picture.nobody_stands()
        if ending is not None:
            attrs = move_attrs(ending.move, "End the fight")
            words = Markup("<span>End the fight<small>{}</small></span>").format(ending.label)
            yield Item("end it", words, tag="button", classes="button wide", attrs=attrs)

    def _with_the_hidden(self) -> Iterator[Item]:
        hidden = self.picture.left_in_hiding()
        if hidden is not None:
            yield Item("hidden", hidden.label, tag="p", classes="quiet")
            attrs = move_attrs(hidden.move, "Start the fight with the hidden too")
            yield Item("with hidden", "Start with the hidden too", tag="button", classes="button", attrs=attrs)

    def _welcome(self) -> Iterator[Item]:
        """The poster, until the first player sits down."""
        self.table.state.note(PEOPLE)
        if self.picture.fight() is None and not self.page.hall.seats(self.row.id):
            yield Item("title", "Invite the players", tag="h2")
            yield from invitation(self.page.hall, self.row.code)
            if self.page.hall.wifi.wifi is None:
                words = "Put the Wi-Fi on this poster"
                yield Item("wifi", words, tag="button", classes="button small", attrs={"data-open": "invite"})

    def _ribbon(self) -> Iterator[Item]:
        yield Item("ribbon", ribbon(self.picture.ribbon()), classes="ribbon", attrs=RIBBON)

    def _table_acts(self) -> Iterator[Item]:
        """What the rule sets offer for the whole table; in a fight, what is not about it waits behind a chip."""
        sight = Sight(self.table.state, self.viewer)
        offered = self.picture.gm_blocks()
        in_fight = self.picture.fight() is not None
        now = [
            one for one in offered if (place_of(one) is Place.FIGHT if in_fight else place_of(one) is not Place.MORE)
        ]
        for block in now:
            yield from blocks.pieces((block,), "table", sight, self.picked)
            if isinstance(block, Form) and self.previewed is not None and block.move["move"] == self.previewed.kind():
                yield from blocks.pieces(self.picture.preview(self.previewed), "table", sight, self.picked)
        others = [block for block in offered if block not in now]
        others.sort(key=lambda one: place_of(one) is Place.MORE)
        if others:
            is_open = self.picked.get("more table") == "on"
            yield more_chip("more table", is_open=is_open)
            yield from blocks.pieces(others if is_open else (), "table", sight, self.picked)

    def _toggles(self) -> Iterator[Item]:
        """Everybody side by side, while there is something to say of each of them."""
        sight = Sight(self.table.state, self.viewer)
        titles: set[str] = set()
        for card in self.picture.cards():
            for menu in (block for _, own in card.sections for block in own if isinstance(block, Menu)):
                if menu.place is not Place.TABLE:
                    continue
                if menu.key not in titles:
                    titles.add(menu.key)
                    yield Item(f"toggles {menu.key}", sight.words(menu.label), tag="h2", classes="wide menu")
                yield from menus.toggles(menu, card, sight)

    def _acts(self) -> Iterator[Item]:
        """What the one who is up may do; a hero's player does it, unless nobody is there or the GM wants to."""
        fight = self.picture.fight()
        if fight is not None and fight.waiting_for:  # the big button rolls for all of them
            return
        for card in self._who_may_act():
            own = (block for _, found in self.picture.blocks(card.id, self.picked) for block in found)
            acts = [one for one in own if isinstance(one, Menu | Form) and one.place is Place.FIGHT]
            if acts:
                yield from self._acts_of(card, acts)

    def _acts_of(self, card: Card, acts: Sequence[Block]) -> Iterator[Item]:
        player = self._player_of(card)
        yield Item(f"{card.id} acts", parted(_whose_turn(card, player)), tag="h2", classes="wide")
        if player and self.picked.get("for") != card.id:
            attrs = move_attrs({"move": "page.tab", "menu": "for", "tab": card.id}, f"Act for {card.name}")
            words = Markup("<span>{}</span>").format(parted(f"Act for {card.name}"))
            yield Item(f"{card.id} for", words, tag="button", classes="chip wide", attrs=attrs)
            return
        yield from blocks.pieces(acts, card.id, Sight(self.table.state, self.viewer), self.picked)

    def _player_of(self, card: Card) -> str:
        """Who has this hero on a phone that is here; nobody for a foe, or while every phone sleeps."""
        self.table.state.note(PEOPLE)
        hall = self.page.hall
        seats = self.table.state.character(card.id).seats
        here = [seat for seat in hall.seats(self.row.id).values() if hall.presence(seat.id)[0] is Presence.HERE]
        return ", ".join(seat.name for seat in here if seat.id in seats)

    def _who_may_act(self) -> list[Card]:
        """The one who is up first, then those who hold back."""
        cards = {card.id: card for card in self.picture.cards()}
        fight = self.picture.fight()
        slots = () if fight is None else fight.slots
        up = [slot.character for slot in slots if slot.state == "up"]
        held = [slot.character for slot in slots if slot.state == "held" or slot.since is not None]
        return [cards[who] for who in dict.fromkeys((*up, *held)) if who in cards]

    def _order(self) -> Iterator[Item]:
        fight = self.picture.fight()
        cards = {card.id: card for card in self.picture.cards()}
        yield Item("order", countdown(fight, cards) if fight is not None else "")


def _whose_turn(card: Card, player: str) -> str:
    if card.side is not Side.HERO:
        return f"{card.name} may act"
    return f"{player} acts for {card.name}" if player else f"Nobody at a phone: act for {card.name}"
