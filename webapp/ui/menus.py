"""Menus of a card: the ways to do something as chips, and the buttons of the way that is picked."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from markupsafe import Markup

from webapp.rules.blocks import Button, Menu, Tab
from webapp.rules.cards_view import Card
from webapp.rules.text import Eyes, render
from webapp.ui import picks
from webapp.ui.live import Item
from webapp.ui.markup import asks, button_words, icon, move_attrs
from webapp.ui.names import parted, parted_in
from webapp.ui.picks import Picked

WIDE_LETTERS = 20  # a longer label gets a row of its own
SHORT_CHIP = 8  # three chips as short as that share a row
MOST_BUTTONS, FIRST_BUTTONS = 16, 10  # of a longer menu only the first, until the others are asked for


def menu(block: Menu, who: str, eyes: Eyes, picked: Picked) -> Iterator[Item]:
    """A heading, the ways as chips when there are several, and the buttons of the way that is picked."""
    key = f"{who} {block.key}"
    yield _heading(block, key, who, eyes)
    if block.why_not is not None:
        yield Item(f"{key} why", render(block.why_not, eyes), tag="p", classes="wide quiet")
        return
    tab = block.open_tab(picked)
    assert tab is not None
    if len(block.tabs) > 1:
        yield from _tabs(block, key, tab, eyes)
    on = [name for name, _ in block.switches if picked.get(switch_of(key, name)) == "on"]
    for name, words in block.switches:
        yield switch(switch_of(key, name), render(words, eyes), is_on=name in on)
    buttons = tuple(_buttons(block, key, tab, on, eyes, picked))
    yield from buttons
    if any(one.tag == "button" for one in buttons):  # with nobody in reach there is nothing to choose for
        yield from picks.chips(block, key, eyes, picked)


def _heading(block: Menu, key: str, who: str, eyes: Eyes) -> Item:
    if _says_it_itself(block, eyes):
        return Item(key, "", classes="wide")  # a line of its own, so that it isn't taken for one of the menu above
    attrs = asks(card=who, block=block.key) if block.because is not None else {}
    return Item(key, parted_in(render(block.label, eyes)), tag="h2", classes="wide menu", attrs=attrs)


def _says_it_itself(block: Menu, eyes: Eyes) -> bool:
    """The only button has the words of the heading on it."""
    labels = [render(button.label, eyes) for tab in block.tabs for button in tab.buttons]
    return block.because is None and block.why_not is None and labels == [render(block.label, eyes)]


def _tabs(block: Menu, key: str, open_tab: Tab, eyes: Eyes) -> Iterator[Item]:
    for tab in block.tabs:
        label = render(tab.label, eyes)
        attrs = move_attrs({"move": "page.tab", "menu": block.key, "tab": tab.key}, label)
        attrs |= {"aria-pressed": "true" if tab is open_tab else "false"}
        classes = "chip short" if len(label) <= SHORT_CHIP else "chip"
        words = label if tab.note is None else _with_note(label, render(tab.note, eyes))
        yield Item(f"{key} {tab.key}", words, tag="button", classes=classes, attrs=attrs)
    yield Item(f"{key} break", "", classes="wide")


def _with_note(label: str, note: str) -> Markup:
    return Markup("<span>{}<small>{}</small></span>").format(label, note)


def _buttons(block: Menu, key: str, tab: Tab, on: Collection[str], eyes: Eyes, picked: Picked) -> Iterator[Item]:
    if not tab.buttons:
        yield Item(f"{key} none", "Nobody in reach.", tag="p", classes="wide quiet")
    refused = _refused_alike(tab, eyes)
    if refused is not None:
        yield Item(f"{key} none", refused, tag="p", classes="wide quiet")
        return
    more = f"{key} all"
    is_long = len(tab.buttons) > MOST_BUTTONS and picked.get(more) != "on"
    for nth, plain in enumerate(tab.buttons[:FIRST_BUTTONS] if is_long else tab.buttons):
        button = picks.picked_of(plain.ridden(on), key, picked)
        yield _button(button, f"{key} {tab.key} {_place(button, nth)}", render(block.label, eyes), eyes)
    if is_long:
        words = f"{len(tab.buttons) - FIRST_BUTTONS} more"
        attrs = move_attrs({"move": "page.tab", "menu": more, "tab": "on"}, words)
        yield Item(more, words, tag="button", classes="chip wide", attrs=attrs)


def _refused_alike(tab: Tab, eyes: Eyes) -> str | None:
    """Why none of several can be done, where it is the same for all of them: said once, not on each."""
    reasons = {None if one.why_not is None else render(one.why_not, eyes) for one in tab.buttons}
    return reasons.pop() if len(tab.buttons) > 1 and len(reasons) == 1 else None


def _button(button: Button, key: str, heading: str, eyes: Eyes) -> Item:
    label = render(button.label, eyes)
    why = None if button.why_not is None else render(button.why_not, eyes)
    attrs = move_attrs(button.move, f"{heading}: {label}", why_not=why)
    attrs |= {} if button.on is None else {"aria-pressed": "true" if button.on else "false"}
    return Item(key, button_words(button, eyes), tag="button", classes=_look(button, label), attrs=attrs)


def _look(button: Button, label: str) -> str:
    if button.on is not None:
        return "chip"
    kind = "button target" if "target" in button.move else "button danger" if button.danger else "button"
    return kind + (" wide target" if button.first else " wide" if len(label) > WIDE_LETTERS else "")


def _place(button: Button, nth: int) -> str:
    """Whoever it is aimed at, wherever they stand in the list; else its place."""
    target = button.move.get("target") or button.move.get("against")
    return f"{target} {button.move.get('their', '')}" if target else f"{nth} {nth}"


def switch_of(menu: str, name: str) -> str:
    """What the page keeps a switch under; those that end so are for one roll."""
    return f"{menu} {name} switch"


def switch(key: str, label: str, *, is_on: bool) -> Item:
    """A chip that rides on a roll; it is kept by the page, and changes what the buttons send."""
    attrs = move_attrs({"move": "page.tab", "menu": key, "tab": "" if is_on else "on"}, label)
    attrs |= {"aria-pressed": "true" if is_on else "false"}
    words = Markup('<span class="knob" aria-hidden="true"></span><span>{}</span><em>{}</em>').format(
        label, "on" if is_on else "off"
    )
    return Item(key, words, tag="button", classes="chip switch wide", attrs=attrs)


def toggles(block: Menu, card: Card, eyes: Eyes) -> Iterator[Item]:
    """A chip with the name on it for each toggle of this card."""
    for button in (button for tab in block.tabs for button in tab.buttons):
        label = render(button.label, eyes)
        attrs = move_attrs(button.move, f"{card.name}: {label}")
        attrs |= {"aria-pressed": "true" if button.on else "false", "aria-label": f"{card.name}: {label}"}
        words = Markup("{}<span>{}</span>").format(icon("here") if button.on else "", parted(card.name))
        yield Item(f"{card.id} {block.key} toggle", words, tag="button", classes="chip", attrs=attrs)
