"""Grit, Energy and Resolve beyond the rulings: what holds for any numbers, any roles and any play."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from tests.support.offers import picture_of
from tests.support.play import BOOK, GM, SCREEN, Bench, EvenDice, Message, viewer
from tests.support.samples_pools import a_pools_fight
from webapp.rules.blocks import Button, Form, Menu
from webapp.rules.cards_view import card
from webapp.rules.dice import SeededDice
from webapp.rules.document import Audience, Character, Side
from webapp.rules.games.pools.book import book
from webapp.rules.games.pools.dealing import HowMany
from webapp.rules.games.pools.defence import Defend
from webapp.rules.games.pools.sheet import FATIGUED, Attack, Part, Pool, Sheet
from webapp.rules.lines_view import line_view
from webapp.rules.next_step import next_label, what_next
from webapp.rules.question import Question
from webapp.rules.questions_view import question_view
from webapp.rules.state import Habits
from webapp.store import Store
from webapp.ui.markup import ICONS


def a_fight(store: Store) -> Bench:
    bench = Bench(store, dice=EvenDice(), game="pools")
    a_pools_fight(bench)
    return bench


# --- any play ----------------------------------------------------------------------------------------------


class Evening:
    """The sample table; everybody taps what is offered to them."""

    def __init__(self, store: Store, seed: int) -> None:
        self.any = random.Random(seed)
        self.bench = Bench(store, dice=SeededDice(seed), game="pools")
        for side, name, copies, bodies in BOOK.games["pools"].samples()[0].cast:
            move = {"move": "table.add_characters", "side": side.value, "name": name, "copies": copies}
            self.bench.do({**move, "sheets": bodies}, by_name=False)
        for one in self.bench.state.characters(Side.HERO):
            seat = one.name.lower()
            self.bench.do({"move": "table.assign", "character": one.id, "seats": [seat]}, by_name=False)
            orders = {"defend": self.any.choice(["ask", "best"]), "hold": self.any.choice(["ask", "never"])}
            self.bench.crowd.of[seat] = Habits(orders=orders)

    def start(self) -> None:
        self.bench.do({"move": "table.start_fight"})

    def send(self, move: Message, as_: str) -> bool:
        before = self.bench.table._bodies()
        reply = self.bench.table.do(move, viewer(as_))
        if not reply.ok:
            assert reply.say
            assert self.bench.table._bodies() == before
            return False
        self.sheets_hold()
        if self.any.random() < 0.15:
            assert self.bench.undo().ok, move
            assert self.bench.table._bodies() == before, f"undo of {move}"
            assert self.bench.undo().ok, move
        return True

    def sheets_hold(self) -> None:
        for held in self.bench.state.all(Sheet):
            assert all(0 <= held.pool(pool).now <= held.pool(pool).full for pool in Pool)
            on = {harm.part for harm in held.lasting.values()}
            assert all(part in on for part, sum in held.sums.items() if sum)

    def answer(self, question: Question) -> None:
        choices = question.choices(self.bench.state)
        choice = self.any.choice(choices)
        amount = None if choice.amounts is None else self.any.randint(*choice.amounts)
        asked = None if question.addressee is None else self.bench.state.character(question.addressee)
        seats = asked.seats if asked is not None else []
        move = {"move": "table.answer", "question": question.id, "choice": choice.id, "amount": amount}
        assert self.send(move, seats[0] if seats else GM)

    def buttons(self, who: Character) -> list[Button]:
        blocks = [block for _, found in BOOK.acts(self.bench.state, who) for block in found]
        menus = [block for block in blocks if isinstance(block, Menu)]
        return [one for menu in menus for tab in menu.tabs for one in tab.buttons if one.why_not is None]

    def next(self) -> None:
        assert self.send({"move": "table.next", "seen": what_next(self.bench.state)}, GM)

    def is_over(self) -> bool:
        standing = {
            one.side for one in self.bench.state.characters() if self.bench.state.sheet(Sheet, one.id).conscious
        }
        return len(standing) < 2


@pytest.mark.parametrize("seed", range(6))
def test_the_sample_table_plays_a_fight_to_its_end(store: Store, seed: int) -> None:
    evening = Evening(store, seed)
    evening.start()
    for _ in range(600):
        if evening.is_over():
            break
        waiting = evening.bench.state.questions()
        up = evening.bench.battle.active
        hero = None if up is None else evening.bench.state.character(up.rpartition(":")[0])
        if waiting:
            evening.answer(waiting[0])
        elif hero is not None and hero.side is Side.HERO:
            strikes = [one for one in evening.buttons(hero) if one.move["move"] in ("pools.strike", "pools.push")]
            act = evening.any.choice(
                strikes or [one for one in evening.buttons(hero) if one.move["move"] == "table.done"]
            )
            assert evening.send(act.move, hero.seats[0])
        else:
            evening.next()
    assert evening.is_over()


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_offered_can_be_done_and_every_page_can_be_drawn(store: Store, seed: int) -> None:
    evening = Evening(store, seed + 100)
    evening.start()
    for _ in range(60):
        waiting = evening.bench.state.questions()
        if waiting and evening.any.random() < 0.8:
            evening.answer(evening.any.choice(waiting))
            continue
        who = evening.any.choice(evening.bench.state.characters())
        offered = evening.buttons(who)
        if offered and evening.any.random() < 0.8:
            button = evening.any.choice(offered)
            assert evening.send(button.move, GM), button.move
        elif evening.bench.state.fight() is not None:
            evening.next()
        if evening.any.random() < 0.2:
            draw(evening.bench)


def draw(bench: Bench) -> None:
    for as_ in (GM, "oakum", SCREEN):
        sight = bench.sight(as_)
        for one in bench.state.characters():
            if sight.sees(one):
                assert card(sight, one).sections
                for _, blocks in BOOK.acts(bench.state, one) if sight.knows(one) else ():
                    for block in blocks:
                        assert not isinstance(block, Menu | Form) or sight.words(block.label)
        assert BOOK.games["pools"].gm_blocks(bench.state)
        for line in bench.table.entries[-1].lines:
            line_view(sight, line)
    assert bench.sight().words(next_label(bench.state))


# --- small things ------------------------------------------------------------------------------------------


def test_the_book_has_enough_to_play_with() -> None:
    starts = BOOK.games["pools"].starts()
    assert len([one for one in starts if one.side is Side.FOE]) >= 8
    assert len([one for one in starts if one.side is Side.HERO]) >= 4
    assert sum(len(things) for things in book("gear").values()) >= 8
    for start in starts:
        assert Sheet.model_validate({"id": "x", **start.body}).attacks
    for entry in book("gear")["attack"].values():
        assert Attack.model_validate(entry).modes


def test_forms_send_what_the_moves_take(store: Store) -> None:
    bench = a_fight(store)
    bench.do({"move": "table.end_fight"})
    blocks = [
        block for one in bench.state.characters() for _, found in BOOK.acts(bench.state, one) for block in found
    ]
    forms = [block for block in (*blocks, *BOOK.games["pools"].gm_blocks(bench.state)) if isinstance(block, Form)]
    assert forms
    for form in forms:
        message: Message = dict(form.move)
        for field in form.fields:
            if field.name.endswith("[]"):
                message.setdefault(field.name[:-2], [])
                if field.checked is not False:
                    message[field.name[:-2]].append(field.value)
            else:
                message[field.name] = None if field.value == "" and field.options else field.value
        missing = {"kind_of": "fire"} if form.key == "pools.grow" else {}
        BOOK.move({**message, **missing})


def test_damage_dice_told_by_hand_are_asked_for_at_once_and_the_part_after_them(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", attacks={"axe": "martial 3"})
    bench.foe("Rat", threshold=0)
    bench.crowd.of["ann"] = Habits(real_dice=True, orders={"hold": "never"})
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, "ann")
    bench.tell(9, as_="ann", faces=[2])
    assert getattr(bench.question, "wanted", None) == (12, 12, 12)
    bench.tell(3, 1, 2, as_="ann")
    assert getattr(bench.question, "wanted", None) == (12,)
    bench.tell(7, as_="ann")
    assert bench.sheet("Rat").wounded(Part.TORSO) == 1


def test_next_passes_by_the_defence_and_the_dice_and_goes_on(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", attacks={"axe": "martial 2"}, elude=2)
    bench.foe("Rat", attacks={"bite": {"of": "martial 2", "defences": ["elude", "martial"]}})
    bench.fight(Ann=8, Rat=4)
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, "ann", faces=[5, 1])
    assert isinstance(bench.question, HowMany)
    bench.next(faces=[3, 3])
    assert bench.up == "Rat"
    bench.next(faces=[6])
    bench.next(faces=[9, 1])
    assert bench.phase.name == "OVER"


def test_what_a_hidden_one_does_is_felt_and_not_told(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann")
    bench.foe("Lurker", hidden=True, attacks={"dart": "martial 2"})
    strike = {"move": "pools.strike", "actor": "Lurker", "attack": "dart", "target": "Ann", "stay_hidden": True}
    bench.do(strike, faces=[5, 1, 3, 3])
    seen = " ".join(bench.words("ann"))
    assert "Lurker" not in seen
    assert "Injury 2" in seen
    assert any("Lurker" in words for words in bench.words(GM))
    assert any(line.audience == Audience.GM for line in bench.table.entries[-1].lines)


def test_the_derivation_can_be_checked_in_one_line(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", martial=2, attacks={"axe": "martial 3 C"})
    bench.foe("Rat", reductions={"mail": "2 physical armour"})
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, faces=[9, 10, 1])
    bench.answer("all", "ann", faces=[9, 6, 5, 2, 1])
    assert bench.words() == [
        "Rat: 5 dice (3 + 2 Chopping), need 5 (3 + 2 Reduction): 9 6 5 2 1 → Injury 3, 9 of 12 left."
    ]


def test_every_icon_is_there_to_be_drawn(store: Store) -> None:
    bench = Bench(store, game="pools")
    worn = {"fatigued": 2, "unaware": 1, "unconscious": 0}
    bench.hero("Ann", afflictions=worn, wounds={"torso": 1}, resolve="0 of 6", declared="A song")
    bench.hero("Ben", afflictions={"unconscious": 1})
    bench.do({"move": "pools.begin", "target": "Ann", "name": "Burning", "dice": 1, "part": "torso"})
    notes = [note for one in bench.state.characters() for note in card(bench.sight(), one).notes]
    assert len({note.key for note in notes}) == 6
    assert all(note.icon in ICONS for note in notes)


def test_a_tick_undone_many_rows_later_takes_its_own_share_back(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", threshold=1)
    begun = bench.do({"move": "pools.begin", "target": "Ann", "name": "Burning", "dice": 2, "part": "torso"})
    first = bench.do({"move": "table.period_over", "period": "round"}, faces=[3, 3])
    bench.do({"move": "table.period_over", "period": "round"}, faces=[3, 1])
    assert bench.undo(first).ok
    ann = bench.sheet("Ann")
    assert (ann.grit.now, ann.sums[Part.TORSO], ann.caused[Part.TORSO], ann.wounded(Part.TORSO)) == (11, 1, 1, 1)
    assert bench.undo(begun, way="what can").ok
    assert (bench.sheet("Ann").lasting, bench.sheet("Ann").sums[Part.TORSO]) == ({}, 0)


def test_what_all_rolls_suffer_counts_on_skill_rolls_and_not_on_damage_or_healing(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", attacks={"axe": "martial 2"})
    bench.foe("Rat")
    bench.do({"move": "table.set_games", "games": ["pools", "dread"]})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"fear": "scared"}})
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, faces=[6, 4])
    bench.answer("all", "ann", faces=[3, 2])
    assert bench.sheet("Rat").grit.now == 11
    bench.do({"move": "pools.skill_roll", "actor": "Ann", "skill": "nature", "dl": 6}, faces=[6])
    assert bench.table.entries[-1].lines[0].outcome == "failure"
    bench.do({"move": "pools.heal", "actor": "Ann", "dice": 1, "patients": ["Rat"]}, faces=[6])
    assert bench.sheet("Rat").grit.now == 12
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, faces=[6, 6])
    assert bench.table.entries[-1].lines[-1].outcome == "miss"


def test_whoever_wakes_in_a_fight_has_the_turn_after_that_again(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", grit="6 of 12")
    bench.foe("Rat")
    bench.fight(Ann=5, Rat=8)
    bench.do({"move": "pools.afflict", "target": "Ann", "name": "unconscious", "tiers": 1})
    bench.next(faces=[6])
    assert bench.phase.name == "OVER"
    bench.next()
    bench.next()
    assert bench.up == "Ann"


def test_an_undo_that_leaves_a_question_without_a_point_settles_it(store: Store) -> None:
    """Ann is unconscious again: there is no defence to choose, and the blow lands as on anybody who is."""
    bench = Bench(store, game="pools")
    bench.hero("Ann")
    bench.foe("Rat", attacks={"bite": {"of": "martial 2", "defences": ["elude", "martial"]}})
    bench.do({"move": "pools.afflict", "target": "Ann", "name": "unconscious", "tiers": 1})
    roused = bench.do({"move": "pools.rouse", "character": "Ann"})
    bench.do({"move": "pools.strike", "actor": "Rat", "attack": "bite", "target": "Ann"}, faces=[6])
    assert isinstance(bench.question, Defend)
    bench.script.faces += [3, 3]
    assert bench.undo(roused).ok
    bench.script.done()
    assert bench.state.questions() == []
    assert bench.sheet("Ann").grit.now == 10
    assert "Ann can't defend against 6." in bench.words("ann")
    assert bench.undo().ok
    assert isinstance(bench.question, Defend)
    assert bench.sheet("Ann").grit.now == 12


def test_dice_of_an_attack_are_not_asked_for_any_more_once_the_attacker_is_out(store: Store) -> None:
    """D-06: nobody who is unconscious acts."""
    bench = Bench(store, game="pools")
    bench.hero("Ann", grit=1, attacks={"axe": "martial 2"})
    bench.foe("Rat")
    bench.crowd.of["ann"] = Habits(real_dice=True)
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, "ann")
    bench.do({"move": "pools.hurt", "targets": ["Ann"], "dice": 1}, faces=[3])
    assert bench.state.questions() == []
    assert "Ann is unconscious: the attack comes to nothing." in bench.words("ann")


def test_the_conduit_question_holds_nothing_up_and_the_gm_alone_is_asked(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", energy=1)
    bench.foe("Rat")
    bench.fight(Ann=5, Rat=2)
    bench.do({"move": "pools.pay", "actor": "Ann", "pool": "energy", "amount": 2}, "ann")
    assert bench.question.addressee is None
    assert not bench.state.held_up()
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    bench.answer("yes")
    assert bench.sheet("Ann").energy.full == 0


def test_where_figures_are_hidden_neither_the_needed_face_nor_the_odds_tell_them(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", attacks={"axe": "martial 2"})
    bench.foe("Rat", reductions={"mail": "2 grit"})
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, faces=[6, 4])
    everything, fewer = question_view(bench.sight("ann"), bench.question).choices
    assert (everything.chance, everything.price) == ("2d12", None)
    assert fewer.worths == ((None, None), (None, None))
    bench.answer("all", "ann", faces=[5, 4])
    assert "need ?:" in " ".join(bench.words("ann"))
    assert "need 5 (3 + 2 Reduction)" in " ".join(bench.words(GM))
    assert bench.lines("ann")[0].rolls[0].what == "damage, 2 dice, need ?"


def hidden_figures(store: Store, **foe: Any) -> Bench:
    """Ann and a foe whose figures are told to nobody; every die shows 6."""
    bench = Bench(store, game="pools", dice=EvenDice())
    bench.hero("Ann", attacks={"axe": "martial 3 S"})
    bench.foe("Rat", grit=90, **foe)
    bench.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    return bench


@pytest.mark.parametrize(
    "foe",
    [
        {"threshold": -2},
        {"reductions": {"mail": "2 grit"}},
        {"reductions": {"mail": "12 grit"}},
        {"vulnerable": ["physical"]},
        {"immune": ["fire"], "resolve": 0, "afflictions": {"ill": 2}},
    ],
    ids=str,
)
def test_before_the_dice_fall_a_foe_s_hidden_figures_make_no_difference(store: Store, foe: dict[str, Any]) -> None:
    """D-26, D-35, D-39: what adds dice or changes the face that is needed is the foe's own business."""
    told = []
    for one in ({}, foe):
        bench = hidden_figures(store, **one)
        bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, "ann")
        told.append([picture_of(bench, person) for person in ("ann", "", SCREEN)])
    assert told[0] == told[1]


def test_the_dice_of_a_hidden_threshold_fall_unseen_and_those_held_back_come_off_first(store: Store) -> None:
    """D-23, D-39: three of one's own and two more; only two of all of them, and nobody is told of the rest."""
    for choice, amount, shown, injury in (("all", None, 3, 5), ("fewer", 2, 2, 2), ("fewer", 0, 0, 0)):
        bench = hidden_figures(store, threshold=-2)
        bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, "ann")
        assert question_view(bench.sight("ann"), bench.question).choices[1].amounts == (0, 2)
        bench.answer(choice, "ann", amount=amount)
        for person in ("ann", SCREEN):
            (line, *_) = bench.lines(person)
            assert [die for die, _, _ in line.rolls[0].dice] == [12] * shown
            assert line.words.startswith(f"Rat: {shown} dice")
            assert "Threshold" not in line.words
            assert f": {' '.join(['6'] * shown) or 'no dice'} → Injury {injury}" in line.words
        assert len(bench.lines()[0].rolls[0].dice) == injury


def test_what_comes_off_a_foe_s_roll_is_not_told_by_what_it_must_reach(store: Store) -> None:
    """D-22, D-38: that only a 12 can do it, and that what it uses makes it dearer, are its own figures."""
    told = []
    for one in ({}, {"afflictions": {"fatigued": 9}}, {"vulnerable": ["fire"]}):
        bench = hidden_figures(store, **one)
        bench.do({"move": "pools.skill_roll", "actor": "Rat", "skill": "endure", "dl": 9, "type_used": "fire"})
        view = bench.lines("ann")[0].rolls[0]
        told.append(
            (view.what, view.target, view.dice, view.modifiers, bench.words("ann")[0].partition(" against ")[2])
        )
    assert told == [("Endure", "difficulty 9", (), (), "difficulty 9, failure.")] * 3
    assert "difficulty 11, failure" in bench.words()[0]


def test_the_floor_of_bashing_says_what_came_off(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", martial=3, attacks={"maul": "martial 4 B"})
    bench.foe("Ogre", size=2)
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "maul", "target": "Ogre"}, faces=[6, 7, 11, 1])
    bench.answer("all", "ann", faces=[1, 2, 2, 1])
    assert "Injury 2, at least 2 by Bashing (3 − 1 size)" in bench.words()[0]


def test_the_damage_button_tells_two_chances_and_holding_back_changes_both(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", grit="2 of 12")
    bench.foe("Rat", attacks={"bite": "martial 2"})
    bench.do({"move": "table.assign", "character": "Rat", "seats": ["rex"]})
    bench.do({"move": "pools.strike", "actor": "Rat", "attack": "bite", "target": "Ann"}, faces=[6, 4])
    everything, fewer = question_view(bench.sight("rex"), bench.question).choices
    assert (everything.chance, everything.price) == (Fraction(35, 36), "Serious Injury or out: 69\u00a0%")
    assert fewer.worths == (
        (Fraction(0), "Serious Injury or out: 0\u00a0%"),
        (Fraction(5, 6), "Serious Injury or out: 0\u00a0%"),
    )


def test_no_bad_thing_is_foretold_of_a_foe_whose_health_is_no_number(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", attacks={"axe": "martial 2"})
    bench.foe("Rat", grit=2)
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}, faces=[6, 4])
    assert question_view(bench.sight("ann"), bench.question).choices[0].price is None
    bench.do({"move": "table.disguise", "character": "Rat", "shows_health": "number"})
    assert question_view(bench.sight("ann"), bench.question).choices[0].price == "Serious Injury or out: 69\u00a0%"


def test_what_is_finer_than_a_foe_s_health_is_told_to_the_gm_alone(store: Store) -> None:
    """Two foes that differ in Grit, Energy and Threshold alone: the same words, whatever becomes of them."""
    said = []
    for grit, energy, threshold in ((4, 8, 2), (3, 1, 1)):
        bench = Bench(store, game="pools")
        bench.hero("Ann")
        bench.foe("Rat", grit=grit, energy=energy, threshold=threshold)
        bench.do({"move": "pools.pay", "actor": "Rat", "pool": "energy", "amount": 1})
        bench.do({"move": "pools.hurt", "targets": ["Rat"], "dice": 5}, faces=[3, 3, 3, 3, 3, 7])
        bench.do({"move": "pools.afflict", "target": "Rat", "name": "fatigued", "tiers": 1})
        bench.do({"move": "table.period_over", "period": "round"}, faces=[1])
        bench.do({"move": "pools.heal", "actor": "Ann", "dice": 1, "patients": ["Rat"]}, faces=[12])
        said.append([words for entry in bench.table.entries for words in bench.words("ann", of=entry)])
        gm = " ".join(words for entry in bench.table.entries for words in bench.words(of=entry))
        assert f"Wounded {5 - threshold} (Injury 5 − Threshold {threshold})" in gm
        blocks = [
            str(block)
            for _, found in card(bench.sight("ann"), bench.state.characters()[1]).sections
            for block in found
        ]
        assert not [block for block in blocks if "ounded" in block or "atigued" in block]
    assert said[0] == said[1]
    assert "Rat: Serious Injury, torso." in said[0]


def test_how_a_wound_came_about_can_be_checked(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", threshold=2)
    bench.do({"move": "pools.hurt", "targets": ["Ann"], "dice": 3, "part": "head"}, faces=[3, 3, 3])
    assert "Ann: Serious Injury, head: Wounded 1 (Injury 3 − Threshold 2)." in bench.words("ann")
    bench.do({"move": "pools.begin", "target": "Ann", "name": "Burning", "dice": 2, "part": "head"})
    bench.do({"move": "table.period_over", "period": "round"}, faces=[3, 3])
    bench.do({"move": "table.period_over", "period": "round"}, faces=[3, 3])
    bench.do({"move": "table.period_over", "period": "round"}, faces=[3, 1])
    assert (
        "Ann: Serious Injury, head: Wounded 1 (5 in all from what goes on − Threshold 2 − 2 before), 4 in all."
        in bench.words("ann")
    )


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ({"dice": 4}, "at least 3 by Bashing."),
        ({"dice": 2}, "at least 2 by Bashing (3, 2 dice at most)."),
    ],
)
def test_a_floor_that_is_capped_says_so(store: Store, numbers: dict[str, int], told: str) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", martial=3, attacks={"maul": f"martial {numbers['dice']} B"})
    bench.foe("Rat")
    bench.do({"move": "pools.strike", "actor": "Ann", "attack": "maul", "target": "Rat"}, faces=[6, 7, 11, 1])
    bench.answer("all", "ann", faces=[1] * numbers["dice"])
    assert told.rstrip(".") in bench.words()[0]


def test_a_face_that_is_capped_says_so(store: Store) -> None:
    bench = Bench(store, game="pools", house={"twelve_always_counts": True})
    bench.hero("Ann", reductions={"wall": "10 grit"})
    bench.do({"move": "pools.hurt", "targets": ["Ann"], "dice": 1}, faces=[12])
    assert "need 12, a 12 always counts (3 + 10 Reduction)" in bench.words("ann")[0]


def test_what_flows_has_no_side_effect_on_the_immune(store: Store) -> None:
    bench = Bench(store, game="pools")
    wave = {"of": "martial 1 F", "element": "water", "subtype": "cold", "side_effect": "Ice forms."}
    bench.hero("Ann", attacks={"wave": wave})
    bench.foe("Rat")
    bench.foe("Newt", immune=["cold"])
    strike = {"move": "pools.strike", "actor": "Ann", "attack": "wave"}
    bench.do({**strike, "target": "Newt"}, faces=[5, 1])
    assert not [words for words in bench.words() if "Ice" in words]
    bench.do({**strike, "target": "Rat"}, faces=[5, 1])
    bench.answer("all", "ann", faces=[3])
    assert "Wave flows: Ice forms." in bench.words()


@pytest.mark.parametrize(
    ("choice", "amount", "energy", "fatigued", "goes_on"),
    [("yes", None, 1, 0, False), ("cost", 3, 0, 2, False), ("cost", 0, 1, 0, False), ("no", None, 1, 0, True)],
)
def test_putting_out_has_the_price_that_the_gm_names(
    store: Store, choice: str, amount: int | None, energy: int, fatigued: int, goes_on: bool
) -> None:
    bench = Bench(store, game="pools", house={"ruptured_conduit": "off"})
    bench.hero("Ann", energy="1 of 8")
    bench.hero("Ben")
    bench.do({"move": "pools.begin", "target": "Ben", "name": "Burning", "dice": 1, "part": "torso"})
    harm = next(iter(bench.sheet("Ben").lasting))
    bench.do({"move": "pools.put_out", "actor": "Ann", "patient": "Ben", "harm": harm}, "ann")
    assert bench.question.addressee is None
    bench.answer(choice, amount=amount)
    ann, ben = bench.sheet("Ann"), bench.sheet("Ben")
    assert (ann.energy.now, ann.tiers(FATIGUED), bool(ben.lasting)) == (energy, fatigued, goes_on)


def _burning(bench: Bench) -> None:
    bench.do({"move": "pools.begin", "target": "Ann", "name": "Burning", "dice": 1, "part": "torso"})
    harm = next(iter(bench.sheet("Ann").lasting))
    bench.do({"move": "pools.put_out", "actor": "Ben", "patient": "Ann", "harm": harm}, "ben")


def _strike(bench: Bench, **more: Any) -> Message:
    return {"move": "pools.strike", "actor": "Ben", "attack": "axe", "target": "Ann", **more}


ASKED: dict[str, Any] = {
    "may aim": lambda bench: bench.do(_strike(bench, part="head"), "ben"),
    "defend": lambda bench: bench.do(_strike(bench), faces=[5]),
    "how many": lambda bench: (bench.do(_strike(bench), faces=[11]), bench.answer("elude", "ann", faces=[1])),
    "pick part": lambda bench: bench.do({"move": "pools.hurt", "targets": ["Ann"], "dice": 1}, faces=[3, 12]),
    "conduit": lambda bench: bench.do({"move": "pools.pay", "actor": "Ann", "pool": "energy", "amount": 9}),
    "is out": _burning,
}


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("leaver", ["Ann", "Ben"])
def test_whoever_leaves_the_table_leaves_no_question_that_cannot_be_drawn(
    store: Store, asked: str, leaver: str
) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", threshold=0)
    bench.hero("Ben", attacks={"axe": {"of": "martial 2", "defences": ["elude", "martial"]}})
    bench.foe("Rat")
    ASKED[asked](bench)
    assert len(bench.state.questions()) == 1
    bench.do({"move": "table.remove_character", "character": leaver})
    for question in bench.state.questions():
        for as_ in (GM, "ann", "ben", SCREEN):
            assert question_view(bench.sight(as_), question).ask
        bench.answer(question.default)
