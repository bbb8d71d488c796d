"""Who is in whose face."""

from __future__ import annotations

from tests.support.play import FOE, HERO, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.knots import close_to
from webapp.store import Store


def in_a_fight(store: Store) -> Bench:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, squad=HERO)
    for foe in ("Rat", "Cat"):
        bench.foe(foe, squad={**FOE, "parry": "never"})
    bench.fight(Ann=8, Ben=7, Rat=6, Cat=4)
    return bench


def knot(bench: Bench, who: str) -> set[str]:
    return {bench.names[other] for other in close_to(bench.state, bench.ids[who])}


def test_a_close_attack_ties_a_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.attack("Ann", "Rat", faces=[1])
    assert knot(bench, "Rat") == {"Ann"}
    bench.attack("Ben", "Rat", faces=[1])
    assert knot(bench, "Ann") == {"Ben", "Rat"}
    bench.undo()
    assert knot(bench, "Ann") == {"Rat"}


def test_whoever_attacks_somebody_else_leaves_the_old_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.attack("Ann", "Rat", faces=[1])
    bench.do({"move": "table.tie", "character": "Ann", "to": "Cat"})
    assert knot(bench, "Ann") == {"Cat"}
    assert knot(bench, "Rat") == set()
    bench.do({"move": "table.tie", "character": "Ann"})
    assert knot(bench, "Cat") == set()
    assert "already" in bench.refused({"move": "table.tie", "character": "Ann"})


def test_whoever_is_in_the_knot_comes_first_for_the_free_blow(store: Store) -> None:
    """The GM may name another all the same: a knot knows only what was played."""
    bench = in_a_fight(store)
    bench.do({"move": "table.tie", "character": "Cat", "to": "Ann"})
    bench.do({"move": "squad.break_off", "actor": "Ann"}, as_="ann")
    nobody, first, *others = (choice.id.partition(":")[0] for choice in bench.question.choices(bench.state))
    assert (nobody, first, others) == ("nobody", bench.ids["Cat"], [bench.ids["Rat"]])


def test_the_unseen_are_in_nobodys_knot(store: Store) -> None:
    bench = in_a_fight(store)
    bench.do({"move": "table.reveal", "character": "Cat", "hidden": True})
    bench.do({"move": "table.tie", "character": "Cat", "to": "Ann"})
    bench.do({"move": "table.tie", "character": "Ben", "to": "Ann"})
    fight = Picture(bench.table, viewer("ann")).fight()
    assert fight is not None
    assert fight.knots == (("Ann", "Ben"),)
    bench.do({"move": "table.tie", "character": "Ben"})
    fight = Picture(bench.table, viewer("ann")).fight()
    assert fight is not None
    assert fight.knots == ()
