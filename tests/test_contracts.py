"""What holds whatever anybody does: found out by random play.

GRITBOARD_GAMES=1000 plays more games than the usual few; a failing seed is in the name of its test.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from tests.support import samples_pools, samples_willpower
from tests.support.contract import Contract
from tests.support.fearful import FearfulWild
from tests.support.offers import Offers
from tests.support.play import BOOK, GM, SCREEN, Bench, EvenDice, Message, viewer
from tests.support.wild import SEATS, Wild
from webapp.history import Entry, undoing
from webapp.projection.picture import Picture
from webapp.rules.between import what_winds_up
from webapp.rules.blocks import Menu
from webapp.rules.calls import Call
from webapp.rules.document import Side
from webapp.rules.encounter import Phase
from webapp.rules.games.squad.sheet import Condition, Sheet
from webapp.rules.lines_view import line_view
from webapp.rules.move import Leave, Move, Step
from webapp.rules.next_step import what_next
from webapp.rules.sight import Sight
from webapp.rules.state import Habits
from webapp.rules.tables import RandomTable
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
        move, as_, reply = self.wild.fight_on()
        turns_back = move["move"] == "squad.initiative"
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


# --- who may do what ---------------------------------------------------------------------------------------


def a_fight(store: Store) -> Bench:
    """Ann is up on 8; then the rat, then Ben. Cat sits idle without a player, a ghost hides."""
    bench = Bench(store, dice=EvenDice())
    bench.hero(
        "Ann",
        stw=12,
        hp="9 of 15",
        will=3,
        weakness="Vain",
        first_aid=True,
        devices={"sword": "melee d8"},
        powers={"mend": "healing d6 2"},
    )
    bench.hero("Ben")
    bench.hero("Cat", seat="")
    bench.foe("Rat", monster=12, devices={"bite": "melee d4"})
    bench.foe("Ghost", monster=4, hidden=True)
    bench.fight(Ann=8, Rat=5, Ben=4)
    return bench


def fight_for(store: Store, kind: str) -> Bench:
    """A fight of the game this move belongs to."""
    game = kind.partition(".")[0]
    if game not in TABLES:
        return a_fight(store)
    bench = Bench(store, dice=EvenDice(), game=game)
    TABLES[game](bench)
    return bench


def a_won_fight(bench: Bench) -> Message:
    """Ann is hurt, and nobody is left to fight: a night would do her good."""
    bench.do({"move": "table.end_fight"})
    for foe in ("Rat", "Ghost"):
        bench.do({"move": "table.edit", "actor": foe, "game_id": "squad", "values": {"hp.now": 0}})
    seen = what_winds_up(bench.state)
    assert seen
    return {"seen": seen}


def a_blow(bench: Bench) -> Message:
    bench.do({"move": "table.done", "actor": "Ann"})
    bench.attack("Rat", "Ann", "bite")
    return {"question": bench.question.id, "choice": "hit"}


def dice_to_tell(bench: Bench) -> Message:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann")
    return {"question": bench.question.id, "faces": [3]}


def a_notice(bench: Bench) -> Message:
    a_blow(bench)
    bench.next()
    return ANN


def no_fight(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    return {}


def changed(bench: Bench, who: str, **values: object) -> None:
    bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": values})


def a_dying_patient(bench: Bench) -> Message:
    changed(bench, "Cat", **{"hp.now": 0})
    return {**ANN, "patient": "Cat"}


def a_breakdown(bench: Bench) -> Message:
    changed(bench, "Cat", condition="broken down")
    return {"patient": "Cat"}


def foes_are_up(bench: Bench) -> Message:
    bench.do({"move": "table.done", "actor": "Ann"})
    return {"attacks": [{"actor": "Rat", "target": "Ann", "device": "bite", "slot": f"{bench.ids['Rat']}:0"}]}


def no_initiative(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    return {}


def frightening(bench: Bench, **house: str) -> Message:
    """Fear comes to the table in the middle of the fight."""
    bench.do({"move": "table.set_games", "games": ["squad", "dread"]})
    if house:
        bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": house})
    return {}


def a_call(bench: Bench) -> Message:
    frightening(bench)
    bench.do({"move": "dread.call_fear", "difficulty": 4})
    return {"call": next(bench.state.all(Call)).id}


def nerves(bench: Bench, **values: object) -> Message:
    frightening(bench)
    bench.do({"move": "table.edit", **ANN, "game_id": "dread", "values": values})
    return {}


def put_off(bench: Bench) -> Message:
    frightening(bench, insanity_when="deferred")
    bench.do({"move": "dread.tell_fear", **ANN, "total": 1, "difficulty": 4})
    return {}


def a_kept_table(bench: Bench) -> Message:
    bench.do({"move": "table.keep_table", "name": "Weather", "lines": "Rain", "shared": True})
    return {"table": next(bench.state.all(RandomTable)).id}


DUTIES = {"tests": "squad", "blows": "squad", "fear": "table", "order": "squad", "turn": "all slots of a round"}
ANN = {"actor": "Ann"}
SAMPLES: dict[str, Callable[[Bench], Message]] = {
    "table.answer": a_blow,
    "table.tell_faces": dice_to_tell,
    "table.noted": a_notice,
    "table.next": lambda bench: {"seen": what_next(bench.state)},
    "table.start_fight": no_fight,
    "table.wind_up": a_won_fight,
    "table.end_fight": lambda bench: {},
    "table.join_fight": lambda bench: {"character": "Cat"},
    "table.leave_fight": lambda bench: {"character": "Ben"},
    "table.make_hero": lambda bench: {"name": "Dot", "sheets": {"squad": {"hp": {"now": 9, "full": 9}}}},
    "table.add_characters": lambda bench: {"name": "Dog", "sheets": {"squad": {"hp": {"now": 9, "full": 9}}}},
    "table.claim": lambda bench: {"character": "Cat"},
    "table.assign": lambda bench: {"character": "Ann", "seats": ["ben"]},
    "table.rename": lambda bench: {**ANN, "name": "Anna"},
    "table.introduce": lambda bench: {**ANN, "name": "Ann", "line": "never late"},
    "table.remove_character": lambda bench: {"character": "Ben"},
    "table.reveal": lambda bench: {"character": "Ghost"},
    "table.disguise": lambda bench: {"character": "Rat", "alias": "A shape"},
    "table.edit": lambda bench: {**ANN, "game_id": "squad", "values": {"tuf": 12}},
    "table.edit_table": lambda bench: {"key": "squad.house/squad", "values": {"parry": False}},
    "table.adjust": lambda bench: {**ANN, "game_id": "squad", "path": ["hp", "now"], "amount": -1},
    "table.done": lambda bench: ANN,
    "table.acts_before": lambda bench: {"character": "Ben", "before": "Ann"},
    "table.tie": lambda bench: {"character": "Ben", "to": "Ann"},
    "table.keep_table": lambda bench: {"name": "Weather", "lines": "Rain"},
    "table.roll_table": a_kept_table,
    "table.throw_table_away": a_kept_table,
    "table.rest": lambda bench: no_fight(bench) | {"hours": 8},
    "table.share_out": lambda bench: no_fight(bench) | DUTIES,
    "table.period_over": lambda bench: {"period": "session"},
    "table.curtain": lambda bench: {"value": "pause"},
    "table.damage": lambda bench: {"plus": 4, "shares": {"Ann": "full", "Rat": "half"}},
    "table.set_games": lambda bench: {"games": ["squad", "dread"]},
    "table.turn_over": a_call,
    "table.let_go": lambda bench: a_call(bench) | {"character": "Ann"},
    "dread.check": lambda bench: frightening(bench) | {**ANN, "attribute": "agility", "difficulty": 4},
    "dread.learn": lambda bench: frightening(bench) | {**ANN, "skill": "hiding", "rank": 2},
    "dread.call_fear": lambda bench: frightening(bench) | {"difficulty": 4},
    "dread.scare": lambda bench: frightening(bench) | {**ANN, "targets": ["Rat"]},
    "dread.tell_fear": lambda bench: frightening(bench) | {**ANN, "total": 3, "difficulty": 4},
    "dread.settle": put_off,
    "dread.calm": lambda bench: nerves(bench, fear="scared"),
    "dread.safe": lambda bench: nerves(bench, temporary=3),
    "dread.award_toughness": lambda bench: frightening(bench) | {"character": "Ann"},
    "table.tray": lambda bench: {"dice": {"6": 2}},
    "squad.task": lambda bench: {**ANN, "attribute": "TUF", "against": "Rat"},
    "squad.call_task": lambda bench: {"attribute": "TUF", "difficulty": 4},
    "squad.surprise": lambda bench: no_initiative(bench) | {"ambush": True},
    "squad.set_surprised": lambda bench: {"character": "Rat", "surprised": True},
    "squad.initiative": lambda bench: no_initiative(bench) | ANN,
    "squad.roll_initiative": no_initiative,
    "squad.hold": lambda bench: ANN,
    "squad.attack": lambda bench: {**ANN, "target": "Rat", "device": "sword"},
    "squad.foes_act": foes_are_up,
    "squad.break_off": lambda bench: ANN,
    "squad.orders": lambda bench: {"name": "Rat", "parry": "never"},
    "squad.first_aid": a_dying_patient,
    "squad.use_power": lambda bench: {**ANN, "power": "mend", "patient": "Ann"},
    "squad.treat": a_breakdown,
    "squad.grant": lambda bench: {"character": "Ann"},
    "squad.bring_in_weakness": lambda bench: ANN,
    "squad.ask_for_cash": lambda bench: {**ANN, "purpose": "Training"},
    "squad.take": lambda bench: {**ANN, "what": "device", "id": "pipe"},
    "squad.drop": lambda bench: {**ANN, "what": "device", "id": "sword"},
}
SAMPLES |= samples_pools.SAMPLES | samples_willpower.SAMPLES
TABLES: dict[str, Callable[[Bench], None]] = {
    "pools": samples_pools.a_pools_fight,
    "willpower": samples_willpower.a_willpower_fight,
}
WHOM = {"actor", "target", "character", "patient", "foe", "against", "before", "to", "targets", "patients"}
MOVES = {kind: step for kind, step in BOOK.steps.items() if issubclass(step, Move)}
ROLES = (GM, "ann", "ben", "a newcomer", "", SCREEN)
ALLOWED = {
    Leave.GM: (GM,),
    Leave.OWNER: (GM, "ann"),
    Leave.ADDRESSEE: (GM, "ann"),
    Leave.SEATED: (GM, "ann", "ben", "a newcomer"),
}


@pytest.mark.parametrize("kind", MOVES)
def test_a_move_is_made_by_those_who_may_refused_to_all_others_and_can_be_undone(store: Store, kind: str) -> None:
    assert kind in SAMPLES, f"write a sample of {kind}"
    bench = fight_for(store, kind)
    move = {"move": kind, **SAMPLES[kind](bench)}
    allowed = [role for role in ALLOWED[MOVES[kind].by] if (role, kind) != (GM, "table.claim")]
    before = bench.table._bodies()
    for role in ROLES:
        if role not in allowed:
            assert bench.refused(move, role)
    for role in allowed:
        bench.do(move, role)
        assert bench.undo().ok
        if len(bench.table.entries[-1].undoes) > 1:  # told dice: what asked for them is undone along
            assert bench.state.questions() == []
            break
        assert bench.table._bodies() == before


def test_every_step_can_wait_for_dice_and_come_back_from_the_store() -> None:
    steps = [step for step in descendants(Step) if step.__module__.startswith("webapp.") and not descendants(step)]
    assert [step.kind() for step in steps if step.kind() not in BOOK.steps] == []


def descendants(kind: type[Step]) -> list[type[Step]]:
    return [found for child in kind.__subclasses__() for found in (child, *descendants(child))]


def test_steps_that_follow_by_themselves_are_no_moves(store: Store) -> None:
    bench = a_fight(store)
    for kind in BOOK.steps.keys() - MOVES.keys():
        assert bench.refused({"move": kind}, GM) == "This table knows no such move."


@pytest.mark.parametrize("kind", MOVES)
def test_unseen_and_unknown_characters_are_refused_alike(store: Store, kind: str) -> None:
    bench = fight_for(store, kind)
    move = {"move": kind, **SAMPLES[kind](bench)}
    for role in ("ann", "ben", "", SCREEN):
        for field in WHOM & move.keys():
            said = [bench.refused({**move, field: whom(field, who)}, role) for who in ("Ghost", "nobody")]
            assert said[0] == said[1]


def whom(field: str, who: str) -> str | list[str]:
    return [who] if field.endswith("s") else who


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
