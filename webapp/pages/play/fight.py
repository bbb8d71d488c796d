"""The panel of the fight: what can be done now, the round, and how the others are."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from webapp.pages.play.habits import Habits
from webapp.pages.play.part import PhonePart
from webapp.rules.blocks import Block, Form, Menu, Place
from webapp.rules.cards_view import Card, buttons_of
from webapp.rules.document import Side
from webapp.rules.fighting import Done
from webapp.rules.fights_view import FightView
from webapp.rules.sight import Sight
from webapp.ui import blocks
from webapp.ui.fight import countdown, party
from webapp.ui.live import Item
from webapp.ui.markup import icon, move_attrs
from webapp.ui.page import TableView
from webapp.ui.places import place_of

PEACE = "No fight is going on. When one begins, this page opens by itself, and what you can do stands here."


class FightPanel(PhonePart):
    def __init__(self, view: TableView, habits: Habits) -> None:
        super().__init__(view)
        self.habits = habits

    def pieces(self) -> Iterator[Item]:
        own, sight = self._in_hand(self.picture.own()), Sight(self.table.state, self.viewer)
        fight = self.picture.fight()
        if fight is None:
            yield from self._at_peace(own)
            return
        for card in own:
            found = [block for _, own_blocks in self.picture.blocks(card.id, self.picked) for block in own_blocks]
            here = [block for block in found if place_of(block) is Place.FIGHT]
            here.sort(key=lambda one: _how_soon(one, sight))
            if not any(_may_be_done(block, sight) for block in here):
                yield Item(f"{card.id} no turn", no_turn(card, fight), tag="p", classes="wide quiet")
            yield from blocks.pieces(here, card.id, sight, self.picked)
        yield from self._to_the_pocket(own)
        told = {card.id: card for card in self.picture.cards() if card.side is Side.FOE or card.down is not None}
        yield Item("order", countdown(fight, told), classes="wide")  # how the other heroes are is told once, below
        yield from self._party(own)

    def _at_peace(self, own: tuple[Card, ...]) -> Iterator[Item]:
        """How all are, the last act, and what can be settled before a fight."""
        yield Item("peace", PEACE, tag="p", classes="wide quiet")
        yield from self._to_the_pocket(own)
        if own:
            yield from self._party(own)
        act = self.picture.heard()
        if act is not None:
            yield Item("last title", "The last act", tag="h2", classes="wide")
            yield Item("last", act.words, tag="p", classes="last-act wide")
        yield from self.habits.orders()

    def _party(self, own: tuple[Card, ...]) -> Iterator[Item]:
        """Health and states; those of the hero in hand stand in the head."""
        mine = {card.id for card in own}
        heroes = (card for card in self.picture.cards() if card.side is Side.HERO)
        told = [card.model_copy(update={"notes": ()}) if card.id in mine else card for card in heroes]
        yield Item("party title", "Party", tag="h2", classes="wide")
        yield Item("party", party(told), classes="wide")

    def _to_the_pocket(self, own: tuple[Card, ...]) -> Iterator[Item]:
        if own:
            words = Markup("{} {}").format(icon("away"), "Darken the screen until I am asked")
            attrs = move_attrs({"move": "page.pocket", "on": True}, "Darken the screen")
            yield Item("pocket", words, tag="button", classes="chip wide", attrs=attrs)


def _may_be_done(block: Block, sight: Sight) -> bool:
    """Is there anything in it to tap?"""
    if isinstance(block, Menu):
        buttons = (button for tab in block.tabs for button in buttons_of(sight.state, tab))
        return block.why_not is None and any(button.why_not is None for button in buttons)
    return isinstance(block, Form) and block.why_not is None


def _how_soon(block: Block, sight: Sight) -> int:
    """What one tap does, and after it how to end the turn; what takes a form; why the rest can't be done."""
    if not _may_be_done(block, sight):
        return 4 if isinstance(block, Menu | Form) else 3
    if isinstance(block, Form):
        return 2
    return 1 if _ends_the_turn(block) else 0


def _ends_the_turn(block: Block) -> bool:
    buttons = [button for tab in block.tabs for button in tab.buttons] if isinstance(block, Menu) else []
    return any(button.move["move"] == Done.kind() for button in buttons)


def is_up(fight: FightView | None) -> bool:
    """Is it the turn of one of this viewer's own?"""
    return fight is not None and any(slot.mine and slot.state == "up" for slot in fight.slots)


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
