"""The phone in a hand: the sheet, the fight, the dice, the log, and above all of them the question."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from webapp.pages.play.habits import Look
from webapp.pages.play.head import Head, ToldStates
from webapp.pages.play.notices import Notices
from webapp.pages.play.panels import Panels, Tabs
from webapp.pages.play.pocket import Pocket
from webapp.pages.play.question import Questions
from webapp.pages.play.sharers import Sharers
from webapp.rules.people import Claim, MakeHero
from webapp.ui.live import Answer, Item, Piece
from webapp.ui.page import ONLY_WATCHING
from webapp.ui.part import PartedView


class Play(PartedView):
    def __post_init__(self) -> None:
        super().__post_init__()
        if self.watching:
            Piece(self._on_watching())
        look, head = Look(self), Head(self)
        with ui.element("div").classes("phone"):
            own = (Sharers(self), ToldStates(self), Notices(self))
            panels, questions = Panels(self), Questions(self)
        self._closing.append(panels.late.stop)
        below = (questions, Tabs(self), Pocket(self, questions))
        self.parts = (look, head, *own, panels, *below)

    def _on_watching(self) -> Item:
        seat = self.own_seat()
        words = f"You see what {seat.name if seat else 'somebody'} sees. {ONLY_WATCHING}"
        return Item("watching", words, tag="p", classes="watching", attrs={"role": "note"})

    def still_sits(self) -> bool:
        if self.watching:
            return self.page.watches(self.row, self.viewer.seat or "") == self.viewer
        return self.page.viewer("play", self.row) == self.viewer

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
