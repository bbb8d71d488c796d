"""What is saved: whole or not at all, once, and still there after a crash."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy.exc import IntegrityError

from webapp.settings import Settings, static_folder
from webapp.store import (
    METADATA,
    EntryRow,
    Repeated,
    StaleRevision,
    Store,
    StoreProblem,
    TableRow,
    UnknownEntry,
    migrate,
    open_engine,
)

NOW = datetime(2024, 5, 4, 20, 15, tzinfo=UTC)
TABLE = TableRow(id="t1", code="BCDFGH", name="The Old Mill", games=("squad", "dread"), created=NOW)
BODIES: dict[str, dict[str, Any]] = {"character/ann": {"name": "Änne ✨", "hp": 12}, "clock/1": {"round": 0}}


def entry_of(number: int, **values: Any) -> EntryRow:
    plain = EntryRow(id=f"e{number}", number=number, at=NOW, seat="ann", move={"kind": "squad.hit"}, thread="th1")
    return replace(plain, **values)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data of Zoë %20?x=1" / "gritboard.sqlite3"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        store.add_table(TABLE, BODIES)
        yield store


def saved(store: Store) -> tuple[Any, ...]:
    return store.tables(), store.documents("t1"), store.entries("t1"), store.tapped("t1", "ann", "tap")


# tables


def test_table_comes_back_as_it_was(store: Store) -> None:
    assert store.tables() == [TABLE]
    assert store.table("t1") == store.table_by_code("BCDFGH") == TABLE
    assert store.documents("t1") == BODIES
    assert store.revision("t1") == 0
    assert store.entries("t1") == []


def test_unknown_tables_are_not_found(store: Store) -> None:
    assert store.table("t2") is None
    assert store.table_by_code("bcdfgh") is None
    assert store.documents("t2") == {}
    with pytest.raises(LookupError):
        store.revision("t2")
    with pytest.raises(LookupError):
        store.commit("t2", on=0, entry=entry_of(1), bodies={})


def test_tables_do_not_share_documents_entries_or_taps(store: Store) -> None:
    store.add_table(replace(TABLE, id="t2", code="JKMNPR"), {"character/ann": {"hp": 3}})
    store.commit("t2", on=0, entry=entry_of(1), bodies={"clock/1": None}, tap="tap")
    assert store.documents("t1") == BODIES
    assert store.documents("t2") == {"character/ann": {"hp": 3}}
    assert store.entries("t1") == []
    assert store.tapped("t1", "ann", "tap") is None
    assert [table.revision for table in store.tables()] == [0, 1]


def test_code_is_unique_and_a_refused_table_leaves_nothing(store: Store) -> None:
    with pytest.raises(IntegrityError):
        store.add_table(replace(TABLE, id="t2"), {"a/b": {}})
    assert store.tables() == [TABLE]
    assert store.documents("t2") == {}


def test_a_removed_table_leaves_nothing(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1), bodies={}, tap="tap")
    store.remove_table("t1")
    assert saved(store) == ([], {}, [], None)


# commits


def test_commit_saves_everything_at_once(store: Store) -> None:
    full = entry_of(
        1,
        lines=[{"text": "Ann hits", "n": [1, 2]}],
        changes=[["character/ann", "hp", 12, 7]],
        settles=["q1"],
        undoes=[],
        answer={"ok": True, "say": None},
    )
    bodies = {"character/ann": {"hp": 7}, "clock/1": None, "question/q2": {"open": True}}
    assert store.commit("t1", on=0, entry=full, bodies=bodies, tap="tap") == 1
    assert store.revision("t1") == 1
    assert store.documents("t1") == {"character/ann": {"hp": 7}, "question/q2": {"open": True}}
    assert store.entries("t1") == [full]
    assert store.entry("t1", "e1") == full
    assert store.tapped("t1", "ann", "tap") == {"ok": True, "say": None}


def test_number_of_an_entry_is_the_revision_it_made(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(99), bodies={})
    assert [entry.number for entry in store.entries("t1")] == [1]


def test_commit_on_another_revision_fails_loudly_and_changes_nothing(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1), bodies={})
    before = saved(store)
    for on in (0, 2):
        with pytest.raises(StaleRevision):
            store.commit("t1", on=on, entry=entry_of(2), bodies={"clock/1": {"round": 9}}, tap="tap")
    assert saved(store) == before


def test_failed_commit_changes_nothing(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1), bodies={})
    before = saved(store)
    bodies = {"clock/1": {"round": 9}}
    with pytest.raises(UnknownEntry):
        store.commit("t1", on=1, entry=entry_of(2), bodies=bodies, marks={"e1": "e2", "e9": "e2"}, tap="tap")
    with pytest.raises(UnknownEntry):
        store.commit("t1", on=1, entry=entry_of(2), bodies=bodies, replaces=True, tap="tap")
    with pytest.raises(IntegrityError):
        store.commit("t1", on=1, entry=entry_of(1), bodies=bodies, tap="tap")
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.commit("t1", on=1, entry=entry_of(2), bodies={"a/b": {}, "clock/1": {"x": float("nan")}})
    assert saved(store) == before


def test_repeated_tap_gets_its_first_answer_and_is_not_carried_out_again(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1, answer={"ok": True}), bodies={}, tap="tap")
    store.commit("t1", on=1, entry=entry_of(2), bodies={})
    before = saved(store)
    with pytest.raises(Repeated) as repeated:
        store.commit("t1", on=0, entry=entry_of(3), bodies={"clock/1": {"round": 9}}, tap="tap")
    assert repeated.value.answer == {"ok": True}
    assert saved(store) == before


def test_taps_are_told_apart_by_seat(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1, answer={"n": 1}), bodies={}, tap="tap")
    store.commit("t1", on=1, entry=entry_of(2, seat=None, answer={"n": 2}), bodies={}, tap="tap")
    assert store.tapped("t1", "ann", "tap") == {"n": 1}
    assert store.tapped("t1", None, "tap") == {"n": 2}
    assert store.tapped("t1", "bob", "tap") is None
    with pytest.raises(Repeated):
        store.commit("t1", on=2, entry=entry_of(3, seat=None), bodies={}, tap="tap")


def test_marks_are_set_and_taken_back(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1), bodies={})
    store.commit("t1", on=1, entry=entry_of(2, undoes=["e1"]), bodies={}, marks={"e1": "e2"})
    assert [entry.undone_by for entry in store.entries("t1")] == ["e2", None]
    store.commit("t1", on=2, entry=entry_of(3, undoes=["e2"]), bodies={}, marks={"e1": None, "e2": "e3"})
    assert [entry.undone_by for entry in store.entries("t1")] == [None, "e3", None]


def test_replacing_rewrites_the_entry_and_keeps_both_taps(store: Store) -> None:
    store.commit("t1", on=0, entry=entry_of(1, answer={"n": 1}), bodies={}, tap="first")
    merged = entry_of(2, id="e1", lines=["−2"], answer={"n": 2})
    assert store.commit("t1", on=1, entry=merged, bodies={}, tap="second", replaces=True) == 2
    assert store.entries("t1") == [merged]
    assert store.tapped("t1", "ann", "first") == {"n": 1}
    assert store.tapped("t1", "ann", "second") == {"n": 2}


def test_log_is_read_in_pieces_newest_last(store: Store) -> None:
    for number in range(1, 8):
        thread = "odd" if number % 2 else "even"
        store.commit("t1", on=number - 1, entry=entry_of(number, thread=thread), bodies={})

    def numbers(entries: list[EntryRow]) -> list[int]:
        return [entry.number for entry in entries]

    assert numbers(store.entries("t1")) == [1, 2, 3, 4, 5, 6, 7]
    assert numbers(store.entries("t1", most=3)) == [5, 6, 7]
    assert numbers(store.entries("t1", before=5, most=2)) == [3, 4]
    assert numbers(store.entries("t1", before=1)) == []
    assert numbers(store.entries_of_thread("t1", "odd")) == [1, 3, 5, 7]
    assert numbers(store.entries_since("t1", 6)) == [6, 7]
    assert store.entry("t1", "e9") is None


# the file


def test_everything_survives_closing(store: Store, path: Path) -> None:
    store.commit("t1", on=0, entry=entry_of(1), bodies={"clock/1": {"round": 1}}, tap="tap")
    before = saved(store)
    store.close()
    with Store(path) as again:
        assert saved(again) == before


CRASH = """
import os, signal, sys
from pathlib import Path
from tests.test_store import TABLE, BODIES, entry_of
from webapp.store import Store
store = Store(Path(sys.argv[1]))
store.add_table(TABLE, BODIES)
for number in range(1, 6):
    bodies = {"clock/1": {"round": number}}
    store.commit("t1", on=number - 1, entry=entry_of(number), bodies=bodies, tap=f"tap{number}")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_committed_survives_a_kill(path: Path) -> None:
    root = Path(__file__).resolve().parent.parent
    ended = subprocess.run([sys.executable, "-c", CRASH, str(path)], cwd=root, check=False)
    assert ended.returncode == -signal.SIGKILL
    with Store(path) as store:
        assert store.revision("t1") == 5
        assert store.documents("t1")["clock/1"] == {"round": 5}
        assert [entry.number for entry in store.entries("t1")] == [1, 2, 3, 4, 5]
        assert store.tapped("t1", "ann", "tap5") == {}


def test_file_is_safe_and_keeps_its_promises(store: Store) -> None:
    engine = open_engine(store.path)
    with engine.connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    engine.dispose()
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 1000}


def test_a_second_gritboard_is_refused_until_the_first_ends(store: Store, path: Path) -> None:
    with pytest.raises(StoreProblem, match="already running"):
        Store(path)
    store.close()
    Store(path).close()


def test_unwritable_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreProblem, match="can't keep its data"):
        Store(tmp_path / "file" / "gritboard.sqlite3")
    (tmp_path / "gritboard.sqlite3").mkdir()
    with pytest.raises(StoreProblem, match="in the way"):
        Store(tmp_path / "gritboard.sqlite3")


def test_other_files_are_told_and_left_alone(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ann, this is no database at all.")
    with pytest.raises(StoreProblem, match="not Gritboard's data"):
        Store(letter)
    assert letter.read_text() == "Dear Ann, this is no database at all."

    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreProblem, match="another program"):
        Store(other)
    Store(tmp_path / "gritboard.sqlite3").close()


def test_damaged_file_is_told(store: Store, path: Path) -> None:
    store.close()
    with path.open("r+b") as file:
        file.seek(1024)
        file.write(os.urandom(1) * 12000)
    with pytest.raises(StoreProblem, match="damaged"):
        Store(path)
    path.write_bytes(path.read_bytes()[:3000])
    with pytest.raises(StoreProblem, match="damaged"):
        Store(path)


def test_file_of_a_newer_gritboard_is_told_and_left_alone(store: Store, path: Path) -> None:
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(StoreProblem, match="newer Gritboard"):
        Store(path)


def test_failed_save_is_told_in_one_sentence(store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE tap")
        other.commit()
    with pytest.raises(StoreProblem, match="Nothing was saved"):
        store.commit("t1", on=0, entry=entry_of(1), bodies={}, tap="tap")
    assert store.revision("t1") == 0


def test_migrations_make_what_the_models_say(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite3"
    migrate(path)
    engine = open_engine(path)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    engine.dispose()


ELSEWHERE = """
from pathlib import Path
from webapp.settings import static_folder
from webapp.store import Store
Store(Path("data") / "gritboard.sqlite3").close()
print(static_folder())
"""


def test_wheel_brings_all_it_needs(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parent.parent
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    [wheel] = tmp_path.glob("gritboard-*.whl")
    with ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    away = subprocess.run(
        [sys.executable, "-c", ELSEWHERE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        check=True,
        capture_output=True,
        text=True,
    )
    shipped = tmp_path / "installed" / "webapp" / "static"
    assert Path(away.stdout.strip()) == shipped
    assert names_in(static_folder()) == names_in(shipped) != set()


def names_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


# settings


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert (Settings().port, Settings().host, Settings().names) == (8463, "0.0.0.0", [])
    monkeypatch.setenv("GRITBOARD_PORT", "9000")
    monkeypatch.setenv("GRITBOARD_DATA", str(tmp_path))
    monkeypatch.setenv("GRITBOARD_NAMES", "Table.lan, laptop.home,")
    monkeypatch.setenv("GRITBOARD_OPEN_BROWSER", "no")
    settings = Settings()
    assert (settings.port, settings.open_browser) == (9000, False)
    assert settings.names == ["table.lan", "laptop.home"]
    assert settings.database.parent == settings.secret_file.parent == tmp_path
