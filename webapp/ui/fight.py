"""The countdown and the ribbon as pictures, for phone, laptop and TV alike."""

from __future__ import annotations

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
    """The round from its highest number down to 1, with everybody's chances at their numbers."""
    head = Markup('<p class="round">Round {} <b>{}</b></p>').format(
        fight.round, fight.number if fight.number is not None else nothing_up(fight)
    )
    if fight.waiting_for:
        names = ", ".join(fight.waiting_for)
        return head + Markup('<p class="quiet">Initiative is still to come from {}.</p>').format(names)
    counts = join(
        Markup('<li class="count"><span class="number">{}</span><ul>{}</ul></li>').format(
            number, join(_slot(slot, cards.get(slot.character)) for slot in slots)
        )
        for number, slots in groupby(fight.slots, key=lambda slot: slot.number)
    )
    return head + Markup('<ol class="countdown">{}</ol>').format(counts)


def _slot(slot: SlotView, card: Card | None) -> Markup:
    health = Markup("") if card is None else bar(card.share, f"health of {card.name}")
    mark = Markup(' <em class="mark">{}</em>').format(STATES[slot.state])
    classes = f"slot {slot.state} {slot.side}" + (" mine" if slot.mine else "")
    return Markup('<li class="{}">{}<span class="who"><b>{}</b>{}{}</span></li>').format(
        classes, face(slot.name, foe=slot.side == "foe"), slot.name, mark, health
    )


def party(cards: tuple[Card, ...]) -> Markup:
    """Everybody in sight, with health as this viewer may know it."""
    return Markup('<ul class="party">{}</ul>').format(
        join(
            Markup('<li class="{}">{}<span class="who"><b>{}</b><small>{}{}</small>{}</span></li>').format(
                card.side,
                face(card.name, foe=card.side == "foe"),
                card.name,
                card.health,
                Markup(" {} {}").format(icon("skull"), card.down) if card.down else "",
                bar(card.share, f"health of {card.name}"),
            )
            for card in cards
        )
    )
