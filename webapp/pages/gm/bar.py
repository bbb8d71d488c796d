"""What stands above all columns: the table's name, the ways into the dialogs, and the TV's key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup
from nicegui import ui

from webapp.rules.curtain import Curtain
from webapp.rules.document import Cover, Side
from webapp.rules.text import counted
from webapp.ui.fight import turn_words
from webapp.ui.live import OK, Answer, Item, Piece, Shelf
from webapp.ui.markup import WHY, asks, icon, move_attrs, written
from webapp.ui.page import TableView
from webapp.ui.part import Part

DIALOGS = (
    ("find", "Find", "f"),
    ("add", "Add foes", "a"),
    ("invite", "Invite", "i"),
    ("dice", "Dice", "d"),
    ("tables", "Tables", "t"),
    ("house", "House rules", "r"),
    ("keys", "?", "?"),
)
SELDOM = "button small seldom"
KEYS = (
    ("Space", "What the big button says"),
    ("k", "Ask the table for a test"),
    ("x", "Damage to many at once: a fall, a fire, a blast"),
    ("-", "Damage: one off the health of the open card"),
    ("+", "Healing: one back"),
    ("h", "Hide the open card, or bring it into sight"),
    ("s", "Seats"),
    ("w", "Why? Then tap a number, or press it where the focus is"),
    ("u", "Undo the last row"),
    ("c", "Cover the TV, or show it again"),
)
AT_HAND = ("find", "add")  # also where there is little room; what else there is waits behind "Tools"
HOME = Markup('<a class="home" href="/" aria-label="All tables" title="All tables">{}</a>').format(icon("back"))
TV_KEY = {  # how the TV stands, and what the key does next
    Cover.OPEN: ("Cover TV", Cover.CURTAIN),
    Cover.CURTAIN: ("TV covered", Cover.PAUSE),
    Cover.PAUSE: ("TV: pause", Cover.OPEN),
}


class Bar(Part):
    def __init__(self, view: TableView) -> None:
        super().__init__(view)
        with ui.element("header").classes("top bar"):
            self.title = Piece(Item("title", "", classes="title"))
            self.tools = Shelf(classes="tools")

    def draw(self) -> None:
        self.title.show(*self.drawn("title", pieces=self._title))
        ways_in, ending = self.drawn("ways in", pieces=self._ways_in), self.drawn("ending", pieces=self._ending)
        self.tools.show((*ways_in, *self._undoing(), self._more_tools(), *ending))

    def at_page(self, name: str, move: dict[str, Any]) -> Answer | None:
        if name != "page.ask":
            return None
        self.picked["more table"] = "on"
        self.mark()
        return OK | {"focus": "form[data-asks] select, form[data-asks] input"}

    def _title(self) -> Iterator[Item]:
        hours, minutes = divmod(self.picture.minutes(), 60)
        clock = f"{hours} h {minutes:02d} min" if self.picture.minutes() else ""
        of_clock = written(asks(block="clock")) if clock else ""
        words = Markup('{}<h1>{}</h1><p role="status">{} <span class="quiet"{}>{}</span></p>').format(
            HOME, self.picture.name(), turn_words(self.picture.fight()), of_clock, clock
        )
        yield Item("title", words, classes="title")

    def _ways_in(self) -> Iterator[Item]:
        for dialog, words, key in DIALOGS:
            attrs = {"data-open": dialog, "data-key": key} | ({"aria-label": "Keys"} if words == "?" else {})
            classes = "button small" if dialog in AT_HAND else SELDOM
            yield Item(dialog, words, tag="button", classes=classes, attrs=attrs)
        attrs = move_attrs({"move": "page.ask"}, "Ask the table") | {"data-key": "k"}
        yield Item("ask", "Ask", tag="button", classes="button small", attrs=attrs)
        yield Item("why", "Why?", tag="button", classes=SELDOM, attrs=WHY)

    def _undoing(self) -> Iterator[Item]:
        last = self.picture.last_to_undo()
        if last is not None:
            attrs = move_attrs({"move": "table.undo", "entry": last.id}, "Undo the last row") | {"data-key": "u"}
            yield Item("undo", "Undo", tag="button", classes="button small", attrs=attrs)

    def _more_tools(self) -> Item:
        """Opens what is folded on a narrow page; a wide one shows all and has no use for it."""
        is_open = self.picked.get("tools") == "on"
        attrs = move_attrs({"move": "page.tab", "menu": "tools", "tab": "" if is_open else "on"}, "Tools")
        attrs |= {"aria-expanded": "true" if is_open else "false"}
        return Item("tools", "Tools", tag="button", classes="button small more-tools", attrs=attrs)

    def _ending(self) -> Iterator[Item]:
        """What ends the fight, and what the TV shows."""
        if self.picture.fight() is not None:
            attrs = move_attrs({"move": "table.end_fight"}, "End the fight", sure=self._still_stand())
            yield Item("end", "End the fight", tag="button", classes=f"{SELDOM} danger", attrs=attrs)
        yield self._curtain()
        yield Item("screen", "TV page", tag="a", classes=SELDOM, attrs=_link(f"/t/{self.row.code}/screen"))

    def _still_stand(self) -> str:
        """Who is left, before the fight is ended."""
        fight = self.table.state.fight()
        members = () if fight is None else fight.members
        up = [card.side for card in self.picture.cards() if card.id in members and card.down is None]
        heroes, foes = counted(up.count(Side.HERO), "hero", "heroes"), counted(up.count(Side.FOE), "foe")
        verb = "stands" if len(up) == 1 else "stand"
        return f"End the fight: {heroes} and {foes} still {verb}. Tap again."

    def _curtain(self) -> Item:
        """One key for the TV; from open it covers at once."""
        words, then = TV_KEY[self.picture.cover()]
        attrs = move_attrs({"move": Curtain.kind(), "value": then}, words) | {"data-key": "c"}
        attrs |= {"aria-pressed": "false" if self.picture.cover() is Cover.OPEN else "true"}
        return Item("curtain", words, tag="button", classes=SELDOM, attrs=attrs)


def keys() -> Markup:
    """The list under "?"."""
    known = (*KEYS, *((key, "This list" if words == "?" else words) for _, words, key in DIALOGS))
    return Markup("").join(Markup("<div><dt><kbd>{}</kbd></dt><dd>{}</dd></div>").format(*one) for one in known)


def _link(path: str) -> dict[str, str]:
    return {"href": path, "target": "_blank", "rel": "noopener"}
