"""Gritboard with dice from a file, for stories told in real browsers: `python -m tests.support.story_server`.

The file named by STORY_DICE holds the faces still to fall, one list in JSON. It is read before each throw and
rewritten after it, so a story can lay dice out while the server runs, and they survive its being killed.
`/ctl/listeners/{code}` tells how many views follow a table.
"""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from nicegui import app

from webapp.__main__ import build, serve
from webapp.hall import Hall
from webapp.rules.ruleset import Rulebook
from webapp.settings import Settings

halls: list[Hall] = []


class LaidOutDice:
    def __init__(self, path: Path) -> None:
        self._path = path

    def throw(self, sides: Sequence[int]) -> tuple[int, ...]:
        faces = json.loads(self._path.read_text())
        thrown, left = faces[: len(sides)], faces[len(sides) :]
        assert len(thrown) == len(sides), f"no face is laid out for {list(sides)}"
        assert all(1 <= face <= side for face, side in zip(thrown, sides, strict=True)), f"{thrown} on {list(sides)}"
        self._path.write_text(json.dumps(left))
        return tuple(thrown)


@app.get("/ctl/listeners/{code}")
def listeners(code: str) -> int:
    row = halls[0].row(code)
    return 0 if row is None else len(halls[0].table(row).changed)


def main(rulebook: Rulebook | None = None) -> None:
    settings = Settings(port=int(os.environ["PORT"]), open_browser=False)
    dice = LaidOutDice(Path(os.environ["STORY_DICE"]))
    hall = build(settings, dice, lambda: datetime.now(UTC), rulebook)
    halls.append(hall)
    serve(settings, hall)


if __name__ in ("__main__", "__mp_main__"):
    main()
