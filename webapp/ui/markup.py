"""Our own escaping renderer: read-only pictures of views, and the small things pages are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from markupsafe import Markup

from webapp.projection.told import LogRow, Ribbon
from webapp.rules.blocks import Button, Form, Input
from webapp.rules.cards_view import Card
from webapp.rules.lines_view import LineView, RollView
from webapp.rules.text import Eyes, Figure, number, render
from webapp.rules.text import percent as percent
from webapp.ui.face import face
from webapp.ui.names import parted, parted_in

Attrs = dict[str, str]
TABLE = "table"


def join(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


# --- icons --------------------------------------------------------------------------------------------------

# Drawn with a line of two on a field of 24, so that they still read at the size of a word.
ICONS = {
    "skull": "M12 3c-4.7 0-8 3.2-8 7.4 0 2.6 1.2 4.6 3 5.8v4.3h10v-4.3c1.8-1.2 3-3.2 3-5.8"
    "C20 6.2 16.7 3 12 3zM8.7 11h.6M14.7 11h.6M10.3 20.5v-3M13.7 20.5v-3",
    "broken": "M12 2.5l8 2.8v6.2c0 5-3.4 8.2-8 10-4.6-1.8-8-5-8-10V5.3zM12.5 3l-2.5 6 4.5 3-3.5 3.5 1 5",
    "hidden": "M4 4l16 16M9.8 5.3A9.5 9.5 0 0 1 12 5c5 0 8.4 3.9 9.5 7-.5 1.4-1.4 2.9-2.7 4.1"
    "M6.3 6.7C4.4 8 3.1 9.9 2.5 12c1.1 3.1 4.5 7 9.5 7 1.6 0 3-.4 4.2-1M10 10.2a3 3 0 0 0 4 4",
    "hero": "M12 12a4.2 4.2 0 1 0 0-8.4 4.2 4.2 0 0 0 0 8.4zM4 20.5c.6-3.9 3.7-5.8 8-5.8s7.4 1.9 8 5.8",
    "fight": "M4 4l11.5 11.5M20 4L8.5 15.5M13 18l5-5M11 18l-5-5M16 16l4 4M8 16l-4 4",
    "dice": "M6 3.5h12A2.5 2.5 0 0 1 20.5 6v12a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 18V6"
    "A2.5 2.5 0 0 1 6 3.5zM8.2 8.2h.3M12 12h.3M15.8 15.8h.3",
    "log": "M5.5 3.5h13v17l-3.25-2-3.25 2-3.25-2-3.25 2zM9 8.5h6M9 12.5h6",
    "away": "M20 14.5A8.5 8.5 0 1 1 9.5 4 7 7 0 0 0 20 14.5z",
    "here": "M5 12.5l4.5 4.5L19 7.5",
    "up": "M7 4.5l11.5 7.5L7 19.5z",
    "coming": "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
    "spent": "M5 12.5l4.5 4.5L19 7.5",
    "held": "M8.5 5.5v13M15.5 5.5v13",
    "missed": "M6 6l12 12M18 6L6 18",
    "surprised": "M12 3.5L22 20.5H2zM12 10v4.5M12 17.3v.4",
    "scared": "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8.7 9.5h.6M14.7 9.5h.6M8.5 16.5c2-2.4 5-2.4 7 0",
    "panicked": "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM8.5 8.5l1.5 1.5M15.5 8.5L14 10"
    "M12 13a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
    "back": "M14.5 5l-7 7 7 7",
    "again": "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4v5h-5",
    "why": "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z"
    "M9.3 9.6a2.8 2.8 0 1 1 4.2 2.4c-1 .6-1.5 1.1-1.5 2.2M12 17.1v.3",
    "more": "M5 12h.4M11.8 12h.4M18.6 12h.4",
}


@cache
def icon(name: str) -> Markup:
    """A small picture that always stands beside its word, so it is silent for screen readers."""
    return Markup('<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>').format(ICONS[name])


# --- rolls and the log -------------------------------------------------------------------------------------


def roll(view: RollView) -> Markup:
    """The derivation of one roll, in one line that a player can check."""
    dice = join(
        Markup('<span class="die{}"><small>d{}</small>{}</span>').format(
            "" if kept else " dropped", side, number(face)
        )
        for side, face, kept in view.dice
    )
    modifiers = Markup(" {}").format(", ".join(view.modifiers)) if view.modifiers else Markup("")
    against = Markup(" against {}").format(view.target) if view.target else Markup("")
    verdict = "" if view.verdict is None else " · made it" if view.verdict else " · missed it"
    odds = "" if view.chance is None else f" · {percent(view.chance)}"
    hand = (" · re-rolled" if view.again else "") + (" · by hand" if view.by_hand else "")
    return Markup('<span class="roll"><i>{}</i> {}{} = <b>{}</b>{}{}{}{}</span>').format(
        view.what, dice, modifiers, number(view.total), against, verdict, odds, hand
    )


def outcome(words: str, made: bool | None) -> Markup:
    """How something came out: in colour, with a picture, in words."""
    if made is None:
        return Markup("{}").format(words)
    kind, picture = ("made", "here") if made else ("missed", "missed")
    return Markup('<span class="outcome {}">{} {}</span>').format(kind, icon(picture), words)


def line(view: LineView) -> Markup:
    secret = Markup('<span class="secret">{} secret</span> ').format(icon("hidden")) if view.secret else Markup("")
    return Markup("<p>{}{}</p>").format(secret, parted_in(view.words))


def why(view: LineView) -> Iterator[Markup]:
    """What did not follow, in words."""
    if view.why is not None:
        yield Markup('<span class="why">{}</span>').format(view.why)


def log_row(row: LogRow) -> Markup:
    """One act: what was said, who did it, and behind a tap how the numbers came about."""
    rolls = [step for told in row.lines for step in (*map(roll, told.rolls), *why(told))]
    undone = Markup('<p class="undone-by">undone by {}</p>').format(row.undone_by) if row.undone_by else Markup("")
    by = Markup('<small class="by">{} · {}</small>').format(row.by, row.at.astimezone().strftime("%H:%M"))
    words = Markup('<div class="words">{}</div>{}').format(join(line(told) for told in row.lines), undone)
    if row.also:
        rolls.append(Markup('<span class="also">Undo also takes back: {}</span>').format(" ".join(row.also)))
    if not rolls:
        return words + by
    how = join(Markup("<div>{}</div>").format(one) for one in rolls)
    return words + Markup("<details><summary>How? {}</summary>{}</details>").format(by, how)


RIBBON: Attrs = {"aria-live": "polite", "role": "group", "aria-label": "The act in hand", "tabindex": "0"}


@lru_cache(maxsize=64)  # many phones have the same one
def ribbon(view: Ribbon | None, *, room: int | None = None) -> Markup:
    """The act in hand in one line, the waiting step lit and named. With `room`, as many letters, the last ones."""
    if view is None:
        return Markup("")
    told = list(view.done)
    while room is not None and len(told) > 1 and letters(view, told) > room:
        told.pop(0)
    own = None if view.own is None else view.own - len(view.done) + len(told)
    done = [
        Markup('<span class="step{}">{}</span>').format(" own" if nth == own else "", step)
        for nth, step in enumerate(told)
    ]
    waits = [Markup('<span class="step waits">{}</span>').format(view.waits)] if view.waits else []
    ahead = [Markup('<span class="step ahead">{}</span>').format(step) for step in view.ahead]
    return Markup('<span class="then" aria-hidden="true"> → </span>').join([*done, *waits, *ahead])


def letters(view: Ribbon, done: Sequence[str]) -> int:
    """How long the line gets, with three for each arrow."""
    steps = [*done, *([view.waits] if view.waits else []), *view.ahead]
    return sum(len(step) + 3 for step in steps)


# --- cards -------------------------------------------------------------------------------------------------


def level_of(share: int) -> str:
    """The colour that per cent of health are shown in, by the name of its class."""
    return "low" if share <= 33 else "half" if share <= 66 else "well"


def bar(share: int | None, label: str) -> Markup:
    if share is None:
        return Markup("")
    level = level_of(share)
    return Markup('<span class="bar {}" role="img" aria-label="{}"><span style="width:{}%"></span></span>').format(
        level, label, share
    )


def briefs(card: Card | None, *, most: int | None = None) -> Markup:
    """States that have one word beside the name; `most`: so many of them, and how many more there are."""
    notes = () if card is None else tuple((note.icon, note.brief) for note in card.notes if note.brief is not None)
    shown = join(
        Markup(' <span class="state">{} {}</span>').format(icon(drawn), render(brief, PLAIN))
        for drawn, brief in notes[:most]
    )
    left = len(notes[most:]) if most is not None else 0
    return shown + Markup(' <span class="state">+{}</span>').format(left) if left else shown


def hidden_mark() -> Markup:
    """Stands on all that players and the TV can't see."""
    return Markup('<span class="state unseen">{} hidden</span>').format(icon("hidden"))


def card_head(card: Card, *, more: str = "", most: int | None = None) -> Markup:
    """Face, name, health and states of a character, as this viewer knows them; `most`: so many of the states."""
    hidden = Markup(" {}").format(hidden_mark()) if card.hidden else Markup("")
    down = (
        Markup(' <span class="state down">{} {}</span>').format(icon("skull"), card.down) if card.down else Markup("")
    )
    return Markup('{}<span class="who"><span><b>{}</b>{}{}{}</span><small>{} {}</small>{}</span>').format(
        face(card.name, card.side),
        parted(card.name),
        hidden,
        down,
        briefs(card, most=most),
        card.health,
        more if card.health else more.removeprefix(" · "),
        bar(card.share, f"health of {card.name}: {card.health or 'unknown'}"),
    )


# --- buttons and forms -------------------------------------------------------------------------------------


def written(attrs: Mapping[str, str]) -> Markup:
    """Attributes inside a piece of markup."""
    return join(Markup(' {}="{}"').format(name, value) for name, value in attrs.items())


def move_attrs(move: Mapping[str, Any], label: str, *, why_not: str | None = None, sure: str | None = None) -> Attrs:
    """Attributes of anything that sends a move when it is tapped; disabled, it says why.

    `sure` is what it asks after the first tap; only a second one sends.
    """
    attrs = {"data-move": json.dumps(move, separators=(",", ":")), "data-label": label}
    if why_not is not None:
        attrs |= {"aria-disabled": "true", "data-why": why_not}
    if sure is not None:
        attrs |= {"data-sure": sure}
    return attrs


def asks(**of: str) -> Attrs:
    """Attributes of a number that can be asked where it comes from: by a tap, or by a key while it has the focus."""
    return {"data-because": json.dumps(of, separators=(",", ":")), "tabindex": "0"}


def asks_of(card: str, block: str) -> Attrs:
    """The same for a block that stands alone on a card; what the GM does for the whole table has no card."""
    return {} if card == TABLE else {**asks(card=card, block=block), "role": "button", "aria-haspopup": "dialog"}


WHY: Attrs = {"data-ask": "", "aria-pressed": "false", "data-key": "w", "aria-label": "Why? Then tap a number"}


def odds(chance: Fraction | str | None) -> Markup:
    return Markup("") if chance is None else Markup(' <span class="odds">{}</span>').format(percent(chance))


def button_words(button: Button, eyes: Eyes) -> Markup:
    note = Markup("<small>{}</small>").format(render(button.note, eyes)) if button.note is not None else Markup("")
    return Markup("<span>{}{}</span>{}").format(parted_in(render(button.label, eyes)), note, odds(button.chance))


def form(view: Form, eyes: Eyes) -> Markup:
    """The inside of a form that fills the blanks of a move."""
    fields = join(field(one, eyes, prefix="") for one in view.fields)
    said = [render(one.label, eyes) for one in view.fields] == [render(view.label, eyes)]
    heading = Markup("") if said else Markup('<h2 class="menu">{}</h2>').format(render(view.label, eyes))
    return Markup('{}<div class="fields">{}</div>{}{}').format(
        heading, fields, _submit(view, eyes), _preview(view, eyes)
    )


def _submit(view: Form, eyes: Eyes) -> Markup:
    why_not = None if view.why_not is None else render(view.why_not, eyes)
    return submit(render(view.button, eyes), why_not=why_not)


def _preview(view: Form, eyes: Eyes) -> Markup:
    """A second button: the same blanks, shown instead of done."""
    if view.preview is None:
        return Markup("")
    move = json.dumps({"move": "page.preview", "of": view.move["move"]}, separators=(",", ":"))
    return Markup('<button type="submit" class="button" data-move="{}">{}</button>').format(
        move, render(view.preview, eyes)
    )


def submit(label: str, *, why_not: str | None = None) -> Markup:
    off = "" if why_not is None else Markup(' aria-disabled="true" data-why="{}"').format(why_not)
    return Markup('<p class="note" data-say></p><button type="submit" class="button primary"{}>{}</button>').format(
        off, label
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
    label = _words(view.label, eyes)
    return Markup('<label class="field {}"><span>{}</span>{}{}</label>').format(
        view.kind, label if view.checked is None else parted(label), _control(view, written, eyes), help
    )


def _limits(view: Input) -> list[tuple[str, Any]]:
    limits = (("min", view.lowest), ("max", view.highest), ("maxlength", view.longest))
    return [(key, value) for key, value in limits if value is not None]


def _control(view: Input, written: Markup, eyes: Eyes | None) -> Markup:
    match view.kind:
        case "switch" if view.checked is not None:
            mark = Markup(" checked") if view.checked else ""
            return Markup('<input type="checkbox"{} value="{}"{}>').format(written, view.value, mark)
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

    def figure(self, figure: Figure) -> str:
        return figure.told


PLAIN = _Plain()


def _words(sentence: Any, eyes: Eyes | None) -> str:
    return render(sentence, eyes or PLAIN)
