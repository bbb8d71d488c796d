"""Gritboard with a bare page beside it, to be measured: `python -m tests.bench.live_server`.

The bare page is NiceGUI alone: one label that a tap changes for all who look at it. It runs in the same process,
so that what Gritboard adds to a push can be told from the push itself.
"""

import gc
import os
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Any

from nicegui import Client, Event, app, core, ui

from tests.support.open_server import halls  # also brings /ctl/quiet
from webapp.__main__ import build, serve
from webapp.rules.dice import FairDice
from webapp.settings import Settings

pushed = Event[int]()
taps = 0


def tap() -> None:
    global taps
    taps += 1
    pushed.emit(taps)


@ui.page("/bare", reconnect_timeout=1800)
def bare() -> None:
    label = ui.label("0")
    pushed.subscribe(lambda number: label.set_text(str(number)))
    ui.button("tap", on_click=tap)


@app.get("/ctl/cpu")
async def cpu() -> float:
    """Seconds that this process has worked so far."""
    return process_time()


@app.get("/ctl/memory")
async def memory() -> dict[str, Any]:
    """Of this process, in bytes, and how many elements its pages have."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    elements = [len(client.elements) for client in Client.instances.values()]
    return {"memory": pages * os.sysconf("SC_PAGE_SIZE"), "elements": sum(elements), "pages": len(elements)}


def be_patient() -> None:
    """A machine that is busy with its own measuring answers late; nobody is to be cut off for that."""
    core.sio.eio.ping_interval = core.sio.eio.ping_timeout = 60


def main() -> None:
    settings = Settings(port=int(os.environ["PORT"]), open_browser=False)
    hall = build(settings, FairDice(), lambda: datetime.now(UTC))
    halls.append(hall)
    app.on_startup(be_patient)
    serve(settings, hall)


if __name__ in ("__main__", "__mp_main__"):
    main()
