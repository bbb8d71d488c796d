"""The TV on the wall: the door before the fight, then the countdown, the act in hand and the last roll."""

from __future__ import annotations

from markupsafe import Markup
from nicegui import ui

from webapp.projection import Picture
from webapp.rules.view import Card, FightView, LineView
from webapp.ui.fight import countdown, party
from webapp.ui.live import Answer, Item, Piece
from webapp.ui.markup import ribbon, roll
from webapp.ui.page import TableView
from webapp.ui.poster import poster


class Screen(TableView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.picture = Picture(self.table, self.viewer)
        with ui.element("main").classes("tv"):
            self.head = Piece(Item("head", "", tag="header"))
            self.body = Piece(Item("body", "", tag="section", attrs={"aria-label": "The table"}))
            self.foot = Piece(Item("foot", "", tag="footer", attrs={"aria-live": "polite"}))

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        return {"ok": False, "say": "The screen only shows."}

    def draw(self) -> None:
        fight, cards = self.picture.fight(), self.picture.cards()
        name = Markup('<h1>{}</h1><span class="beat" aria-hidden="true"></span>').format(self.picture.name())
        self.head.show(Item("head", name, tag="header", classes="fight" if fight else "door"))
        if fight is None:
            self._door(cards)
        else:
            self._fight(fight, cards)

    def _door(self, cards: tuple[Card, ...]) -> None:
        words = Markup("{}<h2>At the table</h2>{}").format(
            poster(self.page.hall.addresses(), self.row.code), party(cards)
        )
        self.body.show(Item("body", words, tag="section", classes="door", attrs={"aria-label": "The way in"}))
        self.foot.show(Item("foot", "", tag="footer", attrs={"aria-live": "polite"}))

    def _fight(self, fight: FightView, cards: tuple[Card, ...]) -> None:
        order = countdown(fight, {card.id: card for card in cards})
        words = Markup('<div class="order">{}</div><div class="sides">{}</div>').format(order, party(cards))
        self.body.show(Item("body", words, tag="section", classes="fight", attrs={"aria-label": "The fight"}))
        last = self.picture.last_roll()
        act = Markup('<div class="ribbon">{}</div>{}').format(ribbon(self.picture.ribbon()), _rolled(last))
        self.foot.show(Item("foot", act, tag="footer", attrs={"aria-live": "polite"}))


def _rolled(line: LineView | None) -> Markup:
    """The last roll large, its derivation small below."""
    if line is None:
        return Markup("")
    how = Markup("").join(Markup("<div>{}</div>").format(roll(one)) for one in line.rolls)
    return Markup('<div class="last"><p>{}</p>{}</div>').format(line.words, how)
