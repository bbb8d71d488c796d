"""A data file of an older Gritboard opens, reads and plays on.

`data/step3.db.gz` was saved when only Shadow Squad, with Fear and insanity on top, could be played: the sample
table in its second round of a fight, a blow waiting for Doctor Salt's parry. It is never made anew.
"""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, TypeAdapter

from tests.support.play import BOOK, EvenDice
from webapp.access import Access
from webapp.hall import Hall
from webapp.history import undoing
from webapp.projection.picture import Picture
from webapp.rules.asking import Faces
from webapp.rules.calls import Call
from webapp.rules.document import Character, Document, Settings, body_of
from webapp.rules.games.dread import house as dread_house
from webapp.rules.games.squad import house as squad_house
from webapp.rules.games.squad.sheet import Sheet
from webapp.rules.next_step import what_next
from webapp.rules.sight import Sight
from webapp.rules.undo import kind_at
from webapp.rules.viewer import Role, Viewer
from webapp.store import Store
from webapp.table import Table
from webapp.wifi import WifiNote

SAVED = Path(__file__).parent / "data" / "step3.db.gz"
NOW = datetime(2024, 5, 11, 20, 15, tzinfo=UTC)
GM = Viewer(role=Role.GM)
SCREEN = Viewer(role=Role.SCREEN)
HIT, UNDONE, PARRY = "e36a526c4b5e7955", "3768cb41ed44f6d0", "6570467232b1cc3a"
PEOPLE = {
    "Marble": (15, ["Ann"]),
    "Lantern": (3, ["Ben"]),
    "Doctor Salt": (15, ["Cara"]),
    "Filigree": (15, []),
    "Thug A": (7, []),
    "Thug B": (5, []),
    "Thug C": (0, []),
    "Dock gunman": (7, []),
    "Company guard": (10, []),
    "Roof stalker": (5, []),
    "The Thing in the Crate": (20, []),
}
ROWS = {
    11: ["HP for a night: d2 → 2."],
    20: ["ATN against 3: 4 are asked."],
    28: [
        "Lantern attacks Thug C with Silenced pistol: 8 against 3 (half of Thug C's monster die), a hit.",
        "Thug C takes 10 damage, 0 of 7 left.",
        "Thug C goes down.",
    ],
    35: ["Lantern takes 6 damage, 9 of 15 left."],
    37: ["Undone: Filigree: HP 15 → 13 (−2)."],
}


@dataclass
class Old:
    """The old table under today's Gritboard."""

    store: Store
    hall: Hall
    table: Table

    def player(self, name: str) -> Viewer:
        seat = next(seat.id for seat in self.hall.seats(self.table.id).values() if seat.name == name)
        return Viewer(role=Role.PLAYER, seat=seat)

    def sheet(self, name: str) -> Sheet:
        return self.table.state.sheet(Sheet, self.id(name))

    def id(self, name: str) -> str:
        sight = Sight(self.table.state, GM)
        return next(one.id for one in self.table.state.characters() if sight.name(one.id) == name)

    def do(self, move: dict[str, Any], viewer: Viewer = GM) -> None:
        reply = self.table.do(move, viewer)
        assert reply.ok, f"{move} was refused: {reply.say}"

    def next(self) -> None:
        self.do({"move": "table.next", "seen": what_next(self.table.state)})

    def words(self, number: int, viewer: Viewer = GM) -> list[str]:
        sight = Sight(self.table.state, viewer)
        entry = next(entry for entry in self.table.entries if entry.number == number)
        return [sight.words(line.sentence) for line in entry.lines if sight.may_read(line.audience)]


@pytest.fixture(params=["as it was saved", "without all that has a default"])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Old]:
    path = tmp_path / "gritboard.sqlite3"
    path.write_bytes(gzip.decompress(SAVED.read_bytes()))
    if request.param != "as it was saved":
        make_lean(path)
    with Store(path) as store:
        access = Access(store, lambda: NOW, tmp_path / "host-secret")
        wifi = WifiNote(tmp_path / "wifi.json")
        hall = Hall(store, access, BOOK, dice=EvenDice(), clock=lambda: NOW, addresses=list, wifi=wifi)
        [row] = store.tables()
        yield Old(store, hall, hall.table(row))


def make_lean(path: Path) -> None:
    """As if it came from before any field that has a default: whatever is added later, it is missing here."""
    with closing(sqlite3.connect(path)) as connection:
        for key, body in connection.execute("SELECT key, body FROM document").fetchall():
            lean = json.dumps(lean_value(model_of(key), (), json.loads(body)))
            connection.execute("UPDATE document SET body = ? WHERE key = ?", (lean, key))
        for id, changes in connection.execute("SELECT id, changes FROM entry").fetchall():
            lean = json.dumps([lean_change(change) for change in json.loads(changes)])
            connection.execute("UPDATE entry SET changes = ? WHERE id = ?", (lean, id))
        connection.commit()


def lean_change(change: dict[str, Any]) -> dict[str, Any]:
    model, path = model_of(change["key"]), tuple(change["path"])
    return change | {side: lean_value(model, path, change[side]) for side in ("before", "after")}


def lean_value(model: type[BaseModel], path: tuple[str, ...], value: Any) -> Any:
    kind = kind_at(model, path)
    if kind is None or not isinstance(value, dict | list):
        return value
    adapter = TypeAdapter[Any](kind)
    return adapter.dump_python(adapter.validate_python(value), mode="json", exclude_defaults=True)


def model_of(key: str) -> type[Document]:
    return BOOK.documents[key.partition("/")[0]]


# --- what was saved is there -----------------------------------------------------------------------------


def test_people_are_who_they_were(old: Old) -> None:
    sight = Sight(old.table.state, GM)
    seats = {seat.id: seat.name for seat in old.hall.seats(old.table.id).values()}
    found = {
        sight.name(one.id): (old.table.state.sheet(Sheet, one.id).hp.now, [seats[seat] for seat in one.seats])
        for one in old.table.state.characters()
    }
    assert found == PEOPLE
    assert old.table.name == "The Warehouse, third evening"
    assert [one.name for one in old.table.state.characters() if one.hidden] == ["Company guard"]
    assert Sight(old.table.state, SCREEN).name(old.id("The Thing in the Crate")) == "Something pale"


def test_house_rules_and_habits_are_what_they_were(old: Old) -> None:
    assert old.table.state.house(squad_house.House).rest_hp == "2"
    dread = old.table.state.house(dread_house.House)
    assert (dread.boxes, dread.insanity_when) == (6, "deferred")
    seats = {seat.name: seat for seat in old.hall.seats(old.table.id).values()}
    assert [name for name, seat in seats.items() if seat.real_dice] == ["Cara"]
    assert seats["Ben"].orders == {"parry": "best"}


def test_devices_hosts_links_and_taps_still_count(old: Old) -> None:
    access = old.hall.access
    found = access.seat_of(old.table.id, "ann-token")
    assert found is not None
    assert found[0].name == "Ann"
    assert found[1].admitted
    assert [device.label for device in access.waiting(old.table.id)] == ["iPhone"]
    assert access.is_host("host-token")
    before = old.table.revision
    assert old.table.do({"move": "table.tray", "sides": [6]}, GM, tap="tap5").ok
    assert old.table.revision == before


def test_every_row_of_the_log_can_be_read_by_everybody(old: Old) -> None:
    assert len(old.table.entries) == old.table.revision == 54
    for number, words in ROWS.items():
        assert old.words(number) == words
    for viewer in (GM, SCREEN, old.player("Ann")):
        rows = Picture(old.table, viewer).log(100)
        assert len(rows) > 40
        assert all(line.words for row in rows for line in row.lines)
    [struck] = [row for row in Picture(old.table, GM).log(100) if row.undone_by]
    assert struck.id == UNDONE


def test_every_page_has_its_picture(old: Old) -> None:
    for viewer in (GM, SCREEN, *(old.player(name) for name in ("Ann", "Ben", "Cara"))):
        picture = Picture(old.table, viewer)
        cards = picture.cards()
        assert len(cards) == (11 if viewer == GM else 10)
        assert all(picture.blocks(card.id) for card in picture.own())
        fight = picture.fight()
        assert fight is not None
        assert fight.round == 2
        assert len(picture.calls()) == 1
        assert picture.ribbon() is not None
    assert [question.id for question in Picture(old.table, old.player("Cara")).questions() if question.id == PARRY]


def test_what_was_not_thought_of_then_has_its_default_now(old: Old) -> None:
    for key, body in old.store.documents(old.table.id).items():
        document = BOOK.document(key, body)
        for name in type(document).model_fields.keys() - body.keys():
            default = type(document).model_fields[name].get_default(call_default_factory=True)
            assert getattr(document, name) == default, f"{key} {name}"
        assert BOOK.document(key, body_of(document)) == document


# --- and plays on ----------------------------------------------------------------------------------------


def test_the_open_question_can_be_answered(old: Old) -> None:
    """Cara lets it hit, and rolls the die of her armour on the table."""
    cara, state = old.player("Cara"), old.table.state
    question = next(question for question in state.questions() if question.id == PARRY)
    assert "hit" in [choice.id for choice in question.choices(state)]
    old.do({"move": "table.answer", "question": PARRY, "choice": "hit"}, cara)
    assert old.table.state.find(type(question), PARRY) is None
    [faces] = old.table.state.all(Faces)
    old.do({"move": "table.tell_faces", "question": faces.id, "faces": [1]}, cara)
    assert old.sheet("Doctor Salt").hp.now == 14
    assert old.words(56) == ["Doctor Salt takes 1 damage (2 − 1), 14 of 15 left."]


def test_an_old_hit_can_be_undone_and_the_undo_too(old: Old) -> None:
    reply = old.table.undo(HIT, GM)
    assert reply.ok, reply.say
    assert old.sheet("Lantern").hp.now == 9
    assert old.words(55) == ["Undone: Lantern takes 6 damage, 9 of 15 left."]
    assert reply.entry is not None
    assert old.table.undo(reply.entry, GM).ok
    assert old.sheet("Lantern").hp.now == 3


def test_nothing_is_in_the_way_of_going_back_to_any_row(old: Old) -> None:
    """Also where a row holds whole documents, which had fewer fields then."""
    for number in range(1, 55):
        later = [entry for entry in old.table.entries if entry.number >= number]
        plan = undoing(later, old.table._bodies(), old.table._model_of)
        assert plan.in_the_way == (), f"row {number}"


def test_going_back_to_before_the_fight_works(old: Old) -> None:
    start = next(entry for entry in old.table.entries if entry.move["move"] == "table.start_fight")
    assert old.table.undo(start.id, GM, way="back").ok
    assert old.table.state.fight() is None
    assert {name: old.sheet(name).hp.now for name in ("Lantern", "Thug B", "Thug C")} == {
        "Lantern": 15,
        "Thug B": 7,
        "Thug C": 7,
    }


def test_the_newest_row_is_undone_without_a_question(old: Old) -> None:
    newest = old.table.entries[-1]
    reply = old.table.undo(newest.id, GM)
    assert reply.ok, reply.say
    assert old.table.state.questions() == [one for one in old.table.state.questions() if one.id != PARRY]


def test_what_was_undone_can_be_done_again(old: Old) -> None:
    undo = next(entry for entry in old.table.entries if UNDONE in entry.undoes)
    assert old.table.undo(undo.id, GM).ok
    assert old.sheet("Filigree").hp.now == 13


def test_the_open_call_can_be_turned_over(old: Old) -> None:
    [call] = old.table.state.all(Call)
    old.do({"move": "table.turn_over", "call": call.id})
    assert list(old.table.state.all(Call)) == []
    assert any(words.startswith("Fear 6 · Marble") for words in old.words(55))


def test_the_next_fight_works(old: Old) -> None:
    old.do({"move": "table.end_fight"})
    assert old.table.state.fight() is None
    old.do({"move": "table.start_fight"})
    for _ in range(3):
        old.next()
    fight = old.table.state.fight()
    assert fight is not None
    assert fight.active is not None
    who = fight.active.rpartition(":")[0]
    side = old.table.state.character(who).side
    target = next(
        one.id
        for one in old.table.state.all(Character)
        if one.side != side and one.id in fight.members and old.table.state.sheet(Sheet, one.id).hp.now > 0
    )
    before = old.table.revision
    old.do({"move": "squad.attack", "actor": who, "target": target})
    assert old.table.revision == before + 1
    assert " attacks " in old.words(old.table.revision)[0]


def test_the_settings_of_today_can_be_changed_and_are_saved_whole(old: Old) -> None:
    old.do({"move": "table.edit_table", "key": "table.settings/table", "values": {"hide_figures": True}})
    saved = old.store.documents(old.table.id)["table.settings/table"]
    assert saved.keys() == Settings.model_fields.keys()
    assert saved["hide_figures"] is True
    assert old.table.undo(old.table.entries[-1].id, GM).ok
    assert not old.table.state.settings.hide_figures


def test_the_games_of_today_can_be_laid_on_top(old: Old) -> None:
    old.do({"move": "table.end_fight"})
    old.do({"move": "table.set_games", "games": sorted(BOOK.games)})
    cards = Picture(old.table, old.player("Ann")).cards()
    marble = next(card for card in cards if card.name == "Marble")
    assert len(Picture(old.table, old.player("Ann")).blocks(marble.id)) == len(BOOK.games)
