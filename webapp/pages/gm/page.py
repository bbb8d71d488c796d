"""The laptop behind a screen: party and foes, the fight with its one big button, what waits, and the log."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from webapp.pages.gm.bar import Bar
from webapp.pages.gm.cast import Cast
from webapp.pages.gm.dialogs import Dialogs
from webapp.pages.gm.fight import Fight
from webapp.pages.gm.talk import Talk
from webapp.ui.live import Answer
from webapp.ui.part import PartedView


class GameMaster(PartedView):
    def __post_init__(self) -> None:
        super().__post_init__()
        self.follow(self.page.hall.reach.changed)
        self.follow(self.page.hall.wifi.changed)
        bar = Bar(self)
        with ui.element("div").classes("gm"):
            cast, self.fight, self.talk = Cast(self), Fight(self), Talk(self)
        self.dialogs = Dialogs(self)
        self.parts = (bar, cast, self.fight, self.talk, self.dialogs)

    def still_sits(self) -> bool:
        return self.page.is_host()

    def receive(self, move: dict[str, Any], tap: str | None) -> Answer:
        answer = super().receive(move, tap)
        if answer["ok"]:
            self.fight.was_done(move.get("move"))
            self.dialogs.damage.was_done(move.get("move"))
        if move.get("move") == "table.undo":
            self.talk.was_undone(str(move.get("entry"))[:80], ways=bool(answer.get("ways")))
        return answer
