"""The panel of the sheet: the hero in hand, and behind one chip what is seldom wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.pages.play.habits import Habits
from webapp.pages.play.part import PhonePart
from webapp.pages.play.this_phone import ThisPhone
from webapp.rules.blocks import Block, Form, Menu, Note, Place
from webapp.rules.cards_view import Card
from webapp.rules.sight import Sight
from webapp.ui import blocks
from webapp.ui.live import Answer, Item
from webapp.ui.markup import asks, card_head
from webapp.ui.page import TableView
from webapp.ui.places import more_chip, place_of, seldom


class Sheet(PhonePart):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.habits, self.this_phone = Habits(view), ThisPhone(view)

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        told = self.habits.at_page(name, move)
        return self.this_phone.at_page(name, move) if told is None else told

    def pieces(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        if not own:
            yield from self.this_phone.heroes_to_take()
            yield from self.this_phone.pieces()
        for card in own:
            yield from self._hero(card, sight)
        if own:
            yield from self._more(own, sight)

    def _hero(self, card: Card, sight: Sight) -> Iterator[Item]:
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
        yield from self.habits.pieces()
        yield from self.this_phone.pieces()
        for card in own:
            if len(own) > 1:
                yield Item(f"{card.id} more", card.name, tag="h2", classes="wide")
            yield from seldom(self.picture.blocks(card.id, self.picked), card.id, sight, self.picked)
            yield from self.view.edit_pieces(card.id)
