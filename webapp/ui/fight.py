"""The countdown and the ribbon as pictures, for phone, laptop and TV alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from markupsafe import Markup

from webapp.rules.cards_view import Card
from webapp.rules.document import Side
from webapp.rules.fights_view import FightView, SlotView, nothing_up
from webapp.ui.face import LETTER, face
from webapp.ui.markup import asks, bar, briefs, hidden_mark, icon, join, written
from webapp.ui.names import parted

MOST_STATES = 3  # told beside a fighter; their own card tells them all
MANY = 4  # fighters of one kind whose name is written once
STATES = {"up": "acts now", "coming": "to come", "spent": "done", "held": "holds back"}


def turn_words(fight: FightView | None, *, down: bool = False) -> str:
    """The one thing a player wants to know between turns; whoever is `down` waits for no turn."""
    if fight is None:
        return ""
    if down:
        return nothing_up(fight) if fight.up_name is None else f"{fight.up_name} is up"
    if fight.waiting_for:
        return f"Roll {fight.called}" if fight.owed else _rolled_words(fight)
    if fight.up is None:
        return nothing_up(fight)
    if any(slot.mine and slot.id == fight.up for slot in fight.slots):
        return "Your turn"
    if any(slot.mine and slot.state == "held" for slot in fight.slots):
        return f"You hold back · count {fight.number}" if fight.counted else "You hold back"
    if not fight.counted:
        return _others_words(fight)
    if fight.counts_until is None:
        return f"{fight.up_name} is up"
    if fight.counts_until == 0:
        return "You are next" if fight.others_first == 0 else "You act at this count"
    counts = "count" if fight.counts_until == 1 else "counts"
    return f"You act in {fight.counts_until} {counts}"


def _rolled_words(fight: FightView) -> str:
    """What one's own roll has brought, while the others still roll."""
    own = [slot.place for slot in fight.slots if slot.mine]
    if not own:
        return f"The others still roll {fight.called}"
    return f"You act {'at ' if own[0].isdecimal() else ''}{', '.join(own)}"


def _others_words(fight: FightView) -> str:
    match fight.others_first:
        case None:
            return f"{fight.up_name} is up"
        case 0:
            return "You are next"
        case 1:
            return "1 other before you"
    return f"{fight.others_first} others before you"


def acts_when(who: str, fight: FightView | None, *, last: bool) -> str:
    """When this one may act; in the `last` round the next one is too late."""
    slots = () if fight is None else fight.slots
    mine = [slot for slot in slots if slot.character == who and slot.state != "spent"]
    if any(slot.state in ("up", "held") for slot in mine):
        return "may act now"
    if mine:
        first = max(mine, key=lambda slot: slot.number).place
        return f"acts at {first}" if first.isdecimal() else f"acts {first}"
    return ("no turn left" if last else "next round") if slots else ""


def _at(fight: FightView) -> str:
    """Where the round has come to."""
    up = next((slot for slot in fight.slots if slot.id == fight.up), None)
    if up is None or fight.number is None:
        return nothing_up(fight)
    return f"Count {fight.number}" if fight.counted else up.name


def countdown(fight: FightView, cards: dict[str, Card]) -> Markup:
    """The round from its highest number down to 1; what is done is one quiet line below."""
    at = written(asks(slot=fight.up)) if fight.up is not None else ""
    head = Markup('<p class="round">Round {}<b{}>{}</b></p>').format(fight.round, at, _at(fight))
    if fight.waiting_for:
        names = ", ".join(fight.waiting_for)
        called = nothing_up(fight)
        return head + Markup('<p class="quiet">{} is still to come from {}.</p>').format(called, names)
    counts = join(
        _count(place(slots[0]), slots, cards)
        for _, slots in by_number(slot for slot in fight.slots if slot.state != "spent")
    )
    spent = [slot for slot in fight.slots if slot.state == "spent"]
    done = (
        _count(Markup('<span class="number">{}</span>').format(icon("spent")), spent, cards, "done") if spent else ""
    )
    return head + Markup('<ol class="countdown">{}{}</ol>{}').format(counts, done, knots(fight))


def knots(fight: FightView) -> Markup:
    """Who is in whose face."""
    if not fight.knots:
        return Markup("")
    tied = join(Markup("<li>{}</li>").format(" · ".join(knot)) for knot in fight.knots)
    return Markup('<ul class="knots" aria-label="Close to each other">{}</ul>').format(tied)


def place(slot: SlotView) -> Markup:
    """The number of a count, or words in a line of their own."""
    kind = "number" if slot.place.isdecimal() else "place"
    return Markup('<span class="{}">{}</span>').format(kind, slot.place)


def by_number(slots: Iterable[SlotView]) -> Iterator[tuple[int, list[SlotView]]]:
    for number, together in groupby(slots, key=lambda slot: slot.number):
        yield number, list(together)


def _count(number: Markup, slots: list[SlotView], cards: dict[str, Card], classes: str = "") -> Markup:
    if classes:
        chips = join(_done(slot, cards.get(slot.character)) for slot in slots)
    else:
        chips = join(_alike(list(alike), cards) for _, alike in groupby(slots, key=lambda slot: _kind(slot, cards)))
    return Markup('<li class="count {}">{}<ul>{}</ul></li>').format(classes, number, chips)


def state_words(slot: SlotView) -> tuple[str, str]:
    """Icon and words for what becomes of this chance."""
    if slot.since is not None and slot.state == "coming":
        return "held", f"holds until {slot.place} (from {slot.since})"
    return slot.state, STATES[slot.state]


def state_mark(slot: SlotView) -> Markup:
    picture, words = state_words(slot)
    return Markup('<em class="mark {}">{} {}</em>').format(picture, icon(picture), words)


def down_mark(slot: SlotView, card: Card | None) -> Markup:
    """How somebody is down whose chance is still to come: it will be let pass."""
    if card is None or card.down is None or slot.state != "coming":
        return Markup("")
    return Markup('<em class="mark down">{} {}</em>').format(icon("skull"), card.down)


def how_it_comes(slot: SlotView, card: Card | None) -> tuple[int | None, Markup, Markup]:
    """Held since when, how it is down, its states: those with the same of all can be told together."""
    return slot.since, down_mark(slot, card), briefs(card)


def _kind(slot: SlotView, cards: dict[str, Card]) -> object:
    """Foes at one number who do the same are shown together; everybody else alone."""
    together = slot.side is Side.FOE and slot.state == "coming"
    return how_it_comes(slot, cards.get(slot.character)) if together else slot.id


def _alike(slots: list[SlotView], cards: dict[str, Card]) -> Markup:
    first = slots[0]
    words = join(
        _kin(kind, list(kin), cards) for kind, kin in groupby(slots, key=lambda slot: LETTER.sub("", slot.name))
    )
    classes = f"slot {first.state} {first.side}" + (" mine" if first.mine else "") + (" group" if slots[1:] else "")
    card = cards.get(first.character)
    mark = down_mark(first, card) or state_mark(first)
    mark = Markup('<span class="marks">{}{}</span>').format(mark, briefs(card, most=MOST_STATES))
    return Markup('<li class="{}">{}{}</li>').format(classes, words, mark)


def _kin(kind: str, slots: list[SlotView], cards: dict[str, Card]) -> Markup:
    """Many of one kind share its name, and each shows only the letter; whoever listens still hears all of it."""
    if len(slots) < MANY:
        return join(_fighter(slot, parted(slot.name), cards) for slot in slots)
    heard = Markup('<span class="heard">{}</span>{}')
    each = join(_fighter(slot, heard.format(kind, slot.name.removeprefix(kind)), cards) for slot in slots)
    return Markup('<span class="kin"><b aria-hidden="true">{}</b>{}</span>').format(parted(kind), each)


def _fighter(slot: SlotView, name: Markup, cards: dict[str, Card]) -> Markup:
    return Markup('<span class="member"{}>{}<span class="who"><b>{}</b>{}{}</span></span>').format(
        written(asks(slot=slot.id)),
        face(slot.name, slot.side),
        name,
        _hidden(cards.get(slot.character)),
        _health(cards.get(slot.character)),
    )


def _hidden(card: Card | None) -> Markup:
    return Markup(" {}").format(hidden_mark()) if card is not None and card.hidden else Markup("")


def _done(slot: SlotView, card: Card | None) -> Markup:
    at = slot.place if slot.place.isdecimal() else ""
    return Markup('<li class="slot {} {}"{}><b>{}</b>{} {} <span class="mark">{}</span></li>').format(
        slot.state, slot.side, written(asks(slot=slot.id)), slot.name, _hidden(card), at, STATES[slot.state]
    )


def _health(card: Card | None) -> Markup:
    return Markup("") if card is None else bar(card.share, f"health of {card.name}")


def party(cards: Iterable[Card]) -> Markup:
    """Everybody in sight, with health as this viewer may know it."""
    return Markup('<ul class="party">{}</ul>').format(join(_member(card) for card in cards))


def _member(card: Card) -> Markup:
    kind, words = ("state down", icon("skull") + Markup(" ") + card.down) if card.down else ("health", card.health)
    state = Markup('<span class="{}">{}</span>').format(kind, words)
    return Markup(
        '<li class="{}"{}>{}<span class="who"><span class="line"><b>{}</b><small>{}{}</small></span>{}</span></li>'
    ).format(
        card.side,
        written(asks(card=card.id, block="health")),
        face(card.name, card.side),
        parted(card.name),
        state,
        briefs(card, most=MOST_STATES),
        bar(card.share, f"health of {card.name}"),
    )
