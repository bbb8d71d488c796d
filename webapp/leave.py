"""Whose move it is: who may do what, and what comes too late."""

from __future__ import annotations

from webapp.rules.answers import Answer, TellFaces, missed, open_question
from webapp.rules.document import Character, Notice
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.sight import Sight
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.viewer import Role

NOT_YOURS = text("That character is not yours to play.")


def why_not(move: Move, sight: Sight) -> Text | None:
    """Why this viewer can't do this now; None: they can."""
    state = sight.state
    return _no_leave(move, sight) or _not_played(move, state) or _too_late(move, sight) or move.refusal(state)


def _no_leave(move: Move, sight: Sight) -> Text | None:
    """An unknown and an unseen actor are refused alike."""
    viewer, state = sight.viewer, sight.state
    if viewer.role is Role.GM:
        missing = isinstance(move, OwnMove) and state.find(Character, move.actor) is None
        return NOT_YOURS if missing else None
    if viewer.role is not Role.PLAYER or viewer.seat is None:
        return text("Only those who sit at the table can do that.")
    match move.by:
        case Leave.SEATED:
            return None
        case Leave.OWNER:
            assert isinstance(move, OwnMove)
            return None if sight.owns(move.actor) else NOT_YOURS
        case Leave.ADDRESSEE:
            assert isinstance(move, Answer | TellFaces)
            question = open_question(state, move.question)
            return None if question is None or sight.may_answer(question) else text("That is not yours to decide.")
    return text("Only the GM can do that.")


def _not_played(move: Move, state: State) -> Text | None:
    """A game that was taken out keeps its sheets, but nobody plays it."""
    if move.game in state.rulebook.games and move.game not in state.settings.games:
        return text("This table does not play that.")
    return None


def _too_late(move: Move, sight: Sight) -> Text | None:
    """A question that was answered meanwhile: what was decided, for the one who was asked."""
    state = sight.state
    if not isinstance(move, Answer | TellFaces) or open_question(state, move.question) is not None:
        return None
    for notice in state.all(Notice):
        if notice.question == move.question and sight.owns(notice.id):
            return text("Too late: {missed}", missed=missed(notice))
    return text("That is decided already.")
