"""Numbers of every size: injuries, odds, chances to hit."""

from __future__ import annotations

from fractions import Fraction
from itertools import count, product
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.play import BOOK, GM, viewer
from tests.support.samples_pools import POOLS
from webapp.rules.dice import FairDice
from webapp.rules.document import Character, Settings, Side
from webapp.rules.games.pools.harm import deal
from webapp.rules.games.pools.healing import FACE_THAT_HEALS, healing_ask
from webapp.rules.games.pools.house import House, StabFloor
from webapp.rules.games.pools.reckoning import Hit, outlook, reckon
from webapp.rules.games.pools.sheet import FATIGUED, Attack, Part, Pool, Reduction, Sheet
from webapp.rules.games.pools.strikes import Strike, hit_chance
from webapp.rules.move import Step
from webapp.rules.odds import totals
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import text
from webapp.rules.values import Track

faces = st.lists(st.integers(1, 12), max_size=6).map(tuple)

ANN, RAT = "ann", "rat"


letters = st.sets(st.sampled_from("BCFMS")).map(lambda found: "".join(sorted(found)))


kinds = st.sets(st.sampled_from(["fire", "cold"])).map(lambda found: tuple(sorted(found)))


hits = st.builds(
    Hit,
    source=st.just(ANN),
    target=st.just(RAT),
    damage=st.integers(0, 6),
    onto=st.sampled_from(["grit", "energy", "resolve", "poisoned"]),
    kinds=kinds,
    strikes=letters,
    faces=faces,
    strike=st.booleans(),
    part=st.sampled_from([None, *Part]),
)


reductions = st.lists(
    st.builds(
        Reduction,
        name=st.just("Hide"),
        amount=st.integers(0, 6),
        against=st.sampled_from(["physical", "magical", "fire", "grit"]),
        armour=st.booleans(),
    ),
    max_size=3,
).map(lambda found: {f"r{nth}": one for nth, one in enumerate(found)})


tracks = st.integers(0, 8).flatmap(lambda full: st.integers(0, full).map(lambda now: Track(now=now, full=full)))


sheets = st.builds(
    Sheet,
    id=st.just(RAT),
    grit=tracks,
    energy=tracks,
    resolve=tracks,
    threshold=st.integers(-3, 6),
    size=st.integers(0, 3),
    reductions=reductions,
    immune=st.sets(st.sampled_from(["acid", "unaware"])).map(tuple),
    vulnerable=kinds,
)


houses = st.builds(House, stab_floor=st.sampled_from(StabFloor), twelve_always_counts=st.booleans())


def sheet(**said: Any) -> Sheet:
    return Sheet.model_validate({"id": RAT, **{pool: Track.of(full) for pool, full in POOLS.items()}, **said})


def documents(target: Sheet, house: House) -> dict[str, Any]:
    settings = Settings(id="table", name="The Old Mill", games=("pools",), fight="pools", blows="pools")
    people = {
        ANN: Character(id=ANN, name="Ann", side=Side.HERO),
        RAT: Character(id=RAT, name="Rat", side=Side.FOE),
    }
    striker = sheet().model_copy(update={"id": ANN})
    return {
        Settings.kind(): {"table": settings},
        House.kind(): {"pools": house},
        Character.kind(): people,
        Sheet.kind(): {ANN: striker, RAT: target},
    }


def a_state(target: Sheet, house: House | None = None) -> State:
    return State(BOOK, documents(target, house or House()), {})


@given(hits, sheets, houses, st.integers(0, 8), st.lists(st.integers(1, 12), min_size=20, max_size=20))
def test_injury_is_at_most_the_dice_and_holding_back_never_raises_it(
    hit: Hit, target: Sheet, house: House, held_back: int, fallen: list[int]
) -> None:
    state = a_state(target, house)
    injuries = []
    for held in (held_back, held_back + 1):
        reckoning = reckon(state, hit, held)
        injury = reckoning.injury(sum(face >= reckoning.needed for face in fallen[: reckoning.dice]))
        assert 0 <= injury <= reckoning.dice
        injuries.append(injury)
    assert injuries[1] <= injuries[0]


@given(hits, sheets, houses, st.integers(1, 6), st.lists(st.integers(1, 12), min_size=20, max_size=20))
def test_more_reduction_never_raises_injury(
    hit: Hit, target: Sheet, house: House, more: int, fallen: list[int]
) -> None:
    extra = Reduction(name="More", amount=more, against=hit.onto)
    thicker = target.model_copy(update={"reductions": {**target.reductions, "more": extra}})
    thin, thick = (reckon(a_state(one, house), hit) for one in (target, thicker))
    assert thin.dice == thick.dice
    assert thick.needed >= thin.needed
    counted = [sum(face >= one.needed for face in fallen[: one.dice]) for one in (thin, thick)]
    assert thick.injury(counted[1]) <= thin.injury(counted[0])


@pytest.mark.parametrize("reduction", range(-8, 13))
def test_a_die_counts_by_the_face_it_needs(reduction: int) -> None:
    hide = Reduction(name="Hide", amount=reduction, against="grit")
    found = outlook(a_state(sheet(reductions={"hide": hide}, threshold=20)), Hit(source=None, target=RAT, damage=1))
    needed = 3 + reduction
    wanted = min(Fraction(1), max(Fraction(0), Fraction(13 - needed, 12)))
    assert dict(found.injury).get(1, Fraction(0)) == wanted


def test_plain_damage_counts_ten_faces_and_healing_seven() -> None:
    found = outlook(a_state(sheet()), Hit(source=None, target=RAT, damage=1))
    assert dict(found.injury)[1] == Fraction(10, 12)
    assert dict(totals(healing_ask(text("healing"), ANN, 1, FACE_THAT_HEALS)))[1] == Fraction(7, 12)


@given(hits.filter(lambda hit: hit.damage <= 1), sheets.filter(lambda one: one.threshold >= -1), houses)
def test_the_odds_are_the_share_of_all_faces(hit: Hit, target: Sheet, house: House) -> None:
    state = a_state(target, house)
    reckoning, found = reckon(state, hit), outlook(state, hit)
    if reckoning.dice > 3:
        return
    rolls = [
        reckoning.injury(sum(face >= reckoning.needed for face in fallen))
        for fallen in product(range(1, 13), repeat=reckoning.dice)
    ]
    assert sum(share for _, share in found.injury) == 1
    for injury, share in found.injury:
        assert share == Fraction(rolls.count(injury), len(rolls))
    if hit.onto == Pool.GRIT:
        serious = sum(injury > max(0, target.threshold) for injury in rolls)
        out = sum(0 < injury >= target.grit.now for injury in rolls)
        assert (found.serious, found.knock_out) == (Fraction(serious, len(rolls)), Fraction(out, len(rolls)))
    else:
        assert found.serious == found.knock_out == 0


class Strikes(Step):
    """A hit by itself, with the striker's dice."""

    game: ClassVar[str] = "test"
    hit: Hit

    @property
    def thrower(self) -> str | None:
        return self.hit.source

    def apply(self, scene: Scene) -> None:
        deal(scene, self.hit)


@given(hits, sheets, houses)
def test_pools_stay_within_their_ends_and_nothing_of_an_injury_is_lost(hit: Hit, target: Sheet, house: House) -> None:
    ids = (f"id{n}" for n in count())
    scene = Scene(BOOK, documents(target, house), {}, dice=FairDice(), viewer=viewer(GM), thread="t", new_ids=ids)
    scene.run(Strikes(hit=hit))
    after = scene.sheet(Sheet, RAT)
    for pool in Pool:
        assert 0 <= after.pool(pool).now <= after.pool(pool).full == target.pool(pool).full
    injury = next((line.rolls[0].total for line in scene.lines if line.outcome in ("injured", "unhurt")), 0)
    injury = reckon(State(BOOK, documents(target, house), {}), hit).injury(injury)
    lost = sum(target.pool(pool).now - after.pool(pool).now for pool in Pool)
    knocked = any(line.outcome == "knocked out" for line in scene.lines)
    gained = after.tiers(FATIGUED) - knocked + after.tiers("poisoned")
    assert lost + gained == injury


@given(st.integers(0, 4), st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_the_chance_to_hit_is_the_share_of_all_faces(tired: int, martial: int, elude: int, both: bool) -> None:
    defences = ("elude", "martial") if both else ("elude",)
    attack = Attack.model_validate({"name": "Axe", "damage": 2, "defences": defences})
    target = sheet(elude=elude, martial=1, afflictions={FATIGUED: tired, "unaware": 0, "unconscious": 0})
    state = a_state(target)
    state.sheet(Sheet, ANN).attacks = {"axe": attack}
    state.sheet(Sheet, ANN).martial = martial
    best = max(elude, 1) if both else elude

    def up_to(face: int, dice: int) -> Fraction:
        return Fraction(max(0, min(face, 12)), 12) ** dice

    shares = {face: up_to(face, martial) - up_to(face - 1, martial) for face in range(1, 13)}
    wanted = sum(share * up_to(face + tired, best) for face, share in shares.items())
    assert hit_chance(state, Strike(actor=ANN, attack="axe", target=RAT)) == wanted
