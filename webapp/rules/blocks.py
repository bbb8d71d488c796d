"""What a rule set builds its section of a card of, and in which place and for whose eyes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from webapp.rules.document import Duty
from webapp.rules.roll import Because
from webapp.rules.state import State
from webapp.rules.text import Text, number, text
from webapp.rules.values import Frozen


class Reach(StrEnum):
    """Who of those who see the card may see this block."""

    TABLE = "table"
    OWNER = "owner"
    GM = "gm"


class Place(StrEnum):
    """Where on a player's phone a block belongs; MORE is the sheet's fold, TABLE the GM's list of everybody.

    A block with a `duty` that another rule set has at this table goes to MORE.
    """

    SHEET = "sheet"
    FIGHT = "fight"
    DICE = "dice"
    MORE = "more"
    TABLE = "table"


Odds = Fraction | str | None


class Button(Frozen):
    """A move ready to be sent. `chance` 0 … 1, for a viewer perhaps in words; `why_not` disables it and says why.

    `switched` by the key of a switch of its menu: the button that takes its place while that one is on, with what
    it is while later ones are on too inside. `on` makes it a toggle that stands so. `note` stands below the label.
    `about` is whose figures the chance tells; whoever may not know them sees the `pool` at most.
    `picked` by what is picked on its menu: the button that then takes its place. `first`: what is to be done now.
    `because`: where the chance comes from, for whoever asks.
    """

    label: Text
    note: Text | None = None
    move: dict[str, Any]
    chance: Odds = None
    about: str | None = None
    pool: str = ""
    because: Because = None
    why_not: Text | None = None
    danger: bool = False
    switched: dict[str, Button] = {}
    on: bool | None = None
    picked: dict[str, Button] = {}
    first: bool = False

    def ridden(self, on: Iterable[str]) -> Button:
        """The button as it is with these switches on, told in the order of the menu."""
        button = self
        for key in on:
            button = button.switched.get(key, button)
        return button

    def variants(self) -> list[Button]:
        """It and all that may take its place."""
        ways = (*self.switched.values(), *self.picked.values())
        others = [button.variants() for button in ways]
        return [self, *(variant for found in others for variant in found)]


class Fact(Frozen):
    """`because` tells where it comes from, unless it is simply written on the sheet."""

    type: Literal["fact"] = "fact"
    key: str
    label: Text
    value: Text
    because: Text | None = None
    place: Place = Place.SHEET
    reach: Reach = Reach.TABLE
    duty: Duty | None = None


class Gauge(Frozen):
    """A track with its plus and minus; `at` names the document and path that the buttons count on.

    `die`: the number is the size of a die.
    """

    type: Literal["gauge"] = "gauge"
    key: str
    label: Text
    now: int
    full: int | None = None
    at: tuple[str, ...] = ()
    die: bool = False
    reach: Reach = Reach.OWNER
    duty: ClassVar[Duty | None] = None

    @property
    def shown(self) -> str:
        return f"d{self.now}" if self.die else number(self.now)

    def why_not(self, amount: int) -> Text | None:
        """At its end a track goes no further."""
        if amount < 0 and self.now <= 0:
            return text("It is at {now} already: there is nothing to take off.", now=self.now)
        if amount > 0 and self.at[-1:] == ("now",) and self.full is not None and self.now >= self.full:
            return text("It is full, at {full}: for more, edit the sheet.", full=self.full)
        return None


class Note(Frozen):
    """A state or a remark, in words, with the name of an icon. `brief` is its one word beside a name.

    `because`: how a number in it comes about.
    """

    type: Literal["note"] = "note"
    key: str
    icon: str
    words: Text
    brief: Text | None = None
    because: Text | None = None
    reach: Reach = Reach.TABLE
    duty: ClassVar[Duty | None] = None


class Offers(Frozen):
    """Buttons that are worked out only for whoever looks at them: what of, and how."""

    def buttons(self, state: State) -> Iterator[Button]:
        raise NotImplementedError


class Tab(Frozen):
    """One way; its buttons, or how they come about."""

    key: str
    label: Text
    note: Text | None = None  # what a short label is short for
    buttons: tuple[Button, ...] = ()
    offers: Offers | None = None


class Menu(Frozen):
    """Buttons under one heading, on several tabs when there is more than one way.

    `switches` are chips that ride on all of them, and change their chances; any of them may be on together.
    `why_not` stands in the place of all its buttons. `picks` are chips too, of which
    one at most is on, under a label of their own. `because`: where a number in the label comes from.
    """

    type: Literal["menu"] = "menu"
    key: str
    label: Text
    tabs: tuple[Tab, ...]
    picks: tuple[tuple[str, Text], ...] = ()
    picks_label: Text | None = None
    place: Place = Place.SHEET
    switches: tuple[tuple[str, Text], ...] = ()
    because: Because = None
    why_not: Text | None = None
    reach: Reach = Reach.OWNER
    duty: Duty | None = None

    def open_tab(self, picked: Mapping[str, str]) -> Tab | None:
        """The tab that a page shows, which keeps the picked one of each menu."""
        return next((tab for tab in self.tabs if tab.key == picked.get(self.key)), next(iter(self.tabs), None))


class Input(Frozen):
    """One input of a form; `name` is a path into the move, dots between. `number`: its options are numbers.

    A switch with `checked` set is one of several that together make a list of their values.
    """

    name: str
    label: Text
    kind: Literal["text", "number", "choice", "switch"]
    value: Any = None
    lowest: int | None = None
    highest: int | None = None
    longest: int | None = None
    options: tuple[tuple[str, Text], ...] = ()
    help: Text | None = None
    number: bool = False
    checked: bool | None = None


class Form(Frozen):
    """A move with blanks to fill in. `preview`: a button that shows what it would do, and does nothing.

    `asks`: by it the GM asks the table for a test. `why_not`: whatever is filled in, it can't be done now.
    """

    type: Literal["form"] = "form"
    key: str
    label: Text
    move: dict[str, Any]
    fields: tuple[Input, ...]
    button: Text
    why_not: Text | None = None
    preview: Text | None = None
    asks: bool = False
    place: Place = Place.SHEET
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


class Spot(Frozen):
    """A part of a body: `shade` 0 whole … 3 ruined, its number (0: none), what it means in words.

    `active`: something goes on there.
    """

    key: str
    label: Text
    shade: int = 0
    number: int = 0
    words: Text
    active: bool = False


class Anatomy(Frozen):
    """A body with what became of its parts, drawn, and read out as a list. Any part may have any name.

    `because`: how its numbers come about.
    """

    type: Literal["anatomy"] = "anatomy"
    key: str
    label: Text
    spots: tuple[Spot, ...]
    because: Text | None = None
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


class Vessel(Frozen):
    """A number that spills into its neighbour: `into` the "next" or the one "before"; `harm` is bad when full."""

    key: str
    label: Text
    now: int
    full: int
    into: Literal["next", "before", ""] = ""
    spilling: bool = False
    harm: bool = False
    words: Text | None = None


class Cascade(Frozen):
    """Vessels in a row that run over into one another. `because`: how its numbers come about."""

    type: Literal["cascade"] = "cascade"
    key: str
    label: Text
    vessels: tuple[Vessel, ...]
    because: Text | None = None
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


Block = Annotated[Fact | Gauge | Note | Menu | Form | Anatomy | Cascade, Field(discriminator="type")]


class Helper(Frozen):
    """Somebody who could help, what with, and the chance if it is a matter of chance."""

    who: str
    how: Text
    chance: Fraction | None = None
    because: Because = None


class Plight(Frozen):
    """Somebody is lost unless helped: how long it lasts, and who could."""

    words: Text
    helpers: tuple[Helper, ...] = ()


class Section(Frozen):
    """One rule set's part of a card. `vitals` are the two numbers that always show."""

    title: Text
    vitals: tuple[Gauge, ...] = ()
    blocks: tuple[Block, ...] = ()
    plight: Plight | None = None


class HealthNow(Frozen):
    """`down` says how, for somebody who is out of it; `may_get_up` by themselves: then the fight is not over.

    `dying`: so many rounds are left to live. `lost`: for good.
    """

    now: int
    full: int
    down: Text | None = None
    dying: int | None = None
    may_get_up: bool = False
    lost: bool = False
