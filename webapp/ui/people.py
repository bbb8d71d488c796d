"""Who sits at the table: here, asleep or gone, in one strip for the GM."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from webapp.hall import Presence
from webapp.ui.live import Item
from webapp.ui.markup import icon, join, move_attrs, written

DAMAGE = move_attrs({"move": "page.damage"}, "Damage to many at once") | {"data-open": "damage", "data-key": "x"}
ICONS = {Presence.HERE: "here", Presence.ASLEEP: "away", Presence.GONE: "missed"}


@dataclass(frozen=True, slots=True)
class Seated:
    seat: str
    name: str
    presence: Presence
    since: datetime | None
    on_paper: bool = False


def people(seats: Iterable[Seated], code: str) -> Item:
    """Each with a way to see the table through their eyes; the hour stands still, so that nothing has to tick.

    Beside them the way to hurt several of those who stand below.
    """
    told = join(_one(seated, code) for seated in seats)
    if told:
        told += Markup('<li><button class="button small" data-open="seats" data-key="s">Seats</button></li>')
    told += Markup('<li><button class="button small"{}>Damage</button></li>').format(written(DAMAGE))
    attrs = {"aria-label": "Who is here", "aria-live": "polite"}
    return Item("people", told, tag="ul", classes="people", attrs=attrs)


def _one(seated: Seated, code: str) -> Markup:
    since = "" if seated.since is None else seated.since.astimezone().strftime(" since %H:%M")
    when = "" if seated.presence is Presence.HERE else since
    view_as = Markup(
        '<a href="/t/{}/play?as={}" target="_blank" rel="noopener" aria-label="See what {} sees">View as</a>'
    ).format(code, seated.seat, seated.name)
    if seated.on_paper:
        return Markup("<li>{} <b>{}</b> <small>on paper</small> {}</li>").format(icon("log"), seated.name, view_as)
    return Markup('<li class="{0}">{1} <b>{2}</b> <small>{0}{3}</small> {4}</li>').format(
        seated.presence, icon(ICONS[seated.presence]), seated.name, when, view_as
    )
