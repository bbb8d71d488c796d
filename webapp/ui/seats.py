"""The seats of a table, for the GM: who holds each, and what can be done with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from markupsafe import Markup

from webapp.access import Access, Seat
from webapp.hall import Hall
from webapp.projection.picture import Picture
from webapp.refused import Refused
from webapp.rules.document import Side
from webapp.rules.people import AddCharacters, Assign
from webapp.seats import is_on_paper
from webapp.ui.face import face
from webapp.ui.live import Item
from webapp.ui.markup import join, move_attrs, submit

REMOVING = "remove seat"


def seat_list(hall: Hall, table: str, picture: Picture, picked: Mapping[str, str]) -> Iterator[Item]:
    seats = list(hall.seats(table).values())
    if not seats:
        yield Item("none", "Nobody has sat down yet.", tag="p", classes="wide quiet")
    for seat in seats:
        yield from _seat(hall, seat, picture, sure=picked.get(REMOVING) == seat.id)
    inside = Markup(
        '<p class="quiet">Somebody plays without a phone? Give them a seat on paper: you drive.</p>'
        '<div class="fields"><label class="field"><span>Name</span>'
        '<input name="name" maxlength="40" required autocomplete="off"></label></div>{}'
    ).format(submit("Add a seat on paper"))
    attrs = move_attrs({"move": "page.paper_seat"}, "Add a seat on paper") | {"data-reset": "", "data-stay": ""}
    yield Item("paper", inside, tag="form", classes="form wide", attrs=attrs)


def _seat(hall: Hall, seat: Seat, picture: Picture, *, sure: bool) -> Iterator[Item]:
    heroes = picture.driven_by(seat.id)
    faces = join(face(hero.name) for hero in heroes) or face(seat.name)
    names = ", ".join(hero.name for hero in heroes) or "no hero yet"
    head = Markup("{}<span class='who'><b>{}</b><small>{} · {}</small></span>").format(
        faces, seat.name, names, _holds(hall, seat)
    )
    yield Item(f"{seat.id} head", head, classes="card-head wide")
    rename = Markup(
        '<label class="field"><span>Name</span><input name="name" maxlength="40" required autocomplete="off"'
        ' aria-label="Name of {0}\'s seat" value="{0}"></label><p class="note" data-say></p>'
        '<button type="submit" class="button small">Rename</button>'
    ).format(seat.name)
    attrs = move_attrs({"move": "page.rename_seat", "seat": seat.id}, f"Rename {seat.name}")
    yield Item(f"{seat.id} rename", rename, tag="form", classes="form rename", attrs=attrs)
    yield from (_button(seat, *way) for way in _ways(hall.access, seat, sure=sure))
    if is_on_paper(seat) and not heroes:
        yield Item(f"{seat.id} whom", f"Whom does {seat.name} play?", tag="p", classes="wide quiet")
        yield from (_button(seat, *way) for way in _heroes_for(seat, picture))


def _holds(hall: Hall, seat: Seat) -> str:
    if is_on_paper(seat):
        return "on paper"
    if hall.access.seats.is_free(seat):
        return "free"
    return hall.presence(seat.id)[0].value


def _ways(access: Access, seat: Seat, *, sure: bool) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    if not access.seats.is_free(seat):
        yield "free", "Free it", {"move": "page.free_seat", "seat": seat.id}, ""
    if not is_on_paper(seat):
        yield "paper", "On paper", {"move": "page.on_paper", "seat": seat.id}, ""
    if sure:
        yield "gone", f"Really remove {seat.name}?", {"move": "page.remove_seat", "seat": seat.id}, " danger"
        yield "keep", "Keep it", {"move": "page.tab", "menu": REMOVING, "tab": ""}, ""
    else:
        yield "remove", "Remove", {"move": "page.tab", "menu": REMOVING, "tab": seat.id}, ""


def _heroes_for(seat: Seat, picture: Picture) -> Iterator[tuple[str, str, dict[str, Any], str]]:
    """Somebody without a phone can't choose: a hero that is free, or a new one by the seat's name."""
    for card in picture.free_heroes():
        yield card.id, card.name, {"move": Assign.kind(), "character": card.id, "seats": [seat.id]}, ""
    for group in picture.start_groups(Side.HERO)[:1]:
        for start in group.starts:
            sheets = {group.game: start.body}
            new = {"side": Side.HERO, "name": seat.name, "sheets": sheets, "seats": [seat.id], "line": start.about}
            yield f"start {start.id}", f"A new {start.name}", {"move": AddCharacters.kind(), **new}, ""


def _button(seat: Seat, key: str, words: str, move: dict[str, Any], classes: str) -> Item:
    attrs = move_attrs(move, f"{words}: {seat.name}")
    return Item(f"{seat.id} {key}", words, tag="button", classes=f"button small{classes}", attrs=attrs)


def change_seat(hall: Hall, table: str, move: Mapping[str, Any]) -> None:
    """What the GM does with a seat, beside removing it."""
    access, name = hall.access, str(move.get("name", ""))[:200]
    if move.get("move") == "page.paper_seat":
        access.seats.add_on_paper(table, name)
        return
    seat = str(move.get("seat"))[:80]
    if seat not in hall.seats(table):
        raise Refused("There is no such seat at this table.")
    match move.get("move"):
        case "page.rename_seat":
            access.seats.rename(seat, name)
        case "page.free_seat":
            access.seats.set_on_paper(seat, False)
            access.seats.leave(seat)
        case "page.on_paper":
            access.seats.leave(seat)
            access.seats.set_on_paper(seat, True)
        case "page.remove_seat":
            access.seats.remove(seat)
