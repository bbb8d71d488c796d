"""The phone and the GM's page at a live table: what they offer, and what a tap on it does."""

from __future__ import annotations

import html
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
import pytest_asyncio

from tests.support.ngclient import NGClient
from tests.support.open_table import Move, OpenServer, OpenTable, a_duel, offered
from tests.support.server import running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenServer]:
    with running(OpenServer(tmp_path_factory.mktemp("rooms"))) as server:
        yield server


@pytest_asyncio.fixture
async def table(server: OpenServer) -> AsyncIterator[OpenTable]:
    async with a_duel(server) as table:
        yield table


async def attack(table: OpenTable, who: str, target: str, device: str = "club") -> None:
    slot = f"{table.ids[who]}:0"
    move = {"move": "squad.attack", "actor": table.ids[who], "target": table.ids[target], "slot": slot}
    await table.do({**move, "device": device})


def shows(client: NGClient, words: str) -> bool:
    return client.find(contains=words) is not None


async def sees(client: NGClient, words: str) -> None:
    await client.wait_for(lambda c: shows(c, words))


async def sees_no(client: NGClient, words: str) -> None:
    await client.wait_for(lambda c: not shows(c, words))


def element(client: NGClient, words: str) -> dict[str, Any]:
    found = client.find(contains=words)
    assert found is not None, words
    return dict(client.elements[found])


def has_class(client: NGClient, *names: str) -> bool:
    return any(set(names) <= set(one.get("class") or ()) for one in client.elements.values())


async def real_dice(table: OpenTable) -> None:
    await table.do({"move": "page.real_dice", "on": True}, table.players["Ann"])


# --- a question, put aside ---------------------------------------------------------------------------------


async def test_a_question_is_put_aside_and_taken_up_again(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await attack(table, "Thug", "Vex")
    await ann.wait_for(lambda c: has_class(c, "question-sheet", "open"))
    await table.do({"move": "page.aside"}, ann)
    await ann.wait_for(lambda c: not has_class(c, "question-sheet", "open"))
    assert not offered(ann, "table.answer")
    await sees(ann, "Parry? – answer")
    await table.do({"move": "page.take_up"}, ann)
    await ann.wait_for(lambda c: has_class(c, "question-sheet", "open"))
    await sees_no(ann, "Parry? – answer")
    assert {move["choice"] for move in offered(ann, "table.answer")} >= {"hit", "blade", "arm"}


async def test_a_new_question_opens_by_itself_over_one_put_aside(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await attack(table, "Thug", "Vex")
    await ann.wait_for(lambda c: offered(c, "table.answer"))
    await table.do({"move": "page.aside"}, ann)
    await sees(ann, "Parry? – answer")
    await table.do({"move": "squad.call_task", "attribute": "ATN", "difficulty": 4})
    await ann.wait_for(lambda c: has_class(c, "question-sheet", "open"))
    assert [move["choice"] for move in offered(ann, "table.answer")] == ["roll"]
    await table.do(offered(ann, "table.answer")[0], ann)
    await sees(ann, "Parry? – answer")


# --- dice told by hand -------------------------------------------------------------------------------------


async def test_the_pad_says_what_must_be_reached_and_that_the_roll_stands(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await real_dice(table)
    await table.do({"move": "squad.task", "actor": table.ids["Vex"], "attribute": "TUF", "difficulty": 4}, ann)
    await sees(ann, "Roll d8: TUF against 4.")
    await sees(ann, "only the GM can take it back")
    assert not shows(table.gm, "only the GM can take it back")


async def test_the_gm_takes_a_roll_back_that_has_begun(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await real_dice(table)
    before = (await table.state())["documents"]
    await table.do({"move": "squad.task", "actor": table.ids["Vex"], "attribute": "TUF", "difficulty": 4}, ann)
    await sees(table.gm, "Take the roll back")
    await table.do(undo_under(table.gm, "Take the roll back"))
    await sees_no(ann, "Roll d8")
    assert (await table.state())["documents"] == before


def undo_under(client: NGClient, words: str) -> Move:
    move: Move = json.loads(element(client, words)["props"]["data-move"])
    return move


# --- between turns, and when it gets tight -----------------------------------------------------------------


async def test_a_dark_screen_wakes_by_a_tap_and_by_a_question(table: OpenTable) -> None:
    ann = table.players["Ann"]
    dark: Move = {"move": "page.pocket", "on": True}
    await table.do(dark, ann)
    await sees(ann, "Tap to wake")
    assert "acts at" in element(ann, "Tap to wake")["props"]["innerHTML"]
    await table.do({**dark, "on": False}, ann)
    await sees_no(ann, "Tap to wake")
    await table.do(dark, ann)
    await sees(ann, "Tap to wake")
    await attack(table, "Thug", "Vex")
    await sees_no(ann, "Tap to wake")
    await ann.wait_for(lambda c: has_class(c, "question-sheet", "open"))


async def test_a_dark_screen_wakes_when_the_own_turn_comes(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await table.do({"move": "page.order", "name": "parry", "value": "never"}, ann)
    await table.do({"move": "page.pocket", "on": True}, ann)
    await sees(ann, "Tap to wake")
    await attack(table, "Thug", "Vex")
    await sees_no(ann, "Tap to wake")
    assert shows(ann, "Your turn")


def pushed(client: NGClient, words: str) -> bool:
    return any(name == "gritboard" and words in json.dumps(data) for name, data in client.messages)


async def test_a_dying_hero_sees_who_could_help_and_calls_for_it(table: OpenTable) -> None:
    ann = table.players["Ann"]
    ben = await table.player("Ben", "Tom", stw=8, first_aid=True)
    cat = await table.player("Cat", "Unseen", stw=8, first_aid=True)
    await table.do({"move": "table.reveal", "character": table.ids["Unseen"], "hidden": True})
    call = {"move": "page.call_for_help", "character": table.ids["Vex"]}
    assert not (await ann.send_move(call))["ok"]
    await table.edit("Vex", **{"hp.now": 0})
    await sees(ann, "Call for help")
    told = element(ann, "Vex: 4 rounds left")["props"]["innerHTML"]
    assert "Tom" in told
    assert "first aid" in told
    assert "%" in told
    assert "Unseen" not in told
    assert not shows(ben, "Call for help")
    assert not (await ben.send_move(call))["ok"]
    await table.do(call, ann)
    for other in (table.gm, ben, cat):
        await other.wait_for(lambda c: pushed(c, "Vex calls for help!") and pushed(c, "nudge"))
    assert not pushed(ann, "nudge")
    await table.edit("Vex", **{"hp.now": 3})
    await sees_no(ann, "Call for help")


# --- the GM's card, and what can't be taken lightly ----------------------------------------------------------


def order_of(client: NGClient, *words: str) -> list[int]:
    """Where these stand among the GM's cards."""
    shelf = next(one for one in client.elements.values() if "cast-list" in (one.get("class") or ()))
    texts = [json.dumps(client.elements[str(child)]["props"]) for child in shelf["children"]]
    return [next(nth for nth, text in enumerate(texts) if word in text) for word in words]


async def open_card(table: OpenTable, who: str) -> None:
    await table.do({"move": "page.tab", "menu": "card", "tab": table.ids[who]})
    await sees(table.gm, "Roll a test")


async def test_the_gm_s_card_begins_with_what_can_be_done_and_ends_with_what_is_seldom_wanted(
    table: OpenTable,
) -> None:
    await table.edit("Vex", **{"hp.now": 0})
    await open_card(table, "Vex")
    assert not shows(table.gm, "Remove from the table")
    await table.do({"move": "page.tab", "menu": f"more {table.ids['Vex']}", "tab": "on"})
    await sees(table.gm, "Remove from the table")
    order = order_of(
        table.gm, "Will Points", "Give a Will Point", "needs first aid", "Blade", "More", "Edit the sheet"
    )
    assert order == sorted(order)
    remove, foes = order_of(table.gm, "Remove from the table", '"Foes"')
    assert remove == foes - 1


async def test_ending_a_fight_and_removing_somebody_ask_first(table: OpenTable) -> None:
    def sure(words: str) -> str:
        return str(element(table.gm, words)["props"]["data-sure"])

    assert sure("End the fight") == "End the fight: 1 hero and 1 foe still stand. Tap again."
    await table.edit("Vex", **{"hp.now": 0})
    await table.gm.wait_for(lambda c: sure("End the fight").startswith("End the fight: 0 heroes and 1 foe still"))
    await open_card(table, "Thug")
    await table.do({"move": "page.tab", "menu": f"more {table.ids['Thug']}", "tab": "on"})
    await sees(table.gm, "Remove from the table")
    assert sure("Remove from the table") == "Remove Thug, sheet and all? Undo brings it back. Tap again."


async def test_the_next_round_says_who_will_be_lost(table: OpenTable) -> None:
    await table.player("Ben", "Tom")
    await table.do({"move": "table.end_fight"})
    await table.do({"move": "table.start_fight"})
    await table.next()
    await table.edit("Vex", **{"hp.now": 0})
    await table.edit("Vex", bleeds=1)
    while not shows(table.gm, "Start round 2"):
        assert not shows(table.gm, "Then: ")
        await table.next()
        await table.settled(table.gm)
    assert shows(table.gm, "Then: Vex: dies")
    await table.next()
    await sees(table.gm, "Vex dies.")


# --- making heroes, tables and rows --------------------------------------------------------------------------


async def test_on_a_stack_one_form_makes_a_hero_of_all_rule_sets(server: OpenServer) -> None:
    async with AsyncExitStack() as exits:
        table = OpenTable(server, exits)
        await table.begin(games=["dread", "squad"])
        ann = await table.browser()
        await ann.post(f"/join/{table.code}", {"name": "Ann"})
        await ann.open(f"/t/{table.code}/play")
        forms = [element(ann, "Play the Bruiser")]
        assert len(ann.find_all(contains="Play the")) == len(ann.find_all(contains='name="sheets.dread"')) > 1
        move = json.loads(forms[0]["props"]["data-move"])
        assert list(move["sheets"]) == ["squad"]
        value = forms[0]["props"]["innerHTML"].partition('name="sheets.dread"')[2].split('<option value="')[2]
        body = json.loads(html.unescape(value.partition('"')[0]))
        await table.do({**move, "name": "Vex", "sheets": {**move["sheets"], "dread": body}}, ann)
        await table.do({**move, "name": "Brick"}, ann)
        vex, brick = await table.learn("Vex"), await table.learn("Brick")
        documents = (await table.state())["documents"]
        assert {name: documents[f"dread.sheet/{vex}"][name] for name in body} == body
        assert f"dread.sheet/{brick}" in documents


async def test_a_sample_opened_again_gets_a_number(table: OpenTable) -> None:
    host = await table.browser("/host/" + (table.server.folder / "host-secret").read_text())
    await host.get("/")
    sample = next(move for move in offered(host, "page.new_sample"))
    names = set()
    for _ in range(2):
        again = await table.browser("/host/" + (table.server.folder / "host-secret").read_text())
        await table.do(sample, again)
        await sees(again, "<h1>")
        names.add(element(again, "<h1>")["props"]["innerHTML"].partition("<h1>")[2].partition("</h1>")[0])
    first = min(names, key=len)
    assert names == {first, f"{first} 2"}


async def test_a_tap_on_the_header_tells_the_states(table: OpenTable) -> None:
    ann = table.players["Ann"]
    await table.edit("Vex", surprised=True)
    await sees(ann, "surprised</button>")
    told = "Surprised: no attack and no parry this round"
    toggle: Move = {"move": "page.tab", "menu": "states", "tab": "on"}

    def times(client: NGClient) -> int:
        return len(client.find_all(contains=told))

    before = times(ann)
    await table.do(toggle, ann)
    await ann.wait_for(lambda c: times(c) == before + 1)
    await table.do({**toggle, "tab": ""}, ann)
    await ann.wait_for(lambda c: times(c) == before)
