"""A toy table for the wire's tests: it counts, and like the real table it carries out each tap once,
even over a restart, because it keeps the taps in a file."""

import asyncio
import json
import os
from pathlib import Path
from typing import Any

from nicegui import Client, app, ui

from webapp.settings import static_folder
from webapp.ui import wire

TAPS = Path(os.environ["TAPS"])
labels: dict[str, ui.label] = {}


def done() -> list[dict[str, Any]]:
    return [json.loads(line) for line in TAPS.read_text().splitlines()] if TAPS.exists() else []


async def receive(_client_id: str, message: wire.Message) -> wire.Answer:
    move = message["move"]
    if move["move"] == "broken":
        raise RuntimeError("the toy table is broken on purpose")
    if move["move"] == "refuse":
        return {"ok": False, "say": "Not your turn."}
    if move["move"] == "slow":
        await asyncio.sleep(0.2)
    if all(entry["tap"] != message["tap"] for entry in done()):
        with TAPS.open("a") as file:
            file.write(json.dumps({"tap": message["tap"], "move": move}) + "\n")
            file.flush()
            os.fsync(file.fileno())
    for label in labels.values():
        label.set_text(f"count {len(done())}")
    return {"ok": True, "say": "Hello to you." if move["move"] == "hello" else None}


BODY = """
<button id="count" data-move='{"move": "count"}'>Count</button>
<button id="other" data-move='{"move": "other"}' data-label="The other one" data-key="space">Other</button>
<button id="refuse" data-move='{"move": "refuse"}'>Refuse</button>
<button id="hello" data-move='{"move": "hello"}'>Hello</button>
<button id="off" aria-disabled="true" data-why="You have no blade." data-move='{"move": "off"}'>Cut</button>
<div role="tablist">
  <button id="tab-a" role="tab" data-tab="a">A</button><button id="tab-b" role="tab" data-tab="b">B</button>
</div>
<button id="open" data-open="box">Open</button>
<dialog id="box">
  <form id="form" data-move='{"move": "form", "who": {"id": "ann"}}' data-reset>
    <input id="name" name="who.name" required>
    <span data-stepper>
      <button type="button" data-step="-1">−</button>
      <input id="number" type="number" name="number" min="0" max="3">
      <button id="plus" type="button" data-step="1">+</button>
    </span>
    <input type="number" name="empty">
    <input type="checkbox" name="sure" checked>
    <input type="checkbox" name="tags[]" value="x" checked>
    <input type="checkbox" name="tags[]" value="y">
    <select name="choice" data-type="json"><option value='{"n": 1}'>one</option></select>
    <p data-say></p>
    <button id="submit">Send it</button>
    <button id="submit-refuse" data-move='{"move": "refuse"}'>Send it in vain</button>
    <button id="cancel" type="button" data-close>Cancel</button>
  </form>
</dialog>
"""


def root(client: Client) -> None:
    ui.sub_pages({"/": home, "/other": lambda: ui.label("the other page")})
    client.on_delete(lambda: labels.pop(client.id, None))


def home() -> None:
    client = ui.context.client
    labels[client.id] = ui.label(f"count {len(done())}").props("id=shown")
    ui.html(BODY, sanitize=False)
    ui.link("Other page", "/other").props("id=link")
    ui.button("listener", on_click=lambda: labels[client.id].set_text("heard"))


@app.get("/ctl/clients")
async def clients() -> dict[str, bool]:
    return {client_id: wire.connected(client_id) for client_id in Client.instances}


@app.get("/ctl/{what}/{client_id}")
async def control(what: str, client_id: str) -> None:
    if what == "forget":
        wire._forget(client_id)
    elif what == "toast":
        wire.toast(client_id, "A word from the table.")
    elif what == "nudge":
        wire.nudge(client_id)


def main() -> None:
    app.add_static_files("/static", static_folder())
    wire.install(receive, hosts=["table.lan"])
    for path in ("/", "/{_:path}"):  # last, because they catch everything
        ui.page(path, reconnect_timeout=1800)(root)
    ui.run(
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        reload=False,
        show=False,
        show_welcome_message=False,
        reconnect_timeout=3,
    )


if __name__ == "__main__":
    main()
