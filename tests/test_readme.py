"""What the README claims is so: its commands are there, its settings are all, its map shows what exists."""

from __future__ import annotations

import re
from pathlib import Path

from webapp.rules.games import shipped
from webapp.settings import Settings

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"(?:bash|python -m) ([\w./]+)", README)


def told(heading: str) -> str:
    return README.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def test_the_commands_run_what_exists() -> None:
    assert {"tests/run.sh", "tests.look", "tests.bench.live", "webapp.migrations"} <= set(COMMANDS)
    for command in COMMANDS:
        path = ROOT / command if "/" in command else ROOT / command.replace(".", "/")
        assert path.exists() or path.with_suffix(".py").exists(), command
    for file in re.findall(r"tests/run\.sh (tests/\w+\.py)", README):
        assert (ROOT / file).exists(), file


def test_the_environment_of_the_tests_is_the_one_that_is_named() -> None:
    venv = re.search(r"^VENV=(\S+)", (ROOT / "tests/run.sh").read_text(), re.MULTILINE)
    assert venv is not None
    assert set(re.findall(r"`(\S+?)/bin/python -m", README)) == {venv[1]}


def test_all_settings_are_told_with_their_defaults() -> None:
    rows = dict(re.findall(r"^\| `GRITBOARD_(\w+)` \| [^|]* \| *([^|]*?) *\|$", told("Settings"), re.MULTILINE))
    assert set(rows) == {name.upper() for name in Settings.model_fields}
    assert rows["PORT"] == str(Settings.model_fields["port"].default)
    assert rows["HOST"].startswith(Settings.model_fields["host"].default)


def test_the_map_shows_what_exists_and_all_of_it() -> None:
    first = re.findall(r"^\| (`.*?) \|", told("Map of webapp/"), re.MULTILINE)
    shown = {name for cell in first for name in re.findall(r"`([\w/.]+?)/?(?:<id>/)?`", cell)}
    for name in shown:
        assert (ROOT / "webapp" / name).exists(), name
    there = {path.name for path in (ROOT / "webapp").iterdir() if not path.name.startswith((".", "__pycache__"))}
    assert there - {"__init__.py"} <= {name.split("/")[0] for name in shown}


def test_every_rule_set_and_the_table_that_stacks_them_are_named() -> None:
    book = shipped()
    plain = told("The four rule sets").lower()
    for game in book.games.values():
        assert game.title.template.lower() in plain
    assert any(sample.name in README and len(sample.games) == 4 for sample in book.samples)


def test_the_keys_that_are_told_are_keys() -> None:
    from webapp.pages.gm.bar import DIALOGS, KEYS

    keys = {key for key, _ in KEYS} | {key for *_, key in DIALOGS}
    assert {"Space", "c", "?"} <= keys
