"""Blocks of a card as pieces of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from markupsafe import Markup

from webapp.rules.blocks import Anatomy, Block, Cascade, Fact, Form, Gauge, Menu, Note, Place, Tab
from webapp.rules.cards_view import Card
from webapp.rules.questions_view import ChoiceView, QuestionView
from webapp.rules.text import Eyes, render
from webapp.ui import figure, picks
from webapp.ui.face import face as portrait
from webapp.ui.live import Item
from webapp.ui.markup import (
    PLAIN,
    asks,
    asks_of,
    button_words,
    form,
    icon,
    join,
    move_attrs,
    outcome,
    percent,
    submit,
    written,
)
from webapp.ui.names import parted, parted_in

Picked = Mapping[str, str]
MOST_FACES = 20
WIDE_LETTERS = 20  # a longer label gets a row of its own
SHORT_LETTERS = 5  # three facts as short as that share a row
SEVERAL = " · "  # in the label of a short fact: its abbreviation, and the word below it
HALVES = 2  # of a row
SHORT_CHIP = 8  # and three chips
MOST_BUTTONS, FIRST_BUTTONS = 16, 10  # of a longer menu only the first, until the others are asked for
ROLL_STANDS = "A roll that has begun stands: only the GM can take it back."


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
                yield from menu(block, who, eyes, picked)
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


def menu(block: Menu, who: str, eyes: Eyes, picked: Picked) -> Iterator[Item]:
    """A heading, the ways as chips when there are several, and the buttons of the way that is picked."""
    key = f"{who} {block.key}"
    attrs = asks(card=who, block=block.key) if block.because is not None else {}
    if _says_it_itself(block, eyes):
        yield Item(key, "", classes="wide")  # a line of its own, so that it isn't taken for one of the menu above
    else:
        yield Item(key, parted_in(render(block.label, eyes)), tag="h2", classes="wide menu", attrs=attrs)
    if block.why_not is not None:
        yield Item(f"{key} why", render(block.why_not, eyes), tag="p", classes="wide quiet")
        return
    open_tab = block.open_tab(picked)
    assert open_tab is not None
    if len(block.tabs) > 1:
        for tab in block.tabs:
            move = {"move": "page.tab", "menu": block.key, "tab": tab.key}
            label = render(tab.label, eyes)
            attrs = move_attrs(move, label) | {"aria-pressed": "true" if tab is open_tab else "false"}
            classes = "chip short" if len(label) <= SHORT_CHIP else "chip"
            words = label if tab.note is None else _with_note(label, render(tab.note, eyes))
            yield Item(f"{key} {tab.key}", words, tag="button", classes=classes, attrs=attrs)
        yield Item(f"{key} break", "", classes="wide")
    on = [name for name, _ in block.switches if picked.get(switch_of(key, name)) == "on"]
    for name, chip in block.switches:
        yield switch(switch_of(key, name), render(chip, eyes), is_on=name in on)
    if not open_tab.buttons:
        yield Item(f"{key} none", "Nobody in reach.", tag="p", classes="wide quiet")
    refused = _refused_alike(open_tab, eyes)
    if refused is not None:
        yield Item(f"{key} none", refused, tag="p", classes="wide quiet")
        return
    more = f"{key} all"
    is_long = len(open_tab.buttons) > MOST_BUTTONS and picked.get(more) != "on"
    for nth, plain in enumerate(open_tab.buttons[:FIRST_BUTTONS] if is_long else open_tab.buttons):
        button = picks.picked_of(plain.ridden(on), key, picked)
        label = render(button.label, eyes)
        why = None if button.why_not is None else render(button.why_not, eyes)
        attrs = move_attrs(button.move, f"{render(block.label, eyes)}: {label}", why_not=why)
        attrs |= {} if button.on is None else {"aria-pressed": "true" if button.on else "false"}
        classes = "button target" if "target" in button.move else "button danger" if button.danger else "button"
        classes += " wide target" if button.first else " wide" if len(label) > WIDE_LETTERS else ""
        classes = classes if button.on is None else "chip"
        target = button.move.get("target") or button.move.get("against") or nth
        yield Item(
            f"{key} {open_tab.key} {target} {nth if target == nth else button.move.get('their', '')}",
            button_words(button, eyes),
            tag="button",
            classes=classes,
            attrs=attrs,
        )
    if is_long:
        words = f"{len(open_tab.buttons) - FIRST_BUTTONS} more"
        attrs = move_attrs({"move": "page.tab", "menu": more, "tab": "on"}, words)
        yield Item(more, words, tag="button", classes="chip wide", attrs=attrs)
    yield from picks.chips(block, key, eyes, picked)


def _with_note(label: str, note: str) -> Markup:
    return Markup("<span>{}<small>{}</small></span>").format(label, note)


def switch_of(menu: str, name: str) -> str:
    """What the page keeps a switch under; those that end so are for one roll."""
    return f"{menu} {name} switch"


def _refused_alike(tab: Tab, eyes: Eyes) -> str | None:
    """Why none of several can be done, where it is the same for all of them: said once, not on each."""
    reasons = {None if one.why_not is None else render(one.why_not, eyes) for one in tab.buttons}
    return reasons.pop() if len(tab.buttons) > 1 and len(reasons) == 1 else None


def _says_it_itself(block: Menu, eyes: Eyes) -> bool:
    """The only button has the words of the heading on it."""
    labels = [render(button.label, eyes) for tab in block.tabs for button in tab.buttons]
    return block.because is None and block.why_not is None and labels == [render(block.label, eyes)]


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


def chip(view: QuestionView, *, with_name: bool) -> Item:
    """A question that nothing waits for: one small card with all of its choices."""
    name = Markup("<small>{}</small>").format(view.name) if with_name else Markup("")
    choices = join(_small_choice(view, choice) for choice in view.choices)
    words = Markup('<p class="ask">{}{}</p><div class="choices">{}</div>').format(name, view.ask, choices)
    return Item(f"q {view.id}", words, tag="section", classes="chip-card wide", attrs={"aria-label": view.brief})


def _small_choice(view: QuestionView, choice: ChoiceView) -> Markup:
    move = {"move": "table.answer", "question": view.id, "choice": choice.id}
    attrs = move_attrs(move, choice.label, why_not=choice.why_not)
    if choice.amounts is not None and choice.why_not is None:
        return Markup('<form class="form"{}>{}</form>').format(written(attrs), _amount(choice))
    odds = Markup('<span class="odds">{}</span>').format(percent(choice.chance)) if choice.chance is not None else ""
    price = Markup("<small>{}</small>").format(choice.price) if choice.price else ""
    return Markup('<button class="button small choice{}"{}><span>{}{}</span>{}</button>').format(
        " safe" if choice.default else "", written(attrs), choice.label, price, odds
    )


def question(
    view: QuestionView, *, with_name: bool, picked: Picked | None = None, gm: bool = False
) -> Iterator[Item]:
    """What happened and the choices, each with chance and price, the safe one first."""
    key = f"q {view.id}"
    name = Markup('<small class="asked">{}{}</small>').format(portrait(view.name), view.name) if with_name else ""
    yield Item(key, Markup("{}<h2>{}</h2>").format(name, parted_in(view.ask)), classes="wide ask")
    yield from faces(view)
    if view.dice and not gm:
        yield Item(f"{key} stands", ROLL_STANDS, tag="p", classes="wide quiet")
    chip = next((choice.switch for choice in view.choices if choice.switch is not None), None)
    is_on = chip is not None and (picked or {}).get(f"{key} switch") == "on"
    if chip is not None:
        yield switch(f"{key} switch", chip, is_on=is_on)
    replaced = {choice.label for choice in view.choices if choice.switch is not None and is_on}
    for choice in view.choices:
        stays = choice.default and choice.label not in replaced
        if not stays and chip is not None and (choice.switch is not None) != is_on:
            continue
        if choice.worths and choice.why_not is None:
            yield from picks.stepped(view, choice, picked or {})
            continue
        if choice.amounts is not None and choice.why_not is None:
            yield _amount_form(view, choice)
            continue
        move = {"move": "table.answer", "question": view.id, "choice": choice.id}
        odds = (
            Markup('<span class="odds">{}</span>').format(percent(choice.chance)) if choice.chance is not None else ""
        )
        price = Markup("<small>{}</small>").format(choice.price) if choice.price else ""
        words = Markup("<span>{}{}</span>{}").format(choice.label, price, odds)
        yield Item(
            f"{key} {choice.id}",
            words,
            tag="button",
            classes="button choice" + (" safe" if choice.default else ""),
            attrs=move_attrs(move, choice.label, why_not=choice.why_not),
        )


def _amount_form(view: QuestionView, choice: ChoiceView) -> Item:
    """A choice that carries a number."""
    move = {"move": "table.answer", "question": view.id, "choice": choice.id}
    attrs = move_attrs(move, choice.label)
    return Item(f"q {view.id} {choice.id}", _amount(choice), tag="form", classes="form wide", attrs=attrs)


def _amount(choice: ChoiceView) -> Markup:
    assert choice.amounts is not None
    lowest, highest = choice.amounts
    return Markup(
        '<label class="field number"><span>{}</span><input type="number" inputmode="numeric" name="amount"'
        ' min="{}" max="{}" required></label>{}'
    ).format(choice.label, lowest, highest, submit(choice.label))


def faces(view: QuestionView) -> Iterator[Item]:
    """The pad for dice rolled by hand: one tap for a single die, a row of fields for several."""
    key = f"q {view.id}"
    if len(view.dice) > 1 or max(view.dice, default=0) > MOST_FACES:
        yield Item(f"{key} faces", faces_form(view), tag="form", classes="form wide", attrs=_faces_attrs(view))
        return
    for face in range(1, max(view.dice, default=0) + 1):
        attrs = move_attrs({"move": "table.tell_faces", "question": view.id, "faces": [face]}, f"It shows {face}")
        yield Item(f"{key} face {face}", str(face), tag="button", classes="button face-key", attrs=attrs)


def faces_form(view: QuestionView) -> Markup:
    inputs = Markup("").join(
        Markup(
            '<label class="field number"><span>d{0}</span><input type="number" inputmode="numeric" name="faces[]"'
            ' min="1" max="{0}" required></label>'
        ).format(side)
        for side in view.dice
    )
    return Markup(
        '<div class="fields">{}</div><p class="note" data-say></p>'
        '<button type="submit" class="button primary">Tell the dice</button>'
    ).format(inputs)


def _faces_attrs(view: QuestionView) -> dict[str, str]:
    return move_attrs({"move": "table.tell_faces", "question": view.id, "faces": []}, "Tell the dice")
