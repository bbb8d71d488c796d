"""The GM's grid of a called test, and the face-down cards that the TV shows of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from webapp.rules.calls_view import CalledView, CallView
from webapp.ui.face import face
from webapp.ui.live import Item
from webapp.ui.markup import icon, join, move_attrs, outcome
from webapp.ui.names import parted


def grid(call: CallView) -> Iterator[Item]:
    """Results as they come in; missing ones stand out, and may be rolled for, nudged or let go."""
    secret = Markup(' <span class="secret">{} secret</span>').format(icon("hidden")) if call.secret else ""
    words = Markup("{}{} <small>{} of {} have rolled</small>").format(
        call.title, secret, len(call.rows) - call.missing, len(call.rows)
    )
    yield Item(f"call {call.id}", words, tag="h2", classes="wide")
    for row in call.rows:
        yield Item(f"call {call.id} {row.character}", _gm_row(row), classes="called wide" + _missing(row))
        if not row.is_in:
            yield from _ways(call, row)
    label = "Turn over" if not call.missing else f"Turn over without {call.missing}"
    attrs = move_attrs({"move": "table.turn_over", "call": call.id}, f"{label}: {call.title}")
    loud = "" if call.missing else " primary"  # while some are missing the big button rolls for them
    yield Item(f"call {call.id} over", label, tag="button", classes=f"button wide{loud}", attrs=attrs)


def _ways(call: CallView, row: CalledView) -> Iterator[Item]:
    key = f"call {call.id} {row.character}"
    if row.question is not None:
        for move, label in (("table.answer", row.passed_by), ("page.nudge", "Nudge")):
            message = {"move": move, "question": row.question} | (
                {"choice": row.choice} if move == "table.answer" else {}
            )
            attrs = move_attrs(message, f"{label}: {row.name}")
            yield Item(f"{key} {move}", label, tag="button", classes="button small", attrs=attrs)
    attrs = move_attrs({"move": "table.let_go", "call": call.id, "character": row.character}, f"Let {row.name} go")
    yield Item(f"{key} go", "Let go", tag="button", classes="button small", attrs=attrs)


def face_down(calls: Iterable[CallView]) -> Markup:
    """Who is in and who is still to roll; how it went is nobody's business yet."""
    return join(
        Markup(
            '<section class="call"><h2>{} <small>{} of {} in</small></h2><ul class="called">{}</ul></section>'
        ).format(call.title, len(call.rows) - call.missing, len(call.rows), join(_card(row) for row in call.rows))
        for call in calls
    )


def _gm_row(row: CalledView) -> Markup:
    waits = "face down" if row.is_in else row.brief or "still to roll"
    state = waits if row.result is None else outcome(row.result, row.made)
    return Markup("{}<span class='who'><b>{}</b><small>{}</small></span>").format(
        face(row.name), parted(row.name), state
    )


def _card(row: CalledView) -> Markup:
    mark = icon("spent") if row.is_in else icon("coming")
    words = "is in" if row.is_in else "still to roll"
    return Markup(
        '<li class="{}">{}<span class="who"><b style="--letters:{}">{}</b><span class="in">{} {}</span></span>'
        '<span class="back" aria-hidden="true"></span></li>'
    ).format(_missing(row).strip(), face(row.name), len(row.name), row.name, mark, words)


def _missing(row: CalledView) -> str:
    return "" if row.is_in else " missing"
