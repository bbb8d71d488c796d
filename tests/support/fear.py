"""What tests of fear share: its people, its dice, and what of it reaches a page."""

from __future__ import annotations

from pydantic import BaseModel

from tests.support.play import Bench, viewer
from webapp.projection.picture import Picture
from webapp.rules.document import body_of
from webapp.store import Store

PASSES, FAILS = (9, 1), (1, 2)  # against 4 with charisma 2
NO_SOAK = (1, 5)


def haunted(store: Store) -> Bench:
    bench = Bench(store, game="dread")
    bench.hero("Ann")
    bench.hero("Ben")
    bench.foe("Verger", charisma=3, manipulation=2, terrible=6)
    bench.foe("Ghost", hidden=True, terrible=4)
    return bench


def call(bench: Bench, difficulty: int = 4, **more: object) -> None:
    bench.do({"move": "dread.call_fear", "difficulty": difficulty, **more})


def page(bench: Bench, person: str) -> str:
    """All that reaches a page of this person."""
    picture = Picture(bench.table, viewer(person))
    views = [*picture.cards(), *picture.questions(), *picture.log(), picture.ribbon(), *picture.gm_blocks()]
    return "\n".join(str(body_of(view)) if isinstance(view, BaseModel) else str(view) for view in views)  # type: ignore[arg-type]
