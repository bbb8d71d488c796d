"""Questions that wait for somebody: what is asked, the choices, and the pad for dice rolled by hand."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from webapp.rules.questions_view import ChoiceView, QuestionView
from webapp.ui import picks
from webapp.ui.face import face as portrait
from webapp.ui.live import Item
from webapp.ui.markup import Attrs, join, move_attrs, odds, submit, written
from webapp.ui.menus import switch
from webapp.ui.names import parted_in
from webapp.ui.picks import Picked

MOST_FACES = 20
ROLL_STANDS = "A roll that has begun stands: only the GM can take it back."


def question_card(view: QuestionView, *, with_name: bool) -> Item:
    """A question that nothing waits for: one small card with all of its choices."""
    name = Markup("<small>{}</small>").format(view.name) if with_name else Markup("")
    choices = join(_small_choice(view, choice) for choice in view.choices)
    words = Markup('<p class="ask">{}{}</p><div class="choices">{}</div>').format(name, view.ask, choices)
    return Item(f"q {view.id}", words, tag="section", classes="chip-card wide", attrs={"aria-label": view.brief})


def _small_choice(view: QuestionView, choice: ChoiceView) -> Markup:
    attrs = _answers(view, choice)
    if _wants_amount(choice):
        return Markup('<form class="form"{}>{}</form>').format(written(attrs), _amount(choice))
    return Markup('<button class="button small choice{}"{}>{}</button>').format(
        " safe" if choice.default else "", written(attrs), _words(choice)
    )


def _words(choice: ChoiceView) -> Markup:
    price = Markup("<small>{}</small>").format(choice.price) if choice.price else ""
    return Markup("<span>{}{}</span>{}").format(choice.label, price, odds(choice.chance))


def _answers(view: QuestionView, choice: ChoiceView) -> Attrs:
    move = {"move": "table.answer", "question": view.id, "choice": choice.id}
    return move_attrs(move, choice.label, why_not=choice.why_not)


def _wants_amount(choice: ChoiceView) -> bool:
    return choice.amounts is not None and choice.why_not is None


def question_pieces(
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
    for choice in _choices(view, is_on=is_on):
        yield from _choice(view, choice, picked or {})


def _choices(view: QuestionView, *, is_on: bool) -> Iterator[ChoiceView]:
    """With a switch among them: those of the side it is on, and the safe one unless that has another form."""
    has_switch = any(choice.switch is not None for choice in view.choices)
    replaced = {choice.label for choice in view.choices if choice.switch is not None and is_on}
    for choice in view.choices:
        stays = choice.default and choice.label not in replaced
        if stays or not has_switch or (choice.switch is not None) == is_on:
            yield choice


def _choice(view: QuestionView, choice: ChoiceView, picked: Picked) -> Iterator[Item]:
    if choice.worths and choice.why_not is None:
        yield from picks.stepped(view, choice, picked)
        return
    key, attrs = f"q {view.id} {choice.id}", _answers(view, choice)
    if _wants_amount(choice):
        yield Item(key, _amount(choice), tag="form", classes="form wide", attrs=attrs)
        return
    classes = "button choice" + (" safe" if choice.default else "")
    yield Item(key, _words(choice), tag="button", classes=classes, attrs=attrs)


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


def _faces_attrs(view: QuestionView) -> Attrs:
    return move_attrs({"move": "table.tell_faces", "question": view.id, "faces": []}, "Tell the dice")
