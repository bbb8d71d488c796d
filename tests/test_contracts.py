"""What holds whatever anybody does: found out by random play.

GRITBOARD_GAMES=1000 plays more games than the usual few; a failing seed is in the name of its test.
"""

from __future__ import annotations

import os

import pytest

from tests.support.contract import Contract
from tests.support.fearful import FearfulWild
from tests.support.offers import Offers
from tests.support.play import BOOK, GM, SCREEN, Bench, Message, viewer
from tests.support.wild import SEATS, Wild
from webapp.history import Entry, undoing
from webapp.projection.picture import Picture
from webapp.rules.blocks import Menu
from webapp.rules.document import Side
from webapp.rules.encounter import Phase
from webapp.rules.games.squad.sheet import Condition, Sheet
from webapp.rules.lines_view import line_view
from webapp.rules.sight import Sight
from webapp.rules.viewer import Role
from webapp.stage import lines_told
from webapp.store import Store

GAMES = int(os.environ.get("GRITBOARD_GAMES", "16"))
TAPS = 100
FIGHTS = max(8, GAMES // 4)


# --- any play at all ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(GAMES))
def test_in_any_play_refusals_change_nothing_undo_restores_and_nothing_hidden_leaks(store: Store, seed: int) -> None:
    game = Contract(Wild(store, seed))
    for _ in range(TAPS):
        game.tap()
    game.comes_back_from_the_store()


@pytest.mark.parametrize("seed", range(max(4, GAMES // 6)))
def test_the_same_holds_where_fear_is_played_too(store: Store, seed: int) -> None:
    game = Contract(FearfulWild(store, seed + 3000))
    for _ in range(TAPS):
        game.tap()
    game.comes_back_from_the_store()


@pytest.mark.parametrize("play", [Wild, FearfulWild])
def test_whoever_shares_a_line_with_others_is_told_it_as_if_alone(store: Store, play: type[Wild]) -> None:
    """A line made once for several viewers depends on nobody whom it doesn't name."""
    game = Contract(play(store, 77))
    shared: list[str] = []
    for _ in range(TAPS):
        game.tap()
        bench = game.wild.bench
        state, newest = bench.state, bench.table.entries[-1:]
        known = {one.id for one in state.characters()}
        for line in (line for entry in newest for line in entry.lines):
            assert known & words_in(line.model_dump(mode="json")) <= line.mentions()
        for entry in newest:
            for sight in (Sight(state, viewer(person)) for person in (*SEATS, GM, SCREEN, "nobody")):
                alone = [view for line in entry.lines if (view := line_view(sight, line)) is not None]
                assert [view for _, view in lines_told(sight, entry)] == alone
                shared += [str(alone)] if sight.viewer.role is Role.PLAYER else []
    assert len(set(shared)) < len(shared) / 2


def words_in(value: object) -> set[str]:
    match value:
        case dict():
            return set().union(*map(words_in, value.values()))
        case list() | tuple():
            return set().union(*map(words_in, value))
    return {str(value)}


# --- fights ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(FIGHTS))
def test_in_any_fight_every_chance_comes_once_in_order_and_nobody_is_skipped(store: Store, seed: int) -> None:
    count = Count(Wild(store, seed + 5000))
    for _ in range(4):
        count.one_round()


class Count:
    """A fight in which people also come and go, are hurt by hand, and rows are undone."""

    def __init__(self, wild: Wild) -> None:
        self.wild = wild
        self.bench = wild.bench
        self.any = wild.any

    def one_round(self) -> None:
        lowest = 12
        for _ in range(400):
            if self.bench.state.fight() is None:  # one side was down, and Next ended it
                return
            if self.bench.phase is Phase.OVER:
                break
            if self.bench.phase is Phase.ORDER:
                self.wild.fight_on()
                lowest = 12
                continue
            up = self._up()
            said, backwards = self._something()
            if self.bench.state.fight() is None or self.bench.phase is not Phase.TURNS:
                continue
            if backwards:
                lowest = 12
            if self.bench.state.held_up():
                continue
            now = self._up()
            if now != up and not backwards:
                assert up is None or not self._is_there(*up), f"{said} ended {up}"
                assert now == first_up(self.bench), f"{said}: somebody was skipped"
            if now is not None:
                assert now[1] <= lowest, f"{said}: the count ran backwards"
                lowest = now[1]
        self._is_over()

    def _something(self) -> tuple[str, bool]:
        """One act, and whether it may turn back the count."""
        chance = self.any.random()
        if chance < 0.04:
            return f"undo: {self.bench.undo()}", True
        if chance < 0.12:
            move, by_hand = self._by_the_gm()
            return f"{move}: {self.bench.send(move)}", by_hand
        before = len(self.bench.table.entries)
        move, as_, reply = self.wild.fight_on()
        said = (line for entry in self.bench.table.entries[before:] for line in entry.lines)
        turns_back = any(line.sentence.template == "{who} acts on {numbers}." for line in said)
        return f"{as_}: {move}: {reply}", turns_back

    def _by_the_gm(self) -> tuple[Message, bool]:
        someone = self.any.choice(self.bench.state.characters()).id
        hurt = {"actor": someone, "game_id": "squad", "path": ["hp", "now"], "amount": self.any.choice([-20, -2, 3])}
        moves: list[Message] = [
            {"move": "table.adjust", **hurt},
            {"move": "table.adjust", **hurt},
            {"move": "table.leave_fight", "character": someone},
            {"move": "table.join_fight", "character": someone},
            {"move": "squad.set_surprised", "character": someone, "surprised": self.any.random() < 0.7},
            self.wild._foes(hidden=False),
        ]
        if len(self.bench.state.characters()) > 5:
            moves.append({"move": "table.remove_character", "character": someone})
        return self.any.choice(moves), False

    def _up(self) -> tuple[str, int] | None:
        active = self.bench.battle.active
        return next(((slot.id, slot.number) for slot in self.bench.state.slots() if slot.id == active), None)

    def _is_there(self, chance: str, number: int) -> bool:
        """Is the chance that was up still there to be used?"""
        slots = [slot for slot in self.bench.state.slots() if not slot.spent and not slot.waits]
        return any((slot.id, slot.number) == (chance, number) for slot in slots)

    def _is_over(self) -> None:
        if self.bench.state.fight() is None:
            return
        assert self.bench.phase is Phase.OVER
        assert all(slot.spent for slot in self.bench.state.slots()), "those who still stand had all their chances"
        for member in self.bench.battle.members:
            spent = self.bench.state.sheet(BOOK.games["squad"].sheet, member).spent
            assert len(spent) == len(set(spent)), "no chance is used twice"
        while self.bench.state.fight() is not None and self.bench.phase is Phase.OVER:
            self.bench.next()


def first_up(bench: Bench) -> tuple[str, int] | None:
    """Whose chance comes next by the book, worked out from nothing but the sheets."""
    coming = []
    for who, member in bench.battle.members.items():
        sheet, foe = bench.state.sheet(Sheet, who), bench.state.character(who).side is Side.FOE
        if member.joined > bench.battle.round or sheet.condition is not Condition.FIT or sheet.initiative is None:
            continue
        for nth, number in enumerate(range(sheet.initiative, 0, -5)):
            until = sheet.until.get(str(nth))
            if nth not in sheet.spent and (nth not in sheet.held or until is not None):
                tie = (until is not None, foe, -(sheet.monster or sheet.stw), member.place)
                coming.append((-(until or number), tie, f"{who}:{nth}"))
    if not coming:
        return None
    number, _, chance = min(coming)
    return chance, -number


def test_nearly_all_hits_can_be_undone_many_rows_later(store: Store) -> None:
    hits = {1: [0, 0], 4: [0, 0], 8: [0, 0]}
    for seed in range(FIGHTS):
        bench = fought(store, seed + 9000)
        rows = bench.table.entries
        for entry in rows:
            if any(line.outcome == "hurt" for line in entry.lines):
                for later in (later for later in hits if entry.number + later <= rows[-1].number):
                    hits[later][1] += 1
                    hits[later][0] += hit_can_be_undone(bench, entry, later)
    shares = {later: good / every for later, (good, every) in hits.items()}
    print({f"{later} rows later": f"{share:.1%} of {hits[later][1]}" for later, share in shares.items()})  # noqa: T201
    assert all(share >= 0.95 for share in shares.values()), shares


def fought(store: Store, seed: int) -> Bench:
    """Nothing but fight, of people who can take a lot of blows."""
    wild = Wild(store, seed)
    for one in wild.bench.state.characters():
        values = {"hp.full": 99, "hp.now": 99}
        wild.bench.do({"move": "table.edit", "actor": one.id, "game_id": "squad", "values": values})
    for _ in range(80):
        wild.fight_on()
    return wild.bench


def hit_can_be_undone(bench: Bench, entry: Entry, later: int) -> bool:
    """Was anything in the way when only this many rows had followed?"""
    table = bench.table
    rows = [row for row in table.entries if entry.number <= row.number]
    now = table._bodies()
    then = undoing(rows[later + 1 :], now, table._model_of).bodies
    bodies = {key: body for key, body in (now | then).items() if body is not None}
    thread = [row for row in rows[: later + 1] if row.thread == entry.thread]
    return not undoing(thread, bodies, table._model_of).in_the_way


# --- what is worked out ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(BOOK.games))
def test_of_a_menu_only_the_open_tab_is_worked_out(store: Store, game: str) -> None:
    bench = Offers(store, (game,), 1).bench
    picture = Picture(bench.table, viewer(GM))
    blocks = [block for one in bench.state.characters() for _, found in picture.blocks(one.id, {}) for block in found]
    menus = [block for block in blocks if isinstance(block, Menu) and len(block.tabs) > 1]
    assert menus
    for menu in menus:
        shown, *closed = menu.tabs
        assert shown.buttons, menu.key
        assert not any(tab.buttons for tab in closed), menu.key
