"""Every page for everybody who may come by it, on the protocol level: who sees what, who may do what."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from tests.support.evening import SHEET, Evening, Server, did, hrefs, moves, refused, sees, sentence, shows
from tests.support.server import running

SECRET = "Qxzzy the Unspeakable"
FOREIGN = {"Origin": "http://evil.example"}

DOOR = "Who are you?"
FRONT = "Table code"
GM_ONLY = "This page is for the GM"
GM_PAGE = "Roll initiative for everybody"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("pages"))) as server:
        yield server


@pytest.fixture
def server(shared: Server) -> Iterator[Server]:
    """No test may leave a traceback in the log."""
    shared.lay()
    before = len(shared.log())
    yield shared
    assert "Traceback" not in shared.log()[before:]


@pytest_asyncio.fixture
async def evening(server: Server) -> AsyncIterator[Evening]:
    async with AsyncExitStack() as exits:
        evening = Evening(server, exits)
        await evening.begin()
        yield evening


# --- who may see which page --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", FRONT),
        ("/nothing/here", FRONT),
        ("/join/{code}", DOOR),
        ("/t/{code}/play", DOOR),
        ("/t/{code}/gm", GM_ONLY),
        ("/t/{code}/screen", "At the table"),
    ],
)
async def test_what_a_stranger_sees(evening: Evening, path: str, words: str) -> None:
    stranger = await evening.browser(path)
    assert shows(stranger, words)
    assert not stranger.has_received("table.start_fight")
    assert not stranger.has_received("page.new_table")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/", FRONT),
        ("/join/{code}", "Make a hero"),
        ("/t/{code}/play", "Make a hero"),
        ("/t/{code}/gm", GM_ONLY),
        ("/t/{code}/screen", "At the table"),
    ],
)
async def test_what_a_player_sees(evening: Evening, path: str, words: str) -> None:
    player = await evening.player("Ann")
    await player.get(path.format(code=evening.code))
    assert shows(player, words)
    assert not player.has_received("table.start_fight")


async def test_what_the_host_sees(evening: Evening) -> None:
    await sees(evening.gm, "Start the fight")
    again = await evening.browser()
    await again.get(evening.server.host_link)
    assert hrefs(again, f"/t/{evening.code}/gm")
    for path, words in (("gm", "Start the fight"), ("play", DOOR), ("screen", "At the table")):
        await again.get(f"/t/{evening.code}/{path}")
        assert shows(again, words)
    assert not moves(again, "table.start_fight")


async def test_a_wrong_host_link_opens_nothing(evening: Evening) -> None:
    guesser = await evening.browser("/host/guessed")
    assert shows(guesser, FRONT)
    assert not guesser.cookies


async def test_the_host_s_cookie_shows_the_screen_no_more_than_anybody_sees(evening: Evening) -> None:
    hidden = await evening.foe(SECRET, hidden=True)
    await evening.hero(await evening.player("Ann"), "Vex")
    await evening.foe("Thug")
    await begin_fight(evening, 6, 5)
    await did(evening.gm, {"move": "table.join_fight", "character": hidden})
    host = await evening.browser()
    await host.get(evening.server.host_link)
    await host.open(f"/t/{evening.code}/screen")
    assert shows(host, "Vex")
    assert not host.has_received(SECRET)
    assert await refused(host, {"move": "table.start_fight"}) == "The screen only shows."


# --- the door ----------------------------------------------------------------------------------------


async def test_a_wrong_code(evening: Evening) -> None:
    for path in ("/join/WRONGX", "/t/WRONGX/play", "/t/WRONGX/gm", "/t/WRONGX/screen"):
        visitor = await evening.browser(path, **{"X-Forwarded-For": "10.0.0.1"})
        assert shows(visitor, "There is no table with this code")
        assert shows(visitor, FRONT)


async def test_a_code_typed_carelessly(evening: Evening) -> None:
    visitor = await evening.browser()
    typed = f" {evening.code[:3].lower()}-{evening.code[3:]} "
    response = await visitor.post("/code", {"code": typed})
    assert response.headers["Location"] == f"/join/{evening.code}"
    for nonsense in ("", "???", "x" * 500):
        response = await visitor.post("/code", {"code": nonsense})
        assert response.status == 303


async def test_who_guesses_codes_is_held_back(evening: Evening) -> None:
    guesser = await evening.browser(**{"X-Forwarded-For": "10.0.0.2"})
    for _ in range(10):
        assert "There is no table with this code" in sentence(await guesser.post("/join/WRONGX", {"name": "Eve"}))
    assert "Too many wrong codes" in sentence(await guesser.post(f"/join/{evening.code}", {"name": "Eve"}))
    await guesser.get(f"/join/{evening.code}")
    assert shows(guesser, "Too many wrong codes")
    assert not guesser.cookies
    assert shows(await evening.browser("/join/{code}", **{"X-Forwarded-For": "10.0.0.3"}), DOOR)


async def test_a_name_that_is_taken(evening: Evening) -> None:
    await evening.player("Ann")
    other = await evening.browser()
    response = await other.post(f"/join/{evening.code}", {"name": " ANN "})
    assert sentence(response) == "There is already somebody called ANN: pick that seat, or add a letter."
    await other.get(response.headers["Location"])
    assert shows(other, "There is already somebody called ANN")
    assert not other.cookies
    for name in ("", "   ", "x" * 41, "x" * 5000, "\u200b"):
        assert sentence(await other.post(f"/join/{evening.code}", {"name": name})).startswith("Please")


async def test_nobody_is_seated_by_another_site(evening: Evening) -> None:
    for origin in ("http://evil.example", "null"):
        visitor = await evening.browser(Origin=origin)
        for path in (f"/join/{evening.code}", "/link/any"):
            response = await visitor.post(path, {"name": "Eve"})
            assert response.status == 403
            assert not visitor.cookies
    assert not shows(await evening.browser("/join/{code}"), "Eve")


async def test_sitting_down_twice_is_one_seat(evening: Evening) -> None:
    ann = await evening.player("Ann")
    await ann.post(f"/join/{evening.code}", {"name": "Ann"})
    await ann.get(f"/join/{evening.code}?refused=whatever")
    assert shows(ann, "Make a hero")
    stranger = await evening.browser("/join/{code}")
    assert len(stranger.find_all(contains="<b>Ann</b>")) == 1


async def test_a_second_phone_for_a_taken_seat(evening: Evening) -> None:
    old = await evening.player("Ann")
    hero = await evening.hero(old, "Vex")
    new = await evening.asks_for_the_seat()
    assert shows(new, "The GM is asked to let this phone in as Ann")
    assert await refused(new, {"move": "table.adjust", "actor": hero}) == "Sit down first."
    await evening.gm.wait_for(lambda c: moves(c, "page.admit"))
    assert shows(evening.gm, "wants to be <b>Ann</b>")

    device = moves(evening.gm, "page.admit")[0]["device"]
    await did(evening.gm, {"move": "page.admit", "device": device})
    await new.wait_for(lambda c: moves(c, "table.adjust"))
    await sees(old, DOOR)
    attempt = {"move": "table.adjust", "actor": hero, "game_id": "squad", "path": ["hp", "now"], "amount": -1}
    assert await refused(old, attempt) == "Sit down first."
    await did(new, attempt)
    assert await refused(evening.gm, {"move": "page.refuse", "device": device}) == "This device no longer waits."


async def test_a_second_phone_that_is_refused(evening: Evening) -> None:
    ann = await evening.player("Ann")
    new = await evening.asks_for_the_seat()
    waiting = await evening.gm.wait_for(lambda c: moves(c, "page.refuse"))
    await did(evening.gm, {"move": "page.refuse", "device": waiting[0]["device"]})
    await sees(new, DOOR)
    assert shows(ann, "Make a hero")


async def test_a_link_moves_a_hero_to_a_new_phone_once(evening: Evening) -> None:
    old = await evening.player("Ann")
    hero = await evening.hero(old, "Vex")
    await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": hero})
    await did(evening.gm, {"move": "page.tab", "menu": f"more {hero}", "tab": "on"})
    ways = await evening.gm.wait_for(lambda c: moves(c, "page.link"))
    await did(evening.gm, next(way for way in ways if not way["add"]))
    keys = await evening.gm.wait_for(lambda c: c.find_all(contains="/link/"))
    html = str(evening.gm.elements[keys[0]]["props"]["innerHTML"])
    path = "/link/" + html.rpartition("/link/")[2].partition("<")[0]

    new = await evening.player("Ben")
    await new.drop()
    for _ in range(2):  # looking does not use it up
        assert "This is Ann's phone now" in await new.get(path)
    response = await new.post(path, {})
    assert response.headers["Location"] == f"/t/{evening.code}/play"
    await new.open(response.headers["Location"])
    assert moves(new, "table.adjust")[0]["actor"] == hero
    await sees(old, DOOR)
    door = await evening.browser("/join/{code}")
    assert len(door.find_all(contains="taken: asks the GM")) == 1  # Ben's seat is free now

    late = await evening.browser()
    assert sentence(await late.post(path, {})).startswith("This link was used already")
    await late.get(path)
    assert shows(late, "This link was used already")
    assert not late.cookies


# --- who may do what ---------------------------------------------------------------------------------


async def test_nobody_moves_for_others(evening: Evening) -> None:
    ann, ben = await evening.player("Ann"), await evening.player("Ben")
    vex = await evening.hero(ann, "Vex")
    tv, stranger = await evening.browser("/t/{code}/screen"), await evening.browser("/join/{code}")
    lost = await evening.browser("/")
    move = {"move": "table.adjust", "actor": vex, "game_id": "squad", "path": ["hp", "now"], "amount": -1}
    assert await refused(ben, move) == "That character is not yours to play."
    assert await refused(tv, move) == "The screen only shows."
    assert await refused(stranger, move) == "Sit down first."
    assert await refused(lost, move) == "Go to a table first."
    assert (
        await refused(lost, {"move": "page.new_table", "name": "Mine", "games": ["squad"]}) == "Go to a table first."
    )
    assert await refused(ann, {"move": "table.start_fight"}) == "Only the GM can do that."
    for player in (ann, ben):
        for gm_s in ("page.admit", "page.refuse", "page.link", "page.nudge", "page.new_table"):
            assert await refused(player, {"move": gm_s}) == "This page knows no such thing."
    ben.client_id = ann.client_id
    assert await refused(ben, move) == "This page is out of date. Reload it."
    await did(ann, move)


async def test_a_question_is_its_addressee_s_to_answer(evening: Evening) -> None:
    ann, ben = await evening.player("Ann"), await evening.player("Ben")
    vex, thug = await evening.hero(ann, "Vex"), await evening.foe("Thug")
    await begin_fight(evening, 5, 8)
    evening.server.lay(5)
    await did(evening.gm, {"move": "squad.attack", "actor": thug, "device": "axe", "target": vex})
    choices = await ann.wait_for(lambda c: moves(c, "table.answer"))
    assert not moves(ben, "table.answer")
    assert await refused(ben, choices[0]) == "That is not yours to decide."
    evening.server.lay(2)
    await did(ann, choices[0])
    assert await refused(ann, choices[0]) == "That is decided already."


async def begin_fight(evening: Evening, *initiative: int) -> None:
    await did(evening.gm, {"move": "table.start_fight"})
    evening.server.lay(*initiative)
    next_move = await evening.gm.wait_for(lambda c: moves(c, "table.next"))
    await did(evening.gm, next_move[0])


async def test_a_hidden_foe_s_name_reaches_the_gm_alone(evening: Evening) -> None:
    ann = await evening.player("Ann")
    vex = await evening.hero(ann, "Vex")
    tv, stranger = await evening.browser("/t/{code}/screen"), await evening.browser("/join/{code}")
    await evening.foe("Thug")
    hidden = await evening.foe(SECRET, hidden=True)
    masked = await evening.foe(SECRET + " II", alias="Hooded figure")
    await begin_fight(evening, 1, 2, 3)  # the masked one is first
    await did(evening.gm, {"move": "table.join_fight", "character": hidden})
    await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": hidden})
    await sees(evening.gm, f"{SECRET} joins the fight.")
    evening.server.lay(4)
    strike = {"move": "squad.attack", "actor": masked, "device": "axe", "target": vex}
    await did(evening.gm, {"move": "table.rename", "actor": masked, "name": SECRET + " III"})
    await did(evening.gm, strike)
    await ann.wait_for(lambda c: moves(c, "table.answer"))
    await did(evening.gm, {"move": "table.undo", "entry": moves(evening.gm, "table.undo")[0]["entry"]})
    await ann.get(f"/t/{evening.code}/play")
    await tv.get(f"/t/{evening.code}/screen")
    assert ann.has_received("Hooded figure")
    assert tv.has_received("Hooded figure")
    for other in (ann, tv, stranger):
        assert not other.has_received("Qxzzy")
    assert evening.gm.has_received(SECRET)


async def test_a_secret_throw_is_between_the_gm_and_who_made_it(evening: Evening) -> None:
    ann, ben = await evening.player("Ann"), await evening.player("Ben")
    for player, name in ((ann, "Vex"), (ben, "Brick")):
        await evening.hero(player, name)
    tv = await evening.browser("/t/{code}/screen")
    evening.server.lay(19, 18, 20)
    await did(ann, {"move": "table.tray", "dice": {"20": 3}, "secret": True})
    for person in (ann, evening.gm):
        await sees(person, "3d20: 57.")
    evening.server.lay(4)
    await did(ann, {"move": "table.tray", "dice": {"6": 1}})
    await sees(ben, "1d6: 4.")
    await ben.get(f"/t/{evening.code}/play")
    await tv.get(f"/t/{evening.code}/screen")
    for other in (ben, tv):
        assert not other.has_received("3d20")


GM_S_OWN = (
    "table.rest",
    "table.period_over",
    "squad.surprise",
    "squad.set_surprised",
    "squad.grant",
    "squad.orders",
    "Heroes lie in wait",
    "They strike",
)


async def test_what_only_the_gm_may_do_is_on_no_player_s_wire(evening: Evening) -> None:
    ann = await evening.player("Ann")
    vex, thug = await evening.hero(ann, "Vex"), await evening.foe("Thug")
    tv = await evening.browser("/t/{code}/screen")
    await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": vex})
    await sees(evening.gm, "For great play")
    await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": thug})
    await sees(evening.gm, "never parry")
    await did(evening.gm, {"move": "table.start_fight"})
    toggles = await evening.gm.wait_for(lambda c: moves(c, "squad.set_surprised"))
    await did(evening.gm, next(move for move in toggles if move["character"] == vex))
    await sees(ann, "Surprised: no attack and no parry this round")
    await sees(tv, "surprised")
    evening.server.lay(1, 2)
    await did(evening.gm, moves(evening.gm, "table.next")[0])
    await sees(evening.gm, "They strike")
    await sees(ann, "acts on 2")
    await did(ann, {"move": "page.tab", "menu": "more", "tab": "on"})
    await ann.wait_for(lambda c: moves(c, "page.edit"))
    for own in GM_S_OWN:
        assert evening.gm.has_received(own)
        for other in (ann, tv):
            assert not other.has_received(own)


async def test_names_are_shown_letter_by_letter(server: Server) -> None:
    hostile = "<img src=x onerror=alert(1)>"
    async with AsyncExitStack() as exits:
        evening = Evening(server, exits)
        await evening.begin(hostile)
        ann = await evening.player(hostile)
        await evening.hero(ann, hostile)
        await evening.foe(hostile)
        await begin_fight(evening, 3, 2)
        await sees(evening.gm, "acts on 3")
        await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": next(iter(evening._cast()))})
        join = f"/join/{evening.code}?refused={hostile}"
        for path in ("/", f"/?refused={hostile}", join, f"/t/{evening.code}/screen", f"/t/{evening.code}/gm"):
            for client in (await evening.browser(path), evening.gm, ann):
                for element in client.elements.values():
                    assert "<img" not in str(element.get("props", {}).get("innerHTML", ""))
        assert shows(ann, "&lt;img src=x onerror=alert(1)&gt;")


# --- messages that nobody's page sends ---------------------------------------------------------------

NONSENSE: list[dict[str, Any]] = [
    {},
    {"move": None},
    {"move": 5},
    {"move": ["table.next"]},
    {"move": {"move": "table.next"}},
    {"move": ""},
    {"move": "table"},
    {"move": "table.nothing"},
    {"move": "page.nothing"},
    {"move": "squad.damage"},
    {"move": "table.settling", "question": "squad.parry", "body": {}, "choice": "hit"},
    {"move": "table.next"},
    {"move": "table.next", "seen": 5},
    {"move": "table.next", "seen": "x" * 10_000},
    {"move": "table.undo"},
    {"move": "table.undo", "entry": None},
    {"move": "table.undo", "entry": {"a": 1}, "way": "back"},
    {"move": "table.undo", "entry": "x" * 10_000, "way": ["what can"]},
    {"move": "table.answer"},
    {"move": "table.answer", "question": "none", "choice": "hit"},
    {"move": "table.answer", "question": ["none"], "choice": {"a": "b"}, "amount": "1e999"},
    {"move": "table.answer", "question": "none", "choice": "hit", "amount": 10**300},
    {"move": "table.tell_faces", "question": "none", "faces": [10**18] * 100},
    {"move": "table.tell_faces", "question": "none", "faces": list(range(500))},
    {"move": "table.noted", "actor": "nobody"},
    {"move": "table.make_hero", "name": "", "sheets": SHEET},
    {"move": "table.make_hero", "name": "x" * 41, "sheets": SHEET},
    {"move": "table.make_hero", "name": "A", "sheets": {"squad": {}}},
    {"move": "table.make_hero", "name": "A", "sheets": {"squad": {"hp": {"now": "many", "full": -1}}}},
    {"move": "table.make_hero", "name": "A", "sheets": {"squad": {**SHEET["squad"], "tuf": 7}}},
    {"move": "table.make_hero", "name": "A", "sheets": {"squad": {**SHEET["squad"], "id": "x", "extra": 1}}},
    {"move": "table.make_hero", "name": "A", "sheets": {"chess": {}}},
    {"move": "table.make_hero", "name": "A", "sheets": {"squad": SHEET["squad"], "../etc": {}}},
    {"move": "table.make_hero", "name": "A", "sheets": [SHEET]},
    {"move": "table.add_characters", "name": "A", "sheets": SHEET, "copies": 21},
    {"move": "table.add_characters", "name": "A", "sheets": SHEET, "copies": -1},
    {"move": "table.add_characters", "name": "A", "sheets": SHEET, "side": "judge"},
    {"move": "table.claim", "character": "nobody"},
    {"move": "table.claim", "character": "x" * 5000},
    {"move": "table.assign", "character": "nobody", "seats": ["a"]},
    {"move": "table.reveal", "character": "nobody"},
    {"move": "table.remove_character", "character": "nobody"},
    {"move": "table.rename", "actor": "nobody", "name": "A"},
    {"move": "table.edit", "actor": "nobody", "game_id": "squad", "values": {"hp.full": 3}},
    {"move": "table.edit", "actor": "HERO", "game_id": "chess", "values": {"hp.full": 3}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"id": "other"}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"": 1}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"hp.now.more": 1}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"hp": [[[[[[]]]]]]}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"__class__.x": 1}},
    {"move": "table.edit", "actor": "HERO", "game_id": "squad", "values": {"hp.now": 1e308}},
    {"move": "table.adjust", "actor": "HERO", "game_id": "squad", "path": ["__class__"], "amount": 1},
    {"move": "table.adjust", "actor": "HERO", "game_id": "squad", "path": ["hp", "full"], "amount": 1},
    {"move": "table.adjust", "actor": "HERO", "game_id": "squad", "path": ["hp", "now"], "amount": 10**9},
    {"move": "table.adjust", "actor": "HERO", "game_id": "squad", "path": [], "amount": 1},
    {"move": "table.adjust", "actor": "HERO", "game_id": "squad", "path": "hp", "amount": True},
    {"move": "table.edit_table", "key": "table.settings/table", "values": {"games": []}},
    {"move": "table.edit_table", "key": "table.character/HERO", "values": {"name": "A"}},
    {"move": "table.edit_table", "key": ["squad.house/squad"], "values": {"parry": "perhaps"}},
    {"move": "squad.attack", "actor": "HERO", "target": "HERO"},
    {"move": "squad.attack", "actor": "HERO", "target": None, "device": {"a": 1}},
    {"move": "squad.task", "actor": "HERO", "attribute": "LUCK", "difficulty": 3},
    {"move": "squad.task", "actor": "HERO", "attribute": "TUF"},
    {"move": "squad.task", "actor": "HERO", "attribute": "TUF", "difficulty": 3, "against": "HERO"},
    {"move": "squad.hold", "actor": "HERO", "slot": 7},
    {"move": "page.order"},
    {"move": "page.order", "name": "parry", "value": ["ask"]},
    {"move": "page.order", "name": ["parry"], "value": {"ask": 1}},
    {"move": "page.admit", "device": {"a": 1}},
    {"move": "page.link", "seat": ["x"], "character": None},
    {"move": "page.nudge", "question": {}},
    {"move": "page.new_table", "name": 5, "games": "squad"},
    {"move": "page.new_table", "name": "A", "games": [["squad"], {}]},
    {"move": "table.rename", "actor": "HERO", "name": "x" * 16_000},
]
AT_ONCE = 30  # a page may send 40 at once


@pytest.mark.parametrize("who", ["gm", "host", "player", "screen", "stranger", "lost"])
async def test_forged_moves_are_answered_by_a_sentence(evening: Evening, who: str) -> None:
    hero = await evening.hero(await evening.player("Ann"), "Vex")
    forger = await evening.browser()
    if who in ("gm", "host"):
        await forger.get(evening.server.host_link)
    if who == "player":
        await forger.post(f"/join/{evening.code}", {"name": "Ben"})
    path = {"gm": "gm", "player": "play", "screen": "screen", "stranger": "play"}.get(who)
    rows = len(moves(evening.gm, "table.undo"))
    for begin in range(0, len(NONSENSE), AT_ONCE):
        await forger.drop()
        await forger.open("/" if path is None else f"/t/{evening.code}/{path}")
        for move in NONSENSE[begin : begin + AT_ONCE]:
            sent = json.loads(json.dumps(move).replace('"HERO"', json.dumps(hero)))
            say = await refused(forger, sent)
            assert say.strip()
            assert say != "Something went wrong at the table. Look at the log, then try again.", move
            assert "Too fast" not in say
    await did(evening.gm, {"move": "page.tab", "menu": "a", "tab": "b"})
    assert len(moves(evening.gm, "table.undo")) == rows


async def test_a_very_deep_move(evening: Evening) -> None:
    deep: Any = 1
    for _ in range(900):
        deep = {"a": deep}
    for move in ({"move": "table.make_hero", "name": "A", "sheets": {"squad": deep}}, {"move": deep}):
        assert await refused(evening.gm, move)


# --- what a page leaves behind -----------------------------------------------------------------------


async def test_a_view_that_is_left_follows_its_table_no_more(evening: Evening) -> None:
    await evening.until_listeners(1)  # the GM
    ann = await evening.player("Ann")
    await evening.until_listeners(2)
    for path in (f"/join/{evening.code}", f"/t/{evening.code}/play", f"/t/{evening.code}/screen"):
        await ann.go(path)
        assert await evening.listeners() == 2
    await ann.go("/")
    assert await evening.listeners() == 1
    await ann.go(f"/t/{evening.code}/play")
    await sees(ann, "Make a hero")
    await evening.hero(ann, "Vex")
    assert await evening.listeners() == 2
    await ann.go("/nothing/here")
    assert await evening.listeners() == 1


async def test_whoever_opens_the_bare_address_on_the_laptop_is_told_of_the_gms_link(evening: Evening) -> None:
    visitor = await evening.browser("/")
    assert shows(visitor, "Ask the GM for the code of the table.")
    assert shows(visitor, "printed in the terminal")


# --- what the GM knows of the others -----------------------------------------------------------------


async def test_the_gm_sees_who_is_here_asleep_or_gone(evening: Evening) -> None:
    ann = await evening.player("Ann")
    await sees(evening.gm, "<b>Ann</b> <small>here</small>")
    await ann.drop()
    await sees(evening.gm, "<b>Ann</b> <small>asleep since ")
    await ann.connect()
    await sees(evening.gm, "<b>Ann</b> <small>here</small>")
    for other in (ann, await evening.browser("/t/{code}/screen")):
        assert not other.has_received("<small>here</small>")


async def test_a_hero_whose_phone_sleeps_is_the_gms_to_act_for(evening: Evening, server: Server) -> None:
    ann = await evening.player("Ann")
    hero = await evening.hero(ann, "Vex")
    await evening.foe("Thug")
    await did(evening.gm, {"move": "table.start_fight"})
    server.lay(4, 1)
    await did(evening.gm, {"move": "squad.roll_initiative"})
    await sees(evening.gm, "Ann acts for Vex")
    assert not any(move["actor"] == hero for move in moves(evening.gm, "squad.attack"))
    await ann.drop()
    await sees(evening.gm, "Nobody at a phone: act for Vex")
    await evening.gm.wait_for(lambda c: any(move["actor"] == hero for move in moves(c, "squad.attack")))


async def test_looking_on_is_nobody_s_presence(evening: Evening) -> None:
    ann = await evening.player("Ann")
    await evening.hero(ann, "Vex")
    html = str(evening.gm.elements[evening.gm.find(contains="View as") or ""]["props"]["innerHTML"])
    path = html.partition('href="')[2].partition('"')[0]
    await ann.drop()
    await sees(evening.gm, "asleep since ")
    host = await evening.browser()
    await host.get(evening.server.host_link)
    await host.open(path)
    assert shows(host, "You see what Ann sees.")
    assert shows(host, "Vex")
    await did(evening.gm, {"move": "page.tab", "menu": "a", "tab": "b"})
    assert shows(evening.gm, "asleep since ")
    assert await refused(host, {"move": "page.edit", "character": "anybody"}) == (
        "You only look on here: nothing can be done from this page."
    )


async def test_a_disguise_reaches_every_page_and_the_true_name_none(evening: Evening) -> None:
    ann = await evening.player("Ann")
    await evening.hero(ann, "Vex")
    tv = await evening.browser("/t/{code}/screen")
    foe = await evening.foe("Thug", hidden=True)
    disguise = {"move": "table.disguise", "character": foe, "alias": "A stranger", "shows_health": "nothing"}
    await did(evening.gm, {"move": "page.tab", "menu": "card", "tab": foe})
    await did(evening.gm, {"move": "page.tab", "menu": f"more {foe}", "tab": "on"})
    assert await evening.gm.wait_for(lambda c: c.find(contains="What players see"))
    await did(evening.gm, {**disguise, "odds": "own die only"})
    await sees(evening.gm, "players see “A stranger”")
    assert await refused(evening.gm, {**disguise, "odds": "own die only"}) == "That is how it stands already."
    assert await refused(ann, disguise) == "Only the GM can do that."
    await did(evening.gm, {"move": "table.reveal", "character": foe})
    await begin_fight(evening, 5, 8)
    for client in (ann, tv):
        await sees(client, "A stranger")
        assert not client.has_received("Thug")
    evening.server.lay(1, 1, 1, 1)
    await did(evening.gm, {"move": "table.done", "actor": foe})
    attack = await ann.wait_for(lambda c: [move for move in moves(c, "squad.attack") if move["target"] == foe])
    button = next(
        e
        for e in ann.elements.values()
        if e.get("props", {}).get("data-move") == json.dumps(attack[0], separators=(",", ":"))
    )
    assert '<span class="odds">d8</span>' in button["props"]["innerHTML"]
    await did(evening.gm, {**disguise, "odds": "rough"})
    await ann.wait_for(lambda c: c.find(contains='<span class="odds">likely</span>'))
    await did(evening.gm, {**disguise, "alias": "", "odds": None})
    await sees(ann, "A stranger turns out to be Thug.")
