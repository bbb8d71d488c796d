"""Fixtures that many tests share."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from hypothesis import HealthCheck, settings
from playwright.async_api import Browser, async_playwright

from tests.support.play import Bench, quick_store
from tests.support.toy import Toy
from webapp.store import Store

# a machine that is busy is no fault of a test
settings.register_profile("gritboard", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("gritboard")

CHROMIUM = "/usr/bin/chromium"
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Browser]:
    """One browser for all; tests that use it need `@pytest.mark.asyncio(loop_scope="session")`."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with quick_store() as store:
        yield store


@pytest.fixture
def bench(store: Store) -> Bench:
    """Ann (8, 3) and Ben (2) against a thug (6, 1) and a rat (4); Ann is up."""
    bench = Bench(store)
    bench.hero("Ann", tuf=8, devices={"sword": "melee d8", "vest": "armour d6"})
    bench.hero("Ben", tuf=8)
    bench.foe("Thug", monster=8, hp=10, devices={"club": "melee d6"})
    bench.foe("Rat", monster=4, hp=4, devices={"bite": "melee d4"})
    bench.fight(Ann=8, Thug=6, Rat=4, Ben=2)
    return bench


@pytest.fixture
def asked(bench: Bench) -> Bench:
    """The thug hits Ann with 5: parry?"""
    bench.do({"move": "table.done", "actor": "Ann"}, "ann")
    bench.attack("Thug", "Ann", "club", faces=[5])
    return bench


@pytest.fixture(scope="module")
def toy_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toy]:
    """One that breaks on purpose now and then: what is in its log is watched test by test."""
    server = Toy(tmp_path_factory.mktemp("toy"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def toy(toy_server: Toy) -> Iterator[Toy]:
    toy_server.forget_moves()
    before = len(toy_server.log())
    yield toy_server
    assert "Traceback" not in toy_server.log()[before:]
