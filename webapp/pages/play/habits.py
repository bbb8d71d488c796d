"""What a seat has chosen for all evenings: standing orders, real dice, how its pages look."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.access import Seat
from webapp.pages.play.part import PhonePart
from webapp.rules.state import TOLD
from webapp.ui.live import OK, Answer, Item, Piece
from webapp.ui.markup import move_attrs
from webapp.ui.page import TableView

# What a seat may choose for its pages, kept with its standing orders.
LOOKS: dict[str, tuple[str, dict[str, str]]] = {
    "look.text": ("Size of the text", {"": "Normal", "large": "Large", "largest": "Largest"}),
    "look.contrast": ("Colours", {"": "Night", "more": "High contrast"}),
}


class Look(PhonePart):
    """How this seat likes its pages: gritboard.css reads it."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        self.look = Piece(Item("look", "", tag="i", classes="look"))

    def draw(self) -> None:
        self.look.show(Item("look", "", tag="i", classes="look", attrs=self._look()))

    def _look(self) -> dict[str, str]:
        seat = self.view.own_seat()
        orders = {} if seat is None else seat.orders
        return {"hidden": "", **{f"data-{name.removeprefix('look.')}": orders.get(name, "") for name in LOOKS}}


class Habits(PhonePart):
    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        assert self.viewer.seat is not None
        access, wanted, value = self.page.hall.access, str(move.get("name")), str(move.get("value"))
        match name:
            case "page.order" if self._may_order(move.get("name"), move.get("value")):
                access.seats.set_order(self.viewer.seat, wanted, value)
            case "page.look" if value in LOOKS.get(wanted, ("", {}))[1]:
                access.seats.set_order(self.viewer.seat, wanted, value or None)
            case "page.real_dice":
                access.seats.set_real_dice(self.viewer.seat, move.get("on") is True)
            case _:
                return None
        return OK

    def pieces(self) -> Iterator[Item]:
        self.table.state.note(TOLD)
        seat = self.view.own_seat()
        if seat is not None:
            yield from self._orders(seat)
            yield from self._dice(seat)
            yield from self._looks(seat)

    def orders(self) -> Iterator[Item]:
        """What is always answered alike."""
        self.table.state.note(TOLD)
        seat = self.view.own_seat()
        yield from () if seat is None else self._orders(seat)

    def _orders(self, seat: Seat) -> Iterator[Item]:
        for order in self.picture.standing_orders():
            yield Item(f"habits {order.name}", order.title, tag="h2", classes="wide")
            given = seat.orders.get(order.name, order.values[0][0])
            for value, words in order.values:
                attrs = move_attrs({"move": "page.order", "name": order.name, "value": value}, words)
                attrs |= {"aria-pressed": "true" if value == given else "false"}
                yield Item(f"order {order.name} {value}", words, tag="button", classes="chip", attrs=attrs)

    def _dice(self, seat: Seat) -> Iterator[Item]:
        yield Item("habits dice", "My dice", tag="h2", classes="wide")
        attrs = move_attrs({"move": "page.real_dice", "on": not seat.real_dice}, "I roll real dice")
        attrs |= {"aria-pressed": "true" if seat.real_dice else "false"}
        yield Item("real dice", "I roll real dice", tag="button", classes="chip", attrs=attrs)

    def _looks(self, seat: Seat) -> Iterator[Item]:
        for name, (title, values) in LOOKS.items():
            yield Item(f"habits {name}", title, tag="h2", classes="wide")
            for value, words in values.items():
                attrs = move_attrs({"move": "page.look", "name": name, "value": value}, f"{title}: {words}")
                attrs |= {"aria-pressed": "true" if seat.orders.get(name, "") == value else "false"}
                classes = "chip short" if len(values) > 2 else "chip"
                yield Item(f"look {name} {value}", words, tag="button", classes=classes, attrs=attrs)

    def _may_order(self, name: object, value: object) -> bool:
        return any(name == order.name and order.allows(value) for order in self.picture.standing_orders())
