"""A fight and its order as one viewer sees them."""

from __future__ import annotations

from typing import Literal

from webapp.rules.document import Side
from webapp.rules.encounter import Encounter, Phase, Slot, phase_of
from webapp.rules.knots import seen_knots
from webapp.rules.sight import Sight
from webapp.rules.text import number
from webapp.rules.values import Frozen


class SlotView(Frozen):
    """One chance on the clock, under the name this viewer knows; `place` is its number, or better words for it."""

    id: str
    character: str
    name: str
    side: Side
    number: int
    place: str
    state: Literal["up", "coming", "spent", "held"]
    since: int | None
    mine: bool


class FightView(Frozen):
    """`counted`: the numbers are counts; then `counts_until` the own next chance, else `others_first` before it.

    `called` is what is rolled for the order, and `owed`: it waits for this viewer too, who may have nobody in it.
    """

    round: int
    phase: Phase
    up: str | None
    up_name: str | None
    number: int | None
    slots: tuple[SlotView, ...]
    waiting_for: tuple[str, ...]
    counts_until: int | None
    called: str = "initiative"
    owed: bool = True
    knots: tuple[tuple[str, ...], ...] = ()
    others_first: int | None = None
    counted: bool = True


def nothing_up(fight: FightView) -> str:
    """What the fight waits for while nobody is up."""
    match fight.phase:
        case Phase.ORDER:
            return fight.called[:1].upper() + fight.called[1:]
        case Phase.OVER:
            return f"Round {fight.round} is over"
    return "Last chance for those who hold"


def fight_view(sight: Sight, fight: Encounter) -> FightView:
    """The order as this viewer sees it: the slots of the unseen leave no gap and stop no clock."""
    state = sight.state
    slots = state.slots()
    seen = [slot for slot in slots if sight.sees(state.character(slot.character))]
    up = _seen_up(seen, slots, fight)
    return FightView(
        round=fight.round,
        phase=_seen_phase(fight, slots, up),
        up=up and up.id,
        up_name=up and sight.name(up.character),
        number=up and up.number,
        slots=tuple(_slot_view(sight, slot, up) for slot in seen),
        waiting_for=tuple(
            sight.name(who) for who in state.waiting_for() if not fight.settled and sight.sees(state.character(who))
        ),
        counts_until=_counts_until(sight, seen, up),
        called=sight.words(state.order().called),
        owed=_owed(sight, fight),
        knots=tuple(tuple(sight.name(who) for who in knot) for knot in _knots(sight, fight)),
        others_first=_others_first(sight, seen, up),
        counted=state.order().counted,
    )


def _owed(sight: Sight, fight: Encounter) -> bool:
    own = {who for who in fight.members if sight.viewer.owns(sight.state.character(who))}
    return not own or not own.isdisjoint(sight.state.waiting_for())


def _knots(sight: Sight, fight: Encounter) -> tuple[tuple[str, ...], ...]:
    state = sight.state
    return seen_knots(state, fight, {who for who in fight.members if sight.sees(state.character(who))})


def _seen_phase(fight: Encounter, slots: tuple[Slot, ...], up: Slot | None) -> Phase:
    """While an unseen one opens the round, the order still seems to be settled."""
    phase = phase_of(fight, slots)
    return Phase.ORDER if phase is Phase.TURNS and up is None and fight.active is not None else phase


def _seen_up(seen: list[Slot], slots: tuple[Slot, ...], fight: Encounter) -> Slot | None:
    """The active slot; while an unseen one is active, the last one seen before it."""
    ids = [slot.id for slot in slots]
    if fight.active not in ids:
        return None
    at = ids.index(fight.active)
    before = [slot for slot in seen if ids.index(slot.id) <= at]
    return before[-1] if before else None


def _slot_view(sight: Sight, slot: Slot, up: Slot | None) -> SlotView:
    character = sight.state.character(slot.character)
    place = sight.state.order().place_words(sight.state, slot)
    state: Literal["up", "coming", "spent", "held"] = "coming"
    if up is not None and slot.id == up.id:
        state = "up"
    elif slot.spent:
        state = "spent"
    elif slot.waits:
        state = "held"
    return SlotView(
        id=slot.id,
        character=slot.character,
        name=sight.name(slot.character),
        side=character.side,
        number=slot.number,
        place=number(slot.number) if place is None else sight.words(place),
        state=state,
        since=slot.since,
        mine=sight.viewer.owns(character),
    )


def _counts_until(sight: Sight, seen: list[Slot], up: Slot | None) -> int | None:
    """Counts from now until the viewer's own next chance; 0 when it is up."""
    if up is None:
        return None
    own = [
        slot
        for slot in seen
        if sight.viewer.owns(sight.state.character(slot.character)) and not slot.spent and slot.number <= up.number
    ]
    return min((up.number - slot.number for slot in own), default=None)


def _others_first(sight: Sight, seen: list[Slot], up: Slot | None) -> int | None:
    """How many come between the one who is up and the viewer's own next turn; None when there is none."""
    if up is None:
        return None
    to_come = [slot for slot in seen[seen.index(up) + 1 :] if not slot.spent]
    own = [nth for nth, slot in enumerate(to_come) if sight.viewer.owns(sight.state.character(slot.character))]
    return own[0] if own else None
