"""What is told before it is decided: how hard a blow may hit, what a power or spell does, what a choice will cost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Fact, Menu
from webapp.rules.document import Side
from webapp.rules.games.squad.sheet import Sheet, half
from webapp.rules.state import Habits
from webapp.rules.text import render
from webapp.store import Store


@pytest.fixture
def bench(store: Store) -> Bench:
    return Bench(store)


def menu(bench: Bench, who: str, as_: str, key: str) -> Menu:
    sections = Picture(bench.table, viewer(as_)).blocks(bench.ids[who])
    found = next(block for _, blocks in sections for block in blocks if block.key == key)
    assert isinstance(found, Menu)
    return found


def words(bench: Bench, sentence: Any) -> str:
    return "" if sentence is None else render(sentence, bench.sight())


def asked(bench: Bench, as_: str) -> str:
    return Picture(bench.table, viewer(as_)).questions()[0].ask


# --- a blow, S-30 … S-34 -----------------------------------------------------------------------------------


def test_a_blow_says_how_hard_it_may_hit_and_what_is_worn_against_it(bench: Bench) -> None:
    worn = {"vest": "armour d6", "helm": "armour d4", "coat": "armour d8 off"}
    bench.hero("Ann", devices=worn)
    bench.foe("Rat", monster=8, devices={"bite": "melee d10"})
    bench.fight(Ann=1, Rat=2)
    bench.attack("Rat", "Ann", "bite", faces=[5])
    assert asked(bench, "ann") == "Rat hits Ann with 5: damage d10, less d6 of Vest and d4 of Helm. Parry?"


def test_a_blow_at_one_without_armour_tells_its_die_alone(bench: Bench) -> None:
    bench.hero("Ann")
    bench.foe("Rat", monster=8)
    bench.fight(Ann=1, Rat=2)
    bench.attack("Rat", "Ann", faces=[5])
    assert asked(bench, "ann") == "Rat hits Ann with 5: damage d4. Parry?"


def test_how_hard_it_may_hit_is_not_told_of_those_whose_figures_are_hidden(bench: Bench) -> None:
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    bench.hero("Ann", devices={"vest": "armour d6"})
    bench.foe("Rat", monster=8, devices={"bite": "melee d10"})
    bench.fight(Ann=1, Rat=2)
    bench.attack("Rat", "Ann", "bite", faces=[5])
    assert asked(bench, "ann") == "Rat hits Ann with 5: damage ?, less d6 of Vest. Parry?"
    assert "damage d10" in asked(bench, GM)


# --- powers and spells -------------------------------------------------------------------------------------


def test_a_power_says_what_it_does_before_it_is_used(bench: Bench) -> None:
    powers = {
        "read": {
            "name": "Read",
            "kind": "other",
            "die": 6,
            "uses": {"now": 3, "full": 3},
            "line": "What they think.",
        },
        "mend": {"name": "Mend", "kind": "healing", "die": 6, "uses": {"now": 1, "full": 1}, "line": "Warm palms."},
        "bolt": {"name": "Bolt", "kind": "ranged", "die": 8, "uses": {"now": 2, "full": 3}, "line": "Smells of tin."},
        "claws": {"name": "Claws", "kind": "close", "die": 8, "uses": {"now": 2, "full": 3}, "line": ""},
    }
    bench.hero("Ann", hp="3 of 15", powers=powers)
    bench.foe("Rat", monster=8)
    bench.fight(Ann=2, Rat=1)
    assert words(bench, menu(bench, "Ann", "ann", "squad.power.read").label) == "Read d6 · 3 left: What they think."
    assert words(bench, menu(bench, "Ann", "ann", "squad.power.mend").label) == "Mend d6 · 1 left: Warm palms."
    tabs = {tab.key: words(bench, tab.note) for tab in menu(bench, "Ann", "ann", "squad.attack").tabs}
    assert tabs == {"power bolt": "Smells of tin.", "power claws": "", "hands": ""}


def test_a_spell_says_what_it_does_before_it_is_cast(store: Store) -> None:
    bench = Bench(store, game="willpower")
    bench.hero("Ann", spells={"mist": {"name": "Mist", "line": "Fog to walk away in."}, "hush": {"name": "Hush"}})
    buttons = menu(bench, "Ann", "ann", "willpower.cast").tabs[0].buttons
    told = {words(bench, one.label): words(bench, one.note) for one in buttons}
    assert told == {"Mist": "Fog to walk away in.", "Hush": ""}


@pytest.mark.parametrize(
    ("die", "price"),
    [(6, "the die goes down to a d4"), (4, "it runs out: certain Panic and Chaos Revenge")],
)
def test_letting_the_casting_die_drop_says_what_that_brings(store: Store, die: int, price: str) -> None:
    bench = Bench(store, game="willpower")
    bench.hero("Ann", willpower=die, spells={"mist": {"name": "Mist"}})
    bench.do({"move": "willpower.cast", "actor": "Ann", "spell": "mist"}, "ann", faces=[2])
    drop = Picture(bench.table, viewer("ann")).questions()[0].choices[0]
    assert (drop.label, drop.price) == ("Let it drop", price)


def test_an_effect_says_that_a_d4_runs_out(store: Store) -> None:
    bench = Bench(store, game="willpower")
    bench.hero("Ann", willpower=4)
    bench.hero("Ben", willpower=6)
    bench.foe("Rat", damage=2)
    label = words(bench, menu(bench, "Ann", "ann", "willpower.effect").label)
    assert label == "With an effect: on a hit it works 50 %, else the die runs out and you panic"
    label = words(bench, menu(bench, "Ben", "ben", "willpower.effect").label)
    assert label == "With an effect: on a hit it works 67 %, else the die drops"


# --- a die that may be raised first, S-56 ------------------------------------------------------------------


def test_whoever_is_asked_before_armour_is_rolled_sees_the_damage_and_both_dice(bench: Bench) -> None:
    bench.crowd.of["ann"] = Habits(orders={"parry": "never", "reroll": "any"})
    bench.hero("Ann", will=1, devices={"vest": "armour d6"})
    bench.foe("Rat", monster=8, devices={"bite": "melee d10"})
    bench.fight(Ann=1, Rat=2)
    bench.attack("Rat", "Ann", "bite", faces=[5, 9])
    view = Picture(bench.table, viewer("ann")).questions()[0]
    assert view.ask == "9 damage to Ann: Vest, d6, takes some of it off."
    assert [(one.label, one.price, one.chance) for one in view.choices] == [
        ("Roll", "d6", None),
        ("Roll", "d8", None),
    ]


# --- what Next would do ------------------------------------------------------------------------------------


def plan(bench: Bench, as_: str = GM) -> list[str]:
    blocks = Picture(bench.table, viewer(as_)).gm_blocks()
    return [
        words(bench, one.value)
        for one in blocks
        if isinstance(one, Fact) and words(bench, one.label) == "They strike"
    ]


def test_the_gm_reads_who_will_strike_whom_and_nobody_else_does(bench: Bench) -> None:
    bench.hero("Ann")
    bench.foe("Rat", monster=8, devices={"bite": "melee d10"})
    bench.foe("Cur", monster=8)
    bench.fight(Ann=1, Rat=2, Cur=2)
    assert plan(bench) == ["Rat → Ann with Bite · Cur → Ann with bare hands"]
    assert plan(bench, "ann") == plan(bench, SCREEN) == []
    bench.attack("Rat", "Ann", "bite", faces=[5])
    assert plan(bench) == []


def test_in_a_stack_only_the_plan_of_whoever_runs_the_order_is_told(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    duties = {"tests": "squad", "blows": "willpower", "fear": "willpower", "order": "willpower"}
    bench.do({"move": "table.share_out", "turn": "one slot", **duties})
    bench.hero("Ann", squad={"hp": 9}, willpower={"guts": 12, "hp": 9})
    bench.foe("Rat", squad={"monster": 8, "hp": 9}, willpower={"damage": 3, "hp": 9})
    bench.do({"move": "table.start_fight"})
    bench.next(faces=[15])
    bench.answer("stand")
    assert plan(bench) == ["Rat → Ann, close up, 3 damage"]


# --- the sample table, S-44, S-45 --------------------------------------------------------------------------


def test_at_the_sample_table_first_aid_is_likely_for_whoever_falls_but_the_one_who_gives_it() -> None:
    (sample,) = BOOK.games["squad"].samples()
    heroes = [{"id": name, **sheets["squad"]} for side, name, _, sheets in sample.cast if side is Side.HERO]
    party = [Sheet.model_validate(body) for body in heroes]
    helper = max((one for one in party if one.first_aid), key=lambda one: one.stw)
    needed = [8 - half(one.tuf) for one in party if one is not helper]
    assert all(2 * (helper.stw - number + 1) > helper.stw for number in needed)
