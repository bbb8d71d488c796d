"""How fast one table is, measured in one run: `python -m tests.bench.live [--quick]`.

Prints a table in Markdown, with machine, command and versions; it never fails on a figure. A real server process,
and browsers that speak its protocol: a GM, a TV, the rest phones over six heroes. Twelve foes are in the fight,
180 further characters wait. From the first tap to the last screen, in milliseconds, as median (and 90th percentile):

- push: NiceGUI alone in the same process, one label on so many pages, nothing saved
- roll: one phone rolls, it is saved, and all screens show it
- all at once: everybody but the TV acts in the same moment
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import shlex
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench.crowd import FOES, FURTHER, HEROES, BenchServer, Crowd, MeasuredTable
from tests.bench.weight import page_weight
from tests.support.ngclient import NGClient

AIMS = {8: 40, 32: 150}
PAGES = {"phone": 24, "GM": 6}
VERSIONS = ("nicegui", "pydantic", "sqlmodel", "python-socketio", "uvicorn")


@dataclass(frozen=True)
class Plan:
    screens: tuple[int, ...] = (8, 32, 100)
    rounds: int = 30
    logs: tuple[int, ...] = (0, 5_000, 100_000)
    pages: int = 24
    browser: bool = True


QUICK = Plan(screens=(8, 32), rounds=6, logs=(0,), pages=8, browser=False)


@dataclass(frozen=True)
class Row:
    what: str
    figure: str
    aim: str = ""


def spread(values: Sequence[float]) -> str:
    """Median, and in brackets the 90th percentile."""
    return f"{median(values):.1f} ({sorted(values)[int(0.9 * (len(values) - 1))]:.1f})"


async def measure(plan: Plan) -> list[Row]:
    rows: list[Row] = []
    with TemporaryDirectory() as folder:
        server = BenchServer(Path(folder))
        table = MeasuredTable(server)
        server.start()
        try:
            await table.make()
            rows += [row async for row in _memory(table, plan.pages)]
            if plan.browser:
                rows += await page_weight(table)
            for entries in plan.logs:
                server.stop()
                lengthen_log(server.folder / "gritboard.sqlite3", entries)
                log = f", {entries:,} log entries" if entries else ""
                rows.append(Row(f"start to first page{log}", f"{await _start(table):.2f} s", "< 2 s"))
                for count in plan.screens if entries == 0 else plan.screens[:2]:
                    rows += await _live(table, count, plan.rounds, log)
        finally:
            server.stop()
    return rows


async def _live(table: MeasuredTable, count: int, rounds: int, log: str) -> list[Row]:
    """The three are taken in turns, so that what else this machine does disturbs all of them alike."""
    pushes, rolls, all_at_once = [], [], []
    async with Crowd(table, count) as crowd:
        await crowd.push(), await crowd.roll(), await crowd.all_at_once()
        for _ in range(rounds):
            pushes.append(await crowd.push())
            rolls.append(await crowd.roll())
            all_at_once.append(await crowd.all_at_once())
    aim, many = AIMS.get(count), f"{count} screens{log}"
    return [
        Row(f"push, {many}", f"{spread(pushes)} ms"),
        Row(f"roll, {many}", f"{spread(rolls)} ms", f"≤ {median(pushes) + 5:.1f} ms" if aim else ""),
        Row(f"all at once, {many}", f"{spread(all_at_once)} ms", f"≤ {aim} ms" if aim else ""),
    ]


async def _start(table: MeasuredTable) -> float:
    """Seconds from starting the server to the GM's page of a table that is there already."""
    since = perf_counter()
    table.server.start()
    async with table.gm() as gm:
        await gm.get(f"/t/{table.code}/gm")
    return perf_counter() - since


async def _memory(table: MeasuredTable, count: int) -> AsyncIterator[Row]:
    """What each page more costs, once the first ones are there."""
    for name, aim in (("phone", 0.6), ("GM", 1.6)):
        pages: list[NGClient] = []
        several = count if name == "phone" else max(2, count // 4)
        for _ in range(2):
            pages.append(await _page(table, name, len(pages)))
        before = await table.server.ctl("memory")
        for _ in range(several):
            pages.append(await _page(table, name, len(pages)))
        after = await table.server.ctl("memory")
        for page in pages:
            await page.close()
        each = (after["memory"] - before["memory"]) / several / 2**20
        elements = (after["elements"] - before["elements"]) / several
        yield Row(f"memory for a {name}'s page", f"{each:.2f} MB, {elements:.0f} elements", f"≤ {aim} MB")


async def _page(table: MeasuredTable, name: str, nth: int) -> NGClient:
    page = table.phone(nth) if name == "phone" else table.gm()
    return await page.open(f"/t/{table.code}/{'play' if name == 'phone' else 'gm'}")


def lengthen_log(database: Path, entries: int) -> None:
    """Repeats the last entries of the log until there are so many."""
    with closing(sqlite3.connect(database)) as connection, connection:
        table, revision = connection.execute("SELECT id, revision FROM game_table").fetchone()
        names = [str(column[1]) for column in connection.execute("PRAGMA table_info(entry)")]
        query = "SELECT * FROM entry WHERE table_id = ? AND lines != '[]' ORDER BY number DESC LIMIT 50"
        last = [dict(zip(names, row, strict=True)) for row in connection.execute(query, (table,))]
        more = [
            {**last[-number % len(last)], "id": f"more {number}", "thread": f"more {number}", "number": number}
            for number in range(revision + 1, entries + 1)
        ]
        places = ", ".join(f":{name}" for name in names)
        connection.executemany(f"INSERT INTO entry ({', '.join(names)}) VALUES ({places})", more)
        connection.execute("UPDATE game_table SET revision = ?", (max(revision, entries),))


def report(rows: Sequence[Row], command: str, seconds: float) -> Iterator[str]:
    yield "| what | measured | aim |"
    yield "| --- | --- | --- |"
    for row in rows:
        yield f"| {row.what} | {row.figure} | {row.aim} |"
    yield ""
    yield f"One run of `{command}` in {seconds:.0f} s; median, and in brackets the 90th percentile."
    yield f"One table with {HEROES} heroes, {FOES} foes in the fight and {FURTHER} further characters."
    yield f"{machine()}, load {', '.join(f'{load:.1f}' for load in os.getloadavg())} at the end; the server and all"
    yield "browsers share it."
    yield f"Python {platform.python_version()}, {', '.join(f'{name} {version(name)}' for name in VERSIONS)}."


def machine() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    name = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{name or platform.processor() or platform.machine()}, {os.cpu_count()} cores, {platform.system()}"


def plan_of(arguments: argparse.Namespace) -> Plan:
    plan = QUICK if arguments.quick else Plan()
    given = {name: getattr(arguments, name) for name in ("screens", "rounds") if getattr(arguments, name)}
    return Plan(**{**plan.__dict__, **given})


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures one live table.")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, a short log, no browser")
    parser.add_argument("--rounds", type=int, help="how often each is measured")
    parser.add_argument("--screens", type=_numbers, help="how many screens, with commas between")
    arguments = parser.parse_args()
    since = perf_counter()
    rows = asyncio.run(measure(plan_of(arguments)))
    command = shlex.join(["python", "-m", "tests.bench.live", *sys.argv[1:]])
    print("\n".join(report(rows, command, perf_counter() - since)))


def _numbers(written: str) -> tuple[int, ...]:
    return tuple(int(one) for one in written.split(","))


if __name__ == "__main__":
    main()
