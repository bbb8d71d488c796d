"""The first ten minutes, on the protocol level: the host's page, the poster, who sits where."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.evening import Evening, Server, did, hrefs, moves, refused, sees, sentence, shows
from tests.support.ngclient import NGClient
from tests.support.server import running
from webapp.pages.plain import without_script

ELSEWHERE = {"X-Forwarded-For": "192.168.1.44"}
PASSWORD = "swordfish77"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One of its own for each test: what reached it, and which tables it has, is the same for all pages."""
    with running(Server(tmp_path)) as server:
        yield server


@pytest_asyncio.fixture
async def exits() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as exits:
        yield exits


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("door"))) as server:
        yield server


@pytest_asyncio.fixture
async def table(shared: Server, exits: AsyncExitStack) -> Evening:
    """A new table at a server that others share."""
    evening = Evening(shared, exits)
    await evening.begin()
    return evening


async def test_the_first_visit_offers_two_ways(server: Server, exits: AsyncExitStack) -> None:
    evening = Evening(server, exits)
    host = await evening.browser(server.host_link)
    for words in ("Open a sample table", "Your own table", "they stack", "a parry that answers each blow"):
        assert shows(host, words)
    assert not shows(host, "Go on")
    samples = moves(host, "page.new_sample")
    assert len(samples) >= 4
    assert await refused(host, {"move": "page.new_sample", "sample": "chess"}) == "This page knows no such thing."
    await did(host, samples[0])
    await sees(host, "Invite the players")
    assert hrefs(host, "/screen")


async def test_who_has_tables_goes_on_with_the_one_played_last(server: Server, exits: AsyncExitStack) -> None:
    first, second = Evening(server, exits), Evening(server, exits)
    await first.begin("The Old Mill")
    await second.begin("The Quay")
    host = await first.browser(server.host_link)
    newest = host.elements[host.find(contains="Go on") or ""]
    assert newest["props"]["href"] == f"/t/{second.code}/gm"
    await first.foe("Thug")
    await host.get("/")
    newest = host.elements[host.find(contains="Go on") or ""]
    assert newest["props"]["href"] == f"/t/{first.code}/gm"
    assert shows(host, "Another table")


async def test_the_first_request_from_elsewhere_is_told_at_once(server: Server, exits: AsyncExitStack) -> None:
    evening = Evening(server, exits)
    await evening.begin()
    host = await evening.browser(server.host_link)
    for client in (host, evening.gm):
        assert shows(client, "Nobody has reached this computer yet.")
        assert shows(client, "The firewall asks")
    phone = await evening.browser(**ELSEWHERE)
    await phone.get("/static/gritboard.css")
    for client in (host, evening.gm):
        await sees(client, "A phone has reached this computer")
        assert not shows(client, "The firewall asks")


async def test_the_wifi_is_on_the_posters_of_the_gm_alone(server: Server, exits: AsyncExitStack) -> None:
    evening = Evening(server, exits)
    await evening.begin()
    tv, stranger = await evening.browser("/t/{code}/screen"), await evening.browser("/join/{code}")
    ann = await evening.player("Ann")
    wifi = {"move": "page.wifi", "name": "Old Mill 5G", "password": PASSWORD}
    for other in (ann, tv, stranger):
        await refused(other, wifi)
    assert "8 to 63 letters" in await refused(evening.gm, {**wifi, "password": "short"})
    assert await refused(evening.gm, {**wifi, "name": " "}) == "Give the name of the Wi-Fi."
    assert await refused(evening.gm, {**wifi, "name": ["x"]}) == "Give the name of the Wi-Fi."
    await did(evening.gm, wifi)
    await sees(evening.gm, PASSWORD)
    assert not shows(tv, PASSWORD)
    await did(evening.gm, {**wifi, "on_screen": True})
    await sees(tv, PASSWORD)
    for other in (ann, stranger):
        await other.get(f"/t/{evening.code}/play")
        assert not other.has_received(PASSWORD)
        assert not other.has_received("Old Mill 5G")
    await did(evening.gm, {"move": "page.forget_wifi"})
    await tv.wait_for(lambda c: not shows(c, PASSWORD))


# --- who are you? ------------------------------------------------------------------------------------


async def test_a_hero_of_the_table_is_taken_at_the_door(table: Evening) -> None:
    vex = await table.waiting_hero("Vex")
    lurker = await table.waiting_hero("Qxzzy", hidden=True)
    thug = await table.foe("Thug")
    door = await table.browser("/join/{code}")
    assert shows(door, "<b>Vex</b>")
    for other in ("Thug", "Qxzzy", lurker, thug):
        assert not door.has_received(other)
    for nobody in (lurker, thug, "nobody", "x" * 500):
        forged = await door.post(f"/join/{table.code}", {"name": "Ann", "hero": nobody})
        assert sentence(forged) == "This hero is taken by now: pick another one."
    assert not door.cookies
    ann = await table.sits({"name": "Ann", "hero": vex})
    assert moves(ann, "table.adjust")[0]["actor"] == vex
    await sees(table.gm, " · Ann here")
    late = await table.browser("/join/{code}")
    assert sentence(await late.post(f"/join/{table.code}", {"name": "Ben", "hero": vex})).startswith("This hero")
    assert shows(late, "<b>Vex</b><small>Ann · taken: asks the GM</small>")


async def test_at_the_door_each_hero_says_what_they_are(server: Server, exits: AsyncExitStack) -> None:
    host = await Evening(server, exits).browser(server.host_link)
    samples = moves(host, "page.new_sample")
    await did(host, next(move for move in samples if move["sample"] == "warehouse"))
    await sees(host, "Invite the players")
    code = hrefs(host, "/screen")[0].split("/")[2]
    door = await Evening(server, exits).browser(f"/join/{code}")
    assert shows(door, "<b>Marble</b><small>Bruiser: first through the door")
    assert not door.has_received("Dock gunman")


async def test_a_form_that_is_sent_twice_is_one_seat(table: Evening) -> None:
    door = await table.browser("/join/{code}")
    form = {"name": "Ann", "key": key_of(door)}
    one, two = await table.browser(), await table.browser()
    for browser in (one, two):  # the first answer was lost, so no cookie comes with the second
        response = await browser.post(f"/join/{table.code}", form)
        assert response.headers["Location"] == f"/t/{table.code}/play"
    assert one.cookies == two.cookies
    other = await table.browser("/join/{code}")
    assert key_of(other) != key_of(door)
    assert len(other.find_all(contains="<b>Ann</b>")) == 1
    assert sentence(await other.post(f"/join/{table.code}", {**form, "key": key_of(other)})).startswith("There is")


async def test_asking_twice_for_a_seat_is_one_request(table: Evening) -> None:
    await table.player("Ann")
    door = await table.browser("/join/{code}")
    for _ in range(2):
        browser = await table.browser()
        await browser.post(f"/join/{table.code}", {"seat": seat_of(door), "key": key_of(door)})
    await table.gm.wait_for(lambda c: moves(c, "page.admit"))
    assert len(moves(table.gm, "page.admit")) == 1


async def test_who_waits_may_stop_waiting_or_pick_another_seat(table: Evening) -> None:
    await table.player("Ann")
    asks = await table.asks_for_the_seat()
    assert shows(asks, "let this phone in as Ann")
    await table.gm.wait_for(lambda c: moves(c, "page.admit"))
    await did(asks, {"move": "page.give_up"})
    await sees(asks, "Who are you?")
    await table.gm.wait_for(lambda c: not moves(c, "page.admit"))
    again = await table.asks_for_the_seat()
    await again.post(f"/join/{table.code}", {"name": "Ben"})
    await again.drop()
    await again.open(f"/t/{table.code}/play")
    assert shows(again, "Make a hero")
    await table.gm.wait_for(lambda c: not moves(c, "page.admit"))


async def test_nobody_gives_up_a_seat_that_way(table: Evening) -> None:
    ann = await table.player("Ann")
    door = await table.browser("/join/{code}")
    await did(door, {"move": "page.give_up"})  # nothing to give up
    assert await refused(ann, {"move": "page.give_up"}) == "This page knows no such thing."
    assert shows(ann, "Make a hero")


async def test_one_phone_cannot_fill_the_table(table: Evening) -> None:
    hooligan = await table.browser(**ELSEWHERE)
    for nth in range(12):
        response = await hooligan.post(f"/join/{table.code}", {"name": f"Eve {nth}"})
        assert response.headers["Location"] == f"/t/{table.code}/play"
    assert "ask the GM" in sentence(await hooligan.post(f"/join/{table.code}", {"name": "Eve again"}))
    friend = await table.player("Ann")
    assert shows(friend, "Make a hero")


# --- the GM's list of seats --------------------------------------------------------------------------


async def test_the_gm_renames_frees_and_removes_seats(table: Evening) -> None:
    ann = await table.player("Ann")
    hero = await table.hero(ann, "Vex")
    seat = (await table.gm.wait_for(lambda c: moves(c, "page.rename_seat")))[0]["seat"]
    await did(table.gm, {"move": "page.rename_seat", "seat": seat, "name": "Anna"})
    await sees(table.gm, " · Anna here")
    assert await refused(table.gm, {"move": "page.rename_seat", "seat": seat, "name": " "}) == "Please give a name."
    await did(table.gm, {"move": "page.free_seat", "seat": seat})
    await sees(ann, "Who are you?")
    assert shows(ann, "<b>Vex</b><small>Anna</small>")
    ann = await table.sits({"seat": seat})
    assert moves(ann, "table.adjust")[0]["actor"] == hero
    await did(table.gm, {"move": "page.tab", "menu": "remove seat", "tab": seat})
    await sees(table.gm, "Really remove Anna?")
    await did(table.gm, {"move": "page.remove_seat", "seat": seat})
    await sees(ann, "Who are you?")
    assert shows(ann, "A hero of my own")  # Vex waits for a player
    assert (await table.sits({"name": "Ben", "hero": hero})).has_received("table.adjust")


async def test_only_the_gm_has_the_list(table: Evening) -> None:
    ann = await table.player("Ann")
    await table.hero(ann, "Vex")
    seat = (await table.gm.wait_for(lambda c: moves(c, "page.rename_seat")))[0]["seat"]
    stranger, tv = await table.browser("/join/{code}"), await table.browser("/t/{code}/screen")
    for kind in ("rename_seat", "free_seat", "remove_seat", "on_paper", "paper_seat", "admit_all"):
        for other in (ann, stranger, tv):
            await refused(other, {"move": f"page.{kind}", "seat": seat, "name": "Eve"})
    for nobody in ("nobody", None, ["x"], "x" * 500):
        for kind in ("rename_seat", "free_seat", "remove_seat", "on_paper"):
            say = await refused(table.gm, {"move": f"page.{kind}", "seat": nobody, "name": "Eve"})
            assert say == "There is no such seat at this table."
    assert not ann.has_received("page.rename_seat")


async def test_a_seat_on_paper_is_driven_by_the_gm(table: Evening) -> None:
    await did(table.gm, {"move": "page.paper_seat", "name": "Tom"})
    await sees(table.gm, "on paper")
    door = await table.browser("/join/{code}")
    assert shows(door, "on paper: asks the GM")
    asks = await table.asks_for_the_seat()
    assert shows(asks, "The GM is asked")
    waits = await table.gm.wait_for(lambda c: moves(c, "page.admit"))
    await did(table.gm, waits[0])
    await sees(asks, "Make a hero")
    hero = await table.hero(asks, "Vex")
    seat = moves(table.gm, "page.rename_seat")[0]["seat"]
    await did(table.gm, {"move": "page.on_paper", "seat": seat})
    await sees(asks, "Who are you?")
    await sees(table.gm, "Tom on paper: you drive")
    await did(
        table.gm, {"move": "table.adjust", "actor": hero, "game_id": "squad", "path": ["hp", "now"], "amount": -1}
    )


async def test_the_gm_gives_somebody_on_paper_a_hero(table: Evening) -> None:
    ann = await table.player("Ann")
    await table.hero(ann, "Vex")
    await did(table.gm, {"move": "page.paper_seat", "name": "Tom"})
    await sees(table.gm, "Whom does Tom play?")
    await did(table.gm, next(one for one in moves(table.gm, "table.add_characters") if one.get("seats")))
    await sees(table.gm, "Tom on paper: you drive")
    assert not shows(table.gm, "Whom does Tom play?")


async def test_next_friday_at_another_address_all_are_let_in_by_one_tap(table: Evening) -> None:
    """Cookies are per host: the phones come without them."""
    for name, hero in (("Ann", "Vex"), ("Ben", "Brick")):
        player = await table.player(name)
        await table.hero(player, hero)
        await player.drop()
    phones = []
    for hero in ("Vex", "Brick"):
        door = await table.browser("/join/{code}")
        phones.append(await table.sits({"seat": seat_of(door, hero)}))
    for phone in phones:
        assert shows(phone, "The GM is asked")
    await table.gm.wait_for(lambda c: moves(c, "page.admit_all"))
    await did(table.gm, {"move": "page.admit_all"})
    for phone in phones:
        await phone.wait_for(lambda c: moves(c, "table.adjust"))
    assert not moves(table.gm, "page.admit_all")


# --- a phone that goes from hand to hand -------------------------------------------------------------


async def test_a_phone_is_handed_to_somebody_else(table: Evening) -> None:
    ann = await table.player("Ann")
    await table.hero(ann, "Vex")
    await did(ann, {"move": "page.tab", "menu": "more", "tab": "on"})
    await did(ann, {"move": "page.tab", "menu": "phone", "tab": "on"})
    await sees(ann, "Leave Ann")
    assert shows(ann, table.code)
    await did(ann, {"move": "page.leave"})
    await sees(ann, "Who are you?")
    assert shows(ann, "<b>Vex</b><small>Ann</small>")
    await ann.post(f"/join/{table.code}", {"name": "Ben"})
    await ann.drop()
    await ann.open(f"/t/{table.code}/play")
    assert shows(ann, "Make a hero")
    assert not moves(ann, "table.adjust")


async def test_two_play_on_one_phone(table: Evening) -> None:
    ann = await table.player("Ann")
    vex = await table.hero(ann, "Vex")
    rue = await table.waiting_hero("Rue")
    for menu in ("more", "phone"):
        await did(ann, {"move": "page.tab", "menu": menu, "tab": "on"})
    await sees(ann, "Somebody else plays on this phone too")
    await did(ann, {"move": "table.claim", "character": rue})
    chips = await ann.wait_for(lambda c: [move for move in moves(c, "page.tab") if move["menu"] == "sharer"])
    assert [chip["tab"] for chip in chips] == [vex, rue]
    await ann.wait_for(lambda c: {move["actor"] for move in moves(c, "table.adjust")} == {rue})
    await did(ann, chips[0])
    await ann.wait_for(lambda c: {move["actor"] for move in moves(c, "table.adjust")} == {vex})


def key_of(door: NGClient) -> str:
    return _value(door, "key", "name=")


def seat_of(door: NGClient, hero: str = "") -> str:
    return _value(door, "seat", f"<b>{hero}")


def _value(door: NGClient, field: str, beside: str) -> str:
    forms = (str(element.get("props", {}).get("innerHTML", "")) for element in door.elements.values())
    form = next(form for form in forms if f'name="{field}"' in form and beside in form)
    return form.partition(f'name="{field}" value="')[2].partition('"')[0]


# --- browsers that are too old -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "plain"),
    [
        ("/", "/plain"),
        ("/nothing/here", "/plain"),
        ("/join/{code}", "/t/{code}/plain"),
        ("/t/{code}/play", "/t/{code}/plain"),
        ("/t/{code}/gm", "/t/{code}/plain"),
        ("/t/{code}/screen", "/t/{code}/screen/plain"),
        ('/t/">x/play', "/t/%22%3Ex/plain"),
    ],
)
def test_every_page_leads_old_browsers_to_a_plain_one(path: str, plain: str) -> None:
    head = without_script(path.format(code="BCDFGH"))
    assert f'content="0;url={plain.format(code="BCDFGH")}"' in head


async def test_plain_pages_are_in_the_head_of_each_page(table: Evening) -> None:
    door = await table.browser("/join/{code}")
    assert f'<noscript><meta http-equiv="refresh" content="0;url=/t/{table.code}/plain"></noscript>' in door.html
    assert "importmap" in door.html.partition("location.replace")[0]
    assert '<link rel="stylesheet" href="/static/gritboard.css' in door.html


async def test_a_seat_on_paper_from_an_old_browser(table: Evening) -> None:
    vex = await table.waiting_hero("Vex")
    await table.waiting_hero("Qxzzy", hidden=True)
    old = await table.browser()
    page = await old.get(f"/t/{table.code}/plain")
    assert "<script" not in page
    assert "too old" in page
    assert "Vex" in page
    form = {
        "name": "Tom",
        "hero": vex,
        "paper": "1",
        "key": page.partition('name="key" value="')[2].partition('"')[0],
    }
    for _ in range(2):
        response = await old.post(f"/join/{table.code}", form)
        assert response.headers["Location"] == f"/t/{table.code}/plain"
    page = await old.get(f"/t/{table.code}/plain")
    assert "You play on paper as <b>Tom</b>" in page
    assert "<b>15</b> of 15" in page
    await sees(table.gm, "Tom on paper: you drive")
    assert not old.has_received("Qxzzy")
    other = await table.browser()
    refusal = await other.post(f"/join/{table.code}", {"name": "Tom", "paper": "1"})
    assert "already somebody called Tom" in await other.get(refusal.headers["Location"])


async def test_the_plain_screen_shows_what_the_screen_may(table: Evening) -> None:
    tv = await table.browser()
    path = f"/t/{table.code}/screen/plain"
    page = await tv.get(path)
    assert "<script" not in page
    assert '<meta http-equiv="refresh" content="5">' in page
    assert table.code in page
    vex = await table.hero(await table.player("Ann"), "Vex")
    await table.foe("Qxzzy", alias="Hooded figure")
    hidden = await table.foe("Qxzzy II", hidden=True)
    assert "Vex" in await tv.get(path)
    await did(table.gm, {"move": "table.start_fight"})
    assert "Roll initiative" in await tv.get(path)
    table.server.lay(5, 3)
    await did(table.gm, (await table.gm.wait_for(lambda c: moves(c, "table.next")))[0])
    await did(table.gm, {"move": "table.join_fight", "character": hidden})
    page = await tv.get(path)
    for words in ("Round 1", "Vex", "Hooded figure"):
        assert words in page
    assert 'class="bar low"' not in page
    await did(table.gm, {"move": "table.edit", "actor": vex, "game_id": "squad", "values": {"hp.now": 1}})
    assert 'class="bar low"' in await tv.get(path)
    dying = {"hp.now": 0, "condition": "dying", "bleeds": 1}
    await did(table.gm, {"move": "table.edit", "actor": vex, "game_id": "squad", "values": dying})
    await did(table.gm, {"move": "table.end_fight"})
    await did(table.gm, {"move": "table.period_over", "period": "round"})
    page = await tv.get(path)
    assert "Vex is dead" in page
    assert 'class="last"' not in page
    await did(table.gm, moves(table.gm, "table.curtain")[0])
    page = await tv.get(path)
    assert "Vex" not in page
    assert not tv.has_received("Qxzzy")


async def test_plain_pages_give_no_code_away(table: Evening) -> None:
    guesser = await table.browser(**{"X-Forwarded-For": "192.168.1.66"})
    for path in ("/t/WRONGX/plain", "/t/WRONGX/screen/plain"):
        assert "There is no table with this code" in await guesser.get(path)
        assert guesser.status == 404
    for _ in range(10):
        await guesser.get("/t/WRONGX/plain")
    assert "Too many wrong codes" in await guesser.get(f"/t/{table.code}/screen/plain")
    front = await (await table.browser()).get("/plain")
    assert 'name="code"' in front
    response = await guesser.post("/code", {"code": table.code, "plain": "1"})
    assert response.headers["Location"] == f"/t/{table.code}/plain"
