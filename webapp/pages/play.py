"""The phone in a hand: the sheet, the fight, the dice, the log, and above all of them the question."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.access import seat_cookie_name
from webapp.projection import Picture, StartGroup
from webapp.rules.blocks import Block, Fact, Form, Gauge, Menu, Note, Place
from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.fights_view import FightView
from webapp.rules.forms import sentence_case
from webapp.rules.people import Claim, MakeHero
from webapp.rules.questions_view import QuestionView
from webapp.rules.ruleset import Start
from webapp.rules.scene import TOLD
from webapp.rules.sight import Sight
from webapp.rules.text import render, text
from webapp.ui import blocks
from webapp.ui.face import face
from webapp.ui.fight import countdown, party, turn_words
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.log import row_item, undo_button
from webapp.ui.markup import PLAIN, RIBBON, WHY, asks, card_head, icon, move_attrs, percent, ribbon, submit, written
from webapp.ui.page import ONLY_WATCHING, TableView
from webapp.ui.poster import poster
from webapp.ui.tables import random_tables

LOOK = "Look at my sheet"
LATER = 0.5  # seconds of quiet until a panel follows that nobody looks at
TRAY = (4, 6, 8, 10, 12, 20)
# What a seat may choose for its pages, kept with its standing orders.
LOOKS: dict[str, tuple[str, dict[str, str]]] = {
    "look.text": ("Size of the text", {"": "Normal", "large": "Large", "largest": "Largest"}),
    "look.contrast": ("Colours", {"": "Night", "more": "High contrast"}),
}
TABS = (("sheet", "hero", "Sheet"), ("fight", "fight", "Fight"), ("dice", "dice", "Dice"), ("log", "log", "Log"))


class Play(TableView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.picture = Picture(self.table, self.viewer)
        self.aside: set[str] = set()
        self.pocket = False
        self.was_up = False
        self.shown = ""  # the panel that its browser shows; until it has told, all are drawn at once
        self._late: asyncio.TimerHandle | None = None
        self._closing.append(self._not_late)
        if self.watching:
            seat = self.page.hall.seats(self.row.id).get(self.viewer.seat or "")
            words = f"You see what {seat.name if seat else 'somebody'} sees. {ONLY_WATCHING}"
            Piece(Item("watching", words, tag="p", classes="watching", attrs={"role": "note"}))
        self.look = Piece(Item("look", "", tag="i", classes="look"))
        with ui.element("header").classes("top"):
            self.head = Piece(Item("head", ""))
            self.ribbon = Piece(Item("ribbon", "", classes="ribbon", attrs=RIBBON))
        with ui.element("div").classes("phone"):
            self.sharers = Shelf(classes="sharers", attrs={"role": "group", "aria-label": "Who plays on this phone"})
            self.told_states = Shelf(classes="told-states")
            self.notices = Shelf(classes="notices")
            self.tests = Shelf(classes="notices", attrs={"role": "status", "aria-label": "The last test"})
            self.plights = Shelf(classes="plights")
            self.panels = {name: self._panel(name) for name, _, _ in TABS}
            self.question = Shelf("section", classes="question-sheet", attrs={"aria-label": "Open question"})
            self.aside_bar = Shelf(classes="aside-bar")
        self._tab_bar()
        self.pocket_screen = Shelf(classes="pocket-place")

    def still_sits(self) -> bool:
        if self.watching:
            return self.page.watches(self.row, self.viewer.seat or "") == self.viewer
        return self.page.viewer("play", self.row) == self.viewer

    # --- what is drawn

    def draw(self) -> None:
        if not self.still_sits():
            self.page.again()
            return
        questions = tuple(question for question in self.picture.questions() if not question.chip)
        self.look.show(Item("look", "", tag="i", classes="look", attrs=self._look()))
        self.head.show(*self.drawn_as_picked("head", pieces=self._head))
        self.ribbon.show(*self.drawn("ribbon", pieces=self._ribbon))
        self.sharers.show(self.drawn_as_picked("sharers", pieces=self._sharers))
        self.told_states.show(self.drawn_as_picked("told states", pieces=self._told_states))
        self.notices.show(self.drawn_as_picked("notices", pieces=self._notices))
        self.tests.show(self.drawn("tests", pieces=self._tests))
        self.plights.show(self.drawn("plights", pieces=self._plights))
        for name, panel in self.panels.items():
            if self.shown in ("", name):
                panel.show(self._in_panel(name))
        self._not_late()
        if self.shown:
            self._late = asyncio.get_running_loop().call_later(self._later(), self._draw_the_rest)
        self._show_fight_tab()
        self._ask(questions)
        self._sleep_or_wake()
        self.pocket_screen.show(pocket(self.picture.own(), self.picture.fight()) if self.pocket else ())

    def _later(self) -> float:
        """Not all phones in the same moment."""
        return LATER * (1 + zlib.crc32(self.page.client_id.encode()) % 16 / 16)

    def _draw_the_rest(self) -> None:
        """The panels that nobody looks at, once those that somebody looks at have had their turn."""
        self._late = None
        if self.is_seen() and self.still_sits():
            for name, panel in self.panels.items():
                panel.show(self._in_panel(name))

    def _not_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _in_panel(self, name: str) -> Iterable[Item]:
        match name:
            case "log":
                return self.drawn("log", pieces=self._log)
            case "sheet" if self.picked.get("phone") == "on":  # tells addresses and seats, which no table knows
                return self._sheet()
        pieces = {"sheet": self._sheet, "fight": self._fight, "dice": self._dice}
        return self.drawn_as_picked(name, pieces=pieces[name])

    def _is_up(self) -> bool:
        fight = self.picture.fight()
        return fight is not None and any(slot.mine and slot.state == "up" for slot in fight.slots)

    def _sleep_or_wake(self) -> None:
        """A question wakes the full card, and so does the own turn when it comes."""
        up = self._is_up()
        if self.question.is_filled or (up and not self.was_up):
            self.pocket = False
        self.was_up = up

    def _panel(self, name: str) -> Shelf:
        return Shelf("section", classes="panel", attrs={"data-panel": name, "aria-label": name.capitalize()})

    def _tab_bar(self) -> None:
        with ui.element("nav").classes("tabs").props('aria-label="Pages of your sheet"'):
            self.tabs = {tab[0]: Piece(tab_item(*tab)) for tab in TABS}
            words = Markup("{}<span>Why?</span>").format(icon("why"))
            Piece(Item("why", words, tag="button", classes="why", attrs=WHY))

    def _show_fight_tab(self) -> None:
        """A fight that begins opens its page on every phone that has a hero in hand; its turn lights the tab."""
        fight = self.picture.fight()
        on = fight is not None and bool(self.picture.own())
        up = self._is_up()
        word = "Your turn" if up else "Fight"
        self.tabs["fight"].show(tab_item("fight", "fight", word, now="on" if on else "off", lit=up))

    def _head(self) -> Iterator[Item]:
        yield Item("head", self._head_words(self._in_hand(self.picture.own())), classes="head")

    def _head_words(self, own: tuple[Card, ...]) -> Markup:
        turn = turn_words(self.picture.fight())
        if not own:
            return Markup("<h1>{}</h1><p>{}</p>").format(self.picture.name(), turn)
        hero = own[0]
        vitals = Markup("").join(vital(gauge, asks(card=hero.id, block=gauge.key)) for gauge in hero.vitals[:2])
        return Markup(
            '{}<div><h1>{}</h1><p class="turn" role="status">{}</p></div>{}<p class="vitals">{}</p>'
        ).format(face(hero.name), hero.name, turn, self._states(hero), vitals)

    def _states(self, hero: Card) -> Markup:
        """The one state there is, or how many; a tap tells them all."""
        if not hero.notes:
            return Markup("")
        first = hero.notes[0]
        brief = first.brief or (None if hero.down is None else text("{down}", down=hero.down))
        sight = Sight(self.table.state, self.viewer)
        one = sight.maybe(brief) or "1 state"
        words = one if len(hero.notes) == 1 else f"{len(hero.notes)} states"
        told = self.picked.get("states") == "on"
        attrs = move_attrs({"move": "page.tab", "menu": "states", "tab": "" if told else "on"}, "States")
        attrs |= {"aria-expanded": "true" if told else "false"}
        return Markup('<button class="state states"{}>{} {}</button>').format(written(attrs), icon(first.icon), words)

    def _told_states(self) -> Iterator[Item]:
        sight = Sight(self.table.state, self.viewer)
        if self.picked.get("states") == "on":
            for card in self._in_hand(self.picture.own()):
                yield from (blocks.note(note, f"{card.id} told", sight) for note in card.notes)

    def _ribbon(self) -> Iterator[Item]:
        yield Item("ribbon", ribbon(self.picture.ribbon()), classes="ribbon", attrs=RIBBON)

    def _plights(self) -> Iterator[Item]:
        for card in self.picture.own():
            yield from plight(card)

    def _notices(self) -> Iterator[Item]:
        for notice in self.picture.notices():
            yield Item(f"{notice.character} words", notice.words, tag="p", classes="notice", attrs={"role": "status"})
            attrs = move_attrs({"move": "table.noted", "actor": notice.character}, "OK")
            yield Item(f"{notice.character} ok", "OK", tag="button", classes="button", attrs=attrs)
        for question in self.picture.questions():
            if question.chip:
                yield blocks.chip(question, with_name=len(self.picture.own()) > 1)

    def _tests(self) -> Iterator[Item]:
        """How the own roll for a test of several went, then how all of them did, until the next roll."""
        calls, turned = self.picture.calls(), self.picture.turned_over()
        for call in calls:
            rolled = f"{call.title} · {len(call.rows) - call.missing} of {len(call.rows)} have rolled"
            for row in call.rows:
                if row.mine and row.result is not None:
                    yield blocks.results(f"test {row.character}", rolled, ((row.name, row.result),))
        if turned is not None and not calls:
            yield blocks.results("tested", turned.title, ((one.name, one.words) for one in turned.results))

    def _sheet(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        if not own:
            yield from self._heroes_to_take()
            yield from self._this_phone()
        for card in own:
            attrs = asks(card=card.id, block="health")
            yield Item(f"{card.id} head", card_head(card), classes="card-head wide", attrs=attrs)
            idle = self.picture.idle_vitals(card)
            busy = (one for one in card.vitals if one.key not in idle)
            yield from (item for one in busy for item in blocks.gauge(one, card.id, sight))
            sections = self.picture.blocks(card.id, self.picked)
            for title, own_blocks in sections:
                quiet: list[Block] = [one for one in card.vitals if idle.get(one.key) == title]
                quiet += [block for block in own_blocks if place_of(block) is Place.SHEET]
                yield from self._part(card.id, title if len(sections) > 1 else "", quiet, sight)
        if own:
            yield from self._more(own, sight)

    def _part(self, who: str, title: str, quiet: list[Block], sight: Sight) -> Iterator[Item]:
        """One rule set's part of the sheet; of one that only lies on top, what is written waits behind its name."""
        if title not in self.picture.idle():
            yield from (Item(f"{who} {title}", title, tag="h2", classes="wide") for _ in quiet[:1] if title)
            yield from blocks.pieces(quiet, who, sight, self.picked)
            return
        now = [block for block in quiet if isinstance(block, Menu | Form | Note)]
        yield from blocks.pieces(now, who, sight, self.picked)
        written_down = [block for block in quiet if block not in now]
        yield from blocks.fold(title, f"written {who}", written_down, who, sight, self.picked)

    def _more(self, own: tuple[Card, ...], sight: Sight) -> Iterator[Item]:
        """What is seldom wanted, behind one chip."""
        is_open = self.picked.get("more") == "on" or any(card.id in self.editing for card in own)
        yield more_chip("more", is_open=is_open)
        if not is_open:
            return
        yield from self._habits()
        yield from self._this_phone()
        for card in own:
            if len(own) > 1:
                yield Item(f"{card.id} more", card.name, tag="h2", classes="wide")
            yield from seldom(self.picture.blocks(card.id, self.picked), card.id, sight, self.picked)
            yield from self.edit_pieces(card.id)

    def _in_hand(self, own: tuple[Card, ...]) -> tuple[Card, ...]:
        """On a phone that several share, the one whose turn it is to hold it."""
        picked = [card for card in own if card.id == self.picked.get("sharer")]
        return tuple(picked or own[:1])

    def _sharers(self) -> Iterator[Item]:
        own = self.picture.own()
        in_hand = self._in_hand(own)
        if len(own) < 2:
            return
        fight = self.picture.fight()
        up = {slot.character for slot in fight.slots if slot.state == "up"} if fight is not None else set()
        asked = {question.addressee for question in self.picture.questions()}
        for card in own:
            mark = "asked" if card.id in asked else "acts now" if card.id in up else ""
            words = Markup("{}<span class='who'><b>{}</b><small>{}</small></span>").format(
                face(card.name), card.name, mark
            )
            attrs = move_attrs({"move": "page.tab", "menu": "sharer", "tab": card.id}, card.name)
            attrs |= {"aria-pressed": "true" if card in in_hand else "false"}
            yield Item(f"sharer {card.id}", words, tag="button", classes="chip", attrs=attrs)

    def _this_phone(self) -> Iterator[Item]:
        """Others who come by it: an invitation, a second player, the next one to hold it."""
        is_open = self.picked.get("phone") == "on"
        attrs = move_attrs({"move": "page.tab", "menu": "phone", "tab": "" if is_open else "on"}, "This phone")
        attrs |= {"aria-expanded": "true" if is_open else "false"}
        yield Item("phone", "Invite · share · leave", tag="button", classes="chip wide", attrs=attrs)
        if not is_open:
            return
        yield Item("phone invite", "Invite somebody", tag="h2", classes="wide")
        way_in = poster(self.page.hall.addresses(), self.row.code, others=0)
        yield Item("phone poster", way_in, classes="wide small-poster")
        seat = self.page.hall.seats(self.row.id).get(self.viewer.seat or "")
        if seat is not None:
            yield Item("phone leave", "Hand this phone to somebody else", tag="h2", classes="wide")
            words = f"{seat.name}'s seat stays free, and keeps its heroes, until somebody takes it."
            yield Item("phone leaving", words, tag="p", classes="wide quiet")
            attrs = move_attrs({"move": "page.leave"}, "Leave this seat")
            yield Item("phone left", f"Leave {seat.name}'s seat", tag="button", classes="button wide", attrs=attrs)
        if self.picture.own():
            yield Item("phone share", "Somebody else plays on this phone too", tag="h2", classes="wide")
            yield from self._heroes_to_take()

    def _fight(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        fight = self.picture.fight()
        if fight is None:
            yield Item("peace", "No fight is going on.", tag="p", classes="wide quiet")
            yield from self._to_the_pocket(own)
            return
        for card in own:
            found = [block for _, own_blocks in self.picture.blocks(card.id, self.picked) for block in own_blocks]
            here = [block for block in found if place_of(block) is Place.FIGHT]
            yield from blocks.pieces(here, card.id, sight, self.picked)
            if not any(isinstance(block, Menu | Form) for block in here):
                yield Item(f"{card.id} no turn", no_turn(card, fight), tag="p", classes="wide quiet")
        yield from self._to_the_pocket(own)
        cards = {card.id: card for card in self.picture.cards()}
        yield Item("order", countdown(fight, cards), classes="wide")
        yield Item("party title", "Party", tag="h2", classes="wide")
        heroes = [card for card in cards.values() if card.side is Side.HERO]
        yield Item("party", party(heroes), classes="wide")

    def _to_the_pocket(self, own: tuple[Card, ...]) -> Iterator[Item]:
        if own:
            words = Markup("{} {}").format(icon("away"), "Darken the screen until I am asked")
            attrs = move_attrs({"move": "page.pocket", "on": True}, "Darken the screen")
            yield Item("pocket", words, tag="button", classes="chip wide", attrs=attrs)

    def _dice(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        for card in own:
            for _, own_blocks in self.picture.blocks(card.id, self.picked):
                rolls = [block for block in own_blocks if place_of(block) is Place.DICE]
                yield from blocks.pieces(rolls, card.id, sight, self.picked)
        yield tray_form()
        if self.picture.tables():
            yield Item("tables", "Random tables", tag="h2", classes="wide menu")
        yield from random_tables(self.picture.tables(), sight)

    def _log(self) -> Iterator[Item]:
        for row in reversed(self.picture.log()):
            yield row_item(row)
            if row.may_undo:
                yield undo_button(row.id)

    def _ask(self, questions: tuple[QuestionView, ...]) -> None:
        """One card at a time, oldest first; the others behind a word that counts them.

        What was put aside stays lit below until it is taken up again; a new question opens by itself.
        """
        self.aside &= {question.id for question in questions}
        open_now = tuple(question for question in questions if question.id not in self.aside)
        self.question.box.classes(remove="" if open_now else "open", add="open" if open_now else "")
        self.question.show(self._open_question(open_now))
        self.aside_bar.show(() if open_now else self._aside(questions))

    def _open_question(self, questions: tuple[QuestionView, ...]) -> Iterator[Item]:
        if not questions:
            return
        if len(questions) > 1:
            yield Item("many", f"1 of {len(questions)} questions", tag="p", classes="wide quiet")
        with_name = len(self.picture.own()) > 1
        yield from blocks.question(questions[0], with_name=with_name, picked=self.picked)
        attrs = move_attrs({"move": "page.aside"}, LOOK)
        yield Item("aside", LOOK, tag="button", classes="button aside", attrs=attrs)

    def _aside(self, questions: tuple[QuestionView, ...]) -> Iterator[Item]:
        if not questions:
            return
        more = f" (1 of {len(questions)})" if len(questions) > 1 else ""
        first = questions[0]
        label = f"Tell the dice{more}" if first.dice else f"{sentence_case(first.brief)} – answer{more}"
        attrs = move_attrs({"move": "page.take_up"}, label)
        yield Item("take up", label, tag="button", classes="button primary", attrs=attrs)

    # --- heroes

    def _heroes_to_take(self) -> Iterator[Item]:
        free = self.picture.free_heroes()
        if free:
            yield Item("free", "Take a hero of this table", tag="h2", classes="wide")
        for card in free:
            attrs = move_attrs({"move": "table.claim", "character": card.id}, f"Take {card.name}")
            yield Item(f"claim {card.id}", card_head(card), tag="button", classes="button wide", attrs=attrs)
        yield Item("new", "Make a hero", tag="h2", classes="wide")
        groups = self.picture.start_groups(Side.HERO)
        for first in groups[:1]:
            for start in first.starts:
                move = {"move": "table.make_hero", "sheets": {first.game: start.body}}
                attrs = move_attrs(move, f"Make the {start.name}")
                inside = start_form(start, groups[1:])
                yield Item(f"start {start.id}", inside, tag="form", classes="form start wide", attrs=attrs)

    def _habits(self) -> Iterator[Item]:
        self.table.state.note(TOLD)
        seat = self.page.hall.seats(self.row.id).get(self.viewer.seat or "")
        if seat is None:
            return
        for order in self.picture.standing_orders():
            yield Item(f"habits {order.name}", order.title, tag="h2", classes="wide")
            given = seat.orders.get(order.name, order.values[0][0])
            for value, words in order.values:
                attrs = move_attrs({"move": "page.order", "name": order.name, "value": value}, words)
                attrs |= {"aria-pressed": "true" if value == given else "false"}
                yield Item(f"order {order.name} {value}", words, tag="button", classes="chip", attrs=attrs)
        yield Item("habits dice", "My dice", tag="h2", classes="wide")
        attrs = move_attrs({"move": "page.real_dice", "on": not seat.real_dice}, "I roll real dice")
        attrs |= {"aria-pressed": "true" if seat.real_dice else "false"}
        yield Item("real dice", "I roll real dice", tag="button", classes="chip", attrs=attrs)

        for name, (title, values) in LOOKS.items():
            yield Item(f"habits {name}", title, tag="h2", classes="wide")
            for value, words in values.items():
                attrs = move_attrs({"move": "page.look", "name": name, "value": value}, f"{title}: {words}")
                attrs |= {"aria-pressed": "true" if seat.orders.get(name, "") == value else "false"}
                classes = "chip short" if len(values) > 2 else "chip"
                yield Item(f"look {name} {value}", words, tag="button", classes=classes, attrs=attrs)

    def _look(self) -> dict[str, str]:
        """How this seat likes its pages: gritboard.css reads it."""
        seat = self.page.hall.seats(self.row.id).get(self.viewer.seat or "")
        orders = {} if seat is None else seat.orders
        return {"hidden": "", **{f"data-{name.removeprefix('look.')}": orders.get(name, "") for name in LOOKS}}

    # --- what this page does itself

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        """A second hero on this phone is in hand at once, and what it was made with is put away."""
        if move.get("move") not in (MakeHero.kind(), Claim.kind()):
            return super().receive(move, tap)
        before = {card.id for card in self.picture.own()}
        answer = super().receive(move, tap)
        came = [card.id for card in self.picture.own() if card.id not in before]
        if before and came:
            self.picked = {**self.picked, "sharer": came[0], "phone": "", "more": ""}
            self.mark()
        return answer

    def at_page(self, name: str, move: dict[str, Any]) -> Answer:
        assert self.viewer.seat is not None
        match name:
            case "page.order" if self._may_order(move.get("name"), move.get("value")):
                self.page.hall.access.set_order(self.viewer.seat, str(move["name"]), str(move["value"]))
                return OK
            case "page.look" if str(move.get("value")) in LOOKS.get(str(move.get("name")), ("", {}))[1]:
                self.page.hall.access.set_order(self.viewer.seat, str(move["name"]), str(move["value"]) or None)
                return OK
            case "page.leave":
                self._leave()
                return OK
            case "page.aside":
                self.aside = {question.id for question in self.picture.questions() if not question.chip}
                self.mark()
                return OK
            case "page.take_up":
                self.aside = set()
                self.mark()
                return OK
            case "page.shows":
                shown = move.get("panel")
                self.shown = shown if isinstance(shown, str) and shown in self.panels else ""
                self.mark()
                return OK
            case "page.pocket":
                self.pocket = move.get("on") is True
                self.mark()
                return OK
            case "page.call_for_help":
                return self._call_for_help(str(move.get("character")))
            case "page.real_dice":
                self.page.hall.access.set_real_dice(self.viewer.seat, move.get("on") is True)
                return OK
        return super().at_page(name, move)

    def _leave(self) -> None:
        """This phone's cookie means nothing from now on; the door opens on it."""
        token = self.page.cookies.get(seat_cookie_name(self.row.code))
        found = self.page.hall.access.seat_of(self.row.id, token)
        if found is not None:
            self.page.hall.access.end_device(found[1].id)

    def _may_order(self, name: object, value: object) -> bool:
        return any(name == order.name and order.allows(value) for order in self.picture.standing_orders())

    def _call_for_help(self, who: str) -> Answer:
        """The GM hears it, and everybody who can see the one who calls."""
        caller = next((card for card in self.picture.own() if card.id == who and card.plight is not None), None)
        if caller is None:
            return {"ok": False, "say": "Nobody of yours needs help at the moment."}
        others = {seat for one in self.table.state.characters() for seat in one.seats} - {self.viewer.seat}
        words = f"{caller.name} calls for help!"
        self.page.nudge((), words=words, gm_of=self.row.id)
        reached = not caller.hidden and self.page.nudge(sorted(others - {None}), words=words)
        return {"ok": True, "say": "They have heard you." if reached else "The GM has heard you."}


def tab_item(name: str, picture: str, word: str, *, now: str = "", lit: bool = False) -> Item:
    """One page of the sheet; `now`: whether what it is for goes on."""
    attrs = {"data-tab": name, "aria-pressed": "true" if name == "sheet" else "false"}
    attrs |= {"data-now": now} if now else {}
    words = Markup("{}<span>{}</span>").format(icon(picture), word)
    return Item(name, words, tag="button", classes="lit" if lit else "", attrs=attrs)


def no_turn(card: Card, fight: FightView) -> str:
    """Why there is nothing to tap for this one now."""
    slots = [slot for slot in fight.slots if slot.character == card.id]
    if card.down is not None:
        return f"{card.name} can't act: {card.down}."
    if fight.waiting_for and not slots:
        return "The order is still being settled."
    if not slots:
        return f"{card.name} has no turn in this round."
    if all(slot.state == "spent" for slot in slots):
        return f"{card.name} has had every turn of this round."
    return "What you can do comes up here when it is your turn."


def plight(card: Card) -> Iterator[Item]:
    """Somebody of one's own is lost unless helped: how long it lasts, who could help, and a cry for it."""
    if card.plight is None:
        return
    found = Markup("").join(
        Markup("<li><b>{}</b> <span>{}</span>{}</li>").format(
            one.name,
            one.how,
            Markup(' <span class="odds">{}</span>').format(percent(one.chance)) if one.chance is not None else "",
        )
        for one in card.plight.helpers
    )
    helpers = Markup("<ul>{}</ul>").format(found) if found else Markup("<p>Nobody here can help at the moment.</p>")
    attrs = {"role": "status", **asks(card=card.id, block="plight")}
    words = Markup("<h2>{} {}: {}</h2>{}").format(icon("skull"), card.name, card.plight.words, helpers)
    yield Item(f"{card.id} plight", words, tag="section", classes="plight", attrs=attrs)
    attrs = move_attrs({"move": "page.call_for_help", "character": card.id}, "Call for help")
    yield Item(f"{card.id} call", "Call for help", tag="button", classes="button primary call", attrs=attrs)


def pocket(own: tuple[Card, ...], fight: FightView | None) -> Iterator[Item]:
    """Nearly black: who one is, how one is, and when one acts. A tap wakes the full card."""
    words = Markup("").join(_in_the_pocket(card, fight) for card in own)
    label = "Wake the sheet"
    attrs = move_attrs({"move": "page.pocket", "on": False}, label) | {"aria-label": label}
    turn = Markup("<p>{}</p>").format(turn_words(fight)) if fight is not None else Markup("")
    inside = Markup("{}{}<small>Tap to wake</small>").format(words, turn)
    yield Item("pocket", inside, tag="button", classes="pocket", attrs=attrs)


def vital(gauge: Gauge, attrs: Mapping[str, str] | None = None) -> Markup:
    """A word and its number; what only tells the word from another's stands apart, for where there is room."""
    word, bracket, whose = render(gauge.label, PLAIN).partition(" (")
    words = Markup("{}<i>{}</i> <b>{}</b>").format(word, bracket + whose, gauge.shown)
    return Markup("<span{}>{}</span>").format(written(attrs or {}), words)


def _in_the_pocket(card: Card, fight: FightView | None) -> Markup:
    vitals = Markup("").join(map(vital, card.vitals[:2]))
    slots = [] if fight is None else [slot for slot in fight.slots if slot.character == card.id]
    left = ", ".join(slot.place for slot in slots if slot.state != "spent")
    chances = Markup("<span>acts at <b>{}</b></span>").format(left) if left else Markup("")
    return Markup('{}<b class="name">{}</b><span class="vitals">{}{}</span>').format(
        face(card.name), card.name, vitals, chances
    )


def place_of(block: Block) -> Place:
    """Where on the phone a block is shown: all that has no other place, on the sheet."""
    return block.place if isinstance(block, Menu | Form | Fact) else Place.SHEET


def seldom(
    sections: tuple[tuple[str, tuple[Block, ...]], ...], who: str, sight: Sight, picked: Mapping[str, str]
) -> Iterator[Item]:
    """What is seldom wanted; of several rule sets, each behind its name."""
    for title, own_blocks in sections:
        here = [block for block in own_blocks if place_of(block) is Place.MORE]
        if len(sections) > 1:
            yield from blocks.fold(f"More of {title}", f"seldom {who}", here, who, sight, picked)
        else:
            yield from blocks.pieces(here, who, sight, picked)


def more_chip(menu: str, *, is_open: bool) -> Item:
    attrs = move_attrs({"move": "page.tab", "menu": menu, "tab": "" if is_open else "on"}, "More")
    attrs |= {"aria-expanded": "true" if is_open else "false"}
    words = Markup("{} {}").format(icon("more"), "Less" if is_open else "More")
    return Item(f"{menu} chip", words, tag="button", classes="chip wide", attrs=attrs)


def tray_form() -> Item:
    """Any dice: how many of each, something added, some kept or counted, in the open or in secret."""
    counts = Markup("").join(
        stepper(f"d{side}", f"dice.{side}", lowest=0, highest=30, label=f"How many d{side}") for side in TRAY
    )
    inside = Markup(
        '<h2>Any dice</h2><div class="steppers">{}{}</div><div class="fields">'
        '<label class="field"><span>Keep</span><select name="keep"><option value="all">All</option>'
        '<option value="highest">The highest</option><option value="lowest">The lowest</option></select></label>'
        '<label class="field number"><span>Count faces from</span><input type="number" inputmode="numeric"'
        ' name="counts_from" min="1" max="100"></label><label class="field switch">'
        '<input type="checkbox" name="secret"><span>In secret</span></label></div>{}'
    ).format(counts, stepper("±", "bonus", lowest=-99, highest=99, label="Plus or minus"), submit("Throw"))
    return Item("tray", inside, tag="form", classes="form wide", attrs=move_attrs({"move": "table.tray"}, "Any dice"))


def stepper(words: str, name: str, *, lowest: int, highest: int, label: str) -> Markup:
    """A number between a minus and a plus, to be typed or tapped."""
    return Markup(
        '<div class="stepper" data-stepper><b aria-hidden="true">{0}</b>'
        '<button type="button" class="button count" data-step="-1" aria-label="{4} −1">−</button>'
        '<input type="number" inputmode="numeric" name="{1}" min="{2}" max="{3}" value="0" aria-label="{4}">'
        '<button type="button" class="button count" data-step="1" aria-label="{4} +1">+</button></div>'
    ).format(words, name, lowest, highest, label)


def start_form(start: Start, others: tuple[StartGroup, ...] = ()) -> Markup:
    return Markup(
        '<div><b>{}</b><p class="quiet">{}</p></div><div class="fields"><label class="field"><span>Name</span>'
        '<input name="name" maxlength="40" required autocomplete="off"></label>{}</div>{}'
    ).format(start.name, start.line, other_starts(others), submit(f"Play the {start.name}"))


def other_starts(groups: Iterable[StartGroup]) -> Markup:
    """What the other rule sets in play give somebody to begin with; nothing special when it is left alone."""
    fields = Markup("").join(
        Markup(
            '<label class="field"><span>{}</span><select name="sheets.{}" data-type="json">'
            '<option value="">As everybody</option>{}</select></label>'
        ).format(
            group.title,
            group.game,
            Markup("").join(
                Markup('<option value="{}">{}</option>').format(json.dumps(start.body), start.name)
                for start in group.starts
            ),
        )
        for group in groups
    )
    summary = Markup("<summary>Other rule sets: as everybody</summary>")
    return Markup('<details class="other-starts">{}{}</details>').format(summary, fields) if fields else fields
