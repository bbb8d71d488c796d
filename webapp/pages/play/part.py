"""What the parts of a phone's page have in common."""

from __future__ import annotations

from webapp.rules.cards_view import Card
from webapp.ui.part import Part


class PhonePart(Part):
    def _in_hand(self, own: tuple[Card, ...]) -> tuple[Card, ...]:
        """On a phone that several share, the one whose turn it is to hold it."""
        picked = [card for card in own if card.id == self.picked.get("sharer")]
        return tuple(picked or own[:1])
