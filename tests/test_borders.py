"""Who may import whom. The borders hold however the code behind them changes."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "webapp" / "rules"
GAMES = RULES / "games"
GAME_IDS = {"squad", "willpower", "pools", "dread"} | {
    folder.name for folder in GAMES.glob("*") if (folder / "__init__.py").exists()
}
KERNEL_IMPORTS = {"pydantic", "pydantic_core", "annotated_types", "icepool", "typing_extensions"}
IMPURE = {"asyncio", "socket", "sqlite3", "threading", "time", "urllib"}
PRIVATE_NICEGUI = {"sio", "_delete_tasks"}


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def module_of(path: Path) -> list[str]:
    parts = list(path.relative_to(ROOT).with_suffix("").parts)
    return parts[:-1] if parts[-1] == "__init__" else parts


def imported(path: Path, tree: ast.AST) -> Iterator[str]:
    """Full names of all that is imported, also inside functions; `from a import b` gives a.b."""
    package = list(path.relative_to(ROOT).parent.parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def imports(path: Path) -> set[str]:
    return set(imported(path, tree_of(path)))


def within(name: str, module: str) -> bool:
    return name == module or name.startswith(module + ".")


def offences(paths: list[Path], *forbidden: str) -> list[str]:
    return [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in paths
        for name in sorted(imports(path))
        if any(within(name, module) for module in forbidden)
    ]


def docstrings(tree: ast.Module) -> set[int]:
    """Ids of the nodes that are words for readers: docstrings and other strings that stand alone."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def words(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every name and string in the code."""
    told = docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in told:
                yield node.lineno, text
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.alias(name=name):
                yield getattr(node, "lineno", 0), name


def names_a_game(text: str) -> bool:
    """The id itself, or the id in a move's or a module's name: squad, squad.hit, games.squad."""
    return any(re.search(rf"(^|\.){game}($|\.)", text) for game in GAME_IDS)


def test_kernel_and_games_import_only_what_is_pure() -> None:
    allowed = KERNEL_IMPORTS | (sys.stdlib_module_names - IMPURE)
    wrong = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in sources(RULES)
        for name in sorted(imports(path))
        if not within(name, "webapp.rules") and name.split(".")[0] not in allowed
    ]
    assert wrong == []


def test_chance_is_drawn_in_one_place() -> None:
    others = [path for path in sources(RULES) if path != RULES / "dice.py"]
    assert offences(others, "random", "secrets") == []


def test_rules_read_no_clock() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} calls {node.func.attr}()"
        for path in sources(RULES)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("now", "utcnow", "today", "monotonic", "perf_counter")
    ]
    assert wrong == []


def test_games_do_not_import_each_other() -> None:
    for folder in GAMES.glob("*/"):
        others = [f"webapp.rules.games.{game}" for game in GAME_IDS - {folder.name}]
        assert offences(sources(folder), *others) == []


def test_kernel_names_no_game() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} says {text!r}"
        for path in sorted(RULES.glob("*.py"))
        for line, text in words(tree_of(path))
        if names_a_game(text)
    ]
    assert wrong == []


def test_pages_see_views_only() -> None:
    paths = sources(ROOT / "webapp" / "pages") + sources(ROOT / "webapp" / "ui")
    assert offences(paths, "webapp.rules.games", "webapp.store") == []


def test_database_is_known_to_the_store_alone() -> None:
    store = {path for name in ("store", "migrations") for path in sources(ROOT / "webapp" / name)}
    others = [path for path in sources(ROOT / "webapp") if path not in store]
    assert offences(others, "sqlite3", "sqlmodel", "sqlalchemy", "alembic") == []


def test_parts_of_the_store_form_no_circle() -> None:
    parts = {".".join(module_of(path)): path for path in sources(ROOT / "webapp" / "store")}
    whole = parts.pop("webapp.store")
    needed = {part: {name.rpartition(".")[0] for name in imports(path)} for part, path in parts.items()}
    assert [part for part, names in needed.items() if "webapp.store" in names] == []
    order = list(TopologicalSorter(needed).static_order())  # a circle raises
    assert {name.rpartition(".")[0] for name in imports(whole)} <= set(order)


def test_nothing_of_ours_is_imported_inside_a_function() -> None:
    """Whoever has to do so imports in a circle."""
    inside = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources(ROOT / "webapp")
        for function in ast.walk(tree_of(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom) and within(node.module or "", "webapp")
    ]
    assert not inside, inside


def test_access_knows_no_framework() -> None:
    names = ("access", "crowd", "names", "refused", "seats", "settings", "tokens")
    paths = [*(ROOT / "webapp" / f"{name}.py" for name in names), *sources(ROOT / "webapp" / "store")]
    assert offences(paths, "nicegui", "fastapi", "starlette") == []


def test_private_nicegui_is_touched_in_one_module() -> None:
    others = [path for path in sources(ROOT / "webapp") if path != ROOT / "webapp" / "ui" / "wire.py"]
    wrong = offences(others, "nicegui.core")
    for path in others:
        tree = tree_of(path)
        if not any(within(name, "nicegui") for name in imported(path, tree)):
            continue
        wrong += [
            f"{path.relative_to(ROOT)}:{node.lineno} touches {node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and (node.attr in PRIVATE_NICEGUI or foreign_private(node))
        ]
    assert wrong == []


def foreign_private(node: ast.Attribute) -> bool:
    """`other._thing`, but not `self._thing`, `cls._thing` or `__dunder__`."""
    if not node.attr.startswith("_") or node.attr.startswith("__"):
        return False
    own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
    return not own


def test_top_level_holds_what_belongs_there() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    names = listed.stdout.splitlines() if listed.returncode == 0 else []
    top = {name.split("/")[0] for name in names} or {path.name for path in ROOT.iterdir()}
    assert {name for name in top if not name.startswith(".")} == {
        "pyproject.toml",
        "webapp",
        "tests",
        "static",
        "README.md",
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [("squad", True), ("squad.hit", True), ("webapp.rules.games.squad", True), ("a squad of foes", False)],
)
def test_naming_a_game_is_noticed(text: str, named: bool) -> None:
    assert names_a_game(text) is named
