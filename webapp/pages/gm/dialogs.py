"""The dialogs, made once; what is in them is drawn anew only where it changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.pages.gm.bar import keys
from webapp.pages.gm.damage import DamageForm
from webapp.pages.gm.house import HouseRules
from webapp.rules.document import Side
from webapp.rules.people import Assign
from webapp.rules.sight import Sight
from webapp.rules.state import PEOPLE
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.markup import move_attrs, submit
from webapp.ui.page import TableView
from webapp.ui.part import Part
from webapp.ui.poster import door, invitation, wifi_form, write_wifi
from webapp.ui.seats import change_seat, seat_list
from webapp.ui.starts import other_starts
from webapp.ui.tables import kept_tables, new_table, random_tables
from webapp.ui.tray import tray_form


class Dialogs(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        with _dialog("damage", "Damage to many at once"):
            self.damage = DamageForm(view)
        with _dialog("find", "Find"):
            Piece(_find_form())
        with _dialog("add", "Add foes"):
            self.starts = Shelf(classes="starts")
        with _dialog("invite", "Invite"):
            self.invite = Shelf(classes="invite")
        with _dialog("seats", "Seats"):
            self.seats = Shelf(classes="seat-list")
        with _dialog("dice", "Dice"):
            Piece(tray_form())
        with _dialog("tables", "Random tables"):
            self.tables = Shelf(classes="acts")
            Piece(new_table())
            self.kept = Shelf(classes="acts")
        with _dialog("keys", "Keys"):
            Piece(Item("list", keys(), tag="dl", classes="keys"))
        with _dialog("house", "House rules"):
            self.house = HouseRules(view)

    def draw(self) -> None:
        self.seats.show(self.drawn_as_picked("seats", pieces=self._seat_list))
        self.invite.show(self.drawn("invite", *door(self.page.hall), pieces=self._invite))
        self.house.draw()
        self.damage.draw()
        self.tables.show(self.drawn("tables", pieces=self._tables))
        self.kept.show(self.drawn("kept tables", pieces=self._kept_tables))
        self.starts.show(self.drawn("starts", pieces=self._start_forms))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        match name:
            case "page.paper_seat" | "page.rename_seat" | "page.free_seat" | "page.on_paper":
                change_seat(self.page.hall, self.row.id, move)
            case "page.remove_seat":
                self._remove_seat(move)
            case "page.wifi" | "page.forget_wifi":
                write_wifi(self.page.hall.wifi, move)
            case _:
                return self.damage.at_page(name, move)
        return OK

    def _tables(self) -> Iterator[Item]:
        yield from random_tables(self.picture.tables(), Sight(self.table.state, self.viewer))

    def _kept_tables(self) -> Iterator[Item]:
        yield from kept_tables(self.picture.own_tables())

    def _start_forms(self) -> Iterator[Item]:
        """Foes of the rule sets in play."""
        groups = self.picture.start_groups(Side.FOE)
        for start in groups[0].starts if groups else ():
            move = {"move": "table.add_characters", "side": "foe", "sheets": {groups[0].game: start.body}}
            words = Markup(
                '<div><b>{0}</b><p class="quiet">{1}</p></div><div class="fields"><label class="field"><span>Name'
                '</span><input name="name" value="{0}" maxlength="40" required></label>'
                '<label class="field number"><span>How many</span>'
                '<input name="copies" type="number" min="1" max="20" value="1" required>'
                "</label>{3}</div>{2}"
            ).format(start.name, start.line, submit("Add"), other_starts(groups[1:]))
            attrs = move_attrs(move, f"Add {start.name}")
            yield Item(start.id, words, tag="form", classes="form start", attrs=attrs)

    def _seat_list(self) -> Iterator[Item]:
        self.table.state.note(PEOPLE)
        yield from seat_list(self.page.hall, self.row.id, self.picture, self.picked)

    def _invite(self) -> Iterator[Item]:
        yield from invitation(self.page.hall, self.row.code)
        yield from wifi_form(self.page.hall.wifi)

    def _remove_seat(self, move: dict[str, Any]) -> None:
        """Its heroes wait for another player."""
        seat = str(move.get("seat"))[:80]
        change_seat(self.page.hall, self.row.id, move)
        for card in self.picture.driven_by(seat):
            others = [other for other in self.table.state.character(card.id).seats if other != seat]
            self.table.do({"move": Assign.kind(), "character": card.id, "seats": others}, self.viewer)


def _find_form() -> Item:
    inside = Markup(
        '<label class="field"><span>Name, or its beginning</span><input name="name" maxlength="40" required'
        ' autofocus autocomplete="off"></label>{}'
    ).format(submit("Open the card"))
    attrs = move_attrs({"move": "page.find"}, "Find") | {"data-reset": ""}
    return Item("find", inside, tag="form", classes="form", attrs=attrs)


def _dialog(name: str, title: str) -> ui.element:
    dialog = ui.element("dialog").props(f'id={name} aria-label="{title}"')
    with dialog:
        Piece(Item("title", title, tag="h2"))
        Piece(Item("close", "Close", tag="button", classes="button small close", attrs={"data-close": ""}))
    return dialog
