"""No two screens disagree: what phone, GM and TV are told of the same things, compared at every step of random play.

GRITBOARD_TAPS and GRITBOARD_GAMES make it longer, as in test_stacks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.support.offers import Offers
from tests.support.play import GM, SCREEN, STACKS, Bench, viewer
from tests.support.wild import SEATS
from webapp.projection.picture import Picture
from webapp.rules.cards_view import Card
from webapp.rules.document import Cover, Side
from webapp.rules.fights_view import FightView
from webapp.store import Store

TAPS = int(os.environ.get("GRITBOARD_TAPS", "40"))
TABLES = max(1, int(os.environ.get("GRITBOARD_GAMES", "1")) // 16)
OTHERS = (*SEATS, "s3", SCREEN)


@pytest.mark.timeout(120 + 3 * TAPS)
@pytest.mark.parametrize("seed", range(TABLES))
@pytest.mark.parametrize("games", STACKS, ids="+".join)
def test_no_two_screens_disagree(store: Store, games: tuple[str, ...], seed: int) -> None:
    offers = Offers(store, games, seed)
    for _ in range(TAPS):
        offers.anything()
        found = list(Screens(offers.bench).differences())
        assert found == [], "\n".join(found)


class Screens:
    """The pictures of everybody at one moment."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.gm = Picture(bench.table, viewer(GM))
        covered = bench.state.settings.tv is Cover.CURTAIN
        self.others = {one: Picture(bench.table, viewer(one)) for one in OTHERS if not (covered and one == SCREEN)}

    def differences(self) -> Iterator[str]:
        for card in self.gm.cards():
            yield from self._with_its_own_health(card)
            seen = {
                one: found for one, picture in self.others.items() if (found := picture.card(card.id)) is not None
            }
            for person, other in seen.items():
                yield from (f"{person}: {fault}" for fault in self._of_card(card, other))
            yield from self._alike(card.id, seen)
        yield from self._of_fights()
        yield from self._of_what_happens()

    # --- a card

    def _with_its_own_health(self, card: Card) -> Iterator[str]:
        health = self.bench.state.rulebook.health(self.bench.state, self.bench.state.character(card.id))
        vitals = [(one.now, one.full) for one in card.vitals]
        if health is not None and (health.now, health.full) not in vitals:
            yield f"{card.name}: {health.now} of {health.full} is none of {vitals}"

    def _of_card(self, gm: Card, other: Card) -> Iterator[str]:
        known = {gauge.key: (gauge.shown, gauge.full) for gauge in gm.vitals}
        for gauge in other.vitals:
            if known[gauge.key] != (gauge.shown, gauge.full):
                yield f"{gm.name}: {gauge.key} is {gauge.shown}, for the GM {known[gauge.key]}"
        if other.name not in (gm.name, gm.alias):
            yield f"{gm.name} is called {other.name}, and the alias is {gm.alias}"
        if (gm.down, gm.dying, gm.hidden) != (other.down, other.dying, other.hidden):
            yield f"{gm.name}: {other.down, other.dying, other.hidden}, for the GM {gm.down, gm.dying, gm.hidden}"
        if gm.side is Side.HERO and (gm.health, gm.share) != (other.health, other.share):
            yield f"{gm.name}: {other.health}, for the GM {gm.health}"
        told = {note.key: note for note in gm.notes}
        yield from (f"{gm.name}: {note.key} differs" for note in other.notes if told.get(note.key) != note)

    def _alike(self, who: str, seen: dict[str, Card]) -> Iterator[str]:
        """Those who do not play this one are all told the same, but for what their own could do to help it."""
        strangers = [card.model_copy(update={"cry": None}) for card in seen.values() if not card.mine]
        for card in strangers[1:]:
            if card != strangers[0]:
                yield f"{who}: {card} differs from {strangers[0]}"

    # --- the fight

    def _of_fights(self) -> Iterator[str]:
        gm = self.gm.fight()
        for person, picture in self.others.items():
            fight = picture.fight()
            if (gm is None) is not (fight is None):
                yield f"{person}: one sees a fight, the other none"
            if gm is not None and fight is not None:
                yield from (f"{person}: {fault}" for fault in self._of_fight(gm, fight, picture))

    def _of_fight(self, gm: FightView, fight: FightView, picture: Picture) -> Iterator[str]:
        if (gm.round, gm.called, gm.counted) != (fight.round, fight.called, fight.counted):
            yield f"round {fight.round} of {fight.called}, for the GM {gm.round} of {gm.called}"
        order = [slot.id for slot in gm.slots if slot.id in {one.id for one in fight.slots}]
        if order != [slot.id for slot in fight.slots]:
            yield f"the order is {[slot.id for slot in fight.slots]}, for the GM {order}"
        yield from self._of_slots(gm, fight, picture)
        hidden = gm.up is not None and self.bench.state.is_hidden(gm.up.rpartition(":")[0])
        if not hidden and (gm.up, gm.number, gm.phase) != (fight.up, fight.number, fight.phase):
            yield f"{fight.up} is up at {fight.number}, for the GM {gm.up} at {gm.number}"

    def _of_slots(self, gm: FightView, fight: FightView, picture: Picture) -> Iterator[str]:
        known = {slot.id: slot for slot in gm.slots}
        for slot in fight.slots:
            other, card = known[slot.id], picture.card(slot.character)
            if card is None or slot.name != card.name:
                yield f"{slot.id} is {slot.name} in the order and {card and card.name} on the card"
            if (slot.number, slot.place, slot.since) != (other.number, other.place, other.since):
                yield f"{slot.id} is at {slot.place}, for the GM at {other.place}"
            if slot.state != other.state and "up" not in (slot.state, other.state):
                yield f"{slot.id} is {slot.state}, for the GM {other.state}"

    # --- what happens

    def _of_what_happens(self) -> Iterator[str]:
        """Two who play nobody read the same log, act, ribbon and roll; what all may read the GM reads too."""
        strangers = [picture for person, picture in self.others.items() if person in ("s3", SCREEN)]
        for one in strangers[1:]:
            other = strangers[0]
            yield from (
                f"{what} differs between the TV and a stranger"
                for what in ("ribbon", "last_roll", "act", "turned_over", "rest")
                if getattr(one, what)() != getattr(other, what)()
            )
        known = {row.id: len(row.lines) for row in self.gm.log(400)}
        for person, picture in self.others.items():
            for row in picture.log(400):
                if len(row.lines) > known.get(row.id, 0):
                    yield f"{person} reads more of {row.id} than the GM"


def test_a_difference_would_be_found(store: Store) -> None:
    """A card whose health is worked out from another number than its vitals show."""
    offers = Offers(store, ("squad",), 1)
    screens = Screens(offers.bench)
    assert list(screens.differences()) == []
    card = screens.gm.cards()[0]
    lied = card.model_copy(update={"name": "Nobody", "down": "dead", "health": "1 of 99 left"})
    assert len(list(screens._of_card(card, lied))) == 3
