"""The command `gritboard`: wires everything together, once, and serves it."""

from __future__ import annotations

import errno
import gc
import socket
import sys
import webbrowser
from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, NoReturn

import segno
import typer
from nicegui import app, ui
from pydantic import ValidationError

from webapp.access import Access
from webapp.addresses import Addresses, lan_addresses
from webapp.hall import Hall
from webapp.pages.routes import register
from webapp.reach import Doorbell
from webapp.rules.dice import Dice, FairDice
from webapp.rules.games import shipped
from webapp.rules.ruleset import Rulebook
from webapp.settings import Settings, StaticMissing, static_folder
from webapp.store import Store, StoreProblem, problem_at_start
from webapp.ui import wire
from webapp.ui.lobby import Lobby
from webapp.wifi import WifiNote

cli = typer.Typer(add_completion=False)


def build(settings: Settings, dice: Dice, clock: Callable[[], datetime], rulebook: Rulebook | None = None) -> Hall:
    """The only wiring: store, access, rules and pages of one Gritboard. It plays all that ships unless told."""
    store = Store(settings.database)
    access = Access(store, clock, settings.secret_file)
    hall = Hall(
        store,
        access,
        rulebook or shipped(),
        dice=dice,
        clock=clock,
        addresses=Addresses(settings.port, clock, lan_addresses),
        wifi=WifiNote(settings.wifi_file),
    )
    app.add_static_files("/static", static_folder(), max_cache_age=wire.YEAR)
    ui.add_head_html(head_links(), shared=True)
    lobby = Lobby(hall)
    wire.install(lobby.receive, hosts=settings.names)
    app.add_middleware(Doorbell, reach=hall.reach)
    wire.on_connect(lobby.connected)
    wire.on_disconnect(lobby.disconnected)
    wire.on_delete(lobby.forgotten)
    register(hall, lobby)
    app.on_shutdown(store.close)
    return hall


def head_links() -> str:
    """Our own look, and its typefaces at once, so that no other face is ever seen before them."""
    fonts = "".join(
        f'<link rel="preload" href="/static/fonts/{name}.woff2" as="font" type="font/woff2" crossorigin>'
        for name in (
            "atkinson-hyperlegible-latin-400",
            "atkinson-hyperlegible-latin-700",
            "barlow-condensed-latin-600",
        )
    )
    styles = "".join(
        f'<link rel="stylesheet" href="{wire.versioned(name)}">' for name in ("gritboard.css", "door.css")
    )
    return fonts + styles


def serve(settings: Settings, hall: Hall) -> None:
    link = f"http://localhost:{settings.port}/host/{hall.access.host_secret}"
    app.on_startup(keep_what_is_loaded)
    app.on_startup(lambda: announce(link, hall.addresses(), open_browser=settings.open_browser))
    ui.run(
        host=settings.host,
        port=settings.port,
        title="Gritboard",
        reload=False,
        show=False,
        show_welcome_message=False,
        binding_refresh_interval=None,
        tailwind=False,
        dark=True,
        ws_per_message_deflate=False,
    )


def keep_what_is_loaded() -> None:
    """The program itself is never looked through for what nobody needs any more: that would hold up a roll."""
    gc.freeze()


def announce(link: str, addresses: list[str], *, open_browser: bool) -> None:
    """Prints the GM's link, for this computer and as a QR code for a tablet."""
    typer.echo("Gritboard is ready. The GM's page on this computer:\n")
    typer.echo(f"  {link}\n")
    typer.echo("Leave this window open while you play. Ctrl+C ends Gritboard; the tables are kept.\n")
    if addresses:
        elsewhere = f"{addresses[0]}/{link.split('/', 3)[3]}"
        typer.echo("The GM's page on a tablet (whoever scans this is the GM):\n")
        typer.echo(_code(elsewhere))
    if open_browser:
        webbrowser.open(link)


def _code(address: str) -> str:
    """A QR code in letters; the address itself where the terminal lacks them."""
    drawn = StringIO()
    segno.make(address, error="l").terminal(out=drawn, compact=True)
    try:
        drawn.getvalue().encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return f"  {address}"
    return drawn.getvalue()


def deaf(settings: Settings) -> str | None:
    """Why this computer can't listen there, as a sentence; None when it can."""
    host, port = settings.host, settings.port
    other = port + 1 if port < 65535 else port - 1
    try:
        [(family, _, _, _, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if sys.platform != "win32":  # where it would share a port that is taken
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            return f"This computer has no address {host}: set GRITBOARD_HOST to one that it has, or leave it out."
        if error.errno == errno.EACCES:
            return f"Port {port} is not for everybody's use: start with --port {max(other, 8463)}."
        return f"Port {port} is taken: end the other Gritboard, or start with --port {other}."
    return None


def _end(sentence: str) -> NoReturn:
    typer.echo(sentence, err=True)
    raise typer.Exit(1)


def _settings(given: dict[str, Any]) -> Settings:
    try:
        return Settings(**given)
    except ValidationError as error:
        wrong = error.errors()[0]
        _end(f"The setting {wrong['loc'][0]} can't be {str(wrong['input'])!r}: see Settings in the README.")


def _built(settings: Settings) -> Hall:
    try:
        static_folder()
        return build(settings, FairDice(), lambda: datetime.now(UTC))
    except (StaticMissing, StoreProblem) as problem:
        _end(str(problem))
    except OSError as problem:
        _end(str(problem_at_start(problem, settings.database)))


@cli.command()
def main(
    port: Annotated[int | None, typer.Option(help="Port to listen on.")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder that keeps the tables.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the GM's page.")] = True,
) -> None:
    """Start Gritboard: one GM, a handful of phones, one table."""
    given = {"port": port, "data": data, "open_browser": None if browser else False}
    settings = _settings({name: value for name, value in given.items() if value is not None})
    hall = _built(settings)
    if (why := deaf(settings)) is not None:
        _end(why)
    serve(settings, hall)


if __name__ in ("__main__", "__mp_main__"):
    cli()
