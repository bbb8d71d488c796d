"""The TV on the wall: the door before the fight, then the countdown, the act in hand and the last roll."""

from __future__ import annotations

import asyncio
from itertools import groupby, islice
from textwrap import wrap

from markupsafe import Markup
from nicegui import ui

from webapp.projection import Picture, nothing_up
from webapp.rules.calls_view import CallView
from webapp.rules.document import Side
from webapp.rules.text import number
from webapp.rules.view import Card, FightView, LineView, RollView, SlotView
from webapp.ui.calls import face_down
from webapp.ui.fight import by_number, party, state_mark
from webapp.ui.live import Answer, Item, Piece
from webapp.ui.markup import bar, briefs, face, icon, join, ribbon, roll
from webapp.ui.page import TableView
from webapp.ui.poster import poster

PAGE = 8
PAGE_SECONDS = 8.0
ROLLS = 2
RIBBON_LETTERS = 135
LETTERS = 36  # of names in one line beside the number of a count
ROOM = 16  # below the one who is up, in half lines: a count takes two for each line and one for its gap


class Screen(TableView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.picture = Picture(self.table, self.viewer)
        self.turned = 0
        self.follow(self.page.hall.wifi.changed)
        self._turning: asyncio.TimerHandle | None = None
        self._closing.append(self._stop_turning)
        with ui.element("div").classes("tv"):
            self.head = Piece(Item("head", "", tag="div"))
            self.body = Piece(Item("body", "", tag="section", attrs={"aria-label": "The table"}))
            self.foot = Piece(Item("foot", "", tag="div", attrs={"aria-live": "polite"}))

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        return {"ok": False, "say": "The screen only shows."}

    def draw(self) -> None:
        fight, cards = self.picture.fight(), self.picture.cards()
        code = Markup('<span class="quiet">Join with <b>{}</b></span>').format(self.row.code) if fight else ""
        name = Markup('<h1>{}</h1>{}<span class="beat" aria-hidden="true"></span>').format(self.picture.name(), code)
        self.head.show(Item("head", name, classes="tv-head"))
        calls = self.picture.calls()
        if calls:
            self._ask(calls)
        elif fight is None:
            self._door(cards)
        else:
            self._fight(fight, cards)

    def _ask(self, calls: tuple[CallView, ...]) -> None:
        """A called test: the cards lie face down until all are in, or the GM turns them over."""
        self.body.show(Item("body", face_down(calls), tag="section", classes="ask", attrs={"aria-label": "The call"}))
        self.foot.show(Item("foot", "", classes="tv-foot", attrs={"aria-live": "polite"}))

    def _door(self, cards: tuple[Card, ...]) -> None:
        wifi = self.page.hall.wifi.wifi
        shown = wifi if wifi is not None and wifi.on_screen else None
        way_in = poster(self.page.hall.addresses(), self.row.code, others=2, wifi=shown)
        words = Markup("{}<h2>At the table</h2>{}").format(way_in, _here(_of_side(cards, Side.HERO)))
        self.body.show(Item("body", words, tag="section", classes="door", attrs={"aria-label": "The way in"}))
        line = self.picture.last_roll()
        self.foot.show(Item("foot", _rolled(line), classes="tv-foot", attrs={"aria-live": "polite"}))

    def _fight(self, fight: FightView, cards: tuple[Card, ...]) -> None:
        known = {card.id: card for card in cards}
        sides = join(self._side(cards, side, title) for side, title in ((Side.HERO, "Party"), (Side.FOE, "Foes")))
        words = Markup('<div class="order">{}</div>{}').format(_order(fight, known), sides)
        self.body.show(Item("body", words, tag="section", classes="fight", attrs={"aria-label": "The fight"}))
        line = self.picture.last_roll()
        act = Markup('<div class="ribbon">{}</div>{}').format(
            ribbon(self.picture.ribbon(), room=RIBBON_LETTERS), _rolled(line)
        )
        self.foot.show(Item("foot", act, classes="tv-foot", attrs={"aria-live": "polite"}))
        if any(len(_of_side(cards, side)) > PAGE for side in Side):
            self._turn_later()

    def _side(self, cards: tuple[Card, ...], side: Side, title: str) -> Markup:
        """One side of the fight, a page of it at a time when it is many."""
        here = _of_side(cards, side)
        pages = max(1, -(-len(here) // PAGE))
        page = self.turned % pages
        which = Markup(' <small class="page">{} of {}</small>').format(page + 1, pages) if pages > 1 else ""
        return Markup('<div class="side"><h2>{}{}</h2>{}</div>').format(
            title, which, party(here[page * PAGE : (page + 1) * PAGE])
        )

    # --- pages turn by themselves

    def _turn_later(self) -> None:
        if self._turning is None:
            self._turning = asyncio.get_running_loop().call_later(PAGE_SECONDS, self._turn)

    def _turn(self) -> None:
        self._turning = None
        self.turned += 1
        self.mark()

    def _stop_turning(self) -> None:
        if self._turning is not None:
            self._turning.cancel()


def _of_side(cards: tuple[Card, ...], side: Side) -> list[Card]:
    return [card for card in cards if card.side is side]


def _here(heroes: list[Card]) -> Markup:
    if not heroes:
        return Markup('<p class="quiet">Nobody yet: who is first?</p>')
    return Markup('<ul class="here">{}</ul>').format(
        join(Markup("<li>{}<b>{}</b></li>").format(face(card.name), card.name) for card in heroes)
    )


def _order(fight: FightView, cards: dict[str, Card]) -> Markup:
    """The number the round has counted down to, who is up, and the next few."""
    round_words = Markup('<p class="round">Round {}</p>').format(fight.round)
    if fight.waiting_for:
        return round_words + Markup(
            '<p class="stage">Roll initiative</p><p class="quiet">Still to come: {}</p>'
        ).format(_few(list(fight.waiting_for), 6 * LETTERS))
    up = next((slot for slot in fight.slots if slot.state == "up"), None)
    now = (
        Markup('<p class="stage">{}</p>').format(nothing_up(fight))
        if up is None
        else _up(up, cards.get(up.character))
    )
    held = [slot.name for slot in fight.slots if slot.state == "held"]
    holds = (
        Markup('<p class="holds">{} Holding back: {}</p>').format(icon("held"), _few(held, LETTERS)) if held else ""
    )
    return Markup("{}{}{}{}").format(round_words, now, holds, _next(fight, cards, ROOM - (3 if held else 0)))


def _up(slot: SlotView, card: Card | None) -> Markup:
    health = "" if card is None else card.health
    return Markup(
        '<div class="slot up {}"><span class="number">{}</span><span class="who">{}'
        '<b style="--letters:{}">{}</b><span class="line">{}<small>{}</small></span>{}</span></div>'
    ).format(
        slot.side,
        slot.number,
        face(slot.name, foe=slot.side == "foe"),
        len(slot.name),
        slot.name,
        Markup("{}{}").format(state_mark(slot), briefs(card)),
        health,
        bar(None if card is None else card.share, f"health of {slot.name}"),
    )


def _next(fight: FightView, cards: dict[str, Card], room: int) -> Markup:
    """As many counts as there is room for, and how many more there are."""
    coming = list(by_number(slot for slot in fight.slots if slot.state == "coming"))
    shown: list[Markup] = []
    for count, slots in coming:
        names = _coming(slots, cards)
        room -= 2 * len(wrap(names.striptags(), LETTERS)) + 1
        if room < 0:
            break
        shown.append(
            Markup('<li class="count"><span class="number">{}</span><span>{}</span></li>').format(count, names)
        )
    left = len(coming) - len(shown)
    more = Markup('<p class="quiet">then {} more {}</p>').format(left, "count" if left == 1 else "counts")
    return Markup('<ol class="countdown">{}</ol>{}').format(join(shown), more if left else "")


def _coming(slots: list[SlotView], cards: dict[str, Card]) -> Markup:
    """Who comes at one number, those alike under one mark: held until then, or surprised."""
    parts = []
    for _, alike in groupby(slots, key=lambda slot: (slot.since, briefs(cards.get(slot.character)))):
        several = list(alike)
        names = _few([slot.name for slot in several], 2 * LETTERS)
        held = several[0].since is not None
        mark = Markup(' <span class="held">{} held</span>').format(icon("held")) if held else ""
        parts.append(Markup("{}{}{}").format(names, mark, briefs(cards.get(several[0].character))))
    return Markup(", ").join(parts)


def _few(names: list[str], letters: int) -> str:
    """As many names as fit into so many letters, at least one, and how many more there are."""
    shown = names[:1]
    for name in islice(names, 1, None):
        if len(", ".join((*shown, name))) + len(" and 10 more") > letters:
            break
        shown.append(name)
    left = len(names) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")


def _rolled(line: LineView | None) -> Markup:
    """The last roll large, its derivation small below."""
    if line is None:
        return Markup("")
    how = join(Markup("<div>{}</div>").format(roll(one)) for one in line.rolls[:ROLLS])
    return Markup(
        '<div class="last">{}<div class="words"><p style="--letters:{}">{}</p><div class="how">{}</div></div></div>'
    ).format(_total(line.rolls), len(line.words), line.words, how)


def _total(rolls: tuple[RollView, ...]) -> Markup:
    """The number that fell, with whether it was enough in colour, picture and word."""
    if not rolls:
        return Markup("")
    total = ", ".join(number(one.total) for one in rolls[:ROLLS])
    verdict = rolls[-1].verdict
    if verdict is None:
        return Markup('<div class="total"><b>{}</b></div>').format(total)
    kind, picture, word = ("made", "here", "made it") if verdict else ("missed", "missed", "not enough")
    return Markup('<div class="total {}"><b>{}</b><span>{} {}</span></div>').format(kind, total, icon(picture), word)
