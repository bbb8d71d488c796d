"""What the big screen is made of: pictures of fighters, of an act and of its odds, for four metres away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, islice
from math import sqrt
from textwrap import wrap

from markupsafe import Markup

from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.fights_view import FightView, SlotView, nothing_up
from webapp.rules.lines_view import LineView, RollView
from webapp.rules.text import number, render
from webapp.stage import Act, Actor, Fallen, Rested, TurnedOver
from webapp.ui.face import LETTER, face
from webapp.ui.fight import MOST_STATES, acts_when, by_number, place, state_mark
from webapp.ui.markup import PLAIN, bar, briefs, icon, join, outcome, percent, roll

LETTERS = 36  # of names in one line beside the number of a count
FEW_COUNTS = 2  # more names of each have room
ROOM = 20  # below the one who is up, in half lines: a count takes two for each line and one for its gap
BOX, COLUMN, MOST_GROWN = 11, 33, 1.6  # the one who is up and all that the order may take, in half lines too
FEW_STATES = 2
MOST_FACES, KNOT_LETTERS = 4, 30  # of those who are close to each other
STATES = 30  # letters of states beside a fighter's health
ROLLS = 2
MOST_DICE = 24
MOST_WORDS = 12
MOST_BROUGHT = 16
FEW_WORDS = 6
MOST_FALLEN = 4
ROOM_BELOW = (6, 5, 5, 3)  # for other heroes, below as many who are dying
NUMBERS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")

Cards = Mapping[str, Card]

# Hills under a moon: all there is to see while the GM has covered the screen.
NIGHT = Markup(
    '<svg class="night" viewBox="0 0 160 90" preserveAspectRatio="xMidYMax slice" aria-hidden="true">'
    '<circle class="moon" cx="122" cy="24" r="9"/><path class="far" d="M0 62q22-18 44-6t40-4 40 2 36-10v46H0z"/>'
    '<path class="mid" d="M0 72q30-16 58-4t48-4 54 0v26H0z"/>'
    '<path class="near" d="M0 82q40-14 82-4t78-6v18H0z"/></svg>'
)


# --- fighters ----------------------------------------------------------------------------------------------


def member(card: Card, *, states: int = STATES, more: str = "") -> Markup:
    """One of the table: face, name, health and states, as far as they may be known; `more` stands before them."""
    how = (
        Markup('<span class="state down">{} {}</span>').format(icon("skull"), card.down)
        if card.down
        else Markup('<span class="health">{}</span>').format(card.health)
    )
    return Markup(
        '<li class="{}">{}<span class="who"><b style="--letters:{}">{}</b>'
        '<span class="line">{}{}{}</span>{}</span></li>'
    ).format(
        card.side,
        face(card.name, card.side),
        len(card.name),
        name(card.name),
        Markup('<span class="when">{}</span>').format(more) if more else "",
        how,
        _states(card, states - len(card.down or "")),
        bar(card.share, f"health of {card.name}"),
    )


def name(whole: str) -> Markup:
    """A name that may be cut, but never the letter that tells it from others alike."""
    apart = LETTER.search(whole)
    if apart is None:
        return Markup('<span class="kind">{}</span>').format(whole)
    return Markup('<span class="kind">{} </span><span>{}</span>').format(whole[: apart.start()], apart[0].strip())


def _states(card: Card, room: int) -> Markup:
    """As many as there is room for, at least one, and how many more there are."""
    notes = [(note, render(note.brief, PLAIN)) for note in card.notes if note.brief is not None]
    notes = [(note, words) for note, words in notes if words not in (card.down or "")]
    shown: list[Markup] = []
    for note, words in notes:
        room -= len(words) + 4
        if room < 0 and shown:
            break
        shown.append(Markup('<span class="state">{} {}</span>').format(icon(note.icon), words))
    left = len(notes) - len(shown)
    more = Markup('<span class="state">+{}</span>').format(left) if left else Markup("")
    return join(shown) + more


def side(title: str, cards: Iterable[Card], which: str) -> Markup:
    page = Markup(' <small class="page">{}</small>').format(which) if which else ""
    return Markup("<h2>{}{}</h2>{}").format(title, page, members(cards))


def members(cards: Iterable[Card]) -> Markup:
    return Markup('<ul class="party">{}</ul>').format(join(member(card) for card in cards))


def faces(cards: Iterable[Card]) -> Markup:
    return Markup('<ul class="here">{}</ul>').format(
        join(Markup("<li>{}<b>{}</b></li>").format(face(card.name, card.side), card.name) for card in cards)
    )


def chairs(taken: Sequence[Card], free: Sequence[Card], choosing: Sequence[str]) -> Markup:
    """Who has joined, who is still choosing, and which heroes are free."""
    if not (taken or free or choosing):
        return Markup('<p class="quiet">Nobody yet: who is first?</p>')
    told = [
        *((face(card.name, card.side), card.name, icon("here"), "is here", "taken") for card in taken),
        *((face(name), name, icon("coming"), "is choosing a hero", "choosing") for name in choosing),
        *((face(card.name, card.side), card.name, icon("hero"), "is free", "free") for card in free),
    ]
    shown = join(
        Markup('<li class="{}">{}<span class="who"><b>{}</b><small>{} {}</small></span></li>').format(
            kind, drawn, name, mark, words
        )
        for drawn, name, mark, words, kind in told[:MOST_WORDS]
    )
    left = len(told) - MOST_WORDS
    more = Markup('<li class="quiet">and {} more</li>').format(left) if left > 0 else ""
    return Markup('<ul class="here">{}{}</ul>').format(shown, more)


# --- the fight ---------------------------------------------------------------------------------------------


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
    for _, alike in groupby(slots, key=lambda slot: (slot.since, briefs(cards.get(slot.character)))):
        several = list(alike)
        names = _few([slot.name for slot in several], letters)
        held = several[0].since is not None
        mark = Markup(' <span class="held">{} held</span>').format(icon("held")) if held else ""
        states = briefs(cards.get(several[0].character), most=FEW_STATES)
        parts.append(Markup("{}{}{}").format(names, mark, states))
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


def dying(heroes: Sequence[Card], fight: FightView | None, then: Mapping[str, str]) -> Markup:
    """Rounds left, large, and who could help; `then` is what the end of the round brings to each."""
    lost = [card for card in heroes if card.dying is not None]
    able = _able_to_help(lost, [card for card in heroes if card.down is None])
    clocks = join(_last_rounds(card, then.get(card.id), alone=len(lost) == 1) for card in lost[:3])
    more = Markup('<li class="quiet">and {} more</li>').format(len(lost) - 3) if len(lost) > 3 else ""
    last = all((card.dying or 0) < 2 for card in lost)
    room = ROOM_BELOW[min(len(lost), 3)]
    helpers = join(_helper(card, fight, last=last) for card in able[:room])
    left = Markup('<li class="quiet">and {} more</li>').format(len(able) - room) if len(able) > room else ""
    title = "Who can help" if able else "Nobody is left who could help"
    others = [card for card in heroes if card not in lost and card not in able][: max(0, room - len(able))]
    told = Markup("<h2>{}</h2>{}").format("The others", members(others)) if others else ""
    return Markup('<ul class="clocks">{}{}</ul><h2>{}</h2><ul class="party helpers">{}{}</ul>{}').format(
        clocks, more, title, helpers, left, told
    )


def _able_to_help(lost: Sequence[Card], standing: list[Card]) -> list[Card]:
    """Where it is known who could help each of them, those alone."""
    if not all(card.helped_by for card in lost):
        return standing
    known = {who for card in lost for who in card.helped_by}
    return [card for card in standing if card.id in known]


def fallen(told: Fallen) -> Markup:
    """Whom the table has lost, and by what."""
    heroes = join(
        Markup(
            '<li>{}<span class="who"><b style="--letters:{}">{}</b><span class="state">{} is dead</span>'
            "<small>{}</small></span></li>"
        ).format(face(one.name, Side.HERO), len(one.name), one.name, icon("skull"), one.words)
        for one in told.heroes[:MOST_FALLEN]
    )
    left = len(told.heroes) - MOST_FALLEN
    more = Markup('<li class="quiet">and {} more</li>').format(left) if left > 0 else ""
    alone = " alone" if len(told.heroes) == 1 else ""
    return Markup('<ul class="lost{}">{}{}</ul>').format(alone, heroes, more)


def _last_rounds(card: Card, then: str | None, *, alone: bool) -> Markup:
    words = "last round" if card.dying == 1 else "rounds left"
    coming = Markup('<span class="state">Then: {}</span>').format(then) if then else Markup("")
    return Markup(
        '<li class="dying{}">{}<span class="who"><b style="--letters:{}">{}</b>'
        '<span class="state">{} dying</span>{}</span><span class="left"><b>{}</b> {}</span></li>'
    ).format(
        " alone" if alone else "",
        face(card.name, card.side),
        len(card.name),
        card.name,
        icon("skull"),
        coming,
        number(card.dying or 0),
        words,
    )


def _helper(card: Card, fight: FightView | None, *, last: bool) -> Markup:
    """When this one may help; in the `last` round the next one is too late."""
    return member(card, more=acts_when(card.id, fight, last=last))


# --- the act in hand ---------------------------------------------------------------------------------------


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


# --- between the acts --------------------------------------------------------------------------------------


def rested(rest: Rested) -> Markup:
    words = rest.words[:MOST_BROUGHT]
    lines = join(Markup("<li>{}</li>").format(one) for one in words) or Markup(
        '<li class="quiet">All is as it was.</li>'
    )
    left = len(rest.words) - len(words)
    more = Markup('<li class="quiet">and {} more</li>').format(left) if left else ""
    return Markup('<p class="stage">{}</p><ul class="brought{}">{}{}</ul>').format(
        rest.title, " few" if len(words) <= FEW_WORDS else "", lines, more
    )


def pause(heroes: Iterable[Card]) -> Markup:
    return Markup('<p class="stage">Pause</p><p class="quiet">The game goes on in a moment.</p>{}').format(
        faces(heroes)
    )


def curtain(name: str) -> Markup:
    return Markup('{}<h1 style="--letters:{}">{}</h1>').format(NIGHT, len(name), name)
