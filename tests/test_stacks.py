"""What holds at every table, whichever of the rule sets it plays: found out by people who tap what they are offered.

GRITBOARD_TAPS=400 lets them tap longer, GRITBOARD_GAMES=40 plays more tables of each kind.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.support.contract import Contract
from tests.support.offers import NOTES, Offers, picture_of
from tests.support.play import GM, SCREEN, STACKS, Bench, EvenDice, Message
from tests.support.wild import PEOPLE, secrets, shown
from webapp.rules.document import Duty
from webapp.rules.state import TABLE
from webapp.store import Store

TAPS = int(os.environ.get("GRITBOARD_TAPS", "40"))
TABLES = max(1, int(os.environ.get("GRITBOARD_GAMES", "1")) // 16)
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


ORDERS = [(games, order) for games in STACKS if "pools" in games for order in (*games, TABLE) if order != "dread"]


@pytest.mark.parametrize(("games", "order"), ORDERS, ids=str)
def test_whoever_runs_the_order_two_rounds_are_two_turns_and_two_ends_of_a_round(
    store: Store, games: tuple[str, ...], order: str
) -> None:
    """D-57, K-3: what one is unaware of falls by turns, what goes on hurts by rounds, in every rule set's fight."""
    bench = Bench(store, dice=EvenDice(), games=games)
    _seat_both(bench, order, pools={"afflictions": {"unaware": 9}, "grit": 50})
    bench.do({"move": "pools.begin", "target": "Ann", "name": "Burning", "dice": 1, "part": "head"})
    bench.do({"move": "table.start_fight"})
    while bench.battle.round < 3:
        if bench.battle.settled and bench.up is not None:
            bench.passes_on(bench.up)
        else:
            bench.next()
    ann = bench.sheet("Ann", "pools")
    assert (ann.tiers("unaware"), ann.grit.now) == (7, 48)


@pytest.mark.parametrize(("games", "order"), ORDERS, ids=str)
def test_whoever_runs_the_order_nobody_goes_on_with_a_turn_they_fell_in(
    store: Store, games: tuple[str, ...], order: str
) -> None:
    """D-06, K-4."""
    bench = Bench(store, dice=EvenDice(), games=games)
    _seat_both(bench, order, pools={"grit": 1})
    bench.do({"move": "table.start_fight"})
    while bench.up != "Ann":
        bench.passes_on(bench.up) if bench.battle.settled and bench.up is not None else bench.next()
    bench.do({"move": "pools.hurt", "targets": ["Ann"], "dice": 1})
    assert not bench.sheet("Ann", "pools").conscious
    assert bench.up != "Ann"
    assert sum("the turn goes by" in words for words in bench.words()) <= 1


FOES: dict[str, Message] = {"squad": {"monster": 4}, "willpower": {"damage": 2}}


def _seat_both(bench: Bench, order: str, pools: Message) -> None:
    ann: Any = {name: {} for name in bench.games} | {"pools": pools}
    rat: Any = {name: FOES.get(name, {}) for name in bench.games}
    bench.hero("Ann", **ann)
    bench.foe("Rat", **rat)
    state = bench.state
    duties = {duty: state.has(duty) for duty in Duty}
    wanted = {"tests": duties[Duty.TESTS], "blows": duties[Duty.BLOWS], "fear": duties[Duty.FEAR]}
    if duties[Duty.ORDER] != order:
        bench.do({"move": "table.share_out", **wanted, "order": order, "turn": state.settings.turn.value})


def found_in(page: str, secrets: list[str]) -> list[str]:
    return [line for line in page.splitlines() if any(secret in line for secret in secrets)][:5]
