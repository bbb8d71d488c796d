"""Choices that change the chances shown while they are made: chips of which one is on, and numbers in steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from markupsafe import Markup

from webapp.rules.blocks import Button, Menu
from webapp.rules.questions_view import ChoiceView, QuestionView
from webapp.rules.text import Eyes, render
from webapp.ui.live import Item
from webapp.ui.markup import move_attrs, odds

Picked = Mapping[str, str]


def chips(block: Menu, key: str, eyes: Eyes, picked: Picked) -> Iterator[Item]:
    """One at most is on; like a switch, it is kept by the page and chosen for one roll."""
    if not block.picks:
        return
    if block.picks_label is not None:
        yield Item(f"{key} picks", render(block.picks_label, eyes), tag="p", classes="wide quiet picks")
    on = picked.get(_slot(key))
    for pick, words in block.picks:
        label = render(words, eyes)
        move = {"move": "page.tab", "menu": _slot(key), "tab": "" if on == pick else pick}
        attrs = move_attrs(move, label) | {"aria-pressed": "true" if on == pick else "false"}
        yield Item(f"{key} pick {pick}", label, tag="button", classes="chip short", attrs=attrs)


def picked_of(button: Button, key: str, picked: Picked) -> Button:
    return button.picked.get(picked.get(_slot(key), ""), button)


def _slot(key: str) -> str:
    return f"{key} pick switch"


def stepped(view: QuestionView, choice: ChoiceView, picked: Picked) -> Iterator[Item]:
    """A number between minus and plus; the button between them says what it is worth, and takes it."""
    assert choice.amounts is not None
    lowest, highest = choice.amounts
    key, slot = f"q {view.id} {choice.id}", f"q {view.id} {choice.id} amount"
    amount = min(highest, max(lowest, int(picked[slot]) if picked.get(slot, "").isdigit() else highest))
    chance, price = choice.worths[amount - lowest]
    yield _step(f"{key} minus", slot, amount - 1, choice.label, "−", is_end=amount == lowest)
    move = {"move": "table.answer", "question": view.id, "choice": choice.id, "amount": amount}
    small = Markup("<small>{}</small>").format(price) if price else ""
    words = Markup("<span>{} {}{}</span>{}").format(choice.label, amount, small, odds(chance))
    attrs = move_attrs(move, f"{choice.label} {amount}")
    yield Item(key, words, tag="button", classes="button choice stepped", attrs=attrs)
    yield _step(f"{key} plus", slot, amount + 1, choice.label, "+", is_end=amount == highest)


def _step(key: str, slot: str, amount: int, label: str, sign: str, *, is_end: bool) -> Item:
    why = "No further." if is_end else None
    attrs = move_attrs({"move": "page.tab", "menu": slot, "tab": str(amount)}, f"{label} {sign}1", why_not=why)
    return Item(
        key, sign, tag="button", classes="button count step", attrs=attrs | {"aria-label": f"{label} {sign}1"}
    )
