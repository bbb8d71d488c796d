"""The countdown and the ribbon as pictures, for phone, laptop and TV alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from markupsafe import Markup

from webapp.projection import nothing_up
from webapp.rules.view import Card, FightView, SlotView
from webapp.ui.markup import bar, face, icon, join

STATES = {"up": "acts now", "coming": "to come", "spent": "done", "held": "holds back"}


def turn_words(fight: FightView | None) -> str:
    """The one thing a player wants to know between turns."""
    if fight is None:
        return ""
    if fight.waiting_for:
        return "Roll initiative"
    if fight.up is None:
        return nothing_up(fight)
    if fight.counts_until == 0 and any(slot.mine and slot.id == fight.up for slot in fight.slots):
        return "Your turn"
    if fight.counts_until is None:
        return f"{fight.up_name} is up"
    counts = "count" if fight.counts_until == 1 else "counts"
    return f"You act in {fight.counts_until} {counts}"


def countdown(fight: FightView, cards: dict[str, Card]) -> Markup:
    """The round from its highest number down to 1; what is done is one quiet line below."""
    head = Markup('<p class="round">Round {}<b>{}</b></p>').format(
        fight.round, f"Count {fight.number}" if fight.number is not None else nothing_up(fight)
    )
    if fight.waiting_for:
        names = ", ".join(fight.waiting_for)
        return head + Markup('<p class="quiet">Initiative is still to come from {}.</p>').format(names)
    counts = join(
        _count(Markup('<span class="number">{}</span>').format(number), slots, cards)
        for number, slots in by_number(slot for slot in fight.slots if slot.state != "spent")
    )
    spent = [slot for slot in fight.slots if slot.state == "spent"]
    done = (
        _count(Markup('<span class="number">{}</span>').format(icon("spent")), spent, cards, "done") if spent else ""
    )
    return head + Markup('<ol class="countdown">{}{}</ol>').format(counts, done)


def by_number(slots: Iterable[SlotView]) -> Iterator[tuple[int, list[SlotView]]]:
    for number, together in groupby(slots, key=lambda slot: slot.number):
        yield number, list(together)


def _count(number: Markup, slots: list[SlotView], cards: dict[str, Card], classes: str = "") -> Markup:
    chips = join(_slot(slot, cards.get(slot.character)) for slot in slots)
    return Markup('<li class="count {}">{}<ul>{}</ul></li>').format(classes, number, chips)


def state_mark(slot: SlotView) -> Markup:
    return Markup('<em class="mark">{} {}</em>').format(icon(slot.state), STATES[slot.state])


def _slot(slot: SlotView, card: Card | None) -> Markup:
    classes = f"slot {slot.state} {slot.side}" + (" mine" if slot.mine else "")
    if slot.state == "spent":
        words = Markup('<li class="{}"><b>{}</b> {} <span class="mark">{}</span></li>')
        return words.format(classes, slot.name, slot.number, STATES[slot.state])
    health = Markup("") if card is None else bar(card.share, f"health of {card.name}")
    return Markup('<li class="{}">{}<span class="who"><b>{}</b>{}{}</span></li>').format(
        classes, face(slot.name, foe=slot.side == "foe"), slot.name, state_mark(slot), health
    )


def party(cards: Iterable[Card]) -> Markup:
    """Everybody in sight, with health as this viewer may know it."""
    return Markup('<ul class="party">{}</ul>').format(join(_member(card) for card in cards))


def _member(card: Card) -> Markup:
    state = (
        Markup('<span class="state down">{} {}</span>').format(icon("skull"), card.down) if card.down else card.health
    )
    return Markup(
        '<li class="{}">{}<span class="who"><span class="line"><b>{}</b><small>{}</small></span>{}</span></li>'
    ).format(
        card.side,
        face(card.name, foe=card.side == "foe"),
        card.name,
        state,
        bar(card.share, f"health of {card.name}"),
    )
