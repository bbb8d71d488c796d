"""The pictures of pools and bodies."""

from __future__ import annotations

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench
from webapp.rules.blocks import Anatomy, Cascade, Menu, Spot
from webapp.rules.cards_view import buttons_of, card
from webapp.rules.games.pools.sheet import Part
from webapp.rules.text import text
from webapp.store import Store
from webapp.ui import figure


def drawn(bench: Bench, who: str, as_: str = GM) -> str:
    """The body of somebody as this viewer gets it; "" for none."""
    one = bench.state.character(bench.ids[who])
    found = [block for _, blocks in card(bench.sight(as_), one).sections for block in blocks]
    return "".join(figure.anatomy(block, "x", bench.sight(as_)).html for block in found if isinstance(block, Anatomy))


@pytest.mark.parametrize(
    ("parts", "drawn_parts"),
    [
        (list(Part), 6),
        (["head", "torso", "right leg", "left leg"], 4),
        (["head", "torso"], 2),
        (["torso"], 1),
    ],
)
def test_a_body_has_the_parts_it_has_and_says_what_became_of_them(
    store: Store, parts: list[str], drawn_parts: int
) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", parts=parts, wounds={"torso": 4})
    html = drawn(bench, "Ann", "ann")
    assert html.count("data-spot=") == drawn_parts
    assert 'class="spot s2" data-spot="torso"' in html
    assert "Wounded 4: −2 on all rolls" in html
    assert html.count("<li") == drawn_parts


def test_parts_of_any_other_name_are_drawn_beside_the_body(store: Store) -> None:
    spots = (
        Spot(key="torso", label=text("Torso"), words=text("whole")),
        Spot(key="tail", label=text("Tail"), shade=3, number=7, words=text("Wounded 7")),
    )
    sight = Bench(store, game="pools").sight()
    html = figure.anatomy(Anatomy(key="a", label=text("Body"), spots=spots), "x", sight).html
    assert html.count("data-spot=") == 2
    assert 'class="spot s3" data-spot="tail"' in html
    assert ">7</text>" in html


def test_a_foe_s_wounds_are_drawn_for_others_only_where_its_health_is_a_number(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", wounds={"head": 1})
    bench.foe("Rat", wounds={"torso": 2})
    assert "Wounded 2" in drawn(bench, "Rat")
    assert drawn(bench, "Rat", "ann") == drawn(bench, "Rat", SCREEN) == ""
    assert "Wounded 1" in drawn(bench, "Ann", SCREEN)
    bench.do({"move": "table.disguise", "character": "Rat", "shows_health": "number"})
    assert "Wounded 2" in drawn(bench, "Rat", "ann")


def test_pools_that_are_empty_are_seen_to_run_over(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", grit="0 of 12", energy="3 of 8", resolve=0, afflictions={"fatigued": 14})
    ann = bench.state.character(bench.ids["Ann"])
    blocks = [block for _, found in card(bench.sight("ann"), ann).sections for block in found]
    grit, energy, tired, resolve = next(block for block in blocks if isinstance(block, Cascade)).vessels
    assert (grit.spilling, energy.spilling, resolve.spilling) == (True, False, False)
    assert (tired.now, tired.harm) == (14, True)
    html = figure.cascade(next(block for block in blocks if isinstance(block, Cascade)), "x", bench.sight("ann")).html
    assert html.count("height:100%") == 1
    assert "−14 on skill rolls" in html


def test_aiming_is_picked_on_the_strike_and_changes_its_chance_where_it_costs(store: Store) -> None:
    for aim, same in (("gm_leave", True), ("minus_2", False)):
        bench = Bench(store, game="pools", house={"aim": aim})
        bench.hero("Ann", martial=2, attacks={"axe": "martial 2"})
        bench.foe("Rat", elude=2, parts=["head", "torso"])
        bench.fight(Ann=8, Rat=5)
        blocks = [
            block for _, found in BOOK.acts(bench.state, bench.state.character(bench.ids["Ann"])) for block in found
        ]
        menu = next(block for block in blocks if isinstance(block, Menu) and block.key == "pools.strike")
        strike = buttons_of(bench.state, menu.tabs[0])[0]
        head, arm = strike.picked["head"], strike.picked["left arm"]
        assert (head.chance == strike.chance) is same
        assert head.move == {**strike.move, "part": "head"}
        assert (head.why_not is None, arm.why_not is None, arm.chance) == (True, False, None)
