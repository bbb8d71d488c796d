"""Fear and insanity beyond its rulings: what is told to whom, odds, other games beside it, and coming and going."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TypeVar

import pytest

from tests.support.fear import FAILS, NO_SOAK, PASSES, call, haunted, page
from tests.support.play import BOOK, GM, SCREEN, Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.blocks import Button, Menu
from webapp.rules.calls import Call
from webapp.rules.document import body_of
from webapp.rules.games.dread.fear import Critical, Resist, UseToughness
from webapp.rules.games.dread.house import CritRule, House, Rounding
from webapp.rules.games.dread.rolls import points, prospect
from webapp.rules.games.dread.sheet import DICE, Outcome, Sheet
from webapp.rules.next_step import what_next
from webapp.rules.period import Period
from webapp.rules.periods import outlook
from webapp.rules.question import Question
from webapp.rules.state import Habits, State
from webapp.store import Store
from webapp.ui import tv_act
from webapp.ui.questions import question_pieces

QuestionT = TypeVar("QuestionT", bound=Question)


@pytest.fixture
def bench(store: Store) -> Bench:
    return haunted(store)


def notes(bench: Bench, who: str, as_: str) -> list[str]:
    card = Picture(bench.table, viewer(as_)).card(bench.ids[who])
    assert card is not None
    return [bench.sight(as_).words(note.words) for note in card.notes]


def log(bench: Bench, as_: str) -> list[str]:
    return [line.words for row in Picture(bench.table, viewer(as_)).log() for line in row.lines]


def marked_secret(bench: Bench) -> list[str]:
    """Of what the GM reads about Ann's test."""
    lines = [line for row in Picture(bench.table, viewer(GM)).log() for line in row.lines]
    return [one.words for one in lines if one.secret and one.words.startswith(("Ann is scared", "Ann faces"))]


# --- a call ------------------------------------------------------------------------------------------------


def test_results_lie_face_down_until_all_are_in_and_turn_over_by_themselves(bench: Bench) -> None:
    call(bench)
    assert [question.addressee for question in bench.state.questions()] == [bench.ids["Ann"], bench.ids["Ben"]]
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    assert bench.sheet("Ann").fear == "scared"
    assert notes(bench, "Ann", "ann") == notes(bench, "Ann", GM) == ["Scared: −1 on all rolls"]
    for other in ("ben", SCREEN, ""):
        assert notes(bench, "Ann", other) == []
        assert log(bench, other)[-1] == "Fear 4: 2 are asked."
        assert "scared" not in str(Picture(bench.table, viewer(other)).card(bench.ids["Ann"])), other
    assert "scared" not in page(bench, SCREEN)
    assert log(bench, "ann")[-1] == "Ann is scared (−1 on all rolls): 4 − 0 soaked = 4 insanity."

    bench.answer("roll", "ben", faces=(*PASSES, 5, 1))
    assert list(bench.state.all(Call)) == []
    for everybody in ("ann", "ben", SCREEN, GM):
        assert notes(bench, "Ann", everybody) == ["Scared: −1 on all rolls"]
        assert log(bench, everybody)[-2:] == [
            "Fear 4 · Ann: 1, scared, 4 − 0 soaked = 4 insanity",
            "Fear 4 · Ben: 10, resisted, 2 − 2 soaked = 0 insanity",
        ]
    shown = Picture(bench.table, viewer(SCREEN)).log()[-1].lines[-2].rolls
    assert [(roll.what, roll.dice, roll.total) for roll in shown] == [
        ("willpower against fear", ((10, 1, True), (10, -2, True)), 1),
        ("soak", ((5, 1, True), (5, -5, True)), 0),
    ]


def test_what_was_turned_over_is_no_secret_any_more(bench: Bench) -> None:
    call(bench)
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    assert marked_secret(bench)[1:] == ["Ann is scared (−1 on all rolls): 4 − 0 soaked = 4 insanity."]
    bench.answer("roll", "ben", faces=(*PASSES, 5, 1))
    assert marked_secret(bench) == []
    bench.undo()
    assert len(marked_secret(bench)) == 2


def test_what_the_gm_rolled_in_secret_stays_marked(bench: Bench) -> None:
    bench.do({"move": "dread.call_fear", "difficulty": 4, "secret": True}, faces=(*FAILS, *NO_SOAK, *PASSES, 5, 1))
    assert len(marked_secret(bench)) == 2


def test_a_call_waits_for_toughness_and_for_the_gms_word(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    call(bench)
    bench.answer("roll", "ann", faces=FAILS)
    bench.do({"move": "table.answer", "question": _asked(bench, Resist).id, "choice": "refuse"}, "ben", faces=NO_SOAK)
    assert list(bench.state.all(Call))
    assert bench.sheet("Ann").fear == "none"
    assert "toughness?" not in page(bench, "ben") + page(bench, SCREEN)
    bench.answer("again", "ann", faces=(*FAILS, *NO_SOAK))
    assert not list(bench.state.all(Call))
    assert bench.sheet("Ann").used == 1


def test_the_gm_decides_what_hangs_on_a_roll_of_a_call(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    call(bench)
    rows = Picture(bench.table, viewer(GM)).calls()[0].rows
    assert [(row.passed_by, row.choice, row.brief) for row in rows] == [("Roll for them", "roll", "")] * 2
    bench.answer("roll", "ann", faces=FAILS)
    ann = Picture(bench.table, viewer(GM)).calls()[0].rows[0]
    assert (ann.passed_by, ann.brief, ann.is_in) == ("It stands", "toughness?", False)
    bench.do({"move": "table.answer", "question": ann.question, "choice": ann.choice}, faces=NO_SOAK)
    assert bench.sheet("Ann").fear == "scared"
    assert all(not row.passed_by + row.brief for row in Picture(bench.table, viewer("ann")).calls()[0].rows)


def test_the_gm_rolls_for_somebody_and_lets_another_go(bench: Bench) -> None:
    call(bench)
    bench.answer("roll", GM, faces=(*FAILS, *NO_SOAK))
    assert "rolled for you" in Picture(bench.table, viewer("ann")).notices()[0].words
    running = next(bench.state.all(Call)).id
    bench.refused({"move": "table.let_go", "call": running, "character": "Ann"})
    bench.do({"move": "table.let_go", "call": running, "character": "Ben"})
    assert not list(bench.state.all(Call))
    assert bench.state.questions() == []
    assert log(bench, "ben")[-1].startswith("Fear 4 · Ann: 1, scared")
    assert bench.undo().ok
    assert bench.question.addressee == bench.ids["Ben"]


def test_turned_over_cards_tell_success_from_failure_at_a_glance(bench: Bench) -> None:
    call(bench)
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    mine = [row.made for row in Picture(bench.table, viewer("ann")).calls()[0].rows]
    others = [row.made for row in Picture(bench.table, viewer("ben")).calls()[0].rows]
    assert (mine, others) == ([False, None], [None, None])
    bench.answer("roll", "ben", faces=(*PASSES, 5, 1))
    turned = Picture(bench.table, viewer(SCREEN)).turned_over()
    assert turned is not None
    assert [(one.name, one.made) for one in turned.results] == [("Ann", False), ("Ben", True)]
    shown = tv_act.turned(turned)
    assert shown.index("outcome missed") < shown.index("outcome made")


def big(bench: Bench) -> str:
    button = Picture(bench.table, viewer(GM)).big_button()
    assert button is not None
    return button.label


def test_the_big_button_rolls_for_all_whom_a_call_waits_for(bench: Bench) -> None:
    call(bench)
    assert big(bench) == "Fear 4: roll for Ann, Ben"
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    assert big(bench) == "Fear 4: roll for Ben"
    bench.next(faces=(*PASSES, 5, 1))
    assert not list(bench.state.all(Call))
    assert log(bench, SCREEN)[-1] == "Fear 4 · Ben: 10, resisted, 2 − 2 soaked = 0 insanity"
    assert big(bench) == "Start the fight"


def test_the_big_button_decides_what_hangs_on_a_roll_of_a_call(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    call(bench, characters=["Ann"])
    bench.answer("roll", "ann", faces=FAILS)
    assert big(bench) == "Fear 4: decide for Ann"
    bench.next(faces=NO_SOAK)
    assert not list(bench.state.all(Call))
    assert bench.sheet("Ann").fear == "scared"


def test_a_press_that_was_meant_for_something_else_rolls_for_nobody(bench: Bench) -> None:
    call(bench)
    shown = what_next(bench.state)
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    assert "moved on" in bench.refused({"move": "table.next", "seen": shown})
    assert list(bench.state.all(Call))


def test_turned_over_early_what_hangs_on_it_is_settled_and_who_has_not_rolled_is_let_go(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": {"crit_rule": "gm"}})
    call(bench)
    bench.answer("roll", "ann", faces=FAILS)
    bench.do({"move": "table.turn_over", "call": next(bench.state.all(Call)).id}, faces=NO_SOAK)
    assert bench.state.questions() == []
    assert bench.sheet("Ann").fear == "scared"
    assert bench.sheet("Ben").fear == "none"


def test_dice_told_by_hand_belong_to_the_call(bench: Bench) -> None:
    bench.crowd.of["ann"] = Habits(real_dice=True)
    call(bench)
    bench.answer("roll", "ann")
    ben = {"move": "table.answer", "question": _asked(bench, Resist).id, "choice": "roll"}
    bench.do(ben, "ben", faces=(*PASSES, 5, 1))
    assert list(bench.state.all(Call))
    bench.tell(*FAILS, as_="ann")
    assert bench.sheet("Ann").fear == "none", "state and points are set at once, when the soak is told"
    bench.tell(*NO_SOAK, as_="ann")
    assert (bench.sheet("Ann").fear, bench.sheet("Ann").temporary) == ("scared", 4)
    assert not list(bench.state.all(Call))


def test_who_leaves_the_table_is_not_waited_for(bench: Bench) -> None:
    call(bench)
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    bench.hero("Cat")
    call(bench, characters=["Ben", "Cat"])
    bench.do({"move": "table.remove_character", "character": "Ben"})
    assert [running.wanted for running in bench.state.all(Call)] == [(bench.ids["Cat"],)]
    bench.do({"move": "table.remove_character", "character": "Cat"})
    assert not list(bench.state.all(Call))


def test_an_undone_answer_is_open_again(bench: Bench) -> None:
    call(bench)
    before = bench.table._bodies()
    bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
    assert bench.undo().ok
    assert bench.table._bodies() == before


# --- in secret ---------------------------------------------------------------------------------------------


def test_a_secret_call_does_the_same_and_nobody_is_asked_or_told(store: Store) -> None:
    sheets = []
    for secret in (False, True):
        bench = Bench(store, game="dread")
        bench.hero("Ann", toughness=0)
        bench.crowd.of["ann"] = Habits(real_dice=secret)
        heard = len(log(bench, "ann"))
        bench.script.faces += [*FAILS, *NO_SOAK] if secret else []
        bench.send({"move": "dread.call_fear", "difficulty": 4, "secret": secret})
        if secret:
            assert len(log(bench, "ann")) == heard
            assert log(bench, GM)[-1] == "Fear 4 · Ann: 1, scared, 4 − 0 soaked = 4 insanity"
        else:
            bench.answer("roll", "ann", faces=(*FAILS, *NO_SOAK))
        bench.script.done()
        assert bench.state.questions() == []
        sheets.append(body_of(bench.sheet("Ann")) | {"id": ""})
    assert sheets[0] == sheets[1]


def test_in_secret_the_gm_is_asked_about_toughness(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    bench.script.faces += [*FAILS]
    call(bench, secret=True, characters=["Ann"])
    assert bench.question.addressee is None
    assert Picture(bench.table, viewer("ann")).questions() == ()
    assert "toughness?" not in page(bench, "ann")
    bench.answer("again", faces=(*FAILS, *NO_SOAK))
    assert (bench.sheet("Ann").fear, bench.sheet("Ann").used) == ("scared", 1)
    assert not any("Fear 4" in words or "tough" in words for words in log(bench, "ann"))


def test_how_many_of_the_unseen_are_asked_is_told_to_nobody(bench: Bench) -> None:
    bench.script.faces += [*PASSES, 5, 1]
    call(bench, characters=["Ann", "Ghost"])
    assert log(bench, "ben")[-1] == "Fear 4: Ann is asked."
    bench.script.faces += [*PASSES, 5, 1]
    call(bench, characters=["Ghost"])
    assert log(bench, "ben")[-1] == "Fear 4: Ann is asked."
    assert "Ghost" not in page(bench, "ben")


# --- what is asked, and what it says -----------------------------------------------------------------------


def test_the_question_tells_all_chances_and_the_insanity_to_expect(bench: Bench) -> None:
    call(bench)
    (view,) = Picture(bench.table, viewer("ann")).questions()
    assert view.ask.startswith("Fear, difficulty 4: resist 36\N{NO-BREAK SPACE}%, scared ")
    assert "about " in view.ask
    assert [(choice.id, choice.chance) for choice in view.choices] == [("roll", Fraction(36, 100)), ("refuse", None)]
    assert view.choices[1].price == "counts as scared"
    lit = [item.key for item in question_pieces(view, with_name=False) if "safe" in item.classes]
    assert lit == [f"q {view.id} roll"], "what the GM goes on with is the one that stands out"


def test_a_second_try_tells_chance_price_and_what_stands_without(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 2}})
    call(bench)
    bench.answer("roll", "ann", faces=FAILS)
    asked = _asked(bench, UseToughness)
    view = next(one for one in Picture(bench.table, viewer("ann")).questions() if one.id == asked.id)
    assert view.ask == "Ann: 1 against fear 4, a failure. Use toughness?"
    keep, again = view.choices
    assert (keep.default, keep.price) == (True, "scared, 4 insanity before the soak")
    assert again.chance == Fraction(36, 100)
    assert again.price == "1 of 2 rerolls left this session; the new result stands"


def test_without_toughness_any_more_the_open_question_lapses(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"toughness": 1}})
    call(bench)
    bench.answer("roll", "ann", faces=FAILS)
    off = {"move": "table.edit_table", "key": "dread.house/dread", "values": {"toughness": False}}
    bench.do(off, faces=NO_SOAK)
    assert bench.sheet("Ann").fear == "scared"


def test_the_gm_is_asked_what_is_panic_and_nobody_else(bench: Bench) -> None:
    bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": {"crit_rule": "gm"}})
    call(bench, characters=["Ann"])
    bench.answer("roll", "ann", faces=FAILS)
    question = _asked(bench, Critical)
    assert (question.addressee, question.default) == (None, "no")
    assert "(+1 −2)" in bench.sight().words(question.ask(bench.state))
    assert Picture(bench.table, viewer("ann")).questions() == ()


def test_panic_says_that_the_gm_decides(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"fear": "panicked"}})
    assert notes(bench, "Ann", "ben") == ["Panicked: −2 on all rolls. Until it is over the GM decides what they do"]


def test_only_the_gm_names_another_skill_to_scare_with(bench: Bench) -> None:
    move = {"move": "dread.scare", "actor": "Ann", "targets": ["Verger"], "skill": "willpower"}
    assert bench.refused(move, "ann") == "Only the GM names another skill for that."
    bench.do(move, faces=(1, 9))


def test_the_unseen_are_no_targets_and_a_hidden_scarer_stays_unnamed(bench: Bench) -> None:
    said = [
        bench.refused({"move": "dread.scare", "actor": "Ann", "targets": [who]}, "ann") for who in ("Ghost", "nobody")
    ]
    assert said[0] == said[1]
    hidden = {"move": "dread.scare", "actor": "Ghost", "targets": ["Ann"], "stay_hidden": True}
    bench.do(hidden, faces=(9, 1))
    assert log(bench, "ann")[-1] == "Fear 10: Ann is asked."
    assert "Ghost" not in page(bench, "ann")


def test_a_scarer_comes_out_of_hiding_unless_the_gm_has_it_stay(bench: Bench) -> None:
    menu = next(
        block
        for _, own in Picture(bench.table, viewer(GM)).blocks(bench.ids["Ghost"])
        for block in own
        if isinstance(block, Menu) and block.key == "dread.scare"
    )
    assert [key for key, _ in menu.switches] == ["stay_hidden"]
    button = menu.tabs[0].buttons[0]
    assert button.ridden(["stay_hidden"]).move == {**button.move, "stay_hidden": True}
    bench.do({"move": "dread.scare", "actor": "Ghost", "targets": ["Ann"]}, faces=(9, 1))
    assert not bench.state.is_hidden(bench.ids["Ghost"])
    assert "Ghost is frightening: fear 10." in bench.words("ann")


def test_nobody_who_is_down_is_offered_to_be_scared_or_called_to_a_sight(store: Store) -> None:
    """F-01: in a scary situation is who sees it."""
    bench = Bench(store, games=("pools", "dread"))
    for name in ("Ann", "Ben", "Cat"):
        bench.hero(name, pools={}, dread={})
    bench.foe("Ogre", pools={}, dread={"terrible": 6})
    bench.do({"move": "pools.afflict", "target": "Ben", "name": "unconscious", "tiers": 1})
    assert _whom(bench, "dread.scare") == ["Ann", "Cat", "All of them"]
    assert _whom(bench, "dread.sight") == ["All heroes see it", "Ann", "Cat"]
    bench.do(_offered(bench, "dread.sight")[0].move)
    assert [one.addressee for one in bench.state.questions()] == [bench.ids["Ann"], bench.ids["Cat"]]
    scared = _offered(bench, "dread.scare")[-1].move["targets"]
    assert scared == [bench.ids["Ann"], bench.ids["Cat"]]


def _whom(bench: Bench, key: str) -> list[str]:
    return [bench.sight().words(button.label) for button in _offered(bench, key)]


def _offered(bench: Bench, key: str) -> tuple[Button, ...]:
    blocks = (block for _, own in Picture(bench.table, viewer(GM)).blocks(bench.ids["Ogre"]) for block in own)
    return next(one.tabs[0].buttons for one in blocks if isinstance(one, Menu) and one.key == key)


def _asked(bench: Bench, kind: type[QuestionT]) -> QuestionT:
    return next(one for one in bench.state.questions() if isinstance(one, kind))


# --- afterwards --------------------------------------------------------------------------------------------


def deferred(bench: Bench) -> None:
    bench.do({"move": "table.edit_table", "key": "dread.house/dread", "values": {"insanity_when": "deferred"}})
    for difficulty in (4, 6):
        bench.do({"move": "dread.tell_fear", "actor": "Ann", "total": 3, "difficulty": difficulty})


def test_the_end_of_a_scene_is_told_before_it_happens(bench: Bench) -> None:
    deferred(bench)
    sight = bench.sight()
    told = {who: [sight.words(word) for word in words] for who, words in outlook(bench.state, Period.SCENE)}
    wanted = ["no longer scared", "settles 4 insanity from fear 4", "settles 6 insanity from fear 6"]
    assert told == {bench.ids["Ann"]: wanted}
    facts = [one for one in Picture(bench.table, viewer(GM)).gm_blocks() if one.key.startswith("over.scene.")]
    assert [sight.words(one.value) for one in facts if one.type == "fact"] == ["; ".join(wanted)]
    bench.do({"move": "table.period_over", "period": "scene"}, faces=(*NO_SOAK, *NO_SOAK))
    assert outlook(bench.state, Period.SCENE) == []
    assert (bench.sheet("Ann").temporary, bench.sheet("Ann").permanent, bench.sheet("Ann").corruption) == (5, 0, 1)
    assert bench.undo().ok
    assert len(bench.sheet("Ann").pending) == 2


def test_the_end_of_a_scene_decides_what_is_open_and_says_so(bench: Bench) -> None:
    """F-05, B3-8: whoever tells dice by hand has them rolled, and nobody is frightened after the scene."""
    bench.crowd.of["ann"] = Habits(real_dice=True)
    call(bench, 4)
    bench.answer("roll", "ann")
    told = dict(outlook(bench.state, Period.SCENE))
    assert {bench.names[who]: [bench.sight().words(one) for one in words] for who, words in told.items()} == {
        "Ann": ["first the fear test that is open"],
        "Ben": ["first the fear test that is open"],
    }
    bench.do({"move": "table.period_over", "period": "scene"}, faces=(*PASSES, *NO_SOAK, *FAILS, *NO_SOAK))
    assert bench.state.questions() == []
    assert [(bench.sheet(who).fear, bench.sheet(who).temporary) for who in ("Ann", "Ben")] == [
        ("none", 2),
        ("none", 4),
    ]


def test_of_two_lines_that_wait_either_can_be_undone(bench: Bench) -> None:
    deferred(bench)
    assert bench.undo(bench.table.entries[-2]).ok
    assert [line.difficulty for _, line in bench.sheet("Ann").lines] == [6]


def test_the_boxes_spill_over_whoever_fills_them(bench: Bench) -> None:
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "dread", "values": {"temporary": 5, "permanent": 4}})
    before = bench.table._bodies()
    bench.do({"move": "table.adjust", "actor": "Ann", "game_id": "dread", "path": ["temporary"], "amount": 1}, "ann")
    assert (bench.sheet("Ann").temporary, bench.sheet("Ann").permanent, bench.sheet("Ann").corruption) == (5, 0, 1)
    assert bench.undo().ok
    assert bench.table._bodies() == before


def test_skills_by_name_are_on_the_form(bench: Bench) -> None:
    from webapp.rules.forms import inputs, label_of

    bench.hero("Dot", skills={"hiding": 3})
    names = [one.name for one in inputs(bench.sheet("Dot"))]
    assert "skills.hiding" in names
    assert not any(name.startswith(("pending", "fear")) for name in names)
    assert label_of(bench.sheet("Dot"), ("skills", "hiding")) == "Hiding"
    bench.do({"move": "table.edit", "actor": "Dot", "game_id": "dread", "values": {"skills.hiding": 4}}, "dot")
    assert bench.sheet("Dot").skill("hiding") == 4
    bench.do({"move": "dread.learn", "actor": "Dot", "skill": "lore", "rank": 2}, "dot")
    assert bench.sheet("Dot").skills == {"hiding": 4, "lore": 2}
    bench.do({"move": "dread.learn", "actor": "Dot", "skill": "hiding", "rank": 0}, "dot")
    assert bench.sheet("Dot").skills == {"lore": 2}
    bench.refused({"move": "dread.learn", "actor": "Dot", "skill": "lo.re", "rank": 1}, "dot")


# --- odds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", CritRule)
@pytest.mark.parametrize("fear", ["none", "scared", "panicked"])
@pytest.mark.parametrize("die", DICE.ranks)
def test_odds_are_those_of_all_faces_counted_out(store: Store, die: int, fear: str, rule: CritRule) -> None:
    bench = _alone(store)
    charisma, willpower, difficulty = 2, 1, 5
    given = {"id": bench.ids["Ann"], "die": die, "fear": fear, "charisma": charisma, "willpower": willpower}
    sheet = Sheet.model_validate(given)
    found = prospect(_with(bench, sheet, House(crit_rule=rule)), bench.ids["Ann"], difficulty)
    was = {"none": 0, "scared": 1, "panicked": 2}[fear]
    shares = {outcome: Fraction(0) for outcome in Outcome}
    for plus, minus in product(range(1, die + 1), repeat=2):
        total = charisma + willpower - was + plus - minus
        critical = {
            "minus_max": minus == die,
            "plus1_and_minus_max": minus == die and plus == 1,
            "fail_by_5": difficulty - total >= 5,
            "gm": False,
        }[rule]
        failed = Outcome.PANICKED if critical else Outcome.SCARED
        shares[Outcome.RESISTED if total >= difficulty else failed] += Fraction(1, die * die)
    assert (found.resisted, found.scared, found.panicked) == tuple(shares.values())

    half, insanity = die // 2, Fraction(0)
    for outcome, share in shares.items():
        due = {Outcome.RESISTED: 2, Outcome.SCARED: 5, Outcome.PANICKED: 7}[outcome]
        now = max(was, {Outcome.RESISTED: 0, Outcome.SCARED: 1, Outcome.PANICKED: 2}[outcome])
        for plus, minus in product(range(1, half + 1), repeat=2):
            soaked = max(0, charisma - now + plus - minus)
            insanity += share * max(0, due - soaked) / (half * half)
    assert found.insanity == insanity


def _alone(store: Store) -> Bench:
    if not _ALONE:
        bench = Bench(store, game="dread")
        bench.hero("Ann")
        _ALONE.append(bench)
    return _ALONE[0]


_ALONE: list[Bench] = []


def _with(bench: Bench, sheet: Sheet, house: House) -> State:
    documents = {kind: dict(held) for kind, held in bench.table._documents.items()}
    documents[Sheet.kind()][sheet.id] = sheet
    documents[House.kind()][house.id] = house
    return State(BOOK, documents, {})


@pytest.mark.parametrize("rounding", Rounding)
def test_worse_never_costs_less(rounding: Rounding) -> None:
    for difficulty in range(-20, 100):
        resisted, scared, panicked = (points(outcome, difficulty, rounding) for outcome in Outcome)
        assert 0 <= resisted <= scared <= panicked
