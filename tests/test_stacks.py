"""What holds at every table, whichever of the rule sets it plays: found out by people who tap what they are offered.

GRITBOARD_TAPS=400 lets them tap longer, GRITBOARD_GAMES=40 plays more tables of each kind.
"""

from __future__ import annotations

import os
from itertools import combinations

import pytest

from tests.support.contract import Contract
from tests.support.offers import NOTES, Offers, picture_of
from tests.support.play import BOOK, GM, SCREEN
from tests.support.wild import PEOPLE, secrets, shown
from webapp.store import Store

TAPS = int(os.environ.get("GRITBOARD_TAPS", "40"))
TABLES = max(1, int(os.environ.get("GRITBOARD_GAMES", "1")) // 16)
STACKS = [games for size in range(1, len(BOOK.games) + 1) for games in combinations(BOOK.games, size)]
READERS = (*PEOPLE, "s3", "", SCREEN)


class StackContract(Contract):
    """Everybody's picture is worked out now and then, and every button that can be pressed is tried."""

    def __init__(self, offers: Offers) -> None:
        super().__init__(offers)
        self.offers = offers
        self.shown |= shown(self.bench)

    def look(self) -> None:
        self.shown |= shown(self.bench)
        if self.any.random() < 0.06:
            refused = list(self.offers.press_everything())
            assert refused == [], "\n".join(refused)
        if self.any.random() < 0.12:
            self.read_everything(self.any.choice(READERS))

    def read_everything(self, *people: str) -> None:
        for person in people:
            page = picture_of(self.bench, person)
            told = [secret for secret in (*secrets(self.bench, self.shown), NOTES) if secret in page]
            assert person == GM or told == [], f"{person} may read {told} in {found_in(page, told)}"


@pytest.mark.timeout(120 + 3 * TAPS)
@pytest.mark.parametrize("seed", range(TABLES))
@pytest.mark.parametrize("games", STACKS, ids="+".join)
def test_at_any_table_what_is_offered_is_accepted_and_nothing_else_happens(
    store: Store, games: tuple[str, ...], seed: int
) -> None:
    game = StackContract(Offers(store, games, seed))
    for _ in range(TAPS):
        game.tap()
    game.read_everything(*READERS)
    game.comes_back_from_the_store()


def found_in(page: str, secrets: list[str]) -> list[str]:
    return [line for line in page.splitlines() if any(secret in line for secret in secrets)][:5]
