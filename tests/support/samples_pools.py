"""Grit, Energy and Resolve for tests: sheets as people say them, and one sample of each of its moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.play import Bench

POOLS = {"grit": 12, "energy": 8, "resolve": 6}
Message = dict[str, Any]


def pools_body(**said: Any) -> dict[str, Any]:
    """`grit=12` or `grit="3 of 12"`; attacks `{"axe": "martial 3 C"}`, reductions `{"mail": "2 physical armour"}`.

    Nobody is seriously injured by chance: the Severe Threshold is 20 unless said otherwise.
    """
    said = {**POOLS, "threshold": 20, **said}
    return {name: _field(name, value) for name, value in said.items()}


def _field(name: str, value: Any) -> Any:
    match name, value:
        case (("grit" | "energy" | "resolve"), int()):
            return {"now": value, "full": value}
        case (("grit" | "energy" | "resolve"), str()):
            now, full = value.split(" of ")
            return {"now": int(now), "full": int(full)}
        case "attacks", dict():
            return {id: _attack(id, attack) for id, attack in value.items()}
        case "reductions", dict():
            return {id: _reduction(id, one) for id, one in value.items()}
    return value


def _attack(id: str, said: Any) -> dict[str, Any]:
    """ "martial 3 C/S", or "fire" and other fields as a table with `of` for these."""
    more = dict(said) if isinstance(said, dict) else {"of": said}
    skill, damage, *strikes = more.pop("of").split()
    body = {"name": id.capitalize(), "skill": skill, "damage": int(damage), "strikes": "".join(strikes)}
    return {**body, "defences": ["elude"], **more}


def _reduction(id: str, said: str) -> dict[str, Any]:
    amount, against, *armour = said.split()
    return {"name": id.capitalize(), "amount": int(amount), "against": against, "armour": bool(armour)}


# --- one of each move --------------------------------------------------------------------------------------


def a_pools_fight(bench: Bench) -> None:
    """Ann is up on 8; then the rat, then Ben. Cat sits idle without a player, a ghost hides."""
    bench.hero("Ann", attacks={"sword": "martial 3 C"}, wounds={"torso": 2})
    bench.hero("Ben", tools=3)
    bench.hero("Cat", seat="")
    bench.foe("Rat", attacks={"bite": "martial 2 S"})
    bench.foe("Ghost", hidden=True)
    bench.fight(Ann=8, Rat=5, Ben=4)


ANN = {"actor": "Ann"}


def _no_priority(bench: Bench) -> Message:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    return {}


def _edit(bench: Bench, who: str, values: dict[str, Any]) -> None:
    bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": values})


def _no_resolve(bench: Bench) -> Message:
    _edit(bench, "Ann", {"resolve.now": 0})
    return {}


def _burning(bench: Bench, who: str) -> str:
    bench.do({"move": "pools.begin", "target": who, "name": "Burning", "dice": 2, "part": "torso"})
    return str(next(iter(bench.sheet(who).lasting)))


def _asleep(bench: Bench) -> None:
    bench.do({"move": "pools.afflict", "target": "Ben", "name": "unconscious", "tiers": 1})


def _sleeping(bench: Bench) -> Message:
    _asleep(bench)
    return {}


SAMPLES: dict[str, Callable[[Bench], Message]] = {
    "pools.skill_roll": lambda bench: {**ANN, "skill": "endure", "dl": 3},
    "pools.call_skill": lambda bench: {"skill": "endure", "dl": 3, "heroes": ["Ben"]},
    "pools.priority": lambda bench: _no_priority(bench) | ANN,
    "pools.roll_priority": _no_priority,
    "pools.declare": lambda bench: {**ANN, "action": "Opening the gate"},
    "pools.strike": lambda bench: {**ANN, "attack": "sword", "target": "Rat"},
    "pools.push": lambda bench: _no_resolve(bench) | ANN,
    "pools.free_act": lambda bench: _no_resolve(bench) | {"character": "Ann"},
    "pools.hurt": lambda bench: {"targets": ["Ben"], "dice": 2},
    "pools.pay": lambda bench: {**ANN, "pool": "energy", "amount": 2},
    "pools.afflict": lambda bench: {"target": "Ben", "name": "fatigued", "tiers": 2},
    "pools.grow": lambda bench: {**ANN, "what": "immune", "kind_of": "fire"},
    "pools.begin": lambda bench: {"target": "Ben", "name": "Burning", "dice": 2, "part": "torso"},
    "pools.end": lambda bench: {"character": "Ben", "harm": _burning(bench, "Ben")},
    "pools.put_out": lambda bench: {**ANN, "patient": "Ben", "harm": _burning(bench, "Ben")},
    "pools.heal": lambda bench: {**ANN, "dice": 2, "patients": ["Ann"]},
    "pools.minor": lambda bench: ANN,
    "pools.treat": lambda bench: {**ANN, "patient": "Ann", "part": "torso"},
    "pools.wake": lambda bench: _sleeping(bench) | {**ANN, "patient": "Ben"},
    "pools.rouse": lambda bench: _sleeping(bench) | {"character": "Ben"},
    "pools.take": lambda bench: {**ANN, "what": "attack", "id": "cudgel"},
    "pools.drop": lambda bench: {**ANN, "what": "attack", "id": "sword"},
}
