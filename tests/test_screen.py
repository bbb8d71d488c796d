"""The TV: its named states, the act in hand and its odds, what fits on it, and what the GM's key takes off it."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from markupsafe import Markup

from tests.support.play import GM, SCREEN, Bench, viewer
from webapp.pages.play.notices import NOBODY, cry
from webapp.projection.picture import Picture
from webapp.rules.blocks import Menu, Place
from webapp.rules.document import Side
from webapp.rules.lines_view import RollView
from webapp.rules.odds import chance, standing
from webapp.rules.roll import Ask, Keep, Roll, Wins
from webapp.rules.text import text
from webapp.store import Store
from webapp.ui import tv, tv_act, tv_fight
from webapp.ui.face import face
from webapp.ui.fight import countdown
from webapp.ui.markup import ribbon

SECRET = "Qxzzy the Unspeakable"
DYING = {"hp.now": 0, "condition": "dying", "bleeds": 2}


# --- the act in hand, and its odds -------------------------------------------------------------------


@pytest.fixture
def bench(store: Store) -> Bench:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"knife": "melee d6"})
    bench.foe("Rat", monster=4, devices={"teeth": "melee d4"})
    bench.fight(Ann=9, Rat=3)
    return bench


def seen(bench: Bench, who: str = SCREEN) -> Picture:
    return Picture(bench.table, viewer(who))


def test_the_act_names_who_strikes_whom_and_its_newest_verdict(bench: Bench) -> None:
    bench.attack("Ann", "Rat", as_="ann", faces=[5, 3])
    act = seen(bench).act()
    assert act is not None
    assert act.by is not None
    assert (act.by.name, [one.name for one in act.to]) == ("Ann", ["Rat"])
    assert act.line is not None
    assert act.line.rolls[-1].verdict is not None
    assert act.after


def test_a_roll_that_stands_for_an_earlier_one_says_so(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, will=2, devices={"knife": "melee d6"})
    bench.foe("Rat", monster=8)
    bench.fight(Ann=9, Rat=3)
    bench.attack("Ann", "Rat", as_="ann", faces=[1])
    first = seen(bench).act()
    assert first is not None
    assert "re-rolled" not in tv_act.thrown(first)
    bench.answer("again", "ann", faces=[2])
    act = seen(bench).act()
    assert act is not None
    assert act.line is not None
    assert [roll.again for roll in act.line.rolls] == [True]
    assert tv_act.thrown(act).count("re-rolled") == 2, "beside the dice, and in how they came about"


def test_a_blow_s_damage_stays_large_whatever_is_rolled_after_it(store: Store) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann", martial=2, attacks={"axe": "martial 4"})
    bench.foe("Rat", grit=9, threshold=1, parts=["head", "torso"])
    bench.fight(Ann=8, Rat=5)
    strike = {"move": "pools.strike", "actor": "Ann", "attack": "axe", "target": "Rat"}
    bench.do(strike, "ann", faces=[9, 8, 7])
    bench.answer("all", "ann", faces=[9, 9, 9, 9, 6])
    act = seen(bench).act()
    assert act is not None
    shown = tv_act.thrown(act)
    assert "damage" in shown[: shown.index("throw")]
    assert "Injury" in shown
    assert "Serious Injury" in shown


def test_damage_is_larger_than_the_armour_and_tells_whom_it_hits(store: Store) -> None:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, tuf=4, devices={"vest": "armour d6", "sword": "melee d6"})
    for foe in ("Rat", "Dog"):
        bench.foe(foe, monster=8, devices={"teeth": "melee d6"})
    bench.fight(Ann=1, Ben=1, Rat=5, Dog=5)
    bench.next(faces=[4, 4])
    bench.next(faces=[5, 1, 5, 1])
    act = seen(bench).act()
    assert act is not None
    assert act.by is not None
    assert (act.by.name, [one.name for one in act.to]) == ("Dog", ["Ben"])
    shown = tv_act.thrown(act)
    assert "damage" in shown[: shown.index("throw")]


def test_everybody_s_initiative_is_no_act(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.start_fight"})
    assert [len(line.rolls) for line in bench.lines(SCREEN, of=bench.next(faces=[3, 2])) if line.rolls] == [1, 1]
    assert seen(bench).act() is None


@pytest.mark.parametrize("armour", [False, True])
def test_what_comes_to_many_is_told_of_each_and_the_blow_before_it_is_old(store: Store, armour: bool) -> None:
    bench = Bench(store)
    for hero in ("Ann", "Ben"):
        bench.hero(hero, hp=15, devices={"vest": "armour d6"} if armour else {})
    bench.foe("Rat", monster=12)
    bench.fight(Rat=9, Ann=1, Ben=1)
    bench.attack("Rat", "Ann", faces=[1])
    fire = {"move": "table.damage", "what": "Fire", "dice": 1, "sides": 4, "plus": 4}
    bench.do(
        bench.named(fire | {"shares": {"Ann": "full", "Ben": "full", "Rat": "full"}}), faces=[2, *[1, 1] * armour]
    )
    picture = seen(bench)
    assert picture.act() is None
    told = picture.turned_over()
    assert told is not None
    assert told.title == "Fire: d4 + 4 makes 6"
    left = 10 if armour else 9
    assert [(one.name, one.side) for one in told.results] == [
        ("Ann", Side.HERO),
        ("Ben", Side.HERO),
        ("Rat", Side.FOE),
    ]
    assert all(f"{left} of 15 left" in one.words for one in told.results[:2])
    assert face("Rat", Side.FOE) in tv_act.turned(told)


def test_those_alone_who_could_help_are_named_on_the_wall(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=8, first_aid=True)
    bench.hero("Ben", stw=8)
    bench.hero("Cy", tuf=4)
    bench.do(
        {
            "move": "table.edit",
            "actor": "Cy",
            "game_id": "squad",
            "values": {"hp.now": 0, "condition": "dying", "bleeds": 2},
        }
    )
    cards = [card for card in seen(bench).cards() if card.side is Side.HERO]
    shown = tv.dying(cards, None, {})
    helpers, others = shown.split("The others")
    assert "Ann" in helpers
    assert "Ben" not in helpers
    assert "Ben" in others


def test_the_ribbon_of_a_phone_keeps_its_own_step_in_sight(store: Store) -> None:
    bench = Bench(store)
    for who in ("Ann", "Ben"):
        bench.hero(who, tuf=4)
    bench.do({"move": "table.damage", "what": "Fire", "plus": 1, "shares": {"Ann": "full", "Ben": "full"}})
    ribbons = {who: seen(bench, who).ribbon() for who in ("ann", "ben", "gm", "screen")}
    owns = {who: None if one is None or one.own is None else one.done[one.own] for who, one in ribbons.items()}
    assert owns == {"ann": "Ann takes 1", "ben": "Ben takes 1", "gm": None, "screen": None}
    assert '<span class="step own">Ann takes 1</span>' in ribbon(ribbons["ann"])


def test_the_others_health_stays_on_the_wall_while_somebody_dies(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=8, hp=9, first_aid=True)
    bench.hero("Ben", stw=8, hp=7)
    bench.hero("Cy", tuf=4)
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": DYING})
    shown = tv.dying([card for card in seen(bench).cards() if card.side is Side.HERO], None, {})
    assert shown.index("Who can help") < shown.index("9 of 9 left") < shown.index("The others")
    assert shown.index("The others") < shown.index("7 of 7 left")


def test_a_phone_tells_of_somebody_else_s_hero_who_is_dying(store: Store) -> None:
    """Who, how long, and what its own hero can do about it; of others' chances nothing."""
    bench = Bench(store)
    bench.hero("Ann", stw=8, first_aid=True)
    bench.hero("Ben", stw=8)
    bench.hero("Cy", tuf=4)
    bench.foe("Rat", monster=4, hp=4)
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": DYING})
    assert told_of(bench, "ann") == "Cy is dying: 2 rounds left You can help: first aid, 38 %"
    assert told_of(bench, "ben") == "Cy is dying: 2 rounds left Ann can help"
    assert told_of(bench, "cy") is None
    assert told_of(bench, "screen") is None
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"first_aid": False}})
    assert told_of(bench, "ann") == f"Cy is dying: 2 rounds left {NOBODY}"


def test_whoever_helps_reads_the_surest_way_and_finds_it_before_the_attack(store: Store) -> None:
    bench = Bench(store)
    mend = {"name": "Mend", "kind": "healing", "die": 6, "uses": {"now": 1, "full": 1}, "line": "Warm palms."}
    bench.hero("Ann", seat="ann", stw=8, first_aid=True, powers={"mend": mend})
    bench.hero("Cy", seat="cy", tuf=4)
    bench.foe("Rat", monster=4, hp=4)
    bench.do({"move": "table.start_fight"})
    for who, at in (("Ann", 6), ("Cy", 1), ("Rat", 1)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": {"initiative": at}})
    assert offered(bench, "ann")[:1] == ["squad.attack"]
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": DYING})
    assert told_of(bench, "ann") == "Cy is dying: 2 rounds left You can help: Mend d6, 100 % · may act now"
    assert offered(bench, "ann").index("squad.aid") < offered(bench, "ann").index("squad.attack")


def offered(bench: Bench, who: str) -> list[str]:
    blocks = (one for _, own in seen(bench, who).blocks(bench.ids["Ann"]) for one in own)
    return [one.key for one in blocks if isinstance(one, Menu) and one.place is Place.FIGHT]


def told_of(bench: Bench, who: str) -> str | None:
    picture = seen(bench, who)
    cries = [cry(card, card.cry, picture.fight(), alone=True) for card in picture.cards() if card.cry is not None]
    return Markup(" ").join(cries).replace("</h2>", " ").striptags() if cries else None


def test_a_foe_who_is_down_is_in_nobody_s_face(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8)
    bench.hero("Ben", tuf=8)
    bench.foe("Rat", monster=4, hp=4)
    bench.foe("Cat", monster=4, hp=4)
    bench.fight(Ann=8, Ben=7, Rat=3, Cat=2)
    bench.do({"move": "table.tie", "character": "Ann", "to": "Rat"})
    bench.do({"move": "table.tie", "character": "Ben", "to": "Cat"})
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": "squad", "values": {"hp.now": 0}})
    for who in ("gm", "ann", "screen"):
        fight = seen(bench, who).fight()
        assert fight is not None
        assert fight.knots == (("Ben", "Cat"),)


@pytest.mark.parametrize(("will", "how", "odds"), [(1, "first aid with a Will Point", 17), (0, "first aid", 0)])
def test_whoever_can_help_only_with_a_raised_die_is_told_of_it(store: Store, will: int, how: str, odds: int) -> None:
    bench = Bench(store)
    bench.hero("Ann", stw=4, will=will, first_aid=True)
    bench.hero("Cy", tuf=4)
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 2}
    bench.do({"move": "table.edit", "actor": "Cy", "game_id": "squad", "values": dying})
    (plight,) = [card.plight for card in seen(bench, "cy").cards() if card.plight is not None]
    (helper,) = plight.helpers
    assert (helper.how, round(100 * Fraction(str(helper.chance)))) == (how, odds)


def test_whoever_is_out_of_sight_has_no_name_in_an_act(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"knife": "melee d6"})
    bench.foe(SECRET, hidden=True, monster=12, devices={"needle": "melee d6"})
    bench.fight(**{"Ann": 3, SECRET: 8})
    strike = {"move": "squad.attack", "actor": SECRET, "device": "needle", "target": "Ann", "stay_hidden": True}
    bench.do(strike, faces=[11, 1])
    for act in (seen(bench).act(), seen(bench, "ann").act()):
        assert act is None or act.by is None or act.by.name != SECRET
    gm_s = seen(bench, "gm").act()
    assert gm_s is not None
    assert gm_s.by is not None
    assert gm_s.by.name == SECRET


def test_a_roll_against_a_foe_whose_figures_are_not_told_has_no_needle(bench: Bench) -> None:
    bench.do({"move": "table.disguise", "character": "Rat", "odds": "rough"})
    bench.do({"move": "squad.task", "actor": "Ann", "attribute": "TUF", "difficulty": 4}, "ann", faces=[5])
    open_act = seen(bench).act()
    assert open_act is not None
    assert open_act.line is not None
    assert open_act.line.rolls[0].margin == 1
    told = open_act.line.rolls[0].model_copy(update={"chance": None, "fell": None, "margin": None})
    assert tv_act.needle(open_act.line.rolls[0])
    assert not tv_act.needle(told)
    assert not tv_act.needle(told.model_copy(update={"chance": "likely"}))


@pytest.mark.parametrize(
    ("dice", "wins", "target", "bonus", "keep"),
    [
        ((8,), Wins.AT_LEAST, 4, 0, Keep.ALL),
        ((6, 6), Wins.AT_LEAST, 8, 1, Keep.ALL),
        ((20,), Wins.UNDER, 11, 0, Keep.ALL),
        ((20, 20), Wins.UNDER, 11, -2, Keep.HIGHEST),
        ((4,), Wins.AT_LEAST, 9, 0, Keep.ALL),
    ],
)
def test_the_needle_stands_on_the_side_of_the_verdict(
    dice: tuple[int, ...], wins: Wins, target: int, bonus: int, keep: Keep
) -> None:
    what = text("a roll")
    ask = Ask(what=what, dice=dice, wins=wins, target=target - bonus, keep=keep)
    faces = [()]
    for side in dice:
        faces = [(*before, face) for before in faces for face in range(1, side + 1)]  # type: ignore[misc]
    odds = chance(ask)
    where = [(standing(roll, odds), roll.success) for roll in (Roll(ask=ask, faces=one) for one in faces)]
    assert all((at < odds) is made and 0 < at < 1 for at, made in where)
    assert sum(made for _, made in where) == odds * len(faces)


def test_a_natural_face_keeps_the_needle_on_its_side() -> None:
    ask = Ask(what=text("a roll"), dice=(20,), wins=Wins.UNDER, target=25, never=20, always=1)
    odds = chance(ask)
    assert odds == Fraction(19, 20)
    assert standing(Roll(ask=ask, faces=(20,)), odds) > odds
    assert standing(Roll(ask=ask, faces=(1,)), odds) < odds


def roll_view(**told: Any) -> RollView:
    body = {"what": "a roll", "dice": ((8, 5, True),), "modifiers": (), "total": 5, "target": "4", "by_hand": False}
    return RollView(**{**body, "verdict": True, "chance": Fraction(2, 3), "fell": 40.0, "margin": 1, **told})


@pytest.mark.parametrize(
    ("verdict", "margin", "words"),
    [
        (True, 1, "made it by one"),
        (True, 0, "just made it"),
        (True, 13, "made it by 13"),
        (True, None, "made it"),
        (False, -1, "missed by one"),
        (False, -2, "missed by two"),
        (False, None, "missed it"),
    ],
)
def test_how_near_it_was(verdict: bool, margin: int | None, words: str) -> None:
    view = roll_view(verdict=verdict, margin=margin)
    assert tv_act.by_how_much(view) == words
    shown = tv_act.needle(view)
    assert words in shown
    assert "67\u00a0%" in shown
    assert "--fell:40.0%" in shown


def test_the_order_grows_where_few_come_and_never_beyond_its_column() -> None:
    sizes = [tv_fight.grown(lines) for lines in range(2 * tv_fight.ROOM)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == tv_fight.MOST_GROWN
    assert sizes[-1] == 1
    assert all(
        tv_fight.BOX * grow + lines * grow**2 <= tv_fight.COLUMN + 1 for lines, grow in enumerate(sizes) if grow > 1
    )


def test_however_many_come_at_the_next_number_some_are_named(bench: Bench) -> None:
    """Also when all that could be said of them takes more room than there is."""
    fight = seen(bench).fight()
    assert fight is not None
    slots = tuple(
        fight.slots[0].model_copy(update={"id": str(n), "name": f"Long name of a beast {n}", "state": "coming"})
        for n in range(15)
    )
    shown = tv_fight.order(fight.model_copy(update={"slots": (fight.slots[0], *slots)}), {})
    assert "Long name of a beast 0" in shown
    assert re.search(r"and \d+ more", shown)


def test_a_rest_is_what_it_brought(bench: Bench) -> None:
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 4}})
    assert seen(bench).rest() is None
    bench.do({"move": "table.rest", "hours": 8}, faces=[2])
    rest = seen(bench).rest()
    assert rest is not None
    assert rest.title == "8 hours of rest."
    assert any(words.startswith("Ann gets") for words in rest.words)
    bench.do({"move": "table.tray", "dice": {"6": 1}}, "ann", faces=[3])
    assert seen(bench).rest() is None


def test_only_a_hero_s_last_rounds_are_told(bench: Bench) -> None:
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 3}
    for who in ("Ann", "Rat"):
        bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": dying})
    told = {card.name: card.dying for card in seen(bench).cards()}
    assert told == {"Ann": 3, "Rat": None}


def test_a_death_is_told_with_the_blow_that_led_to_it(bench: Bench) -> None:
    assert seen(bench).fallen() is None
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 2}})
    while bench.up != "Rat":
        bench.next()
    bench.attack("Rat", "Ann", faces=[4])
    bench.next(faces=[4])
    blow = next(words for words in bench.words(SCREEN) if "0 of" in words)
    assert seen(bench).fallen() is None
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"bleeds": 1}})
    bench.do({"move": "table.period_over", "period": "round"})
    lost = seen(bench).fallen()
    assert lost is not None
    assert [(one.name, one.words) for one in lost.heroes] == [("Ann", blow)]
    bench.undo()
    assert seen(bench).fallen() is None


def test_a_death_that_no_blow_led_to_is_told_in_its_own_words(bench: Bench) -> None:
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 1}
    bench.do({"move": "table.end_fight"})
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": dying})
    bench.do({"move": "table.period_over", "period": "round"})
    lost = seen(bench).fallen()
    assert lost is not None
    assert [one.words for one in lost.heroes] == ["Ann dies."]


@pytest.mark.parametrize(("game", "first"), [("squad", "9"), ("dread", "1"), ("willpower", "before the enemy")])
def test_the_order_has_the_same_numbers_or_words_on_every_screen(store: Store, game: str, first: str) -> None:
    bench = Bench(store, game=game)
    for hero in ("Ann", "Ben"):
        bench.hero(hero)
    strong: dict[str, Any] = {"damage": 2} if game == "willpower" else {}
    bench.foe("Rat", **strong)
    if game == "dread":
        bench.do({"move": "table.start_fight"})
    else:
        bench.fight(**({"Ann": 9, "Ben": 5, "Rat": 3} if game == "squad" else {"Ann": 1, "Ben": 3, "Rat": 2}))
    places = []
    for who in (GM, SCREEN):
        fight, cards = seen(bench, who).fight(), {card.id: card for card in seen(bench, who).cards()}
        assert fight is not None
        drawn = countdown(fight, cards) if who == GM else tv_fight.order(fight, cards)
        places.append(re.findall(r'<span class="(?:number|place)">([^<]+)</span>', str(drawn)))
    assert places[0] == places[1]
    assert places[0][0] == first


# --- the GM's key ------------------------------------------------------------------------------------


def test_a_covered_screen_is_shown_nothing_and_the_players_all(bench: Bench) -> None:
    bench.attack("Ann", "Rat", as_="ann", faces=[5, 3])
    before = seen(bench, "ann").log()
    bench.do({"move": "table.curtain", "value": "curtain"})
    covered = seen(bench)
    assert not any((covered.cards(), covered.calls(), covered.log()))
    assert not any((covered.fight(), covered.ribbon(), covered.act(), covered.last_roll(), covered.rest()))
    assert covered.turned_over() is None
    players = seen(bench, "ann")
    assert players.cards()
    assert players.log() == before
    assert players.ribbon() is not None
    assert bench.refused({"move": "table.curtain", "value": "curtain"}) == "The TV stands like that already."
    bench.undo()
    assert seen(bench).cards()


def test_only_the_gm_has_the_key(bench: Bench) -> None:
    said = bench.send({"move": "table.curtain", "value": "pause"}, "ann")
    assert (said.ok, said.say) == (False, "Only the GM can do that.")
    bench.do({"move": "table.curtain", "value": "pause"})
    assert seen(bench).cover() == "pause"
    assert seen(bench).cards()
