"""What the phone and the GM's page make of what they may see, piece by piece."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

import pytest

from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from webapp.pages.play.fight import no_turn
from webapp.projection.picture import Picture
from webapp.rules.blocks import Button, Menu
from webapp.rules.fights_view import fight_view
from webapp.rules.forms import inputs
from webapp.rules.games.squad.offers.attack import RAISE_DAMAGE, RAISE_HIT
from webapp.rules.next_step import next_label
from webapp.rules.state import Habits
from webapp.rules.text import render, text
from webapp.store import Store
from webapp.ui import blocks, menus, tv_fight
from webapp.ui.fight import countdown, turn_words
from webapp.ui.live import Item
from webapp.ui.markup import PLAIN, log_row


def menu_of(bench: Bench, who: str, as_: str, key: str) -> Menu:
    found = [block for _, own in Picture(bench.table, viewer(as_)).blocks(bench.ids[who]) for block in own]
    return next(block for block in found if isinstance(block, Menu) and block.key == key)


def edit(bench: Bench, who: str, **values: Any) -> None:
    values = {name.replace("__", "."): value for name, value in values.items()}
    bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": values})


def sends(items: Iterable[Item]) -> list[dict[str, Any]]:
    """What these pieces would send."""
    return [json.loads(item.attrs["data-move"]) for item in items if "data-move" in item.attrs]


# --- chips that ride on a roll -----------------------------------------------------------------------------


def first_of(bench: Bench) -> Button:
    return menu_of(bench, "Ann", GM, "squad.attack").tabs[0].buttons[0]


def test_either_die_of_a_blow_may_be_raised_or_both(bench: Bench) -> None:
    edit(bench, "Ann", will=2)
    ways: list[tuple[str, ...]] = [(), ("raised",), ("raise_damage",), ("raised", "raise_damage")]
    plain, to_hit, damage, both = (first_of(bench).ridden(way) for way in ways)
    assert to_hit.move == {**plain.move, "raised": True}
    assert damage.move == {**plain.move, "raise_damage": True}
    assert both.move == {**plain.move, "raised": True, "raise_damage": True}
    assert damage.chance == plain.chance != to_hit.chance == both.chance
    assert damage.note == both.note == text("d{die} damage", die=10)


def test_one_point_raises_one_die_only(bench: Bench) -> None:
    edit(bench, "Ann", will=1)
    assert first_of(bench).ridden(["raise_damage"]).why_not is None
    assert first_of(bench).ridden(["raised", "raise_damage"]).why_not == text(
        "There is no Will Point left for that: roll without."
    )


def test_two_chips_on_one_menu_change_what_its_buttons_send(bench: Bench) -> None:
    edit(bench, "Ann", will=2)
    menu, who = menu_of(bench, "Ann", "ann", "squad.attack"), bench.ids["Ann"]
    assert menu.switches == (("raised", RAISE_HIT), ("raise_damage", RAISE_DAMAGE))
    sight = bench.sight("ann")
    chips = [menus.switch_of(f"{who} squad.attack", name) for name, _ in menu.switches]
    for on in ((), chips[:1], chips[1:], chips):
        sent = sends(blocks.pieces((menu,), who, sight, dict.fromkeys(on, "on")))
        attack = next(move for move in sent if move["move"] == "squad.attack")
        assert attack.get("raised", False) is (chips[0] in on)
        assert attack.get("raise_damage", False) is (chips[1] in on)
    bench.do(attack, "ann", faces=[1])
    assert bench.sheet("Ann").will == 1


# --- where in the order --------------------------------------------------------------------------------------


def test_numbers_that_are_no_counts_are_told_in_words(store: Store) -> None:
    bench = Bench(store, game="willpower")
    bench.hero("Ann", seat="ann")
    bench.hero("Ben", seat="ben")
    bench.foe("Thug", damage=2)
    bench.do({"move": "table.start_fight"})
    for who, at in (("Ann", 3), ("Ben", 1)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "willpower", "values": {"initiative": at}})
    places = {slot.name: slot.place for slot in fight_view(bench.sight("ann"), bench.battle).slots}
    assert places == {"Ann": "before the enemy", "Thug": "the enemy", "Ben": "after the enemy"}
    told = {who: turn_words(fight_view(bench.sight(who), bench.battle)) for who in ("ann", "ben")}
    assert told == {"ann": "Your turn", "ben": "1 other before you"}
    assert turn_words(fight_view(bench.sight("ben"), bench.battle), down=True) == "Ann is up"
    drawn = countdown(fight_view(bench.sight("ben"), bench.battle), {})
    assert "Count 3" not in drawn
    assert re.search(r"Round 1<b[^>]*>Ann</b>", drawn)


def test_whoever_has_rolled_reads_the_number_and_the_gm_that_only_others_roll(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.hero("Ben", seat="ben")
    bench.foe("Thug")
    bench.do({"move": "table.start_fight"})

    def told(who: str) -> str:
        return turn_words(fight_view(bench.sight(who), bench.battle))

    assert (told("ann"), told("ben")) == ("Roll initiative", "Roll initiative")
    assert render(next_label(bench.state), PLAIN) == "Roll initiative for everybody"
    bench.do({"move": "squad.initiative", "actor": "Ann"}, "ann", faces=[7])
    assert (told("ann"), told("ben")) == ("You act at 7, 2", "Roll initiative")
    assert told(GM) == "Roll initiative"
    assert render(next_label(bench.state), PLAIN) == "Roll initiative for the others"


def test_whoever_is_down_is_not_said_to_act_later(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", seat="ann")
    for name in ("Rat", "Cat"):
        bench.foe(name)
    bench.do({"move": "table.start_fight"})
    for who, at in (("Ann", 9), ("Rat", 4), ("Cat", 4)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": {"priority": at}})
    bench.do({"move": "pools.afflict", "target": "Cat", "name": "unconscious", "tiers": 1})
    cards = {card.id: card for card in Picture(bench.table, viewer("ann")).cards()}
    fight = fight_view(bench.sight("ann"), bench.battle)
    drawn, wall = countdown(fight, cards), tv_fight.order(fight, cards)
    for shown in (drawn, wall):
        assert shown.index("Rat") < shown.index("Cat") < shown.index("unconscious")
        assert shown.count("unconscious") == 1
    assert drawn.count("to come") == 1


def test_with_nobody_in_reach_nothing_is_aimed_at(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", seat="ann", attacks={"axe": "martial 3"})
    bench.foe("Rat")
    bench.do({"move": "table.start_fight"})
    for who, at in (("Ann", 9), ("Rat", 4)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "pools", "values": {"priority": at}})

    def drawn() -> list[str]:
        menu = menu_of(bench, "Ann", "ann", "pools.strike")
        return [str(item.html) for item in blocks.pieces((menu,), "Ann", bench.sight("ann"), {})]

    assert "Head" in drawn()
    bench.do({"move": "pools.afflict", "target": "Rat", "name": "unconscious", "tiers": 1})
    assert "Nobody in reach." in drawn()
    assert "Head" not in drawn()


def test_the_gm_is_told_when_one_side_is_down_but_not_for_good(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann")
    bench.foe("Rat")
    bench.do({"move": "table.start_fight"})
    assert Picture(bench.table, viewer(GM)).nobody_stands() is None
    bench.do({"move": "pools.afflict", "target": "Rat", "name": "unconscious", "tiers": 1})
    told = Picture(bench.table, viewer(GM)).nobody_stands()
    assert told is not None
    assert told.label == "Every foe is down, though not for good."
    assert Picture(bench.table, viewer(SCREEN)).nobody_stands() is None
    bench.do(told.move)
    assert bench.state.fight() is None


# --- why not -------------------------------------------------------------------------------------------------


def test_who_is_surprised_reads_why_there_is_no_attack(bench: Bench) -> None:
    edit(bench, "Ann", surprised=True)
    menu, who = menu_of(bench, "Ann", "ann", "squad.attack"), bench.ids["Ann"]
    drawn = list(blocks.pieces((menu,), who, bench.sight("ann"), {}))
    assert [item.html for item in drawn] == ["Attack", "Ann is surprised: no attack this round."]
    assert not sends(drawn)


def test_a_power_that_is_used_up_says_so(bench: Bench) -> None:
    bench.do({"move": "squad.take", "actor": "Ann", "what": "power", "id": "bolt"}, "ann")
    edit(bench, "Ann", powers__bolt__uses__now=0)
    tab = next(tab for tab in menu_of(bench, "Ann", "ann", "squad.attack").tabs if tab.key == "power bolt")
    assert {bench.sight("ann").maybe(button.why_not) for button in tab.buttons} == {"Arc bolt is used up."}


def test_first_aid_without_a_kit_says_why(bench: Bench) -> None:
    edit(bench, "Ben", hp__now=0)
    menu = menu_of(bench, "Ann", "ann", "squad.aid")
    assert bench.sight("ann").maybe(menu.why_not) == "First aid needs a kit or training."


def whys(bench: Bench, as_: str = "ann") -> list[str]:
    return [line.why for line in bench.lines(as_) if line.why is not None]


def thug_hits(bench: Bench, *faces: int) -> None:
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    bench.attack("Thug", "Ann", "club", faces=faces)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"surprised": True}, "No parry: Ann is surprised."),
        ({"parried": 2}, "No parry: Ann has none left this round."),
        ({"tuf": 4}, "No parry: no die of Ann's can show 8."),
    ],
)
def test_the_row_of_a_blow_says_why_no_parry_was_asked(bench: Bench, changed: dict[str, Any], why: str) -> None:
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    edit(bench, "Ann", **changed)
    bench.attack("Thug", "Ann", "club", faces=[8, 2, 1])
    assert bench.state.questions() == []
    assert whys(bench) == [why]
    row = Picture(bench.table, viewer("ann")).log()[-1]
    assert f'<div><span class="why">{why}</span></div>' in str(log_row(row)).replace("&#39;", "'")


def test_a_blow_that_asks_says_nothing_of_it(bench: Bench) -> None:
    thug_hits(bench, 5)
    assert len(bench.state.questions()) == 1
    assert whys(bench) == []


# --- a test in secret ------------------------------------------------------------------------------------------


def test_a_secret_task_asks_nobody_for_dice_and_shows_its_roll_to_the_gm(bench: Bench) -> None:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    call = {"move": "squad.call_task", "attribute": "ATN", "difficulty": 4, "heroes": ["Ann"], "secret": True}
    bench.do(call, faces=[3])
    assert bench.state.questions() == []
    assert bench.words("ann") == []
    told = [roll for line in bench.lines(GM) for roll in line.rolls]
    assert {roll.total for roll in told} == {3}
    assert not any(roll.by_hand for roll in told)


# --- words -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(BOOK.games))
def test_standing_orders_are_those_of_the_games_in_play(store: Store, game: str) -> None:
    bench = Bench(store, game=game)
    told = {order.name: order for order in Picture(bench.table, viewer("ann")).standing_orders()}
    given = [kind.standing_order for kind in BOOK.games[game].questions]
    assert set(told) == {order.name for order in given if order is not None}
    for order in told.values():
        assert order.values[0][0] == "ask"
        assert len(order.values) > 1
        assert order.allows(order.values[1][0])
        assert not order.allows("nonsense")


def test_no_choice_of_a_form_is_written_in_code(store: Store) -> None:
    for game in BOOK.games.values():
        for one in inputs(game.house(id=game.id)):
            for _, words in one.options:
                assert "_" not in render(words, PLAIN)


def test_the_log_says_a_house_rule_in_the_words_of_its_form(store: Store) -> None:
    bench = Bench(store, game="dread")
    bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": {"insanity_when": "deferred"}})
    assert bench.words(GM) == ["Insanity is counted: At once → When the scene is over."]
    bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": {"crit_rule": "fail_by_5"}})
    assert bench.words(GM)[-1].endswith("The minus die shows its highest face → It fails by 5.")


def test_two_foes_at_one_number_both_attack(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8)
    for name in ("Thug", "Rat"):
        bench.foe(name, monster=6, devices={"club": "melee d6"})
    bench.fight(Thug=5, Rat=5, Ann=1)
    button = Picture(bench.table, viewer(GM)).big_button()
    assert button is not None
    assert button.label == "5: both attack"


def test_a_parry_says_whether_it_is_the_last_one(bench: Bench) -> None:
    def prices() -> set[str | None]:
        asked = Picture(bench.table, viewer("ann")).questions()[0]
        return {choice.price for choice in asked.choices if "arm" in choice.id}

    thug_hits(bench, 5)
    assert prices() == {"damage less a d4 hits you · 2 of 2 parries left"}
    edit(bench, "Ann", parried=1)
    assert prices() == {"damage less a d4 hits you · your last parry this round"}
    edit(bench, "Ann", initiative=3, parried=0)
    assert prices() == {"damage less a d4 hits you · your only parry this round"}


def test_a_row_says_what_its_undo_takes_back_besides(bench: Bench) -> None:
    thug_hits(bench, 5)
    bench.answer("hit", "ann", faces=[3, 1])
    attack, answer = Picture(bench.table, viewer(GM)).log()[-2:]
    assert attack.also == ("Ann takes 2 damage (3 − 1), 13 of 15 left.",)
    assert "Undo also takes back: Ann takes 2 damage" in log_row(attack)
    assert answer.also == ()
    assert Picture(bench.table, viewer("ben")).log()[-2].also == ()
    bench.undo()
    assert Picture(bench.table, viewer(GM)).log()[-3].also == ()


def test_who_can_do_nothing_now_reads_why(bench: Bench) -> None:
    def why(who: str) -> str:
        picture = Picture(bench.table, viewer(who))
        fight, (card, *_) = picture.fight(), picture.own()
        assert fight is not None
        return no_turn(card, fight)

    assert why("ben") == "What you can do comes up here when it is your turn."
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    bench.do({"move": "table.leave_fight", "character": "Ben"})
    assert why("ben") == "Ben has no turn in this round."
    edit(bench, "Ann", initiative=3, spent=[0])
    assert why("ann") == "Ann has had every turn of this round."
    edit(bench, "Ann", hp__now=0)
    assert why("ann").startswith("Ann can't act: dying")
