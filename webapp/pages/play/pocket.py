"""Nearly black between turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from webapp.pages.play.fight import is_up
from webapp.pages.play.head import vital
from webapp.pages.play.part import PhonePart
from webapp.pages.play.question import Questions
from webapp.rules.cards_view import Card
from webapp.rules.fights_view import FightView
from webapp.ui.face import face
from webapp.ui.fight import turn_words
from webapp.ui.live import OK, Answer, Item, Shelf
from webapp.ui.markup import move_attrs
from webapp.ui.page import TableView


class Pocket(PhonePart):
    """A question wakes the full card, and so does the own turn when it comes."""

    def __init__(self, view: TableView, questions: Questions) -> None:
        super().__init__(view)
        self.questions = questions
        self.dark = self.was_up = False
        self.screen = Shelf(classes="pocket-place")

    def draw(self) -> None:
        fight = self.picture.fight()
        up = is_up(fight)
        if self.questions.is_open or (up and not self.was_up):
            self.dark = False
        self.was_up = up
        self.screen.show(pocket(self.picture.own(), fight) if self.dark else ())

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name != "page.pocket":
            return None
        self.dark = move.get("on") is True
        self.mark()
        return OK


def pocket(own: tuple[Card, ...], fight: FightView | None) -> Iterator[Item]:
    """Nearly black: who one is, how one is, and when one acts. A tap wakes the full card."""
    words = Markup("").join(_in_the_pocket(card, fight) for card in own)
    label = "Wake the sheet"
    attrs = move_attrs({"move": "page.pocket", "on": False}, label) | {"aria-label": label}
    turn = Markup("<p>{}</p>").format(turn_words(fight)) if fight is not None else Markup("")
    inside = Markup("{}{}<small>Tap to wake</small>").format(words, turn)
    yield Item("pocket", inside, tag="button", classes="pocket", attrs=attrs)


def _in_the_pocket(card: Card, fight: FightView | None) -> Markup:
    vitals = Markup("").join(map(vital, card.vitals[:2]))
    slots = [] if fight is None else [slot for slot in fight.slots if slot.character == card.id]
    left = ", ".join(slot.place for slot in slots if slot.state != "spent")
    chances = Markup("<span>acts at <b>{}</b></span>").format(left) if left else Markup("")
    return Markup('{}<b class="name">{}</b><span class="vitals">{}{}</span>').format(
        face(card.name), card.name, vitals, chances
    )
