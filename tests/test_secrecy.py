"""What a viewer may not know never comes over the wire: every byte that every page receives is searched.

Random games are played by taps on what the pages offer. The search proves itself by leaks planted on purpose.
Two tables that differ in one hidden value give the same bytes until something reveals it.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import zip_longest
from typing import Any

import pytest
import pytest_asyncio

from tests.support.ngclient import NGClient
from tests.support.open_table import Move, OpenServer, OpenTable, melee, offered
from tests.support.server import running

IDS = re.compile(r"\b[0-9a-f]{16}\b|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")  # ours, and the framework's
INNER = re.compile(r'"innerHTML":("[^"\\]*(?:\\.[^"\\]*)*")')
WORDS = ("Qx", "Zspiders", "Zheights", "3d97", "3d89")
NOT_TAPPED = (
    "page.link",
    "page.nudge",
    "page.admit",
    "table.remove_character",
    "table.end_fight",
    "table.claim",
    "table.set_games",
    "table.leave_fight",
)
TAPS = 80
FEW = 10


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[OpenServer, OpenServer]]:
    left, right = (OpenServer(tmp_path_factory.mktemp(side)) for side in ("left", "right"))
    with running(left), running(right):
        yield left, right


@pytest_asyncio.fixture
async def exits(servers: tuple[OpenServer, OpenServer]) -> AsyncIterator[AsyncExitStack]:
    async with AsyncExitStack() as exits:
        yield exits
    for server in servers:
        await server.ctl("mend")


# --- random games, searched --------------------------------------------------------------------------


class Night:
    """A table with secrets that can be told by their words, and all who must not know them."""

    def __init__(self, table: OpenTable, seed: int) -> None:
        self.table = table
        self.any = random.Random(seed)
        self.health: set[int] = set()
        self.watchers: dict[str, NGClient] = {}
        self.laid: set[str] = set()
        self.counts = 0

    async def begin(self) -> None:
        table = self.table
        await table.begin()
        knife = melee("Knife", 6)
        ann = await table.player("Ann", "Vex", tuf=8, will=3, weakness="Zspiders", devices=knife)
        ben = await table.player("Ben", "Old Tom", stw=8, will=2, weakness="Zheights", devices=knife)
        await table.foe("QxDuke", alias="Hooded figure", hp=733, monster=8, devices=melee("Sceptre", 6))
        await table.foe("Brute", hp=877, monster=6, devices=melee("Club", 6))
        await table.foe("Ogre", hp=967, tuf=8, weakness="Qxfire", devices=melee("Tree", 8))
        await table.foe("QxLurker", hidden=True, hp=611, monster=10, devices=melee("QxNeedle", 8))
        await self._disguise("Ogre", shows_health="word")
        await table.do({"move": "table.tray", "dice": {"97": 3}, "secret": True})
        await table.do({"move": "table.tray", "dice": {"89": 3}, "secret": True}, ann)
        everybody = [table.ids[name] for name in ("Vex", "Old Tom", "QxDuke", "Brute", "Ogre", "QxLurker")]
        await table.do({"move": "table.start_fight", "members": everybody})
        seat = next(seat for seat, name, *_ in (await table.state())["seats"] if name == "Ben")
        self.watchers = {
            "Ann": ann,
            "Ben": ben,
            "TV": await table.browser("/t/{code}/screen"),
            "a stranger": await table.browser("/join/{code}"),
            "a newcomer": await self._newcomer(),
            "the GM as Ben": await self._looking_on(f"/t/{table.code}/play?as={seat}"),
            "the GM as the TV": await self._looking_on(f"/t/{table.code}/gm?as=screen"),
        }
        await table.settled(table.gm)
        self.laid = {str(move["entry"]) for move in offered(table.gm, "table.undo")}

    async def _newcomer(self) -> NGClient:
        client = await self.table.browser()
        await client.post(f"/join/{self.table.code}", {"name": "Eve"})
        return await client.open(f"/t/{self.table.code}/play")

    async def _looking_on(self, path: str) -> NGClient:
        """Its own browser, that has been no other page before."""
        client = await self.table.browser()
        client.session.cookie_jar.update_cookies(self.table.gm.cookies)
        return await client.open(path)

    async def _disguise(self, who: str, **shown: Any) -> None:
        alias = {"alias": "Hooded figure"} if who == "QxDuke" else {}
        move = {"move": "table.disguise", "character": self.table.ids[who], **alias, **shown}
        await self.table.gm.send_move(move)

    async def play(self, taps: int) -> None:
        for tap in range(taps):
            await self._tap()
            if tap % 10 == 0:
                await self._look()
        await self._look()
        for name, client in self.watchers.items():
            paths = {"TV": "screen", "a stranger": "play", "the GM as the TV": "gm?as=screen"}
            if "as Ben" not in name:
                await client.get(f"/t/{self.table.code}/{paths.get(name, 'play')}")

    async def _tap(self) -> None:
        chance = self.any.random()
        if chance < 0.08:
            who = self.any.choice(["QxDuke", "Brute", "Ogre"])
            form, odds = self.any.choice(["bar", "word", "nothing"]), self.any.choice([None, "rough", "own die only"])
            await self._disguise(who, shows_health=form, odds=odds)
            return
        if chance < 0.1:
            await self.table.gm.send_move(
                {
                    "move": "table.edit_table",
                    "key": "table.settings/table",
                    "values": {"hide_figures": self.any.random() < 0.5},
                }
            )
            return
        who_taps = self.any.choice([self.table.gm, self.table.gm, *self.table.players.values()])
        moves = [move for move in offered(who_taps) if self._may_be_tapped(move)]
        if moves:
            kind = self.any.choice(sorted({move["move"] for move in moves}))
            answer = await who_taps.send_move(self.any.choice([move for move in moves if move["move"] == kind]))
            assert answer["ok"] or answer["say"]
            self.counts += bool(answer["ok"])

    def _may_be_tapped(self, move: Move) -> bool:
        """Nothing that a GM who has planned this evening would reveal."""
        lurker = self.table.ids["QxLurker"]
        if move["move"] in NOT_TAPPED or move.get("entry") in self.laid:
            return False
        if move["move"] == "squad.attack" and move["actor"] == lurker:
            return bool(move.get("stay_hidden"))
        return not (move["move"] == "table.reveal" and not move.get("hidden"))

    async def _look(self) -> None:
        documents = (await self.table.state())["documents"]
        for name in ("QxDuke", "Brute", "Ogre", "QxLurker"):
            sheet = documents.get(f"squad.sheet/{self.table.ids[name]}")
            self.health.add(sheet["hp"]["now"] if sheet else 733)

    async def found(self) -> list[str]:
        """Every secret that somebody has received who must not know it."""
        told = await self.table.server.ctl(f"told/{self.table.code}")
        ids = {word for name, word in self.table.ids.items() if name == "QxLurker"}
        health = re.compile(rf"(?<![\w.#-])({'|'.join(map(str, self.health))})(?![\w%])")
        found: list[str] = []
        for name, client in self.watchers.items():
            raw = "\n".join(client.received)
            shown = "\n".join(json.loads(text) for text in set(INNER.findall(raw)))
            bare = IDS.sub(" ", raw)  # by chance an id may hold the word for secret dice
            own = {"Ann": ("Zspiders", "3d89"), "Ben": ("Zheights",), "the GM as Ben": ("Zheights",)}.get(name, ())
            found += [f"{name}: {word}" for word in {*WORDS} - {*own} if word in bare]
            found += [f"{name}: {word}" for word in ids if word in raw]
            found += [f"{name}: {now} HP" for now in set(health.findall(shown))]
            found += [f"{name}: {line}" for line in told if html.escape(line) in shown]
        return found


@pytest.mark.parametrize("seed", range(2))
async def test_no_secret_is_in_any_byte_that_a_page_receives(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack, seed: int
) -> None:
    night = Night(OpenTable(servers[0], exits), seed)
    await night.begin()
    await night.play(TAPS)
    assert night.counts > TAPS // 3, "hardly anything was played"
    assert await night.found() == []
    assert all(night.table.gm.has_received(word) for word in ("QxLurker", "QxDuke", "877", "3d97"))
    assert night.watchers["TV"].has_received("Hooded figure")


@pytest.mark.parametrize(
    ("leak", "secret"),
    [("hidden", "Qx"), ("names", "Qx"), ("health", "HP"), ("lines", "3d97"), ("sheets", "Zheights")],
)
async def test_the_search_finds_a_leak_that_was_planted(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack, leak: str, secret: str
) -> None:
    await servers[0].ctl(f"leak/{leak}")
    night = Night(OpenTable(servers[0], exits), seed=1)
    await night.begin()
    await night.play(FEW)
    assert any(secret in found for found in await night.found())


# --- two tables that differ in one hidden value ------------------------------------------------------

Foe = dict[str, Any]
Tell = Callable[["Story"], Awaitable[None]]


class Story:
    """The same acts at a table, whatever is hidden in it; what each page received is told step by step."""

    def __init__(self, table: OpenTable) -> None:
        self.table = table
        self.clients: dict[str, NGClient] = {}
        self.told: list[tuple[str, ...]] = []
        self._heard: dict[str, int] = {}
        self._names: dict[str, dict[str, str]] = {}

    async def begin(self, foe: Foe, *, ann: Foe, hide: bool, hidden: Foe | None = None) -> None:
        table = self.table
        await table.begin()
        await table.player("Ann", "Vex", **{"tuf": 4, "will": 1, "devices": melee("Knife", 6)} | ann)
        await table.player("Ben", "Old Tom", devices=melee("Stick", 4))
        thug: Foe = {"hp": 12, "monster": 6, "devices": melee("Claw", 4), **foe}
        await table.foe("Thug", **thug)
        await table.settings(foes_health="word", hide_figures=hide)
        members = [table.ids[name] for name in ("Vex", "Old Tom", "Thug")]
        if hidden is not None:
            members.append(await table.foe("Lurker", hidden=True, **hidden))
        await table.do({"move": "table.start_fight", "members": members})
        for name, number in (("Lurker", 1), ("Vex", 8), ("Old Tom", 5), ("Thug", 3)):
            if name in table.ids:
                await table.edit(name, initiative=number)
        paths = {"Ann": "play", "Ben": "play", "TV": "screen"}
        self.clients = {name: table.players.get(name) or await table.browser() for name in paths}
        for name, client in self.clients.items():
            await client.drop()
            client.received.clear()
            await client.open(f"/t/{table.code}/{paths[name]}")
        await self.step("open")

    async def step(self, name: str) -> None:
        await self.table.settled(*self.clients.values())
        for who, client in self.clients.items():
            since = self._heard.get(who, 0)
            self._heard[who] = len(client.received)
            for text in client.received[since:]:
                if not text.startswith(("0{", "40", "43", "2")):
                    self.told.append((name, who, self._plain(who, client, text)))

    def _plain(self, who: str, client: NGClient, text: str) -> str:
        """Without what differs between any two pages: ids are named by the order in which they appear."""
        for word in (client.client_id, client.tab_id, client.document_id, self.table.code):
            text = text.replace(word, "…")
        text = text.replace(f":{self.table.server.port}", ":…")
        names = self._names.setdefault(who, {})
        return IDS.sub(lambda id: names.setdefault(id[0], f"id{len(names)}"), text)

    async def miss(self) -> None:
        """Ann strikes and misses, may try again and does not; Ben does nothing."""
        ids, ann, ben = self.table.ids, self.clients["Ann"], self.clients["Ben"]
        await self.table.do({"move": "page.tab", "menu": "squad.attack", "tab": "hands"}, ann)
        await self.step("a tab")
        await self.table.do({"move": "squad.task", "actor": ids["Vex"], "attribute": "TUF", "difficulty": 2}, ann)
        await self.step("a task")
        await self.table.do({"move": "squad.attack", "actor": ids["Vex"], "target": ids["Thug"]}, ann)
        await self.step("a miss")
        for answer in offered(ann, "table.answer"):
            if answer["choice"] == "keep":
                await self.table.do(answer, ann)
        await self.step("no second try")
        await self.table.do({"move": "table.done", "actor": ids["Old Tom"]}, ben)
        await self.step("Ben waits")


HIT_POINTS = {"hp": 9}, {"hp": 14}
WEAPON = {"devices": melee("Claw", 4)}, {"devices": melee("Claw", 10)}
DIE = {"monster": 6}, {"monster": 10}
NAMES = {"weakness": "fire"}, {"weakness": "a long story about water"}


def first_difference(left: Story, right: Story) -> str | None:
    """Step, page and the two places where they part, short enough to read."""
    for (step, who, one), (other_step, other_who, other) in zip_longest(
        left.told, right.told, fillvalue=("", "", "")
    ):
        if (step, who, one) != (other_step, other_who, other):
            at = next((nth for nth, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
            around = slice(max(0, at - 400), at + 600)
            return f"{step}/{other_step}, {who}/{other_who}:\n{one[around]}\n{other[around]}"
    return None


async def both(
    servers: tuple[OpenServer, OpenServer],
    exits: AsyncExitStack,
    foes: tuple[Foe, Foe],
    *,
    ann: tuple[Foe, Foe] = ({}, {}),
    hide: bool = False,
) -> list[Story]:
    stories = []
    for server, foe, hero in zip(servers, foes, ann, strict=True):
        story = Story(OpenTable(server, exits))
        await story.begin(foe, ann=hero, hide=hide)
        await story.miss()
        stories.append(story)
    return stories


@pytest.mark.parametrize(
    ("foes", "hide"),
    [(HIT_POINTS, False), (WEAPON, False), (DIE, True), (NAMES, False)],
    ids=["health", "weapon", "die", "weakness"],
)
async def test_a_hidden_value_of_a_foe_makes_no_difference_in_any_byte(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack, foes: tuple[Foe, Foe], hide: bool
) -> None:
    left, right = await both(servers, exits, foes, hide=hide)
    assert len(left.told) > 15
    assert first_difference(left, right) is None


async def test_what_is_on_a_hero_s_sheet_makes_no_difference_to_others(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack
) -> None:
    ann = {"weakness": "spiders", "stw": 6}, {"weakness": "heights", "stw": 10}
    left, right = await both(servers, exits, ({}, {}), ann=ann)
    differ = {(step, who) for (step, who, a), (_, _, b) in zip(left.told, right.told, strict=True) if a != b}
    assert {who for _, who in differ} == {"Ann"}


async def test_a_value_makes_a_difference_once_it_was_revealed(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack
) -> None:
    left, right = await both(servers, exits, DIE, hide=True)
    before = len(left.told)
    for story in (left, right):
        await story.table.next()
        await story.table.next()
        await story.step("the Thug strikes")
    assert left.told[:before] == right.told[:before]
    assert left.told[before:] != right.told[before:]


async def test_the_comparison_finds_a_leak_that_was_planted(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack
) -> None:
    for server in servers:
        await server.ctl("leak/odds")
    left, right = await both(servers, exits, DIE, hide=True)
    assert left.told != right.told


async def test_an_unseen_foe_among_those_whom_a_fire_hurts_makes_no_difference(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack
) -> None:
    stories = []
    for server, hidden in zip(servers, (None, {"hp": 2, "monster": 12}), strict=True):
        story = Story(OpenTable(server, exits))
        await story.begin({}, ann={}, hide=False, hidden=hidden)
        for each in (False, True):
            await story.table.do({"move": "page.damage"})
            shares = {story.table.ids[name]: "half" for name in ("Vex", "Thug", "Lurker") if name in story.table.ids}
            fire = {"what": "Fire", "dice": 2, "plus": 3, "each": each, "shares": shares}
            await story.table.do({"move": "page.damage_outlook", **fire})
            await story.table.do({"move": "table.damage", **fire})
            await story.step(f"a fire, {each}")
        stories.append(story)
    assert first_difference(*stories) is None
    assert any(client.has_received("Fire") for client in stories[1].clients.values())
    assert stories[1].table.gm.has_received("Lurker goes down")


async def test_a_hidden_foe_in_the_fight_makes_no_difference(
    servers: tuple[OpenServer, OpenServer], exits: AsyncExitStack
) -> None:
    stories = []
    for server, hidden in zip(servers, (None, {"hp": 30, "monster": 12}), strict=True):
        story = Story(OpenTable(server, exits))
        await story.begin({}, ann={}, hide=False, hidden=hidden)
        await story.miss()
        stories.append(story)
    assert first_difference(*stories) is None
    await stories[1].table.do({"move": "table.reveal", "character": stories[1].table.ids["Lurker"]})
    await servers[1].ctl(f"later/{stories[1].table.code}/60")  # the TV has shown the last roll long enough
    await stories[1].table.settled(*stories[1].clients.values())
    assert all(client.has_received("Lurker") for client in stories[1].clients.values())
