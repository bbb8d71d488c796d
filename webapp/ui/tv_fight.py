"""The fight on the big screen: its order, its knots, and the end of a round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from math import sqrt
from textwrap import wrap

from markupsafe import Markup

from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.fights_view import FightView, SlotView, nothing_up
from webapp.ui.face import face
from webapp.ui.fight import MOST_STATES, by_number, how_it_comes, place, state_mark
from webapp.ui.markup import bar, briefs, icon, join
from webapp.ui.tv import Cards

LETTERS = 36  # of names in one line beside the number of a count
FEW_COUNTS = 2  # more names of each have room
ROOM = 20  # below the one who is up, in half lines: a count takes two for each line and one for its gap
BOX, COLUMN, MOST_GROWN = 11, 33, 1.6  # the one who is up and all that the order may take, in half lines too
FEW_STATES = 2
MOST_FACES, KNOT_LETTERS = 4, 30  # of those who are close to each other


def where(fight: FightView | None) -> str:
    """The round and the count, in a few words."""
    if fight is None:
        return ""
    now = f"Count {fight.number}" if fight.counted else str(fight.up_name)
    at = nothing_up(fight) if fight.number is None else now
    return at if at.startswith("Round") else f"Round {fight.round} · {at}"


def order(fight: FightView, cards: Cards) -> Markup:
    """The number the round has counted down to, who is up, and the next few."""
    if fight.waiting_for:
        called = Markup('<p class="stage">Roll {}</p><p class="quiet">Still to come: {}</p>').format(
            fight.called, _few(list(fight.waiting_for), 6 * LETTERS)
        )
        return _order(fight, called, 1)
    up = next((slot for slot in fight.slots if slot.state == "up"), None)
    now = (
        Markup('<p class="stage">{}</p>').format(nothing_up(fight))
        if up is None
        else _up(up, cards.get(up.character))
    )
    held = [slot.name for slot in fight.slots if slot.state == "held"]
    holds = (
        Markup('<p class="holds">{} Holding back: {}</p>').format(icon("held"), _few(held, LETTERS)) if held else ""
    )
    coming, used = _next(fight, cards, ROOM - (3 if held else 0))
    return _order(fight, now + holds + coming, grown(used + (3 if held else 0)))


def _order(fight: FightView, words: Markup, grow: float) -> Markup:
    return Markup('<div class="order" style="--grow:{}"><p class="round">Round {}</p>{}</div>').format(
        grow, fight.round, words
    )


def grown(lines: int) -> float:
    """How much larger the order may be drawn so that it fills its column: larger letters also take more lines."""
    below = max(lines, 1)
    return round(min(max((sqrt(BOX * BOX + 4 * below * COLUMN) - BOX) / (2 * below), 1), MOST_GROWN), 2)


def knots(fight: FightView, cards: Cards, most: int) -> Markup:
    """Who is in whose face: their faces in a row, and as many names as there is room for."""
    sides = {card.name: card.side for card in cards.values()}
    shown = join(
        Markup('<li><span class="faces">{}</span>{}</li>').format(
            join(face(one, sides.get(one, Side.FOE)) for one in knot[:MOST_FACES]), _as_many(knot)
        )
        for knot in fight.knots[:most]
    )
    return Markup('<ul class="knots" aria-label="Close to each other">{}</ul>').format(shown) if shown else shown


def _as_many(names: Sequence[str]) -> Markup:
    """As many names as fit in a line beside their faces, at least one, and how many more there are."""
    shown = len(names)
    while shown > 1 and len(", ".join(names[:shown])) > KNOT_LETTERS:
        shown -= 1
    left = len(names) - shown
    more = Markup('<span class="more">+{}</span>').format(left) if left else ""
    return Markup("<b>{}</b>{}").format(", ".join(names[:shown]), more)


def round_over(fight: FightView, cards: Iterable[Card]) -> Markup:
    """How a round has left both sides."""
    here = list(cards)
    stands = join(
        Markup("<li><b>{}</b> {} {}</li>").format(
            sum(one.down is None for one in here if one.side is side),
            icon("here"),
            f"of {sum(one.side is side for one in here)} {words} still up",
        )
        for side, words in ((Side.HERO, "heroes"), (Side.FOE, "foes"))
        if any(one.side is side for one in here)
    )
    words = '<div class="order"><p class="round">End of round {0}</p><p class="stage">Round {0} is over</p>{1}</div>'
    return Markup(words).format(fight.round, Markup('<ul class="standing">{}</ul>').format(stands))


def _up(slot: SlotView, card: Card | None) -> Markup:
    health = "" if card is None else card.down or card.health
    return Markup(
        '<div class="slot up {}">{}<span class="who">'
        '<b style="--letters:{}">{}</b><span class="line">{}<small>{}</small></span>{}</span></div>'
    ).format(
        slot.side,
        place(slot),
        len(slot.name),
        slot.name,
        Markup("{}{}").format(state_mark(slot), briefs(card, most=MOST_STATES)),
        health,
        bar(None if card is None else card.share, f"health of {slot.name}"),
    )


def _next(fight: FightView, cards: Cards, room: int) -> tuple[Markup, int]:
    """As many counts as there is room for, at least one, how many more there are, and what room they take."""
    coming = list(by_number(slot for slot in fight.slots if slot.state == "coming"))
    shown: list[Markup] = []
    letters, used = (2 if len(coming) > FEW_COUNTS else 4) * LETTERS, 0
    for _, slots in coming:
        names = _coming(slots, cards, letters)
        takes = 2 * len(wrap(names.striptags(), LETTERS)) + (1 if slots[0].place.isdecimal() else 3)
        if shown and used + takes > room:
            break
        used += takes
        shown.append(Markup('<li class="count">{}<span>{}</span></li>').format(place(slots[0]), names))
    left = len(coming) - len(shown)
    more = Markup('<p class="quiet">then {} more {}</p>').format(left, "count" if left == 1 else "counts")
    return Markup('<ol class="countdown">{}</ol>{}').format(join(shown), more if left else ""), used


def _coming(slots: list[SlotView], cards: Cards, letters: int) -> Markup:
    """Who comes at one number, those alike under one mark: held until then, or surprised."""
    parts = []
    for (_, down, _), alike in groupby(slots, key=lambda slot: how_it_comes(slot, cards.get(slot.character))):
        several = list(alike)
        names = _few([slot.name for slot in several], letters)
        held = several[0].since is not None
        mark = Markup(' <span class="held">{} held</span>').format(icon("held")) if held else ""
        states = briefs(cards.get(several[0].character), most=FEW_STATES)
        parts.append(Markup("{}{}{}{}").format(names, " " if down else "", down or mark, states))
    return Markup(", ").join(parts)


def _few(names: list[str], letters: int) -> str:
    """As many names as fit into so many letters, at least one, and how many more there are."""
    shown = names[:1]
    for name in islice(names, 1, None):
        if len(", ".join((*shown, name))) + len(" and 10 more") > letters:
            break
        shown.append(name)
    left = len(names) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")
