"""What the big screen is made of, for four metres away: pictures of fighters, of who is dying, of pauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.fights_view import FightView
from webapp.rules.text import number, render
from webapp.stage import Fallen, Rested
from webapp.ui.face import LETTER, face
from webapp.ui.fight import acts_when
from webapp.ui.markup import PLAIN, bar, icon, join

STATES = 30  # letters of states beside a fighter's health
MOST_WORDS = 12
MOST_BROUGHT = 16
FEW_WORDS = 6
MOST_FALLEN = 4
ROOM_BELOW = (6, 5, 5, 3)  # for other heroes, below as many who are dying

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


# --- the dying and the fallen ------------------------------------------------------------------------------


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
