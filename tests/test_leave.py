"""Who may do what."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support import samples_pools, samples_willpower
from tests.support.play import BOOK, GM, SCREEN, Bench, EvenDice, Message
from webapp.rules.between import what_winds_up
from webapp.rules.calls import Call
from webapp.rules.move import Leave, Move, Step
from webapp.rules.next_step import what_next
from webapp.rules.state import Habits
from webapp.rules.tables import RandomTable
from webapp.store import Store


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
