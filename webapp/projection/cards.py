"""Who there is, the fight they are in, and what may be read of each and done with them."""

from __future__ import annotations

from collections.abc import Mapping

from webapp.projection.looking import Looking
from webapp.rules.blocks import Block, Button, Form, Menu, Tab
from webapp.rules.cards_view import Card, acts_of, as_known, buttons_as_known, buttons_of, card
from webapp.rules.document import Character, Duty, Side
from webapp.rules.fights_view import FightView, fight_view
from webapp.rules.forms import disguise, introduction
from webapp.rules.gm_order import order_forms
from webapp.rules.viewer import Role

Picked = Mapping[str, str]


class Cards(Looking):
    def cards(self) -> tuple[Card, ...]:
        """Everybody this viewer can see: the party in its stored order, then foes."""
        return self._recall("cards", work_out=self._cards)

    def own(self) -> tuple[Card, ...]:
        return tuple(one for one in self.cards() if one.mine)

    def card(self, who: str) -> Card | None:
        found = self._state.find(Character, who)
        return None if found is None or not self._sight.sees(found) else self._card(who)

    def blocks(self, who: str, picked: Picked | None = None) -> tuple[tuple[str, tuple[Block, ...]], ...]:
        """By rule set, what this viewer may read of a character and do with it; doing is worked out only here.

        `picked` is the open tab of each menu: of the others nothing is worked out. None opens all.
        """
        sections = self._recall("blocks", who, work_out=lambda: self._blocks(who))
        return tuple((title, tuple(self._opened(block, picked) for block in found)) for title, found in sections)

    def idle(self) -> frozenset[str]:
        """The titles of the rule sets in play that have nothing to do for the whole table."""
        busy = {self._state.has(duty) for duty in Duty}
        games = self.table.rulebook.in_play(self._state)
        return frozenset(self._sight.words(game.title) for game in games if game.id not in busy)

    def idle_vitals(self, card: Card) -> dict[str, str]:
        """The keys of those that belong to an idle rule set and lack nothing, with its title."""
        games, idle = self.table.rulebook.games, self.idle()
        found = {
            one.key: self._sight.words(games[one.at[0]].title)
            for one in card.vitals
            if one.at and one.now == one.full
        }
        return {key: title for key, title in found.items() if title in idle}

    def fight(self) -> FightView | None:
        return self._recall("fight", work_out=self._fight)

    def free_heroes(self) -> tuple[Card, ...]:
        """Heroes that no seat drives yet."""
        taken = {one.id for one in self._state.characters() if one.seats}
        return tuple(one for one in self.cards() if one.side is Side.HERO and one.id not in taken)

    def driven_by(self, seat: str) -> tuple[Card, ...]:
        """Those of this seat that this viewer can see."""
        theirs = {one.id for one in self._state.characters() if seat in one.seats}
        return tuple(one for one in self.cards() if one.id in theirs)

    def seen_as(self, who: str) -> tuple[Form, ...]:
        """What players and the TV get to know of a foe, for the GM to change."""
        found = self._state.find(Character, who)
        if self.viewer.role is not Role.GM or found is None or found.side is not Side.FOE:
            return ()
        return (disguise(found),)

    def introduction(self, who: str) -> tuple[Form, ...]:
        """Name and line of a hero, for those who know all of it to change."""
        found = self._state.find(Character, who)
        if found is None or found.side is not Side.HERO or not self._sight.knows(found):
            return ()
        return (introduction(found),)

    def in_the_order(self, who: str) -> tuple[Form, ...]:
        """Whom somebody in a fight is close to, and before whom they act, for the GM to say."""
        fight = self._state.fight()
        if self.viewer.role is not Role.GM or fight is None or who not in fight.members:
            return ()
        return tuple(order_forms(self._state, fight, who))

    def _cards(self) -> tuple[Card, ...]:
        sight = self._sight
        return tuple(self._card(one.id) for one in self._state.characters() if sight.sees(one))

    def _card(self, who: str) -> Card:
        return self._recall("card", who, work_out=lambda: card(self._sight, self._state.character(who)))

    def _blocks(self, who: str) -> tuple[tuple[str, tuple[Block, ...]], ...]:
        state, sight, card = self._state, self._sight, self.card(who)
        character = state.find(Character, who)
        if card is None or character is None or not sight.knows(character):
            return () if card is None else card.sections
        may_do = {sight.words(title): as_known(sight, character, blocks) for title, blocks in acts_of(state, who)}
        return tuple((title, (*blocks, *may_do.get(title, ()))) for title, blocks in card.sections)

    def _opened(self, block: Block, picked: Picked | None) -> Block:
        """The same menu with the buttons of its open tab."""
        if not isinstance(block, Menu) or not any(tab.offers for tab in block.tabs):
            return block
        shown = block.tabs if picked is None else (block.open_tab(picked),)
        tabs = tuple(self._with_buttons(tab) if tab in shown else tab for tab in block.tabs)
        return block.model_copy(update={"tabs": tabs})

    def _with_buttons(self, tab: Tab) -> Tab:
        offers, state = tab.offers, self._state
        if offers is None:
            return tab

        def buttons() -> tuple[Button, ...]:
            return buttons_as_known(self._sight, buttons_of(state, tab))

        return tab.model_copy(update={"buttons": self._recall(offers, work_out=buttons), "offers": None})

    def _fight(self) -> FightView | None:
        fight = None if self._sight.covered else self._state.fight()
        return None if fight is None else fight_view(self._sight, fight)
