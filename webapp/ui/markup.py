"""Our own escaping renderer: read-only pictures of views, and the small things pages are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from webapp.projection import LogRow, Ribbon
from webapp.rules.text import Eyes, number, render
from webapp.rules.view import (
    Button,
    Card,
    Form,
    Input,
    LineView,
    RollView,
)

Attrs = dict[str, str]
NBSP = "\u00a0"


def join(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def percent(chance: Fraction) -> str:
    """A chance as people read it; 0 and 100 only when they are certain."""
    if chance in (0, 1):
        return f"{int(chance * 100)}{NBSP}%"
    rounded = round(chance * 100)
    if rounded == 0:
        return f"<1{NBSP}%"
    return f">99{NBSP}%" if rounded == 100 else f"{rounded}{NBSP}%"


# --- icons and faces ---------------------------------------------------------------------------------------

ICONS = {
    "skull": "M12 3a8 8 0 0 0-8 8c0 3 1.5 5 4 6v3h8v-3c2.5-1 4-3 4-6a8 8 0 0 0-8-8zM9 12.5a1.5 1.5 0 1 1 0-3"
    " 1.5 1.5 0 0 1 0 3zm6 0a1.5 1.5 0 1 1 0-3 1.5 1.5 0 0 1 0 3z",
    "broken": "M13 2 6 13h5l-2 9 9-12h-6z",
    "hidden": "M3 4l17 17-1.4 1.4-3.4-3.4A11 11 0 0 1 12 20C7 20 3 16 1 12c.9-1.8 2.2-3.5 3.8-4.9L1.600"
    " 5.4zM12 5c5 0 9 3 11 7a13 13 0 0 1-2.8 3.8L9 5.300A9 9 0 0 1 12 5z",
    "hero": "M12 12a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zm0 2c-5 0-8 2.5-8 6v1h16v-1c0-3.5-3-6-8-6z",
    "fight": "M4 3h3l9 9 2-2 2 2-3 3 4 4-2 2-4-4-3 3-2-2 2-2-8-9zM20 3h-3l-4 4 2 3 5-4zM7 13l-3 3 3 3-3 3 2 1 3-3 2 2 2-2z",
    "dice": "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zm3 3.5a1.5 1.5 0 1 0 0 3 1.5"
    " 1.5 0 0 0 0-3zm4 4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zm4 4a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
    "log": "M5 3h14v18l-3-2-2 2-2-2-2 2-2-2-3 2zm3 4v2h8V7zm0 4v2h8v-2z",
    "away": "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
    "here": "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10z",
}


def icon(name: str) -> Markup:
    """A small picture that always stands beside its word, so it is silent for screen readers."""
    return Markup('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>').format(ICONS[name])


def face(name: str, *, foe: bool = False) -> Markup:
    """A face made from a name: the same name, the same face."""
    seed = sha256(name.encode()).digest()
    hue = (seed[0] * 360) // 256
    letters = "".join(word[0] for word in name.split()[:2]).upper() or "?"
    return Markup('<span class="face{}" style="--hue:{}" aria-hidden="true">{}</span>').format(
        " foe" if foe else "", hue, letters
    )


# --- rolls and the log -------------------------------------------------------------------------------------


def roll(view: RollView) -> Markup:
    """The derivation of one roll, in one line that a player can check."""
    dice = join(
        Markup('<span class="die{}"><small>d{}</small>{}</span>').format("" if kept else " dropped", side, face)
        for side, face, kept in view.dice
    )
    modifiers = Markup(" {}").format(", ".join(view.modifiers)) if view.modifiers else Markup("")
    against = Markup(" against {}").format(view.target) if view.target else Markup("")
    verdict = "" if view.verdict is None else " · made it" if view.verdict else " · not enough"
    odds = "" if view.chance is None else f" · {percent(view.chance)}"
    hand = " · by hand" if view.by_hand else ""
    return Markup('<span class="roll"><i>{}</i> {}{} = <b>{}</b>{}{}{}{}</span>').format(
        view.what, dice, modifiers, number(view.total), against, verdict, odds, hand
    )


def line(view: LineView) -> Markup:
    secret = Markup('<span class="secret">{} secret</span> ').format(icon("hidden")) if view.secret else Markup("")
    return Markup("<p>{}{}</p>").format(secret, view.words)


def log_row(row: LogRow) -> Markup:
    """One act: what was said, who did it, and behind a tap how the numbers came about."""
    rolls = [roll(one) for told in row.lines for one in told.rolls]
    how = (
        Markup("<details><summary>How?</summary>{}</details>").format(
            join(Markup("<div>{}</div>").format(r) for r in rolls)
        )
        if rolls
        else Markup("")
    )
    undone = Markup('<p class="undone-by">undone by {}</p>').format(row.undone_by) if row.undone_by else Markup("")
    return Markup('<div class="words">{}{}{}</div><small class="by">{} · {}</small>').format(
        join(line(told) for told in row.lines), undone, how, row.by, row.at.astimezone().strftime("%H:%M")
    )


def ribbon(view: Ribbon | None) -> Markup:
    """The act in hand in one line, the waiting step lit and named."""
    if view is None:
        return Markup("")
    done = [Markup('<span class="step">{}</span>').format(step) for step in view.done]
    waits = [Markup('<span class="step waits">{}</span>').format(view.waits)] if view.waits else []
    ahead = [Markup('<span class="step ahead">{}</span>').format(step) for step in view.ahead]
    return Markup('<span class="then" aria-hidden="true"> → </span>').join([*done, *waits, *ahead])


# --- cards -------------------------------------------------------------------------------------------------


def bar(share: int | None, label: str) -> Markup:
    if share is None:
        return Markup("")
    return Markup('<span class="bar" role="img" aria-label="{}"><span style="width:{}%"></span></span>').format(
        label, share
    )


def card_head(card: Card, *, more: str = "") -> Markup:
    """Face, name, health and states of a character, as this viewer knows them."""
    hidden = (
        Markup(' <span class="state hidden">{} hidden</span>').format(icon("hidden")) if card.hidden else Markup("")
    )
    down = (
        Markup(' <span class="state down">{} {}</span>').format(icon("skull"), card.down) if card.down else Markup("")
    )
    return Markup('{}<span class="who"><b>{}</b>{}{}<small>{} {}</small>{}</span>').format(
        face(card.name, foe=card.side == "foe"),
        card.name,
        hidden,
        down,
        card.health,
        more,
        bar(card.share, f"health of {card.name}: {card.health or 'unknown'}"),
    )


# --- buttons and forms -------------------------------------------------------------------------------------


def move_attrs(move: Mapping[str, Any], label: str, *, why_not: str | None = None) -> Attrs:
    """Attributes of anything that sends a move when it is tapped; disabled, it says why."""
    attrs = {"data-move": json.dumps(move, separators=(",", ":")), "data-label": label}
    if why_not is not None:
        attrs |= {"aria-disabled": "true", "data-why": why_not}
    return attrs


def button_words(button: Button, eyes: Eyes) -> Markup:
    odds = Markup(' <span class="odds">{}</span>').format(percent(button.chance)) if button.chance is not None else ""
    return Markup("<span>{}</span>{}").format(render(button.label, eyes), odds)


def form(view: Form, eyes: Eyes) -> Markup:
    """The inside of a form that fills the blanks of a move."""
    fields = join(field(one, eyes, prefix="") for one in view.fields)
    return Markup('<h3>{}</h3><div class="fields">{}</div>{}').format(
        render(view.label, eyes), fields, submit(render(view.button, eyes))
    )


def submit(label: str) -> Markup:
    return Markup('<p class="note" data-say></p><button type="submit" class="button primary">{}</button>').format(
        label
    )


def field(view: Input, eyes: Eyes | None = None, *, prefix: str = "", changed_only: bool = False) -> Markup:
    """A labelled input. `changed_only`: it is sent only when somebody has changed it."""
    name = f"{prefix}{view.name}"
    attrs = [("data-path" if changed_only else "name", name), *_limits(view)]
    if view.kind == "choice" and any(value == "" for value, _ in view.options):
        attrs.append(("data-optional", ""))
    if view.number:
        attrs.append(("data-type", "number"))
    written = join(Markup(' {}="{}"').format(key, value) for key, value in attrs)
    help = Markup("<small>{}</small>").format(_words(view.help, eyes)) if view.help is not None else Markup("")
    return Markup('<label class="field {}"><span>{}</span>{}{}</label>').format(
        view.kind, _words(view.label, eyes), _control(view, written, eyes), help
    )


def _limits(view: Input) -> list[tuple[str, Any]]:
    limits = (("min", view.lowest), ("max", view.highest), ("maxlength", view.longest))
    return [(key, value) for key, value in limits if value is not None]


def _control(view: Input, written: Markup, eyes: Eyes | None) -> Markup:
    match view.kind:
        case "switch":
            return Markup('<input type="checkbox"{}{}>').format(written, Markup(" checked") if view.value else "")
        case "choice":
            options = join(
                Markup('<option value="{}"{}>{}</option>').format(
                    value, Markup(" selected") if str(view.value) == value else "", _words(words, eyes)
                )
                for value, words in view.options
            )
            return Markup("<select{}>{}</select>").format(written, options)
        case "number":
            value = "" if view.value is None else view.value
            return Markup('<input type="number" inputmode="numeric"{} value="{}">').format(written, value)
    return Markup('<input type="text" autocomplete="off"{} value="{}">').format(written, view.value or "")


class _Plain(Eyes):
    """Eyes for sentences that speak of nobody: labels of forms."""

    def name(self, character: str) -> str:
        return character

    def health(self, character: str, now: int, full: int) -> str:
        return ""

    def figure(self, character: str, value: int) -> str:
        return number(value)


PLAIN = _Plain()


def _words(sentence: Any, eyes: Eyes | None) -> str:
    return render(sentence, eyes or PLAIN)
