"""Gritboard with dice from a file, for stories told in real browsers: `python -m tests.support.story_server`.

The file named by STORY_DICE holds the faces still to fall, one list in JSON. It is read before each throw and
rewritten after it, so a story can lay dice out while the server runs, and they survive its being killed.
"""

import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from webapp.__main__ import build, serve
from webapp.settings import Settings


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


def main() -> None:
    settings = Settings(port=int(os.environ["PORT"]), open_browser=False)
    hall = build(settings, LaidOutDice(Path(os.environ["STORY_DICE"])), lambda: datetime.now(UTC))
    serve(settings, hall)


if __name__ in ("__main__", "__mp_main__"):
    main()
