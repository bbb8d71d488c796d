"""How the table goes on by itself: after a move, and after one was taken back."""

from __future__ import annotations

from collections.abc import Iterable

from webapp.rules.answers import Answer, Noted, TellFaces, open_question, settle
from webapp.rules.calls import turn_over_what_is_in
from webapp.rules.document import Character, CharacterId, Notice, Sheet, body_of, speaks_of
from webapp.rules.encounter import Encounter
from webapp.rules.errors import RuleError
from webapp.rules.move import OwnMove, Step
from webapp.rules.rounds import leave
from webapp.rules.scene import Scene
from webapp.rules.turns import go_on
from webapp.rules.viewer import Role


def perform(scene: Scene, step: Step) -> None:
    """The step, all that follows from it, and the fight's going on as far as it goes by itself."""
    _put_away_what_was_read(scene, step)
    scene.run(step)
    scene.conclude()
    _drop_pointless(scene)
    turn_over_what_is_in(scene)
    go_on(scene)


def _put_away_what_was_read(scene: Scene, step: Step) -> None:
    """Who acts or answers has their page before them, and on it what was decided without them."""
    who = _acts_for(scene, step) if scene.viewer.role is Role.PLAYER else None
    notice = None if who is None or isinstance(step, Noted) else scene.find(Notice, who)
    if notice is not None:
        scene.remove(notice)


def _acts_for(scene: Scene, step: Step) -> CharacterId | None:
    """The character whose player makes this step."""
    if isinstance(step, Answer | TellFaces):
        asked = open_question(scene, step.question)
        return None if asked is None else asked.addressee
    return step.actor if isinstance(step, OwnMove) else None


def put_right(scene: Scene, touched: Iterable[tuple[str, str]]) -> None:
    """After an undo of these documents, by kind and id: all that hangs on them is brought in line again."""
    touched = list(touched)
    _tidy(scene, [id for kind, id in touched if kind == Character.kind()])
    _drop_untrue_notices(scene)
    scene.conclude(touched)
    _drop_pointless(scene)
    turn_over_what_is_in(scene)
    go_on(scene)


def _drop_pointless(scene: Scene) -> None:
    """A question that has lost its point is settled by its default, like one never asked."""
    while (lost := next((one for one in scene.questions() if one.pointless(scene)), None)) is not None:
        settle(scene, lost, lost.default, told=False)
        scene.conclude()


def _drop_untrue_notices(scene: Scene) -> None:
    """What waits for an answer again is not decided."""
    for notice in list(scene.all(Notice)):
        if open_question(scene, notice.question) is not None:
            scene.remove(notice)


def _tidy(scene: Scene, removed: Iterable[CharacterId]) -> None:
    """After an undo that took these away: nothing is left of those who are gone, and there is one fight at most."""
    if len(list(scene.all(Encounter))) > 1:
        raise RuleError("Another fight is going on: end that one first.")
    for game in scene.rulebook.games.values():
        kind: type[Sheet] = game.sheet
        for sheet in list(scene.all(kind)):
            if scene.find(Character, sheet.id) is None:
                scene.remove(sheet)
    fight = scene.fight()
    known = [*removed, *(fight.members if fight is not None else ())]
    gone = [who for who in dict.fromkeys(known) if scene.find(Character, who) is None]
    for who in gone:
        leave(scene, who)
    for question in scene.questions():
        about = {question.addressee, question.about} - {None}
        lost = any(scene.find(Character, who or "") is None for who in about)
        lost |= any(question.is_of(game) for game in scene.rulebook.games.keys() - set(scene.settings.games))
        if lost or any(speaks_of(body_of(question), who) for who in gone):
            scene.withdraw(question)
