"""The command `gritboard`: what goes wrong at its start is one sentence that says what to do."""

import os
import socket
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import typer

from tests.support.server import free_port

ROOT = Path(__file__).parents[1]


def started(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("GRITBOARD_")}
    return subprocess.run(
        [sys.executable, "-m", "webapp", "--no-browser", *arguments],
        cwd=cwd,
        env={**known, **environment},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


def told(ended: subprocess.CompletedProcess[str]) -> str:
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""
    return ended.stderr.strip()


def test_the_installed_command_reads_its_options() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    module, _, name = scripts["gritboard"].partition(":")
    assert isinstance(getattr(import_module(module), name), typer.Typer)


def test_a_taken_port_is_told_with_another_to_try(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = told(started("--port", str(port), "--data", str(tmp_path)))
    assert said == f"Port {port} is taken: end the other Gritboard, or start with --port {port + 1}."


def test_a_folder_that_can_t_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    said = told(started("--port", str(free_port()), "--data", str(tmp_path / "file" / "tables")))
    assert said == (
        f"Gritboard can't keep its data in {tmp_path / 'file' / 'tables'}: "
        "make that a folder it can write in, or name another with --data."
    )


def test_a_setting_that_makes_no_sense_is_told() -> None:
    assert told(started(GRITBOARD_PORT="abc")) == "The setting port can't be 'abc': see Settings in the README."
    nobody = "~nobody-of-this-name/tables"
    assert told(started("--data", nobody)) == f"The setting data can't be '{nobody}': see Settings in the README."


def test_an_address_that_this_computer_lacks_is_told(tmp_path: Path) -> None:
    said = told(started("--data", str(tmp_path), GRITBOARD_HOST="192.0.2.7"))
    assert said == ("This computer has no address 192.0.2.7: set GRITBOARD_HOST to one that it has, or leave it out.")
