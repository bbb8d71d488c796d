"""The TV on the wall. It is always in one of a few named states; `data-state` says in which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from markupsafe import Markup
from nicegui import ui

from webapp.rules.cards_view import Card
from webapp.rules.document import Cover, Side
from webapp.rules.encounter import Phase
from webapp.rules.lines_view import LineView
from webapp.stage import Act
from webapp.ui import tv, tv_act, tv_fight
from webapp.ui.alarm import Alarm
from webapp.ui.calls import face_down
from webapp.ui.live import Answer, Item, Piece
from webapp.ui.markup import join, ribbon
from webapp.ui.page import TableView
from webapp.ui.poster import poster

PAGE = 12
LEAST_OF_A_SIDE = 6
KNOTS = 4  # two lines of two
PAGE_SECONDS = 8.0
SOON = 0.1
SHOWN_SECONDS = 6.0
TURNED_SECONDS = 8.0
FALLEN_SECONDS = 12.0
RIBBON_LETTERS = 135
BEAT = Markup('<span class="beat" role="img" aria-label="live"></span>')
NOTHING = Markup("")
NOT_MIRRORED = "Extend the display to this screen, don't mirror it: the GM's page stays the GM's."


class State(StrEnum):
    DOOR = "door"
    TABLE = "table"
    ASK = "ask"
    FIGHT = "fight"
    BLOW = "blow"
    FALLEN = "fallen"
    DYING = "dying"
    ROUND = "round"
    REST = "rest"
    PAUSE = "pause"
    CURTAIN = "curtain"


@dataclass(frozen=True, slots=True)
class Shown:
    """The four pieces of the screen; `fresh`: the dice land before one's eyes."""

    body: Markup
    head: Markup = NOTHING
    lead: Markup = NOTHING
    foot: Markup = NOTHING
    fresh: bool = False


class Screen(TableView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.follow(self.page.hall.wifi.changed)
        self._showing = ""  # the act that is shown large at the moment
        self._seen = self._what_was_before()
        self._covered = False
        self._alarm = Alarm(self.mark)
        self._closing.append(self._alarm.stop)
        with ui.element("div").classes("tv") as self.root:
            self.head = Piece(Item("head", "", classes="tv-head"))
            self.lead = Piece(Item("lead", ""))
            self.body = Piece(Item("body", "", tag="section", attrs={"aria-label": "The table"}))
            self.foot = Piece(Item("foot", "", classes="tv-foot", attrs={"aria-live": "polite"}))

    def receive(self, move: dict[str, object], tap: str | None) -> Answer:
        return {"ok": False, "say": "The screen only shows."}

    def draw(self) -> None:
        self._alarm.stop()
        self._overlook()
        state = self.state()
        self._remember(state)
        shown = self._pictures()[state]()
        if self.root.props.get("data-state") != state:
            self.root.props["data-state"] = str(state)
            self.root.update()
        fresh = " fresh" if shown.fresh else ""
        self.head.show(Item("head", shown.head, classes="tv-head"))
        self.lead.show(Item("lead", shown.lead, classes=f"lead{fresh}"))
        attrs = {"aria-label": "The table"}
        self.body.show(Item("body", shown.body, tag="section", classes=f"{state}{fresh}", attrs=attrs))
        self.foot.show(Item("foot", shown.foot, classes=f"tv-foot{fresh}", attrs={"aria-live": "polite"}))

    # --- which state

    def state(self) -> State:
        """What holds everybody up comes first, then what has just happened, then how things stand."""
        cover, act = self.picture.cover(), self.picture.act()
        if cover is not Cover.OPEN:
            return State.CURTAIN if cover is Cover.CURTAIN else State.PAUSE
        fight = self.picture.fight()
        if fight is not None and fight.waiting_for:
            act = None  # the dice of initiative are nobody's act
        if act is not None and act.waits:
            return State.BLOW
        if self.picture.calls() or self._just_turned_over():
            return State.ASK
        if self._just_fallen():
            return State.FALLEN
        rest = fight is None and self.picture.rest() is not None
        if act is not None and not rest and self._is_new(act.id, act.at, SHOWN_SECONDS):
            return State.BLOW
        if any(card.dying is not None for card in self._heroes()):
            return State.DYING
        if fight is not None:
            return State.ROUND if fight.phase is Phase.OVER else State.FIGHT
        if rest:
            return State.REST
        return State.DOOR if self._chairs_wait() else State.TABLE

    def _just_turned_over(self) -> bool:
        turned = self.picture.turned_over()
        return turned is not None and self._is_new(turned.id, turned.at, TURNED_SECONDS)

    def _just_fallen(self) -> bool:
        fallen = self.picture.fallen()
        return fallen is not None and self._is_new(fallen.id, fallen.at, FALLEN_SECONDS)

    def _chairs_wait(self) -> bool:
        """Nothing has been played yet, and not everybody has a hero."""
        heroes = self._heroes()
        return self.picture.last_roll() is None and (
            not heroes or bool(self.picture.free_heroes() or self._choosing())
        )

    # --- what is large for a few seconds is no state: it does not come back when the page is loaded again

    def _what_was_before(self) -> set[str]:
        large = (self.picture.act(), self.picture.turned_over(), self.picture.fallen())
        return {one.id for one in large if one is not None}

    def _overlook(self) -> None:
        """What was done while the screen was covered is not shown large when it opens."""
        covered = self.picture.cover() is not Cover.OPEN
        if self._covered and not covered:
            self._seen |= self._what_was_before()
        self._covered = covered

    def _is_new(self, id: str, at: datetime | None, seconds: float) -> bool:
        """Did this come while the page was open, and not longer ago?"""
        if id in self._seen or at is None:
            return False
        left = seconds - (self._now() - at).total_seconds()
        if left > 0:
            self._alarm.set(max(SOON, left))
        return left > 0

    def _remember(self, state: State) -> None:
        """What was large and no longer is has been seen."""
        act, turned, fallen = self.picture.act(), self.picture.turned_over(), self.picture.fallen()
        large = {State.BLOW: act, State.ASK: turned, State.FALLEN: fallen}.get(state)
        now = "" if large is None else large.id
        if self._showing and self._showing != now:
            self._seen.add(self._showing)
        self._showing = now

    def _now(self) -> datetime:
        return self.page.hall.clock()

    # --- the states, one after another

    def _pictures(self) -> dict[State, Callable[[], Shown]]:
        return {
            State.DOOR: self._door,
            State.TABLE: self._table,
            State.ASK: self._ask,
            State.FIGHT: self._fight,
            State.BLOW: self._blow,
            State.FALLEN: self._fallen,
            State.DYING: self._dying,
            State.ROUND: self._round,
            State.REST: self._rest,
            State.PAUSE: self._pause,
            State.CURTAIN: self._curtain,
        }

    def _head(self) -> Markup:
        join_in = Markup('<span class="quiet">Join with <b>{}</b></span>').format(self.row.code)
        at = Markup('<span class="where">{}</span>').format(tv_fight.where(self.picture.fight()))
        return Markup("<h1>{}</h1>{}{}{}").format(self.picture.name(), at, join_in, BEAT)

    def _poster(self) -> Markup:
        wifi = self.page.hall.wifi.wifi
        shown = wifi if wifi is not None and wifi.on_screen else None
        return poster(self.page.hall.addresses(), self.row.code, others=2, wifi=shown)

    def _door(self) -> Shown:
        free = self.picture.free_heroes()
        taken = [card for card in self._heroes() if card not in free]
        body = Markup('{}<h2>At the table</h2>{}<p class="quiet hint">{}</p>').format(
            self._poster(), tv.chairs(taken, free, self._choosing()), NOT_MIRRORED
        )
        return Shown(head=Markup("<h1>{}</h1>{}").format(self.picture.name(), BEAT), body=body)

    def _table(self) -> Shown:
        wanted = Markup('<aside class="corner">{}</aside>').format(self._poster()) if self._free() else Markup("")
        cards, which = self._page(self._heroes(), PAGE)
        members = join(tv.member(card) for card in cards)
        body = Markup('<div class="everybody"><h2>At the table {}</h2><ul class="party">{}</ul></div>{}').format(
            which, members, wanted
        )
        return Shown(head=self._head(), body=body, foot=tv_act.last(self._last()))

    def _ask(self) -> Shown:
        """The cards lie face down until all are in, or the GM turns them over."""
        calls, turned = self.picture.calls(), self.picture.turned_over()
        if calls or turned is None:
            return Shown(head=self._head(), body=face_down(calls))
        return Shown(head=self._head(), body=tv_act.turned(turned), fresh=turned.id not in self._seen)

    def _fight(self) -> Shown:
        fight = self.picture.fight()
        assert fight is not None
        return self._with_everybody(tv_fight.order(fight, self._cards()))

    def _round(self) -> Shown:
        fight = self.picture.fight()
        assert fight is not None
        return self._with_everybody(tv_fight.round_over(fight, self.picture.cards()))

    def _with_everybody(self, order: Markup) -> Shown:
        body = order + self._roster()
        foot = Markup('<div class="ribbon">{}</div>{}').format(self._ribbon(), tv_act.last(self._last()))
        return Shown(head=self._head(), body=body, foot=foot)

    def _blow(self) -> Shown:
        act = self.picture.act()
        assert isinstance(act, Act)
        foot = Markup('<div class="ribbon">{}</div>').format(self._ribbon())
        return Shown(
            head=self._head(),
            lead=tv_act.duel(act, self._cards()),
            body=tv_act.thrown(act),
            foot=foot,
            fresh=act.line is not None and act.id not in self._seen,
        )

    def _fallen(self) -> Shown:
        fallen = self.picture.fallen()
        assert fallen is not None
        return Shown(head=self._head(), body=tv.fallen(fallen), foot=tv.members(self._standing()))

    def _dying(self) -> Shown:
        fight, heroes = self.picture.fight(), self._heroes()
        body = Markup('<div class="last-hour">{}</div>').format(tv.dying(heroes, fight, self.picture.last_words()))
        if fight is not None:
            foes, which = self._page(self._of(Side.FOE), PAGE // 2)
            around = Markup('{}{}<div class="side">{}</div>')
            body = around.format(tv_fight.order(fight, self._cards()), body, tv.side("Foes", foes, which))
        return Shown(head=self._head(), body=body, foot=tv_act.last(self._last()))

    def _rest(self) -> Shown:
        rest = self.picture.rest()
        assert rest is not None
        return Shown(head=self._head(), body=tv.rested(rest), foot=tv.members(self._heroes()[:PAGE]))

    def _pause(self) -> Shown:
        head = Markup("<h1>{}</h1>{}").format(self.picture.name(), BEAT)
        return Shown(head=head, body=tv.pause(self._heroes()[:PAGE]))

    def _curtain(self) -> Shown:
        return Shown(body=tv.curtain(self.picture.name()), foot=BEAT)

    # --- who is there

    def _cards(self) -> dict[str, Card]:
        return {card.id: card for card in self.picture.cards()}

    def _of(self, side: Side) -> list[Card]:
        return [card for card in self.picture.cards() if card.side is side]

    def _heroes(self) -> list[Card]:
        return self._of(Side.HERO)

    def _standing(self) -> list[Card]:
        return [card for card in self._heroes() if card.down is None][:LEAST_OF_A_SIDE]

    def _free(self) -> bool:
        return bool(self.picture.free_heroes())

    def _choosing(self) -> list[str]:
        """Those who sit at the table and have no hero yet."""
        play = {seat for one in self.table.state.characters() for seat in one.seats}
        return [seat.name for seat in self.page.hall.seats(self.row.id).values() if seat.id not in play]

    def _last(self) -> LineView | None:
        """The roll that was large a moment ago; what came to many since then has made its figures old."""
        act = self.picture.act()
        if act is None and self.picture.turned_over() is not None:
            return None
        return self.picture.last_roll() if act is None or act.line is None else act.line

    def _ribbon(self) -> Markup:
        return ribbon(self.picture.ribbon(), room=RIBBON_LETTERS)

    def _roster(self) -> Markup:
        """Both sides; where they are more than twelve, each turns its pages by itself."""
        heroes, foes = self._heroes(), self._of(Side.FOE)
        room = min(len(heroes), max(LEAST_OF_A_SIDE, PAGE - len(foes)))
        sides = (("Party", heroes, room), ("Foes", foes, PAGE - room))
        told = join(
            Markup('<div class="side">{}</div>').format(tv.side(title, *self._page(cards, size)))
            for title, cards, size in sides
            if cards
        )
        rows = [min(len(heroes), room), min(len(foes), PAGE - room)]
        even = max(rows) <= LEAST_OF_A_SIDE
        most = max(rows) if even else -(-sum(rows) // 2)
        knots = self._knots(KNOTS if most <= LEAST_OF_A_SIDE else KNOTS // 2)
        return Markup('<div class="around" style="--rows:{}"><div class="roster{}">{}</div>{}</div>').format(
            most, " even" if even else "", told, knots
        )

    def _knots(self, most: int) -> Markup:
        fight = self.picture.fight()
        return NOTHING if fight is None else tv_fight.knots(fight, self._cards(), most)

    def _page(self, cards: list[Card], size: int) -> tuple[list[Card], str]:
        """The page whose turn it is by the clock, and which of how many it is."""
        pages = -(-len(cards) // size)
        if pages <= 1:
            return cards, ""
        turn, over = divmod(self._now().timestamp(), PAGE_SECONDS)
        self._alarm.set(max(SOON, PAGE_SECONDS - over))
        page = int(turn) % pages
        return cards[page * size : (page + 1) * size], f"{page + 1} of {pages}"
