"""What goes wrong in the house: disks, files and second servers. Each is one sentence, and nothing is harmed."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import event

from tests.support.open_table import OpenServer, OpenTable
from tests.support.play import Bench, hurt
from tests.support.server import ROOT, ServerProcess, free_port
from tests.test_command import started, told
from webapp.store import Store, StoreProblem, keep_copy, migrating, migration_config, open_engine

NAME = "gritboard.sqlite3"
FULL = "Nothing was saved: the disk is full. Make room on the laptop, then tap again."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A data file with a table, some fifty entries, and nothing of it left in the WAL."""
    path = tmp_path / NAME
    with Store(path) as store:
        bench = Bench(store)
        bench.hero("Ann", tuf=8)
        for by in (1, -1) * 25:
            bench.passes(60)
            bench.do(hurt("Ann", by))
    assert path.stat().st_size > 20 * 4096
    return path


# --- at the start ---------------------------------------------------------------------------


def refused(path: Path) -> str:
    """The sentence that the store ends with; the data file is as it was."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreProblem) as problem:
        Store(path)
    assert (path.read_bytes() if path.is_file() else None) == before
    assert "\n" not in problem.value.sentence
    return problem.value.sentence


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096 + 100)


def stump(path: Path) -> None:
    os.truncate(path, 100)


def garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def damaged(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096)


def scribbled(path: Path) -> None:
    """A document that is no longer what it says, in a file that is sound."""
    edit(path, "UPDATE document SET body = substr(body, 1, length(body) - 1)")


def edit(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(statement)
        connection.commit()


BROKEN: Mapping[str, tuple[Callable[[Path], None], str]] = {
    "cut": (cut, "{} is damaged: put back a copy of it, or move it away to start anew."),
    "stump": (stump, "{} is damaged: put back a copy of it, or move it away to start anew."),
    "garbage": (
        garbage,
        "{} is not Gritboard's data, or is damaged: put back a copy of it, or move it away to start anew.",
    ),
    "emptied": (emptied, "{} is empty: put back a copy of it, or move it away to start anew."),
    "damaged": (damaged, "{} is damaged: put back a copy of it, or move it away to start anew."),
    "scribbled": (scribbled, "{} is damaged: put back a copy of it, or move it away to start anew."),
    "newer": (
        lambda path: edit(path, "UPDATE alembic_version SET version_num = '9999'"),
        "{} was written by a newer Gritboard: start that one, or update this one.",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_data_file_is_told_and_left_alone(path: Path, how: str) -> None:
    spoil, sentence = BROKEN[how]
    spoil(path)
    assert refused(path) == sentence.format(path)


@pytest.mark.parametrize("how", ["damaged", "newer"])
def test_the_command_says_so_and_leaves_the_file_alone(path: Path, how: str) -> None:
    spoil, sentence = BROKEN[how]
    spoil(path)
    before = path.read_bytes()
    assert told(started("--port", str(free_port()), "--data", str(path.parent))) == sentence.format(path)
    assert path.read_bytes() == before


def test_the_data_of_another_program_is_told_and_left_alone(tmp_path: Path) -> None:
    edit(tmp_path / NAME, "CREATE TABLE recipes (name TEXT)")
    assert refused(tmp_path / NAME).startswith(f"{tmp_path / NAME} belongs to another program: move it away")


def test_a_folder_in_place_of_the_data_file_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    assert refused(tmp_path / NAME).startswith(f"{tmp_path / NAME} is in the way of the data file: move it away")


def test_a_data_file_that_lost_its_main_part_is_told_and_the_rest_is_kept(path: Path) -> None:
    path.unlink()
    rest = path.with_name(f"{NAME}-wal")
    rest.write_bytes(b"what was not yet in the file")
    assert refused(path) == (f"{path} is gone, but {rest.name} is not: put back a copy, or move that away too.")
    assert rest.read_bytes() == b"what was not yet in the file"


def test_a_missing_static_folder_is_told_before_anything_is_made(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "webapp", tmp_path / "webapp", ignore=shutil.ignore_patterns("__pycache__", "static"))
    ended = started("--port", str(free_port()), "--data", str(tmp_path / "tables"), cwd=tmp_path)
    assert told(ended) == "Gritboard's folder static is missing or not whole: install Gritboard again."
    assert not (tmp_path / "tables").exists()


def test_a_second_gritboard_on_the_same_data_is_told_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    first = ServerProcess("webapp", tmp_path / "server.log", {"GRITBOARD_DATA": str(tmp_path / "data")})
    first.set("GRITBOARD_PORT", str(first.port))
    first.set("GRITBOARD_OPEN_BROWSER", "no")
    first.set("PYTHONIOENCODING", "ascii")  # a terminal that can't draw the QR code
    first.start()
    try:
        assert told(started("--port", str(first.port), "--data", str(tmp_path / "data"))) == (
            f"Gritboard is already running with the data in {tmp_path / 'data'}: "
            "use that one, or end it before you start another."
        )
    finally:
        first.kill()
    assert "/host/" in first.log()
    assert "Traceback" not in first.log()
    with Store(tmp_path / "data" / NAME) as store:
        assert store.tables() == []


# --- at the start: the store -----------------------------------------------------------------------------


@contextmanager
def nobody() -> Iterator[None]:
    """Without the rights of an administrator, to whom no file is closed."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder that anybody may use, with all that is needed to open it."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    shutil.copytree(ROOT / "webapp" / "migrations", folder / "migrations")
    monkeypatch.setattr(migrating, "MIGRATIONS", folder / "migrations")
    (folder / "tables").mkdir()
    (folder / "tables").chmod(0o777)
    yield folder / "tables"
    (folder / "tables").chmod(0o777)
    shutil.rmtree(folder)


def test_a_folder_that_is_only_read_is_told(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with nobody(), pytest.raises(StoreProblem) as problem:
        Store(open_folder / NAME)
    assert problem.value.sentence == (
        f"Gritboard can't keep its data in {open_folder}: make that a folder it can write in, "
        "or name another with --data."
    )


def test_a_data_file_that_is_only_read_is_told(open_folder: Path) -> None:
    path = open_folder / NAME
    Store(path).close()
    before = path.read_bytes()
    for file in open_folder.iterdir():
        file.chmod(0o666)
    path.chmod(0o444)
    with nobody(), pytest.raises(StoreProblem, match="can't keep its data in"):
        Store(path)
    assert path.read_bytes() == before


def test_a_file_that_another_program_holds_is_told(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreProblem) as problem:
            Store(path)
        other.rollback()
    assert problem.value.sentence == f"Another program holds {path}: close it, then start again."
    Store(path).close()


def test_a_disk_that_is_full_at_the_start_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / NAME

    def with_no_room(path: Path, *, foreign_keys: bool = True) -> Any:
        engine = open_engine(path, foreign_keys=foreign_keys)
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count=3"))
        return engine

    with monkeypatch.context() as full:
        full.setattr(migrating, "open_engine", with_no_room)
        with pytest.raises(StoreProblem) as problem:
            Store(path)
    assert problem.value.sentence == f"There is no room left on the disk of {tmp_path}: make room, then start again."
    with Store(path) as store:
        assert store.tables() == []


# --- migrations ------------------------------------------------------------------------------------------

NEXT = """
import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "next", "{newest}", None, None


def upgrade():
    with op.batch_alter_table("game_table") as table:
        table.add_column(sa.Column("motto", sa.String(), server_default="Grit!"))
    {then}
"""


@pytest.fixture
def next_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """The next version of Gritboard changes a table that all others hang on."""
    folder = tmp_path / "migrations"
    shutil.copytree(ROOT / "webapp" / "migrations", folder)
    newest = ScriptDirectory.from_config(migration_config()).get_current_head()

    def write(then: str) -> None:
        (folder / "versions" / "next.py").write_text(NEXT.format(then=then, newest=newest))
        monkeypatch.setattr(migrating, "MIGRATIONS", folder)

    return write


def content(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_a_migration_keeps_a_copy_and_loses_nothing(path: Path, next_migration: Callable[[str], None]) -> None:
    before = content(path)
    next_migration("pass")
    with Store(path) as store:
        [table] = store.tables()
        assert len(store.entries(table.id)) > 50
        assert len(store.documents(table.id)) > 3
    copy = path.with_name(f"{NAME}.before-next")
    assert content(copy) == before
    assert "Grit!" in "".join(content(path))
    Store(path).close()
    assert sorted(file.name for file in path.parent.glob(f"{NAME}*")) == [NAME, copy.name]


@pytest.mark.parametrize("then", ["raise ValueError('a bug')", "op.execute('DELETE FROM nothing')"])
def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, next_migration: Callable[[str], None], then: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    with monkeypatch.context():
        next_migration(then)
        with pytest.raises(StoreProblem) as problem:
            Store(path)
    assert problem.value.sentence == (
        f"{path} could not be made ready for this Gritboard and is as it was: start the Gritboard you had before."
    )
    assert path.read_bytes() == before


def test_without_room_for_a_copy_there_is_no_migration(
    path: Path, next_migration: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = path.read_bytes()
    next_migration("pass")

    def no_room(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_room)
    with pytest.raises(StoreProblem, match="no room left"):
        Store(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob(f"{NAME}.*")] == []


def test_a_copy_has_what_is_still_in_the_wal(path: Path) -> None:
    with Store(path) as store:
        [table] = store.tables()
        store.add_table(replace(table, id="new", code="NEWNEW", name="The New Mill"), {})
        copy = keep_copy(path, "copy")
    assert "The New Mill" in "".join(content(copy))


# --- in play ---------------------------------------------------------------------------------------------


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with Store(tmp_path / NAME) as store:
        bench = Bench(store)
        bench.hero("Ann", tuf=8)
        yield bench


def pragma(bench: Bench, words: str) -> None:
    """Sets the one connection that this store uses."""
    with bench.store._transactions.engine.connect() as connection:
        connection.exec_driver_sql(f"PRAGMA {words}")


def fill(bench: Bench) -> str:
    """Plays on until there is no room; the sentence of the tap that found none."""
    for by in (1, -1) * 100:
        bench.passes(60)
        before = bench.everything()
        reply = bench.send(hurt("Ann", by), "ann", tap=f"tap {bench.table.revision}")
        if not reply.ok:
            assert bench.everything() == before
            return reply.say or ""
    raise AssertionError("the disk is never full")


def test_with_a_full_disk_the_tap_is_refused_and_the_table_goes_on_when_there_is_room(bench: Bench) -> None:
    pragma(bench, "max_page_count=1")
    told: list[None] = []
    assert fill(bench) == FULL
    bench.table.changed.append(lambda: told.append(None))
    row, hp = bench.table.entries[-1], bench.hp("Ann")
    assert bench.refused(hurt("Ann", 3), "ann") == FULL
    assert bench.undo(row).say == FULL
    assert told == []
    pragma(bench, "max_page_count=100000")
    bench.do(hurt("Ann", 3), "ann")
    assert bench.hp("Ann") == hp - 3
    assert bench.undo(row).ok
    assert len(told) == 2
    before = bench.everything()
    bench.reopen()
    assert bench.everything() == before


def test_a_file_that_another_program_holds_refuses_the_tap_until_it_lets_go(bench: Bench) -> None:
    pragma(bench, "busy_timeout=0")
    with closing(sqlite3.connect(bench.store.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert bench.refused(hurt("Ann", 2)) == (
            "Nothing was saved: another program holds the data file. Close it on the laptop, then tap again."
        )
        other.rollback()
    bench.do(hurt("Ann", 2))
    assert bench.hp("Ann") == 13


def test_a_file_that_can_only_be_read_refuses_the_tap(bench: Bench) -> None:
    pragma(bench, "query_only=ON")
    assert bench.refused(hurt("Ann", 2)) == (
        "Nothing was saved: the data file can't be written. Make it writable on the laptop, then tap again."
    )
    pragma(bench, "query_only=OFF")
    bench.do(hurt("Ann", 2))
    assert bench.hp("Ann") == 13


def test_a_file_that_is_taken_away_refuses_the_tap_until_it_is_back(bench: Bench) -> None:
    path = bench.store.path
    for away in (lambda: None, lambda: path.write_bytes(b"another")):
        path.rename(path.with_name("elsewhere"))
        away()
        assert bench.refused(hurt("Ann", 2)) == (
            "Nothing was saved: the data file is gone. Put it back on the laptop, then tap again."
        )
        path.with_name("elsewhere").replace(path)
    bench.do(hurt("Ann", 2))
    assert bench.hp("Ann") == 13


@pytest.mark.asyncio
async def test_people_are_told_while_nothing_can_be_saved_and_go_on_afterwards(tmp_path: Path) -> None:
    server = OpenServer(tmp_path)
    server.start()
    held = (False, "Nothing was saved: another program holds the data file. Close it on the laptop, then tap again.")
    try:
        async with AsyncExitStack() as exits:
            table = OpenTable(server, exits)
            await table.begin()
            ann = await table.player("Ann", "Marble")
            hit = hurt("Ann", 2) | {"actor": table.ids["Marble"]}
            with closing(sqlite3.connect(tmp_path / NAME)) as other:
                other.execute("BEGIN IMMEDIATE")
                assert told_by(await ann.send_move(hit)) == held
                stranger = await table.browser()
                sent = await stranger.post(f"/join/{table.code}", {"name": "Ben"})
                assert unquote(sent.headers["location"]) == f"/join/{table.code}?refused={held[1]}"
                assert held[1] in await stranger.get(sent.headers["location"])
                other.rollback()
            await table.do(hit, ann)
            await table.player("Ben", "Lantern")
            host = await table.browser("/host/" + (tmp_path / "host-secret").read_text())
            with closing(sqlite3.connect(tmp_path / NAME)) as other:
                other.execute("BEGIN IMMEDIATE")
                new = {"move": "page.new_table", "name": "Another", "games": ["squad"]}
                assert told_by(await host.send_move(new)) == held
                other.rollback()
            assert told_by(await host.send_move(new)) == (True, None)
    finally:
        server.stop()
    assert "Traceback" not in server.log()


def told_by(answer: dict[str, Any]) -> tuple[bool, str | None]:
    return answer["ok"], answer["say"]


@pytest.mark.asyncio
async def test_a_table_that_can_t_be_read_stands_in_nobody_s_way(tmp_path: Path) -> None:
    server = OpenServer(tmp_path)
    sentence = "The table The Old Mill is damaged: put back a copy of the data."
    server.start()
    try:
        async with AsyncExitStack() as exits:
            table = OpenTable(server, exits)
            await table.begin()
        server.stop()
        edit(tmp_path / NAME, """UPDATE document SET body = '{"id": "table"}' WHERE key = 'table.settings/table'""")
        server.start()
        async with AsyncExitStack() as exits:
            again = OpenTable(server, exits)
            again.gm = await again.browser("/host/" + (tmp_path / "host-secret").read_text())
            assert again.gm.find(contains=sentence) is not None
            assert sentence in await (await again.browser()).get(f"/t/{table.code}/screen")
            await again.do({"move": "page.new_table", "name": "The New Mill", "games": ["squad"]})
            await again.gm.wait_for(
                lambda page: page.find(contains="The New Mill") and page.find(contains="Add foes")
            )
    finally:
        server.stop()
    assert "Traceback" not in server.log()
