"""Blocks of a card as pieces of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from markupsafe import Markup

from webapp.rules.blocks import Anatomy, Block, Cascade, Fact, Form, Gauge, Menu, Note, Place
from webapp.rules.text import Eyes, render
from webapp.ui import figure, menus
from webapp.ui.live import Item
from webapp.ui.markup import PLAIN, asks_of, form, icon, join, move_attrs, outcome
from webapp.ui.picks import Picked

WIDE_LETTERS = 20  # a longer label gets a row of its own
SHORT_LETTERS = 5  # three facts as short as that share a row
SEVERAL = " · "  # in the label of a short fact: its abbreviation, and the word below it
HALVES = 2  # of a row


def pieces(blocks: Iterable[Block], who: str, eyes: Eyes, picked: Picked) -> Iterator[Item]:
    """`who` is the character of the card; `picked` the open tab of each menu that has several."""
    for block in blocks:
        match block:
            case Fact():
                yield fact(block, who, eyes)
            case Gauge():
                yield from gauge(block, who, eyes)
            case Note():
                yield note(block, who, eyes)
            case Anatomy():
                yield figure.anatomy(block, who, eyes)
            case Cascade():
                yield figure.cascade(block, who, eyes)
            case Menu():
                yield from menus.menu(block, who, eyes, picked)
            case Form():
                attrs = move_attrs(block.move, render(block.label, eyes)) | ({"data-asks": ""} if block.asks else {})
                classes = "form wide one" if len(block.fields) == 1 else "form wide"
                yield Item(f"{who} {block.key}", form(block, eyes), tag="form", classes=classes, attrs=attrs)


def filled(items: Iterable[Item]) -> Iterator[Item]:
    """For a phone: what would stand alone in half a row gets all of it."""
    row: list[Item] = []
    for item in items:
        if row and (len(row) == HALVES or not _is_half(item)):
            yield from _as_row(row)
            row = []
        if _is_half(item):
            row.append(item)
        else:
            yield item
    yield from _as_row(row)


def _is_half(item: Item) -> bool:
    return not {"wide", "short", "count", "gauge", "undo", "row"} & set(item.classes.split())


def _as_row(row: Sequence[Item]) -> Iterator[Item]:
    for item in row:
        yield replace(item, classes=f"{item.classes} fill".strip()) if len(row) == 1 else item


def fold(title: str, key: str, inside: Sequence[Block], who: str, eyes: Eyes, picked: Picked) -> Iterator[Item]:
    """Blocks behind a chip with a title on it; nothing where there are none."""
    if not inside:
        return
    menu = f"{key} {title}"
    is_open = picked.get(menu) == "on"
    attrs = move_attrs({"move": "page.tab", "menu": menu, "tab": "" if is_open else "on"}, title)
    attrs |= {"aria-expanded": "true" if is_open else "false"}
    yield Item(f"{menu} fold", title, tag="button", classes="chip wide", attrs=attrs)
    yield from pieces(inside if is_open else (), who, eyes, picked)


def fact(block: Fact, who: str, eyes: Eyes) -> Item:
    label, value = render(block.label, eyes), render(block.value, eyes)
    words = Markup("<span>{}</span><b>{}</b>").format(label, value)
    letters = max(len(label), len(value))
    wide = letters > 2 * WIDE_LETTERS or block.place is Place.FIGHT
    is_short = letters <= SHORT_LETTERS or (len(value) <= SHORT_LETTERS and SEVERAL in label)
    size = " wide" if wide else " short" if is_short else ""
    return Item(f"{who} {block.key}", words, classes=f"fact{size}", attrs=asks_of(who, block.key))


def results(key: str, title: str, lines: Iterable[tuple[str, str, bool | None]]) -> Item:
    """What was rolled, and how it went for each."""
    told = join(Markup("<b>{}: {}</b>").format(name, outcome(words, made)) for name, words, made in lines)
    return Item(key, Markup("<span>{}</span>{}").format(title, told), classes="fact wide")


def note(block: Note, who: str, eyes: Eyes) -> Item:
    words = Markup("{} <span>{}</span>").format(icon(block.icon), render(block.words, eyes))
    return Item(f"{who} {block.key}", words, classes="state-note wide")


def gauge(block: Gauge, who: str, eyes: Eyes) -> Iterator[Item]:
    """Label and number between a large minus and a large plus."""
    label, key = render(block.label, eyes), f"{who} {block.key}"
    full = Markup("<small> of {}</small>").format(block.full) if block.full is not None else Markup("")
    shown = Markup("<span>{}</span><b>{}{}</b>").format(label, block.shown, full)
    if not block.at:
        yield Item(key, shown, classes="gauge wide", attrs=asks_of(who, block.key))
        return
    yield _count(f"{key} minus", block, who, label, -1)
    yield Item(key, shown, classes="gauge", attrs={"aria-live": "polite", **asks_of(who, block.key)})
    yield _count(f"{key} plus", block, who, label, 1)


def _count(key: str, block: Gauge, who: str, label: str, amount: int) -> Item:
    game, *path = block.at
    move = {"move": "table.adjust", "actor": who, "game_id": game, "path": path, "amount": amount}
    sign = "−" if amount < 0 else "+"
    why_not = block.why_not(amount)
    attrs = move_attrs(move, f"{label} {sign}1", why_not=None if why_not is None else render(why_not, PLAIN)) | {
        "aria-label": f"{label} {sign}1",
        "data-repeat": "",
    }
    return Item(key, sign, tag="button", classes="button count", attrs=attrs)
