"""The laptop behind a screen: party and foes, the fight with its one big button, what waits, and the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.access import is_on_paper
from webapp.hall import Presence
from webapp.pages.play import more_chip, other_starts, place_of, seldom, tray_form
from webapp.projection import Picture
from webapp.rules.blocks import Block, Form, Input, Menu, Note, Place
from webapp.rules.by_hand import EditTable
from webapp.rules.cards_view import Card
from webapp.rules.curtain import Curtain
from webapp.rules.document import Cover, Document, Side
from webapp.rules.errors import RuleError
from webapp.rules.forms import inputs
from webapp.rules.move import Move
from webapp.rules.people import Assign
from webapp.rules.periods import SetGames
from webapp.rules.questions_view import QuestionView
from webapp.rules.scene import PEOPLE, TOLD
from webapp.rules.sight import Sight
from webapp.rules.text import counted, render, text
from webapp.ui import blocks
from webapp.ui.calls import grid
from webapp.ui.fight import countdown, turn_words
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.log import row_item, undo_button
from webapp.ui.markup import (
    PLAIN,
    RIBBON,
    WHY,
    asks,
    card_head,
    field,
    hidden_mark,
    icon,
    join,
    move_attrs,
    ribbon,
    submit,
    written,
)
from webapp.ui.page import TableView
from webapp.ui.people import Seated, people
from webapp.ui.poster import invitation, qr, wifi_form, write_wifi
from webapp.ui.seats import change_seat, seat_list
from webapp.ui.tables import kept_tables, new_table, random_tables

ROWS, MOST_ROWS = 40, 400
DIALOGS = (
    ("find", "Find", "f"),
    ("add", "Add foes", "a"),
    ("invite", "Invite", "i"),
    ("dice", "Dice", "d"),
    ("tables", "Tables", "t"),
    ("house", "House rules", "r"),
    ("keys", "?", "?"),
)
KEYS = (
    ("Space", "What the big button says"),
    ("k", "Ask the table for a test"),
    ("-", "Damage: one off the health of the open card"),
    ("+", "Healing: one back"),
    ("h", "Hide the open card, or bring it into sight"),
    ("s", "Seats"),
    ("w", "Why? Then tap a number, or press it where the focus is"),
    ("u", "Undo the last row"),
    ("c", "Cover the TV, or show it again"),
)
HIDING = 12  # of the foes kept for later, so many are listed at first
TV_KEY = {  # how the TV stands, and what the key does next
    Cover.OPEN: ("Cover TV", Cover.CURTAIN),
    Cover.CURTAIN: ("TV covered", Cover.PAUSE),
    Cover.PAUSE: ("TV: pause", Cover.OPEN),
}


class GameMaster(TableView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.picture = Picture(self.table, self.viewer)
        self.rows = ROWS
        self.follow(self.page.hall.reach.changed)
        self.follow(self.page.hall.wifi.changed)
        self.previewed: Move | None = None
        self._build()

    def still_sits(self) -> bool:
        return self.page.is_host()

    def _build(self) -> None:
        with ui.element("header").classes("top bar"):
            self.title = Piece(Item("title", "", classes="title"))
            self.tools = Shelf(classes="tools")
        with ui.element("div").classes("gm"):
            with ui.element("section").classes("column cast").props('aria-label="Party and foes"'):
                self.people = Piece(people((), self.row.code))
                self.cast = Shelf(classes="cast-list")
            with ui.element("section").classes("column fight").props('aria-label="The fight"'):
                self.big = Shelf(classes="big")
                self.welcome = Shelf(classes="welcome")
                self.ribbon = Piece(Item("ribbon", "", classes="ribbon", attrs=RIBBON))
                self.table_acts = Shelf(classes="acts")
                self.toggles = Shelf(classes="acts toggles")
                self.acts = Shelf(classes="acts")
                self.order = Piece(Item("order", ""))
            with ui.element("section").classes("column talk").props('aria-label="What waits, and the log"'):
                self.waiting = Shelf(classes="waiting")
                self.chips = Shelf(classes="chips")
                self.log = Shelf(classes="log")
        self._dialogs()

    # --- what is drawn

    def draw(self) -> None:
        if not self.still_sits():
            self.page.again()
            return
        hall = self.page.hall
        door = (*hall.addresses(), hall.wifi.wifi, hall.reach.seen)
        self.title.show(*self.drawn("title", pieces=self._title))
        self.people.show(*self.drawn("people", pieces=self._people))
        self.tools.show(self.drawn("tools", pieces=self._tools))
        self.cast.show(self.drawn_as_picked("cast", pieces=self._cast))
        self.big.show(self.drawn("big", pieces=self._big))
        self.seats.show(self.drawn_as_picked("seats", pieces=self._seat_list))
        self.welcome.show(self.drawn("welcome", *door, pieces=self._welcome))
        self.invite.show(self.drawn("invite", *door, pieces=self._invite))
        self.ribbon.show(*self.drawn("ribbon", pieces=self._ribbon))
        acts = self._table_acts
        self.table_acts.show(acts() if self.previewed else self.drawn_as_picked("table acts", pieces=acts))
        self.toggles.show(self.drawn("toggles", pieces=self._toggles))
        self.acts.show(self.drawn_as_picked("acts", pieces=self._acts))
        sight = Sight(self.table.state, self.viewer)
        self.house.show(self.drawn("house", pieces=lambda: self._house_forms(sight)))
        self.tables.show(self.drawn("tables", pieces=lambda: random_tables(self.picture.tables(), sight)))
        self.kept.show(self.drawn("kept tables", pieces=lambda: kept_tables(self.picture.own_tables())))
        self.starts.show(self.drawn("starts", pieces=self._start_forms))
        self.order.show(*self.drawn("order", pieces=self._order))
        self.waiting.show(self.drawn_as_picked("waiting", pieces=self._waiting))
        self.chips.show(self.drawn("chips", pieces=self._chips))
        self.log.show(self.drawn_as_picked("log", self.rows, pieces=self._log))

    def _title(self) -> Iterator[Item]:
        hours, minutes = divmod(self.picture.minutes(), 60)
        clock = f"{hours} h {minutes:02d} min" if self.picture.minutes() else ""
        of_clock = written(asks(block="clock")) if clock else ""
        words = Markup('<h1>{}</h1><p role="status">{} <span class="quiet"{}>{}</span></p>').format(
            self.picture.name(), turn_words(self.picture.fight()), of_clock, clock
        )
        yield Item("title", words, classes="title")

    def _ribbon(self) -> Iterator[Item]:
        yield Item("ribbon", ribbon(self.picture.ribbon()), classes="ribbon", attrs=RIBBON)

    def _people(self) -> Iterator[Item]:
        yield people(self._seats(), self.row.code)

    def _seat_list(self) -> Iterator[Item]:
        self.table.state.note(PEOPLE)
        yield from seat_list(self.page.hall, self.row.id, self.picture, self.picked)

    def _invite(self) -> Iterator[Item]:
        yield from invitation(self.page.hall, self.row.code)
        yield from wifi_form(self.page.hall.wifi)

    def _order(self) -> Iterator[Item]:
        fight = self.picture.fight()
        cards = {card.id: card for card in self.picture.cards()}
        yield Item("order", countdown(fight, cards) if fight is not None else "")

    def _tools(self) -> Iterator[Item]:
        for dialog, words, key in DIALOGS:
            attrs = {"data-open": dialog, "data-key": key} | ({"aria-label": "Keys"} if words == "?" else {})
            yield Item(dialog, words, tag="button", classes="button small", attrs=attrs)
        self.table.state.note(TOLD)
        attrs = move_attrs({"move": "page.ask"}, "Ask the table") | {"data-key": "k"}
        yield Item("ask", "Ask", tag="button", classes="button small", attrs=attrs)
        yield Item("why", "Why?", tag="button", classes="button small", attrs=WHY)
        last = self.picture.last_to_undo()
        if last is not None:
            attrs = move_attrs({"move": "table.undo", "entry": last.id}, "Undo the last row") | {"data-key": "u"}
            yield Item("undo", "Undo", tag="button", classes="button small", attrs=attrs)
        if self.picture.fight() is not None:
            attrs = move_attrs({"move": "table.end_fight"}, "End the fight", sure=self._still_stand())
            yield Item("end", "End the fight", tag="button", classes="button small danger", attrs=attrs)
        yield self._curtain()
        yield Item("screen", "TV page", tag="a", classes="button small", attrs=_link(f"/t/{self.row.code}/screen"))

    def _still_stand(self) -> str:
        """Who is left, before the fight is ended."""
        fight = self.table.state.fight()
        members = () if fight is None else fight.members
        up = [card.side for card in self.picture.cards() if card.id in members and card.down is None]
        heroes, foes = counted(up.count(Side.HERO), "hero", "heroes"), counted(up.count(Side.FOE), "foe")
        verb = "stands" if len(up) == 1 else "stand"
        return f"End the fight: {heroes} and {foes} still {verb}. Tap again."

    def _curtain(self) -> Item:
        """One key for the TV; from open it covers at once."""
        words, then = TV_KEY[self.picture.cover()]
        attrs = move_attrs({"move": Curtain.kind(), "value": then}, words) | {"data-key": "c"}
        attrs |= {"aria-pressed": "false" if self.picture.cover() is Cover.OPEN else "true"}
        return Item("curtain", words, tag="button", classes="button small", attrs=attrs)

    def _cast(self) -> Iterator[Item]:
        self.table.state.note(PEOPLE)
        cards = self.picture.cards()
        for side, title in ((Side.HERO, "Party"), (Side.FOE, "Foes")):
            yield Item(f"title {side}", title, tag="h2", classes="wide")
            here = [card for card in cards if card.side is side]
            if not here:
                words = "Nobody yet: invite the players." if side is Side.HERO else "No foes yet: add some."
                yield Item(f"none {side}", words, tag="p", classes="wide quiet")
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
        attrs = move_attrs({"move": "page.tab", "menu": "hiding", "tab": str(self._hiding_shown() + ROWS)}, words)
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
        attrs = move_attrs({"move": "page.tab", "menu": "card", "tab": "" if picked else card.id}, card.name)
        attrs |= {"aria-expanded": "true" if picked else "false", "data-card": card.id}
        head = card_head(card, more=presence)
        attrs |= {"data-because": asks(card=card.id, block="health")["data-because"]}
        attrs |= {"data-drag": card.id, "draggable": "true"} if self.picture.fight() is not None else {}
        unseen = " unseen" if card.hidden else ""
        yield Item(f"{card.id} head", head, tag="button", classes=f"card-head{unseen}", attrs=attrs)
        if card.hidden:
            attrs = move_attrs({"move": "table.reveal", "character": card.id}, f"Reveal {card.name}")
            attrs |= {"data-key": "h"} if picked else {}
            yield Item(f"{card.id} reveal", "Reveal", tag="button", classes="button small reveal", attrs=attrs)
        hp = next((gauge for gauge in card.vitals), None)
        if hp is not None:
            counts = (item for item in blocks.gauge(hp, card.id, sight) if item.tag == "button")
            yield from (_keyed(item) if picked else item for item in counts)
        if picked:
            yield from self._open_card(card, sight)

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
        here = any(self.page.hall.presence(seat)[0] is Presence.HERE for seat in seats)
        return f" · {who} {'here' if here else 'away'}" if who else " · no player"

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

    def _open_card(self, card: Card, sight: Sight) -> Iterator[Item]:
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
        yield from self.edit_pieces(card.id)
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

    def _big(self) -> Iterator[Item]:
        button = self.picture.big_button()
        if button is not None:
            why = self.picture.big_button_refused()
            attrs = move_attrs(button.move, button.label, why_not=why) | {"data-key": "space"}
            words = Markup("<span>{}</span><small>Space</small>").format(button.label)
            yield Item("next", words, tag="button", classes="button primary next", attrs=attrs)
            if why is not None:
                yield Item("why", why, tag="p", classes="quiet")
            yield from self._with_the_hidden()
            outlook = self.picture.round_outlook()
            if outlook:
                yield Item("outlook", f"Then: {' · '.join(outlook)}", tag="p", classes="outlook")

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

    def _acts(self) -> Iterator[Item]:
        """What the one who is up may do; a hero's player does it, unless the GM wants to."""
        sight = Sight(self.table.state, self.viewer)
        fight = self.picture.fight()
        if fight is not None and fight.waiting_for:  # the big button rolls for all of them
            return
        for card in self._who_may_act():
            own_blocks = (block for _, own in self.picture.blocks(card.id, self.picked) for block in own)
            blocks_of = (block for block in own_blocks if isinstance(block, Menu | Form))
            acts = [block for block in blocks_of if block.place is Place.FIGHT]
            if not acts:
                continue
            yield Item(f"{card.id} acts", f"{card.name} may act", tag="h2", classes="wide")
            if card.side is Side.HERO and self.picked.get("for") != card.id:
                attrs = move_attrs({"move": "page.tab", "menu": "for", "tab": card.id}, f"Act for {card.name}")
                yield Item(f"{card.id} for", f"Act for {card.name}", tag="button", classes="chip wide", attrs=attrs)
                continue
            yield from blocks.pieces(acts, card.id, sight, self.picked)

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
                yield from blocks.toggles(menu, card, sight)

    def _who_may_act(self) -> list[Card]:
        """The one who is up first, then those who hold back."""
        cards = {card.id: card for card in self.picture.cards()}
        fight = self.picture.fight()
        slots = () if fight is None else fight.slots
        up = [slot.character for slot in slots if slot.state == "up"]
        held = [slot.character for slot in slots if slot.state == "held" or slot.since is not None]
        return [cards[who] for who in dict.fromkeys((*up, *held)) if who in cards]

    def _waiting(self) -> Iterator[Item]:
        self.table.state.note(TOLD)
        questions = [question for question in self.picture.questions() if not question.chip]
        requests = self.page.hall.access.waiting(self.row.id)
        if questions or requests or self.picture.calls():
            yield Item("title", "Waiting for", tag="h2", classes="wide")
        names = self.page.hall.seats(self.row.id)
        if len(requests) > 1:
            attrs = move_attrs({"move": "page.admit_all"}, "Let all of them in")
            yield Item("admit all", "Let all of them in", tag="button", classes="button wide", attrs=attrs)
        for device in requests:
            name = names[device.seat].name if device.seat in names else "somebody"
            words = Markup("{} wants to be <b>{}</b>").format(device.label, name)
            yield Item(f"{device.id} asks", words, tag="p", classes="wide")
            for move, label in (("admit", "Let in"), ("add", "Add as a second"), ("refuse", "Refuse")):
                attrs = move_attrs({"move": f"page.{move}", "device": device.id}, f"{label}: {name}")
                yield Item(f"{device.id} {move}", label, tag="button", classes="button small", attrs=attrs)
        for call in self.picture.calls():
            yield from grid(call)
        called = {row.question for call in self.picture.calls() for row in call.rows}
        for question in questions:
            if question.id not in called:
                yield from self._question(question)

    def _chips(self) -> Iterator[Item]:
        """What may be answered, and holds nothing up."""
        for question in self.picture.questions():
            if question.chip:
                yield blocks.chip(question, with_name=True)

    def _question(self, view: QuestionView) -> Iterator[Item]:
        yield from blocks.question(view, with_name=True, picked=self.picked, gm=True)
        begun = self.picture.began(view.id) if view.dice else None
        if begun is not None:
            attrs = move_attrs({"move": "table.undo", "entry": begun}, f"Take the roll back: {view.name}")
            yield Item(f"q {view.id} back", "Take the roll back", tag="button", classes="button small", attrs=attrs)
        asked = None if view.addressee is None else self.picture.card(view.addressee)
        if asked is not None and asked.hidden:
            yield Item(f"q {view.id} hidden", hidden_mark(), tag="p", classes="wide")
        if view.addressee is None or not self._has_phone(view.addressee):
            return
        attrs = move_attrs({"move": "page.nudge", "question": view.id}, f"Nudge {view.name}")
        yield Item(f"q {view.id} nudge", "Nudge the phone", tag="button", classes="button small", attrs=attrs)

    def _has_phone(self, who: str) -> bool:
        seats = self.page.hall.seats(self.row.id)
        return any(seat in seats and not is_on_paper(seats[seat]) for seat in self.table.state.character(who).seats)

    def _log(self) -> Iterator[Item]:
        yield Item("title", "Log", tag="h2", classes="wide")
        shown = self.picture.log(self.rows)
        for row in reversed(shown):
            yield row_item(row)
            if self.picked.get("stuck") == row.id:
                for way, words in (("what can", "Put back what can be"), ("back", "Back to before this row")):
                    attrs = move_attrs({"move": "table.undo", "entry": row.id, "way": way}, words)
                    yield Item(f"{row.id} {way}", words, tag="button", classes="button small", attrs=attrs)
                attrs = move_attrs({"move": "page.tab", "menu": "stuck", "tab": ""}, "Leave it")
                yield Item(f"{row.id} leave", "Leave it", tag="button", classes="button small", attrs=attrs)
            elif row.may_undo:
                yield undo_button(row.id)
        if len(shown) == self.rows and self.rows < MOST_ROWS:
            attrs = move_attrs({"move": "page.older"}, "Older rows")
            yield Item("older", "Older rows", tag="button", classes="button wide", attrs=attrs)

    # --- dialogs, made once

    def _dialogs(self) -> None:
        with _dialog("find", "Find"):
            inside = Markup(
                '<label class="field"><span>Name, or its beginning</span><input name="name" maxlength="40" required'
                ' autofocus autocomplete="off"></label>{}'
            ).format(submit("Open the card"))
            attrs = move_attrs({"move": "page.find"}, "Find") | {"data-reset": ""}
            Piece(Item("find", inside, tag="form", classes="form", attrs=attrs))
        with _dialog("add", "Add foes"):
            self.starts = Shelf(classes="starts")
        self._other_dialogs()

    def _start_forms(self) -> Iterator[Item]:
        """Foes of the rule sets in play."""
        groups = self.picture.start_groups(Side.FOE)
        for start in groups[0].starts if groups else ():
            move = {"move": "table.add_characters", "side": "foe", "sheets": {groups[0].game: start.body}}
            words = Markup(
                '<div><b>{0}</b><p class="quiet">{1}</p></div><div class="fields"><label class="field"><span>Name'
                '</span><input name="name" value="{0}" maxlength="40" required></label>'
                '<label class="field number"><span>How many</span>'
                '<input name="copies" type="number" min="1" max="20" value="1" required>'
                "</label>{3}</div>{2}"
            ).format(start.name, start.line, submit("Add"), other_starts(groups[1:]))
            attrs = move_attrs(move, f"Add {start.name}")
            yield Item(start.id, words, tag="form", classes="form start", attrs=attrs)

    def _other_dialogs(self) -> None:
        with _dialog("invite", "Invite"):
            self.invite = Shelf(classes="invite")
        with _dialog("seats", "Seats"):
            self.seats = Shelf(classes="seat-list")
        with _dialog("dice", "Dice"):
            Piece(tray_form())
        with _dialog("tables", "Random tables"):
            self.tables = Shelf(classes="acts")
            Piece(new_table())
            self.kept = Shelf(classes="acts")
        with _dialog("keys", "Keys"):
            Piece(Item("list", _keys(), tag="dl", classes="keys"))
        with _dialog("house", "House rules"):
            self.house = Shelf(classes="house-rules")

    def _house_forms(self, sight: Sight) -> Iterator[Item]:
        """Who does what, then each rule set's switches and the table's own; drawn anew only when they change."""
        state, duties = self.table.state, self.picture.duties()
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
        inside = Markup('<h2>Rule sets in play</h2><div class="fields one">{}</div>{}').format(
            Markup("").join(field(box) for box in boxes), submit("Play these")
        )
        attrs = move_attrs({"move": SetGames.kind()}, "Rule sets in play")
        return Item("games", inside, tag="form", classes="form", attrs=attrs)

    # --- what this page does itself

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        answer = super().receive(move, tap)
        if answer["ok"] and self.previewed is not None and move.get("move") == self.previewed.kind():
            self.previewed = None
        if move.get("move") == "table.undo":
            self.picked["stuck"] = str(move.get("entry"))[:80] if answer.get("ways") else ""
            self.mark()
        return answer

    def at_page(self, name: str, move: dict[str, Any]) -> Answer:
        access, device = self.page.hall.access, str(move.get("device"))[:80]
        if name in ("page.admit", "page.add", "page.refuse") and device not in self._devices_waiting():
            return {"ok": False, "say": "This device no longer waits."}
        match name:
            case "page.admit" | "page.add":
                access.admit(device, add=name == "page.add")
            case "page.refuse":
                access.refuse(device)
            case "page.link":
                return self._make_link(str(move.get("seat")), str(move.get("character")), add=move.get("add") is True)
            case "page.older":
                self.rows = min(MOST_ROWS, self.rows + ROWS)
                self.mark()
            case "page.admit_all":
                for waiting in {one.seat: one.id for one in reversed(access.waiting(self.row.id))}.values():
                    access.admit(waiting)
            case "page.paper_seat" | "page.rename_seat" | "page.free_seat" | "page.on_paper":
                change_seat(self.page.hall, self.row.id, move)
            case "page.remove_seat":
                self._remove_seat(move)
            case "page.wifi" | "page.forget_wifi":
                write_wifi(self.page.hall.wifi, move)
            case "page.nudge":
                return self._nudge(str(move.get("question")))
            case "page.preview":
                return self._preview(move)
            case "page.find":
                return self._find(str(move.get("name")))
            case "page.ask":
                self.picked["more table"] = "on"
                self.mark()
                return OK | {"focus": "form[data-asks] select, form[data-asks] input"}
            case _:
                return super().at_page(name, move)
        return OK

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

    def _preview(self, move: dict[str, Any]) -> Answer:
        """Shows what a form would do, and does nothing."""
        try:
            blanks = {name: value for name, value in move.items() if name != "of"}
            wanted = self.table.rulebook.move({**blanks, "move": move.get("of")})
            refused = wanted.refusal(self.table.state)
        except RuleError as error:
            refused = error.sentence
            wanted = None
        if refused is not None:
            return {"ok": False, "say": render(refused, Sight(self.table.state, self.viewer))}
        self.previewed = wanted
        self.mark()
        return OK

    def _devices_waiting(self) -> set[str]:
        return {device.id for device in self.page.hall.access.waiting(self.row.id)}

    def _make_link(self, seat: str, character: str, *, add: bool) -> Answer:
        if seat not in self.page.hall.seats(self.row.id):
            return {"ok": False, "say": "There is no such seat at this table."}
        base = next(iter(self.page.hall.addresses()), self.page.base)
        self.picked[f"link {character}"] = f"{base}/link/{self.page.hall.access.link(seat, add=add)}"
        self.mark()
        return OK

    def _remove_seat(self, move: dict[str, Any]) -> None:
        """Its heroes wait for another player."""
        seat = str(move.get("seat"))[:80]
        change_seat(self.page.hall, self.row.id, move)
        for card in self.picture.driven_by(seat):
            others = [other for other in self.table.state.character(card.id).seats if other != seat]
            self.table.do({"move": Assign.kind(), "character": card.id, "seats": others}, self.viewer)

    def _nudge(self, question: str) -> Answer:
        asked = next((one for one in self.picture.questions() if one.id == question), None)
        if asked is None or asked.addressee is None:
            return {"ok": False, "say": "That is decided already."}
        seats = self.table.state.character(asked.addressee).seats
        reached = self.page.nudge(seats)
        return {
            "ok": True,
            "say": f"{asked.name}'s phone is nudged." if reached else f"{asked.name}'s phone is away.",
        }


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


def _keys() -> Markup:
    """The list under "?"."""
    known = (*KEYS, *((key, "This list" if words == "?" else words) for _, words, key in DIALOGS))
    return Markup("").join(Markup("<div><dt><kbd>{}</kbd></dt><dd>{}</dd></div>").format(*one) for one in known)


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


def _dialog(name: str, title: str) -> ui.element:
    dialog = ui.element("dialog").props(f'id={name} aria-label="{title}"')
    with dialog:
        Piece(Item("title", title, tag="h2"))
        Piece(Item("close", "Close", tag="button", classes="button small close", attrs={"data-close": ""}))
    return dialog


def _link(path: str) -> dict[str, str]:
    return {"href": path, "target": "_blank", "rel": "noopener"}
