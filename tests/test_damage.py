"""Damage to many at once: what each gets, what is shown of it before, who reads what, and how it is taken back."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.asking import Faces
from webapp.rules.document import Duty
from webapp.rules.ruleset import RuleSet
from webapp.rules.state import Habits
from webapp.store import Store

FIRE = {"move": "table.damage", "what": "Fire"}


@pytest.fixture
def bench(store: Store) -> Bench:
    """Ann in a vest, Ben, a rat, and a ghost that nobody sees."""
    bench = Bench(store)
    bench.hero("Ann", hp=15, devices={"vest": "armour d6"})
    bench.hero("Ben", hp="4 of 15")
    bench.foe("Rat", hp=20, monster=8)
    bench.foe("Ghost", hp=9, monster=4, hidden=True)
    return bench


def told(bench: Bench, as_: str = GM, **damage: Any) -> dict[str, str]:
    """What the form says would become of each, by name."""
    found = Picture(bench.table, viewer(as_)).damage_outlook(bench.named(FIRE | damage))
    return {bench.names[who]: found.of(who) for who in found.parts} | (
        {"why not": found.why_not} if found.why_not else {}
    )


# --- before it is done -------------------------------------------------------------------------------------


def test_the_form_tells_what_will_become_of_each(bench: Bench) -> None:
    shares = {"Ann": "full", "Ben": "half", "Rat": "none"}
    assert told(bench, plus=8, shares=shares) == {
        "Ann": "takes 2 to 7, at least 8 HP left",
        "Ben": "takes 4, goes down",
    }
    assert told(bench, plus=8, how={"mental": True}, shares={"Ann": "full"}) == {"Ann": "takes 8, 7 HP left"}
    assert told(bench, dice=1, sides=8, shares={"Ben": "full"}) == {"Ben": "takes 1 to 8, goes down: 62\u00a0%"}


def test_the_form_marks_who_would_go_down(bench: Bench) -> None:
    damage = bench.named(FIRE | {"plus": 8, "shares": {"Ann": "full", "Ben": "half"}})
    found = Picture(bench.table, viewer(GM)).damage_outlook(damage)
    grave = {bench.names[who]: [words for words, bad in parts if bad] for who, parts in found.parts.items()}
    assert grave == {"Ann": [], "Ben": ["goes down"]}


@pytest.mark.parametrize(
    ("game", "hero", "damage", "words"),
    [
        ("willpower", {"hp": 6, "protection": 2}, {"plus": 5}, "takes 3, 3 HP left"),
        ("willpower", {"hp": 6, "protection": 2}, {"plus": 8}, "takes 6, goes down"),
        ("willpower", {"hp": 6, "protection": 2}, {"plus": 8, "how": {"armour": False}}, "takes 8, goes down"),
        ("pools", {"grit": 4}, {"plus": 4}, "Injury 4, knocked out"),
        ("pools", {"grit": 8, "threshold": 2}, {"plus": 4}, "Injury 4, Serious Injury"),
        ("pools", {"grit": 8}, {"dice": 2}, "Injury 0 to 2"),
        ("pools", {"grit": 2}, {"dice": 2}, "Injury 0 to 2, knocked out: 69\u00a0%"),
    ],
)
def test_each_rule_set_tells_it_in_its_own_words(
    store: Store, game: str, hero: dict[str, Any], damage: dict[str, Any], words: str
) -> None:
    bench = Bench(store, game=game)
    bench.hero("Ann", **hero)
    assert told(bench, shares={"Ann": "full"}, **damage) == {"Ann": words}


def test_a_player_is_told_nothing_of_it(bench: Bench) -> None:
    for who in ("ann", SCREEN):
        assert told(bench, who, plus=8, shares={"Ann": "full"}) == {}
        assert Picture(bench.table, viewer(who)).damage_sheet().cards == ()


def test_the_form_offers_heroes_foes_the_fight_and_each_knot(bench: Bench) -> None:
    bench.foe("Dog", hp=9, monster=4)
    bench.fight(Ann=8, Rat=6, Ghost=3)
    bench.do({"move": "table.tie", "character": "Ann", "to": "Rat"})
    sheet = Picture(bench.table, viewer(GM)).damage_sheet()
    assert {words: {bench.names[who] for who in ids} for words, ids in sheet.groups} == {
        "Heroes": {"Ann", "Ben"},
        "Foes": {"Rat", "Ghost", "Dog"},
        "All in the fight": {"Ann", "Rat", "Ghost"},
        "Ann + Rat": {"Ann", "Rat"},
    }
    assert [card.name for card in sheet.cards] == ["Ann", "Rat", "Ghost", "Ben", "Dog"]


def test_of_very_many_the_form_lists_those_who_matter(bench: Bench) -> None:
    sheets = {"squad": {"hp": {"now": 3, "full": 3}}}
    for nth in range(3):
        bench.do(
            {"move": "table.add_characters", "name": f"Crowd {nth}", "copies": 20, "sheets": sheets, "hidden": True}
        )
    sheet = Picture(bench.table, viewer(GM)).damage_sheet()
    assert [card.name for card in sheet.cards[:3]] == ["Ann", "Ben", "Rat"]
    assert (len(sheet.cards), sheet.left_out) == (40, 24)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ({"plus": 3}, "Choose who is hurt: full or half."),
        ({"plus": 3, "shares": {"Ann": "none"}}, "Choose who is hurt: full or half."),
        ({"shares": {"Ann": "full"}}, "Say how much: a number, or dice."),
        ({"plus": -1, "shares": {"Ann": "full"}}, "Damage must be at least 0."),
        ({"plus": 1000, "shares": {"Ann": "full"}}, "Damage can be 999 at most."),
        ({"dice": None, "shares": {"Ann": "full"}}, "Dice must be a whole number."),
        ({"dice": 31, "shares": {"Ann": "full"}}, "Dice can be 30 at most."),
        ({"dice": 1, "sides": 7, "shares": {"Ann": "full"}}, "A die is a d4, d6, d8, d10, d12 or d20."),
        ({"plus": 3, "shares": {"nobody": "full"}}, "There is nobody of that kind at this table"),
        ({"plus": 3, "shares": {"Ann": "most"}}, "choose one of those that are offered."),
        (
            {"plus": 3, "shares": {"Ann": "full"}, "how": {"armour": "thick"}},
            "is not something this table understands",
        ),
        ({"plus": 3, "shares": {"Ann": "full"}, "what": "x" * 61}, "What it is is too long: 60 letters at most."),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence_by_the_form_too(
    bench: Bench, damage: dict[str, Any], words: str
) -> None:
    assert words in bench.refused(FIRE | damage)
    assert words in told(bench, **damage)["why not"]


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), 10**5000, "\ud800"],
    ids=["no number", "no end", "too long", "half a letter"],
)
def test_what_cant_be_written_down_is_refused_with_a_sentence(bench: Bench, value: Any) -> None:
    damage: dict[str, Any] = {"plus": 3, "shares": {"Ann": "full"}, "how": {"x": value}}
    assert "can't be written down" in bench.refused(FIRE | damage)
    assert "can't be written down" in told(bench, **damage)["why not"]


def test_what_it_is_turns_no_line_of_the_log_round(bench: Bench) -> None:
    bench.do(FIRE | {"what": "\u202eA fall\n\x00", "plus": 9, "shares": {"Ben": "full"}})
    assert bench.words()[0] == "A fall: 9."


# --- who reads what ----------------------------------------------------------------------------------------


def test_nobody_learns_that_the_unseen_are_hurt(bench: Bench) -> None:
    bench.do(FIRE | {"plus": 9, "shares": {"Ben": "half", "Ghost": "full"}})
    assert bench.words() == [
        "Fire: 9.",
        "Ben takes 4 damage, 0 of 15 left.",
        "Ben goes down.",
        "Ghost takes 9 damage, 0 of 9 left.",
        "Ghost goes down.",
    ]
    for who in ("ann", "ben", SCREEN):
        assert bench.words(who) == ["Fire: 9.", "Ben takes 4 damage, 0 of 15 left.", "Ben goes down."]


def test_what_comes_to_the_unseen_alone_is_the_gms_alone(bench: Bench) -> None:
    before = {who: len(Picture(bench.table, viewer(who)).log()) for who in ("ann", SCREEN)}
    bench.do(FIRE | {"dice": 2, "each": True, "shares": {"Ghost": "full", "Ann": "none"}}, faces=(3, 4))
    assert bench.words() == ["Fire: 2d6, for each.", "Ghost takes 7 damage, 2 of 9 left."]
    for who, rows in before.items():
        assert bench.words(who) == []
        assert len(Picture(bench.table, viewer(who)).log()) == rows


def test_what_a_foe_has_left_is_told_as_the_gm_chose(bench: Bench) -> None:
    bench.do(FIRE | {"plus": 15, "shares": {"Rat": "full"}})
    assert bench.words(SCREEN) == ["Fire: 15.", "Rat takes 15 damage, nearly down."]


def test_a_players_ribbon_tells_of_their_own_when_many_are_hurt(bench: Bench) -> None:
    for nth in range(6):
        bench.foe(f"Dog {nth}", hp=9, monster=4)
    shares = {name: "full" for name in bench.ids if name != "Ghost"}
    bench.do(FIRE | {"plus": 5, "how": {"armour": False}, "shares": shares})
    ribbon = Picture(bench.table, viewer("ann")).ribbon()
    assert ribbon is not None
    assert ribbon.done == ("Fire", "Ann takes 5")
    everything = Picture(bench.table, viewer(GM)).ribbon()
    assert everything is not None
    assert len(everything.done) > 8


# --- one act -----------------------------------------------------------------------------------------------


def test_it_is_one_row_and_one_undo_counted_by_field(bench: Bench) -> None:
    rows = len(bench.table.entries)
    fire = bench.do(FIRE | {"dice": 1, "sides": 4, "plus": 2, "shares": {"Ann": "full", "Ben": "half"}}, faces=(2, 1))
    assert len(bench.table.entries) == rows + 1
    assert (bench.hp("Ann"), bench.hp("Ben")) == (12, 2)
    bench.do({"move": "table.adjust", "actor": "Ann", "game_id": "squad", "path": ["hp", "now"], "amount": -2})
    bench.do(FIRE | {"plus": 1, "shares": {"Ben": "full"}})
    assert bench.undo(fire).ok
    assert (bench.hp("Ann"), bench.hp("Ben")) == (13, 3)
    assert bench.undo().ok
    assert (bench.hp("Ann"), bench.hp("Ben")) == (10, 1)


def test_an_undo_brings_back_who_went_down(bench: Bench) -> None:
    before = bench.bodies()
    bench.do(FIRE | {"plus": 30, "how": {"armour": False}, "shares": {"Ann": "full", "Ben": "full", "Ghost": "full"}})
    assert [bench.sheet(who).condition for who in ("Ann", "Ben", "Ghost")] == ["dying"] * 3
    assert bench.undo().ok
    assert bench.bodies() == before


@pytest.mark.parametrize("each", [False, True], ids=["once for all", "for each"])
def test_dice_on_the_table_are_the_gms_and_armour_is_its_wearers(bench: Bench, each: bool) -> None:
    bench.crowd.of |= {"gm": Habits(real_dice=True), "ann": Habits(real_dice=True), "ben": Habits()}
    bench.do(FIRE | {"dice": 1, "each": each, "shares": {"Ann": "full", "Ben": "full"}})
    told = [5, 3] if each else [5]
    asked = []
    while bench.state.questions():
        question = bench.question
        asked.append("gm" if question.addressee is None else bench.names[question.addressee])
        bench.tell(told.pop(0) if question.addressee is None else 2, as_=GM if question.addressee is None else "ann")
    assert sorted(asked) == (["Ann", "gm", "gm"] if each else ["Ann", "gm"])
    assert bench.hp("Ann") == 12
    assert bench.hp("Ben") == (1 if each else 0)


@pytest.mark.parametrize("each", [False, True])
def test_without_blows_any_more_nobody_is_asked_for_the_dice(store: Store, *, each: bool) -> None:
    bench = Bench(store, games=("squad", "dread"))
    bench.hero("Ann", squad={}, dread={})
    bench.crowd.of[GM] = Habits(real_dice=True)
    bench.do(FIRE | {"dice": 2, "each": each, "shares": {"Ann": "full"}})
    assert isinstance(bench.question, Faces)
    bench.do({"move": "table.set_games", "games": ["dread"]})
    assert bench.state.questions() == []
    assert bench.undo().ok
    bench.tell(1, 2)
    assert bench.hp("Ann") == 12


@pytest.mark.parametrize("each", [False, True])
def test_an_undo_that_takes_the_blows_away_takes_their_dice_away(store: Store, *, each: bool) -> None:
    bench = Bench(store, game="dread")
    bench.hero("Ann")
    added = bench.do({"move": "table.set_games", "games": ["dread", "squad"]})
    bench.crowd.of[GM] = Habits(real_dice=True)
    bench.do(FIRE | {"dice": 2, "each": each, "shares": {"Ann": "full"}})
    assert isinstance(bench.question, Faces)
    assert bench.undo(added, way="what can").ok
    assert bench.state.questions() == []


def test_a_question_that_follows_is_asked_of_whom_the_rule_set_says(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", grit=9, threshold=2)
    bench.hero("Ben", grit=9, threshold=2)
    bench.do(FIRE | {"plus": 5, "shares": {"Ann": "full", "Ben": "full"}}, faces=(12, 12))
    asked = [(question.addressee, bench.sight().words(question.brief())) for question in bench.state.questions()]
    assert asked == [(None, "which part?")] * 2
    assert bench.undo().ok
    assert bench.state.questions() == []


def test_every_rule_set_that_has_blows_says_what_damage_does() -> None:
    for game in BOOK.games.values():
        if Duty.BLOWS in game.duties:
            assert type(game).hurt is not RuleSet.hurt, game.id
            assert type(game).hurt_outlook is not RuleSet.hurt_outlook, game.id
