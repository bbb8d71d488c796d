"""What was decided meanwhile, how a test went, and whoever is lost unless helped."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from markupsafe import Markup

from webapp.pages.play.part import PhonePart
from webapp.rules.cards_view import Card, CryView
from webapp.rules.fights_view import FightView
from webapp.ui import blocks
from webapp.ui.fight import acts_when
from webapp.ui.live import Answer, Item, Shelf
from webapp.ui.markup import asks, icon, move_attrs, odds, percent
from webapp.ui.names import parted
from webapp.ui.page import TableView
from webapp.ui.questions import question_card

NOBODY = "Nobody here can help at the moment."


class Notices(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.notices = Shelf(classes="notices")
        self.tests = Shelf(classes="notices", attrs={"role": "status", "aria-label": "The last test"})
        self.plights = Shelf(classes="plights")

    def draw(self) -> None:
        self.notices.show(self.drawn_as_picked("notices", pieces=self._notices))
        self.tests.show(self.drawn("tests", pieces=self._tests))
        self.plights.show(self.drawn("plights", pieces=self._plights))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        return self._call_for_help(str(move.get("character"))) if name == "page.call_for_help" else None

    def _notices(self) -> Iterator[Item]:
        for notice in self.picture.notices():
            yield Item(f"{notice.character} words", notice.words, tag="p", classes="notice", attrs={"role": "status"})
            attrs = move_attrs({"move": "table.noted", "actor": notice.character}, "OK")
            yield Item(f"{notice.character} ok", "OK", tag="button", classes="button", attrs=attrs)
        for question in self.picture.questions():
            if question.chip:
                yield question_card(question, with_name=len(self.picture.own()) > 1)

    def _tests(self) -> Iterator[Item]:
        """How the own roll for a test of several went, then how all of them did, until the next roll."""
        calls, turned = self.picture.calls(), self.picture.turned_over()
        for call in calls:
            rolled = f"{call.title} · {len(call.rows) - call.missing} of {len(call.rows)} have rolled"
            for row in call.rows:
                if row.mine and row.result is not None:
                    yield blocks.results(f"test {row.character}", rolled, ((row.name, row.result, row.made),))
        if turned is not None and not calls:
            yield blocks.results("tested", turned.title, ((one.name, one.words, one.made) for one in turned.results))

    def _plights(self) -> Iterator[Item]:
        own = self.picture.own()
        for card in own:
            yield from plight(card)
        fight, alone = self.picture.fight(), len(own) == 1
        crying = [(card, card.cry) for card in self.picture.cards() if own and card.cry is not None]
        crying.sort(key=lambda one: _how_long(one[0]))
        words = Markup("").join(cry(card, told, fight, alone=alone) for card, told in crying)
        if words:
            yield Item("cries", words, tag="section", classes="plight cry", attrs={"role": "status"})

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


def _how_long(card: Card) -> tuple[bool, int]:
    """Those with the fewest rounds left come first, and last those who still stand."""
    return card.down is None, 99 if card.dying is None else card.dying


def cry(card: Card, told: CryView, fight: FightView | None, *, alone: bool) -> Markup:
    """Somebody else's hero is lost unless helped: how long it lasts, and what one's own can do about it."""
    what = f"{card.name} is dying" if card.dying is not None else card.name
    own = [
        (who, "You" if alone else one.name, "" if one.chance is None else f": {one.how}, {percent(one.chance)}")
        for who, one in told.mine.items()
    ]
    lines = [
        " · ".join(filter(None, (f"{name} can help{how}", acts_when(who, fight, last=card.dying == 1))))
        for who, name, how in own
    ]
    if told.others and (card.down is not None or not own):
        lines.append(f"{', '.join(told.others)} can help{' too' if own else ''}")
    helpers = Markup("").join(Markup("<p>{}</p>").format(parted(line)) for line in lines or [NOBODY])
    return Markup("<h2>{} {}: {}</h2>{}").format(icon("skull"), parted(what), told.words, helpers)


def plight(card: Card) -> Iterator[Item]:
    """Somebody of one's own is lost unless helped: how long it lasts, who could help, and a cry for it."""
    if card.plight is None:
        return
    alike = groupby(card.plight.helpers, key=lambda one: (one.how, one.chance))
    found = Markup("").join(
        Markup("<li><b>{}</b> <span>{}</span>{}</li>").format(
            Markup(", ").join(parted(one.name) for one in able), how, odds(chance)
        )
        for (how, chance), able in alike
    )
    helpers = Markup("<ul>{}</ul>").format(found) if found else Markup("<p>{}</p>").format(NOBODY)
    attrs = {"role": "status", **asks(card=card.id, block="plight")}
    words = Markup("<h2>{} {}: {}</h2>{}").format(icon("skull"), parted(card.name), card.plight.words, helpers)
    yield Item(f"{card.id} plight", words, tag="section", classes="plight", attrs=attrs)
    attrs = move_attrs({"move": "page.call_for_help", "character": card.id}, "Call for help")
    classes = "button call" if card.down is None else "button primary call"  # who still acts has more to do than call
    yield Item(f"{card.id} call", "Call for help", tag="button", classes=classes, attrs=attrs)
