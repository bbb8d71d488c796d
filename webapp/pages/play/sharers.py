"""Who plays on this phone, where several do."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from webapp.pages.play.part import PhonePart
from webapp.ui.face import face
from webapp.ui.live import Item, Shelf
from webapp.ui.markup import move_attrs
from webapp.ui.page import TableView


class Sharers(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.sharers = Shelf(classes="sharers", attrs={"role": "group", "aria-label": "Who plays on this phone"})

    def draw(self) -> None:
        self.sharers.show(self.drawn_as_picked("sharers", pieces=self._sharers))

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
