"""Messages that no page would send: none is carried out, none leaves a traceback, and the table goes on."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from typing import Any

import pytest
import pytest_asyncio

from tests.support.guesses import Guesses
from tests.support.ngclient import NGClient
from tests.support.offers import Offer, Offers
from tests.support.open_table import OpenServer, OpenTable, melee, offered
from tests.support.play import ALL_GAMES, BOOK, GM, SCREEN, Bench, EvenDice, Message, viewer
from tests.support.server import running
from tests.support.wild import SEATS
from webapp.rules.errors import RuleError
from webapp.rules.move import Leave, Move
from webapp.store import Store
from webapp.ui.page import LOOKING

SEED = 20240504
MESSAGES = 5000
KINDS = {kind: step for kind, step in BOOK.steps.items() if issubclass(step, Move)}
GM_KINDS = [kind for kind, step in KINDS.items() if step.by is Leave.GM]
OWNER_KINDS = [kind for kind, step in KINDS.items() if step.by is Leave.OWNER]
OUTSIDERS = ("ben", "eve", "", SCREEN)
WRONG: tuple[Any, ...] = ({"a": {"b": []}}, [[["x"]]], {"": None}, [None, {}])
HUGE = "x" * 12_000


def in_the_middle(store: Store) -> Bench:
    """Ann is asked to parry; Ben waits, a ghost hides, and the log has rows of everybody."""
    bench = Bench(store, dice=EvenDice())
    bench.hero("Ann", stw=12, will=2, devices={"sword": "melee d8"})
    bench.hero("Ben", will=1)
    bench.foe("Rat", monster=12, devices={"bite": "melee d4"})
    bench.foe("Ghost", monster=4, hidden=True)
    bench.fight(Ann=3, Rat=8, Ben=4)
    for who in ("Ann", "Ben"):
        adjust = {"move": "table.adjust", "actor": who, "game_id": "squad", "path": ["hp", "now"], "amount": -1}
        bench.do(adjust, who.lower(), tap=f"tap of {who}")
        bench.passes(9)
    bench.attack("Rat", "Ann", "bite")
    return bench


class Forger:
    """Makes messages with whom they come from; each of them must be refused."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self.bench = bench
        self.any = random.Random(seed)
        self.kinds: tuple[Callable[[], tuple[Any, str]], ...] = (
            self.move_of_another,
            self.move_of_the_gm,
            self.unknown_move,
            self.wrong_type,
            self.foreign_id,
            self.answer_of_another,
            self.one_field_too_many,
            self.no_message,
            self.page_move,
            self.too_much,
        )

    def message(self) -> tuple[Any, str]:
        return self.any.choice(self.kinds)()

    def move_of_another(self) -> tuple[Any, str]:
        return self._own_move(self.bench.ids["Ann"]), self.any.choice(OUTSIDERS)

    def move_of_the_gm(self) -> tuple[Any, str]:
        kind = self.any.choice(GM_KINDS)
        fields: Message = {"character": self._id(), "values": {"name": "Mine"}, "seats": ["ben"], "seen": ""}
        fields |= {"key": "table.settings/table", "name": "Rat", "sheets": {}, "hours": 8, "parry": "never"}
        known = KINDS[kind].model_fields
        return {"move": kind, **{name: value for name, value in fields.items() if name in known}}, self._player()

    def unknown_move(self) -> tuple[Any, str]:
        kind = self.any.choice(list(KINDS))
        spoilt = self.any.choice([kind[:-1], kind.upper(), kind.replace(".", "_"), f"{kind}.{kind}", f" {kind}", ""])
        steps = [step for step in BOOK.steps if step not in KINDS]
        return {"move": self.any.choice([spoilt, *steps, *WRONG, None, 7])}, self._anybody()

    def wrong_type(self) -> tuple[Any, str]:
        move = self._own_move(self.bench.ids["Ann"])
        move[self.any.choice([name for name in move if name != "move"])] = self.any.choice(WRONG)
        return move, self.any.choice(["ann", GM])

    def foreign_id(self) -> tuple[Any, str]:
        return self._own_move(self.any.choice(["nobody", "", HUGE, "\ud800", f"{self._id()} ", "../ann"])), "ann"

    def answer_of_another(self) -> tuple[Any, str]:
        question = self.any.choice([self.bench.question.id, self._id(), "nothing"])
        answer = {"move": "table.answer", "question": question, "choice": self.any.choice(["hit", "sword", "arm"])}
        told = {"move": "table.tell_faces", "question": question, "faces": [3]}
        return self.any.choice([answer, told]), self.any.choice(OUTSIDERS)

    def one_field_too_many(self) -> tuple[Any, str]:
        field = self.any.choice(["admin", "by", "seat", "__class__", "viewer", "id", HUGE])
        return {**self._own_move(self.bench.ids["Ann"]), field: self.any.choice([True, "gm", *WRONG])}, "ann"

    def no_message(self) -> tuple[Any, str]:
        return self.any.choice(
            [None, 0, "table.next", True, b"", [], [{}], {}, {"Move": "table.next"}]
        ), self._anybody()

    def page_move(self) -> tuple[Any, str]:
        kinds = (
            "page.admit",
            "page.link",
            "page.new_table",
            "page.order",
            "page.tab",
            "page.real_dice",
            "table.undo",
        )
        return {"move": self.any.choice(kinds), "seat": "ann", "device": self._id(), "on": True}, self._anybody()

    def too_much(self) -> tuple[Any, str]:
        deep: Any = {}
        for _ in range(self.any.choice([50, 400])):
            deep = {"a": deep}
        make = {"move": "table.make_hero", "name": "Dot", "sheets": {"squad": deep}}
        huge = {"move": "table.rename", "actor": self.bench.ids["Ann"], "name": HUGE}
        many = {"move": "table.tray", "dice": {str(side): 30 for side in range(2, 100)}}
        number = {**self._own_move(self.bench.ids["Ann"]), "amount": 10**300, "difficulty": -(10**300)}
        return self.any.choice([make, huge, many, number]), self.any.choice(["ann", "ben", "eve"])

    def _own_move(self, actor: str) -> Message:
        """A move of one character that would be in order for whoever may make it."""
        about = {"actor": actor, "game_id": "squad"}
        return dict(
            self.any.choice(
                [
                    {"move": "table.adjust", **about, "path": ["hp", "now"], "amount": -1},
                    {"move": "table.edit", **about, "values": {"tuf": 12}},
                    {"move": "table.rename", "actor": actor, "name": "Mine"},
                    {"move": "squad.task", "actor": actor, "attribute": "TUF", "difficulty": 4},
                    {"move": "squad.attack", "actor": actor, "target": self.bench.ids["Rat"], "device": "sword"},
                    {"move": "table.done", "actor": actor},
                    {"move": "table.noted", "actor": actor},
                ]
            )
        )

    def _id(self) -> str:
        return self.any.choice([*self.bench.ids.values(), *(entry.id for entry in self.bench.table.entries)])

    def _player(self) -> str:
        return self.any.choice(["ann", *OUTSIDERS])

    def _anybody(self) -> str:
        return self.any.choice([GM, "ann", *OUTSIDERS])


def test_thousands_of_forged_messages_change_nothing(store: Store) -> None:
    bench = in_the_middle(store)
    forger, before = Forger(bench, SEED), bench.everything()
    for nth in range(MESSAGES):
        message, who = forger.message()
        tap = f"forged {nth}" if nth % 10 == 0 else None
        reply = bench.table.do(message, viewer(who), tap=tap)
        said = f"message {nth}, {who}: {str(message)[:300]}"
        assert not reply.ok, said
        assert reply.say, said
        assert len(reply.say) < 400, said
        assert bench.table.revision == before[3], said
    assert bench.everything() == before
    bench.answer("sword", "ann")


@pytest.mark.parametrize("who", [GM, SEATS[0]])
def test_a_move_that_somebody_makes_up_is_made_or_refused_in_a_sentence(store: Store, who: str) -> None:
    """By the GM's own page too: nothing but a sentence comes of what makes no sense."""
    offers, guesses = Offers(store, ALL_GAMES, SEED), Guesses(SEED)
    made = 0
    for _ in range(4):
        ids = [*(one.id for one in offers.bench.state.characters()), "nobody"]
        for kind, model in [*KINDS.items()] * 12:
            with suppress(RuleError):
                offers.try_out(Offer(guesses.move(kind, model, ids), who))
                made += 1
        for _ in range(4):
            offers.anything()
    assert made > 0


def test_a_tap_that_is_sent_again_counts_once_and_for_its_own_seat_alone(store: Store) -> None:
    bench = in_the_middle(store)
    before = bench.everything()
    other = {"move": "table.rename", "actor": "Ann", "name": "Mine"}
    for _ in range(50):
        assert bench.send(other, "ann", tap="tap of Ann").ok, "answered as the first time"
        assert not bench.send(other, "ben", tap="tap of Ann").ok
    assert bench.everything() == before


def test_nobody_undoes_what_others_did(store: Store) -> None:
    bench = in_the_middle(store)
    before = bench.everything()
    for entry in bench.table.entries:
        for who in ("ann", *OUTSIDERS):
            for way in (None, "what can", "back", "nonsense"):
                if entry.seat != who or way == "back":
                    assert not bench.undo(entry, who, way=way).ok
    for id in ("", "nothing", HUGE, "\ud800"):
        assert not bench.table.undo(id, viewer("ann")).ok
    assert bench.everything() == before


def test_a_row_that_nobody_else_may_read_is_refused_like_one_that_never_was(store: Store) -> None:
    bench = in_the_middle(store)
    bench.do({"move": "table.disguise", "character": "Rat", "alias": "A shadow"})
    secret = bench.table.entries[-1]
    for who in ("ann", "ben"):
        assert bench.undo(secret, who) == bench.table.undo("never", viewer(who))


# --- over the wire -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with running(OpenServer(tmp_path_factory.mktemp("forged"))) as server:
        yield server


@pytest_asyncio.fixture
async def table(server: OpenServer) -> AsyncIterator[OpenTable]:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin()
        await table.player("Ann", "Vex", stw=12, will=2, devices=melee("Knife", 6))
        await table.player("Ben", "Old Tom")
        await table.foe("Thug", monster=8, devices=melee("Club", 6))
        await table.foe("Lurker", hidden=True)
        yield table


AT_ONCE = 38  # a page may send 40 at once
BODIES: tuple[Any, ...] = (
    None,
    "x",
    7,
    [],
    {},
    {"client_id": None},
    {"client_id": {"a": 1}, "tap": "t", "age": 0, "move": {}},
)


async def test_forged_messages_over_the_wire(table: OpenTable) -> None:
    before = await table.state()
    any_ = random.Random(SEED)
    ann, ben = table.players["Ann"], table.players["Ben"]
    taken = offered(ann)
    answers: list[Any] = []
    places = ("/t/{code}/play", "/t/{code}/screen", "/join/{code}", "/", "/t/{code}/gm")
    for nth in range(8):
        forger = await table.browser(places[nth % len(places)])
        for _ in range(AT_ONCE):
            answers.append(await forge(any_, forger, ann, ben, taken, table))
    assert len(answers) >= 300
    accepted = [answer for answer in answers if isinstance(answer, dict) and answer.get("ok")]
    assert accepted == []
    assert all(answer["say"] for answer in answers if isinstance(answer, dict))
    assert await table.state() == before
    await goes_on(table)


async def forge(
    any_: random.Random, forger: NGClient, ann: NGClient, ben: NGClient, taken: list[Message], table: OpenTable
) -> Any:
    """One hostile message from a page that has no seat, and what it was answered."""
    move = any_.choice([*taken, {"move": "table.next", "seen": ""}, {"move": "page.order", "name": "parry"}])
    message = {"client_id": forger.client_id, "tap": f"t{any_.random()}", "age": 0, "move": move}
    match any_.randrange(8):
        case 0:
            message["client_id"] = any_.choice([ann, ben, table.gm]).client_id
        case 1:
            message["move"] = {**move, "actor": table.ids["Vex"], "name": "x" * any_.choice([50, 20_000])}
        case 2:
            deep: Any = {}
            for _ in range(500):
                deep = {"a": deep}
            message["move"] = deep
        case 3:
            message[any_.choice(["tap", "age", "move", "client_id"])] = any_.choice(
                [None, [], {}, "", "x" * 99, True]
            )
            message["move"] = any_.choice([message["move"], [], "table.next", 7])
        case 4:
            return await forger.ask("gritboard", *any_.choice([(), (any_.choice(BODIES),), (message["move"], 1, 2)]))
        case 5:
            event = {"id": any_.randrange(30), "client_id": any_.choice([ann, forger]).client_id, "listener_id": "x"}
            return await forger.ask("event", {**event, "args": any_.choice([None, ["{"], [], 7])})
        case 6:
            name = any_.choice(["ack", "log", "javascript_response", "handshake"])
            return await forger.ask(name, any_.choice(BODIES)) if name != "handshake" else await quietly(forger)
    return await forger.ask("gritboard", message)


async def quietly(forger: NGClient) -> None:
    await forger.emit("handshake", {"client_id": "nobody", "tab_id": 7})


async def test_a_preview_of_what_cannot_be_is_refused_in_a_sentence(table: OpenTable) -> None:
    await table.do({"move": "table.start_fight"})
    await table.next()
    answer = await table.gm.send_move({"move": "page.preview", "of": "table.done", "actor": "nobody"})
    assert answer["say"] == "That character is not yours to play."


async def test_a_socket_that_sends_rubbish_harms_nobody_else(table: OpenTable) -> None:
    before = await table.state()
    frames: tuple[str | bytes, ...] = (
        "",
        "4",
        "42",
        "42{",
        '42["gritboard"',
        '421["gritboard",' + "[" * 3000,
        '45-["gritboard",{"_placeholder":true,"num":0}]',
        "99999999999999999999",
        b"\x00\xff\xfe",
        '42["disconnect"]',
        '42["connect",{}]',
        "x" * 100_000,
    )
    for frame in frames:
        hooligan = await table.browser("/join/{code}")
        await hooligan.send_raw(frame)
        await asyncio.gather(hooligan.drop())
    assert await table.state() == before
    await goes_on(table)


async def test_a_player_does_nothing_in_the_name_of_another(table: OpenTable) -> None:
    """A seat of one's own is no help."""
    ann, ben = table.players["Ann"], table.players["Ben"]
    before = await table.state()
    gm_s = [move for move in offered(table.gm) if move.get("actor") != table.ids["Old Tom"]]
    gm_s = [move for move in gm_s if move["move"] != "table.undo"][:24]  # some rows of the log are his own
    for move in [*offered(ann)[:12], *gm_s]:
        if move["move"] not in (*LOOKING, "page.real_dice", "page.order", "page.edit"):
            answer = await ben.send_move(move)
            assert not answer["ok"], move
    ben.client_id, own = table.gm.client_id, ben.client_id
    assert (await ben.send_move({"move": "table.start_fight"}))["say"] == "This page is out of date. Reload it."
    ben.client_id = own
    assert await table.state() == before
    await goes_on(table)


async def test_who_looks_on_can_do_nothing(table: OpenTable) -> None:
    state = await table.state()
    seat = next(seat for seat, name, *_ in state["seats"] if name == "Ann")
    for who, sees in ((seat, "You see what Ann sees."), ("screen", "At the table")):
        for place in ("play", "gm"):
            host = await table.browser()
            host.session.cookie_jar.update_cookies(table.gm.cookies)
            await host.open(f"/t/{table.code}/{place}?as={who}")
            assert host.find(contains=sees)
            for move in [*offered(host), *offered(table.gm), {"move": "table.start_fight"}]:
                if move["move"] not in LOOKING:
                    answer = await host.send_move(json.loads(json.dumps(move)))
                    assert not answer["ok"], move
                    assert answer["say"] in (
                        "You only look on here: nothing can be done from this page.",
                        "The screen only shows.",
                        "Too fast. It is sent again in a moment.",
                    )
    assert await table.state() == state


async def test_nobody_but_the_host_looks_on(table: OpenTable) -> None:
    seat = next(seat for seat, name, *_ in (await table.state())["seats"] if name == "Ann")
    ben = table.players["Ben"]
    for client in (ben, await table.browser()):
        for place in ("play", "gm"):
            await client.get(f"/t/{table.code}/{place}?as={seat}")
            assert client.find(contains="This page is for the GM")
            assert not client.find(contains="Vex")
    host = await table.browser()
    host.session.cookie_jar.update_cookies(table.gm.cookies)
    for nobody in ("nobody", "", "x" * 500):
        await host.get(f"/t/{table.code}/play?as={nobody}")
        assert host.find(contains="There is no such seat at this table.")


async def goes_on(table: OpenTable) -> None:
    """The others can still play, and see it."""
    adjust = {"move": "table.adjust", "actor": table.ids["Vex"], "game_id": "squad", "path": ["hp", "now"]}
    await table.do({**adjust, "amount": -2}, table.players["Ann"])
    await table.gm.wait_for(lambda c: c.find(contains="HP 15 → 13"))
    await table.do({"move": "table.start_fight"})
