"""The pure parts: odds against enumeration, sentences that reach nothing, putting back field by field."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from webapp.rules.dice import FairDice, ScriptedDice, SeededDice, ToldDice
from webapp.rules.document import Body, Change, changes
from webapp.rules.errors import FacesWanted, RuleError
from webapp.rules.games.squad.sheet import DICE, Sheet, half
from webapp.rules.odds import chance
from webapp.rules.roll import Ask, Keep, Modifier, Roll, Wins
from webapp.rules.text import Figure, Health, Text, Who, number, render, text
from webapp.rules.undo import Verdict, handling, put_back
from webapp.rules.values import Counted, Handling, Record, Track

# --- odds --------------------------------------------------------------------------------------------------

asks = st.builds(
    Ask,
    what=st.just(text("a roll")),
    dice=st.lists(st.integers(1, 8), max_size=4).map(tuple),
    keep=st.sampled_from(Keep),
    modifiers=st.lists(st.builds(Modifier, source=st.just(text("luck")), amount=st.integers(-5, 5)), max_size=2).map(
        tuple
    ),
    wins=st.sampled_from(Wins),
    target=st.integers(-3, 30),
)


@given(asks)
def test_a_chance_is_the_share_of_all_faces_that_succeed(ask: Ask) -> None:
    rolls = [Roll(ask=ask, faces=faces) for faces in product(*(range(1, side + 1) for side in ask.dice))]
    assert chance(ask) == Fraction(sum(roll.success for roll in rolls), len(rolls))


@given(asks)
def test_a_chance_lies_between_none_and_all_and_never_grows_with_the_target(ask: Ask) -> None:
    harder = ask.model_copy(update={"target": (ask.target or 0) + (-1 if ask.wins is Wins.UNDER else 1)})
    assert 0 <= chance(harder) <= chance(ask) <= 1


@pytest.mark.parametrize("die", DICE.ranks)
def test_every_attack_on_an_equal_has_the_chance_the_rules_give(die: int) -> None:
    ask = Ask(what=text("attack"), dice=(die,), wins=Wins.AT_LEAST, target=half(die))
    assert chance(ask) == Fraction(die - half(die) + 1, die)


def test_no_dice_is_a_legal_roll() -> None:
    ask = Ask(what=text("nothing"), dice=(), wins=Wins.AT_LEAST, target=0)
    assert Roll(ask=ask, faces=()).total == 0
    assert chance(ask) == 1
    assert chance(ask.model_copy(update={"target": 1})) == 0


# --- dice --------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 20), max_size=10), st.integers(0, 2**32))
def test_thrown_dice_show_one_of_their_faces(sides: list[int], seed: int) -> None:
    for dice in (FairDice(), SeededDice(seed)):
        faces = dice.throw(sides)
        assert len(faces) == len(sides)
        assert all(1 <= face <= side for face, side in zip(faces, sides, strict=True))
    assert SeededDice(seed).throw(sides) == SeededDice(seed).throw(sides)


@pytest.mark.parametrize(
    "loud",
    [
        lambda: ScriptedDice([]).throw([6]),
        lambda: ScriptedDice([7]).throw([6]),
        lambda: ScriptedDice([0]).throw([6]),
        lambda: ScriptedDice([1]).done(),
    ],
    ids=["a face is missing", "a face is too high", "a face is too low", "a face is left"],
)
def test_scripted_dice_are_loud(loud: Callable[[], object]) -> None:
    with pytest.raises(AssertionError):
        loud()


@pytest.mark.parametrize("second", [[6, 8, 10], [6], [4]])
def test_told_dice_ask_for_all_dice_of_a_throw_that_was_not_told(second: list[int]) -> None:
    dice = ToldDice([3, 7][: 1 if second == [4] else 2])
    assert dice.throw([4]) == (3,)
    with pytest.raises(FacesWanted) as wanted:
        dice.throw(second)
    assert wanted.value.sides == tuple(second)
    assert dice.used == 1, "a face too high for the die it is now thrown with is no face of it"
    assert isinstance(wanted.value, RuleError)


def test_told_dice_know_which_were_thrown_for_somebody() -> None:
    dice = ToldDice([3, 2, 5], thrown=[1])
    marks = [(dice.throw([die]), dice.by_hand) for die in (4, 6, 8)]
    assert marks == [((3,), True), ((2,), False), ((5,), True)]


@given(st.sampled_from(DICE.ranks), st.integers(-6, 6))
def test_a_ladder_goes_up_and_down_again_and_ends_at_both_ends(die: int, by: int) -> None:
    there = DICE.shift(die, by)
    assert there is None or DICE.shift(there, -by) == die
    assert DICE.up(die) == (12 if die == 12 else die + 2)


@given(st.integers(1, 12))
def test_chances_fall_by_five_down_to_one_and_each_allows_a_parry(initiative: int) -> None:
    sheet = Sheet(id="ann", hp=Track.of(15), initiative=initiative)
    assert sheet.chances == tuple(n for n in (initiative, initiative - 5, initiative - 10) if n >= 1)
    assert sheet.parries_left == len(sheet.chances) == -(-initiative // 5)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(-10, 40))
def test_a_track_never_leaves_its_ends_and_harms_nobody_by_healing(now: int, full: int, amount: int) -> None:
    track = Track(now=now, full=full)
    assert 0 <= track.now <= track.full
    before = track.now
    lost = track.lose(amount)
    assert track.now == before - lost >= 0
    assert lost >= 0
    won = track.gain(amount)
    assert track.now == before - lost + won <= track.full
    assert won >= 0


# --- sentences ---------------------------------------------------------------------------------------------


class Plain:
    """Eyes that see everything."""

    def name(self, character: str) -> str:
        return character.capitalize()

    def health(self, character: str, now: int, full: int) -> str:
        return f"{now} of {full}" if full else ""

    def figure(self, figure: Figure) -> str:
        return f"<{figure.told}>"


@given(st.text(), st.text())
def test_what_people_write_is_shown_as_they_wrote_it(name: str, word: str) -> None:
    """Braces, markup and percent signs too: pages escape, sentences don't."""
    assert render(text("{name} says {word}", name=name, word=word), Plain()) == f"{name} says {word}"


@pytest.mark.parametrize("template", ["{who.who}", "{who.__class__}", "{who[0]}", "{missing}", "{who.who.upper}"])
def test_a_template_reaches_no_attribute_and_no_item(template: str) -> None:
    with pytest.raises(KeyError):
        render(text(template, who=Who(who="ann")), Plain())


def test_typed_arguments_are_said_for_one_viewers_eyes() -> None:
    sentence = text(
        "{who} is hit{health:, }: {figure} {by:+} {plain} {inner}",
        who=Who(who="ann"),
        health=Health(health_of="ann", now=3, full=15),
        figure=Figure(figure_of="rat", value=4),
        by=-3,
        plain=-3,
        inner=text("by {who}", who=Who(who="rat")),
    )
    assert render(sentence, Plain()) == "Ann is hit, 3 of 15: <4> −3 −3 by Rat"
    assert sentence.mentions() == {"ann", "rat"}
    assert Text.model_validate_json(sentence.model_dump_json()) == sentence


def test_health_nobody_may_know_takes_its_comma_with_it() -> None:
    unknown = Health(health_of="rat", now=0, full=0)
    assert render(text("Rat is hit{health:, }.", health=unknown), Plain()) == "Rat is hit."


@given(st.integers(-999, 999))
def test_numbers_have_a_true_minus(value: int) -> None:
    assert "-" not in number(value)
    assert int(number(value).replace("−", "-")) == value
    assert number(value, signed=True)[0] in "+−"


# --- putting back ------------------------------------------------------------------------------------------


class Gear(Record):
    name: str
    die: int | None = None


class Thing(Record):
    """One field of each handling."""

    id: str = "1"
    name: str = "Ann"
    hp: Track = Track.of(15)
    coins: Counted = 0
    trail: Annotated[tuple[int, ...], Handling.TRAIL] = ()
    last: Annotated[int | None, Handling.TRAIL] = None
    note: str | None = None
    gear: dict[str, Gear] = {}


KEY = "thing/1"


def body(**values: object) -> Body:
    return Thing.model_validate(values).model_dump(mode="json")


def undone(before: Body | None, after: Body | None, now: Body | None) -> tuple[Body | None, list[Verdict]]:
    """What putting back `before → after` makes of the document as it is now."""
    bodies = {KEY: deepcopy(now)}
    verdicts = [put_back(bodies, Thing, change).verdict for change in reversed(changes(KEY, before, after))]
    return bodies[KEY], verdicts


HURT = body(hp={"now": 10, "full": 15})


@pytest.mark.parametrize(
    ("before", "after", "now", "then", "verdict"),
    [
        pytest.param(body(), HURT, HURT, body(), Verdict.DONE, id="untouched since"),
        pytest.param(
            body(),
            HURT,
            body(hp={"now": 7, "full": 15}),
            body(hp={"now": 12, "full": 15}),
            Verdict.DONE,
            id="hurt again",
        ),
        pytest.param(body(), HURT, body(hp={"now": 13, "full": 15}), body(), Verdict.BITES, id="healed since, full"),
        pytest.param(
            body(coins=2), body(coins=9), body(coins=3), body(coins=0), Verdict.BITES, id="spent since, empty"
        ),
        pytest.param(body(coins=2), body(coins=9), body(coins=20), body(coins=13), Verdict.DONE, id="counted on"),
        pytest.param(
            body(), body(trail=(1,)), body(trail=(1, 2)), body(trail=(1, 2)), Verdict.LEFT, id="a trail goes on"
        ),
        pytest.param(body(), body(trail=(1,)), body(trail=(1,)), body(), Verdict.DONE, id="a trail untouched"),
        pytest.param(
            body(last=None), body(last=3), body(last=None), body(), Verdict.LEFT, id="a trail cleared since"
        ),
        pytest.param(
            body(), body(name="Bo"), body(name="Cy"), body(name="Cy"), Verdict.IN_THE_WAY, id="another name since"
        ),
        pytest.param(body(), body(name="Bo"), body(), body(), Verdict.DONE, id="set back by hand since"),
        pytest.param(
            body(note=None), body(note="x"), body(note="x"), body(), Verdict.DONE, id="a field that held nothing"
        ),
        pytest.param(
            body(note="x"), body(note=None), body(), body(note="x"), Verdict.DONE, id="a field that was emptied"
        ),
    ],
)
def test_a_field_is_put_back_as_its_handling_says(
    before: Body, after: Body, now: Body, then: Body, verdict: Verdict
) -> None:
    assert undone(before, after, now) == (then, [verdict])


BARE, CLUB = body(), body(gear={"club": {"name": "Club", "die": 6}})
BOTH = body(gear={"club": {"name": "Club", "die": 6}, "bow": {"name": "Bow"}})
WORN = body(gear={"club": {"name": "Club", "die": 4}})
BLUNT = body(gear={"club": {"name": "Club", "die": None}})


@pytest.mark.parametrize(
    ("before", "after", "now", "then", "verdict"),
    [
        pytest.param(BARE, CLUB, CLUB, BARE, Verdict.DONE, id="an item that was added leaves"),
        pytest.param(BARE, CLUB, BOTH, body(gear={"bow": {"name": "Bow"}}), Verdict.DONE, id="and no other item"),
        pytest.param(CLUB, BARE, BARE, CLUB, Verdict.DONE, id="an item that was removed returns"),
        pytest.param(BARE, CLUB, WORN, WORN, Verdict.IN_THE_WAY, id="an added item that changed since"),
        pytest.param(BARE, CLUB, BARE, BARE, Verdict.DONE, id="an added item that went since"),
        pytest.param(CLUB, WORN, WORN, CLUB, Verdict.DONE, id="a field of an item"),
        pytest.param(CLUB, WORN, BARE, BARE, Verdict.IN_THE_WAY, id="a field of an item that went since"),
        pytest.param(CLUB, BLUNT, BLUNT, CLUB, Verdict.DONE, id="a field of an item that was emptied"),
        pytest.param(BLUNT, CLUB, CLUB, BLUNT, Verdict.DONE, id="a field of an item that held nothing"),
    ],
)
def test_items_of_a_map_come_and_go_by_themselves(
    before: Body, after: Body, now: Body, then: Body, verdict: Verdict
) -> None:
    assert undone(before, after, now) == (then, [verdict])


@pytest.mark.parametrize(
    ("before", "after", "now", "then", "verdict"),
    [
        pytest.param(None, BARE, BARE, None, Verdict.DONE, id="a new document goes"),
        pytest.param(None, BARE, body(trail=(1,)), None, Verdict.DONE, id="with a trail on it too"),
        pytest.param(None, BARE, HURT, HURT, Verdict.IN_THE_WAY, id="not when it was used since"),
        pytest.param(None, BARE, None, None, Verdict.DONE, id="a new document that went since"),
        pytest.param(BARE, None, None, BARE, Verdict.DONE, id="a removed document returns"),
        pytest.param(BARE, None, HURT, HURT, Verdict.IN_THE_WAY, id="not over another one"),
        pytest.param(BARE, HURT, None, None, Verdict.LEFT, id="a field of a document that went since"),
    ],
)
def test_whole_documents_come_and_go(
    before: Body | None, after: Body | None, now: Body | None, then: Body | None, verdict: Verdict
) -> None:
    assert undone(before, after, now) == (then, [verdict])


things = st.builds(
    lambda now, **values: body(hp={"now": now, "full": 15}, **values),
    now=st.integers(0, 15),
    name=st.sampled_from(["Ann", "Bo"]),
    coins=st.integers(0, 5),
    trail=st.lists(st.integers(0, 2), max_size=2),
    last=st.sampled_from([None, 1]),
    note=st.sampled_from([None, "x"]),
    gear=st.dictionaries(
        st.sampled_from(["club", "bow"]),
        st.fixed_dictionaries({"name": st.just("X"), "die": st.sampled_from([None, 4])}),
    ),
)


@given(st.none() | things, st.none() | things)
def test_putting_back_what_nobody_touched_restores_it_wholly(before: Body | None, after: Body | None) -> None:
    restored, verdicts = undone(before, after, after)
    assert restored == before
    assert set(verdicts) <= {Verdict.DONE}


@given(things, things, things)
def test_putting_back_leaves_a_document_that_can_be_read(before: Body, after: Body, now: Body) -> None:
    restored, _ = undone(before, after, now)
    assert Thing.model_validate(restored)


@given(things, things)
def test_changes_name_every_difference_and_nothing_else(before: Body, after: Body) -> None:
    assert (changes(KEY, before, after) == []) == (before == after)
    assert changes(KEY, before, before) == []
    for change in changes(KEY, before, after):
        assert Change.model_validate_json(change.model_dump_json()) == change


@pytest.mark.parametrize(
    ("model", "path", "how"),
    [
        (Thing, ("hp", "now"), Handling.COUNTED),
        (Thing, ("hp", "full"), None),
        (Thing, ("coins",), Handling.COUNTED),
        (Thing, ("trail",), Handling.TRAIL),
        (Thing, ("trail", "0"), Handling.TRAIL),
        (Thing, ("gear", "club", "die"), None),
        (Thing, ("nothing", "of", "the", "kind"), None),
        (Sheet, ("will",), Handling.COUNTED),
        (Sheet, ("initiative",), Handling.TRAIL),
        (Sheet, ("devices", "club", "die"), None),
    ],
)
def test_the_handling_of_a_field_is_read_off_its_model(
    model: type[BaseModel], path: tuple[str, ...], how: Handling | None
) -> None:
    assert handling(model, path) is how
