"""Fear and Insanity, all that can be done: this page names it, each line has its own."""

from __future__ import annotations

from webapp.rules.games.dread.calling import CallFear, TellFear
from webapp.rules.games.dread.care import AwardToughness, Calm, Safe, Settle, SettleLine
from webapp.rules.games.dread.checks import Check, Fright, Learn, Scare
from webapp.rules.games.dread.fear import Critical, FearTest, Resist, UseToughness
from webapp.rules.games.dread.shaken import Shaken
from webapp.rules.move import Move, Step
from webapp.rules.question import Question

MOVES: tuple[type[Move], ...] = (
    # checks
    Check,
    Learn,
    # fear
    CallFear,
    Scare,
    TellFear,
    # afterwards
    Settle,
    Calm,
    Safe,
    AwardToughness,
)
STEPS: tuple[type[Step], ...] = (FearTest, Fright, Shaken, SettleLine)
QUESTIONS: tuple[type[Question], ...] = (Resist, UseToughness, Critical)
