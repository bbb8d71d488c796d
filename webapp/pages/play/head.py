"""Who one is, how one is, and when one acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup
from nicegui import ui

from webapp.pages.play.part import PhonePart
from webapp.rules.blocks import Gauge
from webapp.rules.cards_view import Card
from webapp.rules.sight import Sight
from webapp.rules.text import render, text
from webapp.ui import blocks
from webapp.ui.face import face
from webapp.ui.fight import turn_words
from webapp.ui.live import Item, Piece, Shelf
from webapp.ui.markup import PLAIN, RIBBON, asks, icon, move_attrs, ribbon, written
from webapp.ui.page import TableView

SILENT = {name: value for name, value in RIBBON.items() if name != "aria-live"}  # what it shows is said elsewhere


class Head(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        with ui.element("header").classes("top"):
            self.head = Piece(Item("head", ""))
            self.ribbon = Piece(Item("ribbon", "", classes="ribbon", attrs=SILENT))
            self.turn_told, self.act_told = Piece(_aloud("turn", "")), Piece(_aloud("act", ""))
        self.heard, self.acts = 0, 0

    def draw(self) -> None:
        self._say_aloud()
        self.head.show(*self.drawn_as_picked("head", pieces=self._head))
        self.ribbon.show(*self.drawn("ribbon", pieces=self._ribbon))

    def _say_aloud(self) -> None:
        """Each turn and each act once, for a screen reader: what is undone or drawn anew is not said again."""
        self.turn_told.show(*self.drawn_as_picked("turn aloud", pieces=self._turn))
        act = self.picture.heard()
        if act is not None and act.number > self.heard:
            self.heard, self.acts = act.number, self.acts + 1
            words = Markup('<span data-nth="{}">{}</span>').format(self.acts % 2, act.words)
            self.act_told.show(_aloud("act", words))

    def _turn(self) -> Iterator[Item]:
        yield _aloud("turn", self._turn_words(self._in_hand(self.picture.own())))

    def _turn_words(self, own: tuple[Card, ...]) -> str:
        return turn_words(self.picture.fight(), down=bool(own) and own[0].down is not None)

    def _head(self) -> Iterator[Item]:
        yield Item("head", self._head_words(self._in_hand(self.picture.own())), classes="head")

    def _head_words(self, own: tuple[Card, ...]) -> Markup:
        turn = self._turn_words(own)
        if not own:
            return Markup("<h1>{}</h1><p>{}</p>").format(self.picture.name(), turn)
        hero = own[0]
        vitals = Markup("").join(vital(gauge, asks(card=hero.id, block=gauge.key)) for gauge in hero.vitals[:2])
        return Markup('{}<div><h1>{}</h1><p class="turn">{}</p></div>{}<p class="vitals">{}</p>').format(
            face(hero.name), hero.name, turn, self._states(hero), vitals
        )

    def _states(self, hero: Card) -> Markup:
        """The first state, and how many more; a tap tells them all."""
        if not hero.notes:
            return Markup("")
        first = hero.notes[0]
        brief = first.brief or (None if hero.down is None else text("{down}", down=hero.down))
        sight = Sight(self.table.state, self.viewer)
        one, more = sight.maybe(brief) or "1 state", len(hero.notes) - 1
        words = Markup('<span class="word">{} +{}</span><span class="count">{} states</span>').format(
            one, more, more + 1
        )
        is_open = self.picked.get("states") == "on"
        attrs = move_attrs({"move": "page.tab", "menu": "states", "tab": "" if is_open else "on"}, "States")
        attrs |= {"aria-expanded": "true" if is_open else "false"}
        told = words if more else one
        return Markup('<button class="state states"{}>{} {}</button>').format(written(attrs), icon(first.icon), told)

    def _ribbon(self) -> Iterator[Item]:
        yield Item("ribbon", ribbon(self.picture.ribbon()), classes="ribbon", attrs=SILENT)


def _aloud(key: str, words: Markup | str) -> Item:
    """A region that stays, and whose words alone change: only such a one is read out reliably."""
    return Item(key, words, tag="p", classes="heard", attrs={"role": "status", "aria-live": "polite"})


class ToldStates(PhonePart):
    """All states in words, while they are asked for."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.states = Shelf(classes="told-states")

    def draw(self) -> None:
        self.states.show(self.drawn_as_picked("told states", pieces=self._told_states))

    def _told_states(self) -> Iterator[Item]:
        sight = Sight(self.table.state, self.viewer)
        if self.picked.get("states") == "on":
            for card in self._in_hand(self.picture.own()):
                yield from (blocks.note(note, f"{card.id} told", sight) for note in card.notes)


def vital(gauge: Gauge, attrs: Mapping[str, str] | None = None) -> Markup:
    """A word and its number; what only tells the word from another's stands apart, for where there is room."""
    word, bracket, whose = render(gauge.label, PLAIN).partition(" (")
    words = Markup("{}<i>{}</i> <b>{}</b>").format(word, bracket + whose, gauge.shown)
    return Markup("<span{}>{}</span>").format(written(attrs or {}), words)
