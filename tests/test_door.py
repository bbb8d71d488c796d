"""The first ten minutes, on the protocol level: the host's page, the poster, who sits where."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.support.evening import Evening, Server, did, hrefs, moves, refused, sees, shows

ELSEWHERE = {"X-Forwarded-For": "192.168.1.44"}
PASSWORD = "swordfish77"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """One of its own for each test: what reached it, and which tables it has, is the same for all pages."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()
    assert "Traceback" not in server.log()


@pytest_asyncio.fixture
async def exits() -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as exits:
        yield exits


async def test_the_first_visit_offers_two_ways(server: Server, exits: AsyncExitStack) -> None:
    evening = Evening(server, exits)
    host = await evening.browser(server.host_link)
    for words in ("Open a sample table", "Your own table", "they stack", "a parry that answers each blow"):
        assert shows(host, words)
    assert not shows(host, "Go on")
    samples = moves(host, "page.new_sample")
    assert len(samples) == 4
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
