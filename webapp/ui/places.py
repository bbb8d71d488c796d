"""Where the blocks of a card are shown, and the chip that opens what is seldom wanted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from webapp.rules.blocks import Block, Fact, Form, Menu, Place
from webapp.rules.sight import Sight
from webapp.ui import blocks
from webapp.ui.live import Item
from webapp.ui.markup import icon, move_attrs


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
