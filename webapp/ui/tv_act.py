"""The act in hand on the big screen: who acts, the dice, the odds, and what came of it."""

from __future__ import annotations

from fractions import Fraction

from markupsafe import Markup

from webapp.rules.document import Side
from webapp.rules.lines_view import LineView, RollView
from webapp.rules.text import number
from webapp.stage import Act, Actor, TurnedOver
from webapp.ui.face import face
from webapp.ui.markup import bar, icon, join, outcome, percent, roll
from webapp.ui.tv import MOST_WORDS, Cards

ROLLS = 2
MOST_DICE = 24
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def duel(act: Act, cards: Cards) -> Markup:
    """Who acts upon whom."""
    if act.by is None:
        return Markup("")
    to = Markup('<span class="then" aria-hidden="true">→</span>{}') if act.to else Markup("{}")
    return Markup('<div class="duel">{}{}</div>').format(
        _actor(act.by, cards), to.format(join(_actor(one, cards) for one in act.to))
    )


def _actor(one: Actor, cards: Cards) -> Markup:
    card = cards.get(one.character or "")
    side = Side.FOE if card is None else card.side
    return Markup(
        '<span class="actor {}">{}<span class="who"><b style="--letters:{}">{}</b>'
        '<span class="vital"><small>{}</small>{}</span></span></span>'
    ).format(
        side,
        face(one.name, side),
        len(one.name),
        one.name,
        "" if card is None else card.down or card.health,
        bar(None if card is None else card.share, f"health of {one.name}"),
    )


def thrown(act: Act) -> Markup:
    """The roll large, its odds below, then what came of it and how the numbers came about."""
    line = act.line
    if line is None:
        return Markup('<p class="stage">{}</p>').format("The dice are rolling" if act.waits else "")
    main = _main(line.rolls)
    others = [one for one in line.rolls if one is not main]
    how = join(Markup("<div>{}</div>").format(roll(one)) for one in (main, *others[:ROLLS]))
    after = join(Markup("<p>{}</p>").format(told.words) for told in act.after[:ROLLS])
    again = Markup(' <b class="again">{} re-rolled</b>').format(icon("again")) if main.again else Markup("")
    return Markup(
        '<p class="what">{}{}</p><div class="throw">{}{}</div>{}'
        '<div class="words" style="--letters:{}"><p>{}</p>{}</div><div class="how">{}</div>'
    ).format(
        main.what,
        again,
        _dice(main),
        _total(main),
        needle(main),
        len(line.words) + sum(len(told.words) for told in act.after[:ROLLS]),
        line.words,
        after,
        how,
    )


def _main(rolls: tuple[RollView, ...]) -> RollView:
    """The last that was judged; else the first, unless the last one is in the place of another."""
    judged = [one for one in rolls if one.verdict is not None]
    return judged[-1] if judged else rolls[-1] if rolls[-1].again else rolls[0]


def _dice(view: RollView) -> Markup:
    tiles = join(
        Markup('<span class="die{}"><small>d{}</small>{}</span>').format(
            "" if kept else " dropped", sides, number(shown)
        )
        for sides, shown, kept in view.dice[:MOST_DICE]
    )
    left = len(view.dice) - MOST_DICE
    more = Markup('<span class="quiet">and {} more</span>').format(left) if left > 0 else ""
    plus = Markup('<span class="plus">{}</span>').format(", ".join(view.modifiers)) if view.modifiers else ""
    return Markup('<span class="dice" style="--dice:{}">{}{}{}</span>').format(
        max(1, len(view.dice)), tiles, more, plus
    )


def _total(view: RollView) -> Markup:
    """The number that fell, with whether it was enough in colour, picture and word."""
    against = Markup("<small>against {}</small>").format(view.target) if view.target else ""
    if view.verdict is None:
        return Markup('<span class="total"><b>{}</b>{}</span>').format(number(view.total), against)
    kind, picture, word = ("made", "here", "made it") if view.verdict else ("missed", "missed", "missed it")
    return Markup('<span class="total {}"><b>{}</b><span class="verdict">{} {}</span>{}</span>').format(
        kind, number(view.total), icon(picture), word, against
    )


def needle(view: RollView) -> Markup:
    """The bar of the odds and where on it the roll fell; nothing where the chance may not be told as a number."""
    if view.fell is None or not isinstance(view.chance, Fraction):
        return Markup("")
    kind = "made" if view.verdict else "missed"
    return Markup(
        '<div class="odds-bar {}" style="--chance:{}%;--fell:{}%"><span class="zone"></span>'
        '<span class="needle"></span><p>{}: <b>{}</b></p></div>'
    ).format(kind, round(float(100 * view.chance), 1), view.fell, percent(view.chance), by_how_much(view))


def by_how_much(view: RollView) -> str:
    """How near it was, in words."""
    made, margin = bool(view.verdict), view.margin
    if margin is None:
        return "made it" if made else "missed it"
    if margin == 0:
        return "just made it"
    much = NUMBERS[abs(margin)] if abs(margin) < len(NUMBERS) else number(abs(margin))
    return f"made it by {much}" if made else f"missed by {much}"


def last(line: LineView | None) -> Markup:
    """The newest roll once it has been seen: its number, its verdict and its words in one row."""
    if line is None:
        return Markup("")
    return Markup('<div class="last">{}<p style="--letters:{}">{}</p></div>').format(
        _total(_main(line.rolls)) if line.rolls else "", len(line.words), line.words
    )


def turned(over: TurnedOver) -> Markup:
    """All results of a call at once."""
    rows = join(
        Markup(
            '<li>{}<span class="who"><b style="--letters:{}">{}</b><span class="result">{}</span></span></li>'
        ).format(face(one.name, one.side), len(one.name), one.name, outcome(one.words, one.made))
        for one in over.results[:MOST_WORDS]
    )
    left = len(over.results) - MOST_WORDS
    more = Markup('<li class="quiet">and {} more</li>').format(left) if left > 0 else ""
    return Markup('<section class="call turned"><h2>{}</h2><ul class="called">{}{}</ul></section>').format(
        over.title, rows, more
    )
