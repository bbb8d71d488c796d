"""Shadow Squad, all that can be done: this page names it, each line has its own."""

from __future__ import annotations

from webapp.rules.games.squad.aid import Aid, FirstAid
from webapp.rules.games.squad.attack import Attack, Strike
from webapp.rules.games.squad.away import LeaveOrStay, Leaving
from webapp.rules.games.squad.breaking_off import BreakOff, FreeBlow
from webapp.rules.games.squad.countdown import Hold, Initiative, InitiativeRoll, RollInitiative
from webapp.rules.games.squad.damage import Befalls, Damage, Landing, Parried
from webapp.rules.games.squad.foes import FoesAct, InTurn, Orders
from webapp.rules.games.squad.gear import Drop, Take
from webapp.rules.games.squad.harm import Treat
from webapp.rules.games.squad.parry import Parry, ParryRoll
from webapp.rules.games.squad.powers import Healed, Healing, UsePower
from webapp.rules.games.squad.raising import RaiseFirst
from webapp.rules.games.squad.rest import Sleep
from webapp.rules.games.squad.second_try import Reroll, RerollNow
from webapp.rules.games.squad.softening import Soften
from webapp.rules.games.squad.surprise import SetSurprised, Surprise, Wariness, Watch
from webapp.rules.games.squad.tasks import CalledTask, CallTask, Task, TaskRoll
from webapp.rules.games.squad.will import AskForCash, BringInWeakness, Cash, Grant, Weakness
from webapp.rules.move import Move, Step
from webapp.rules.question import Question

MOVES: tuple[type[Move], ...] = (
    # tasks
    Task,
    CallTask,
    # a fight, from surprise to the last count
    Surprise,
    SetSurprised,
    Initiative,
    RollInitiative,
    Attack,
    FoesAct,
    Hold,
    BreakOff,
    Orders,
    # harm and help
    FirstAid,
    UsePower,
    Treat,
    # Will Points
    Grant,
    BringInWeakness,
    AskForCash,
    # what is carried
    Take,
    Drop,
)
STEPS: tuple[type[Step], ...] = (
    TaskRoll,
    Wariness,
    InitiativeRoll,
    Strike,
    InTurn,
    ParryRoll,
    Damage,
    Soften,
    Landing,
    Parried,
    Befalls,
    Leaving,
    Aid,
    Healing,
    Healed,
    Sleep,
)
QUESTIONS: tuple[type[Question], ...] = (
    Parry,
    RaiseFirst,
    Reroll,
    RerollNow,
    FreeBlow,
    LeaveOrStay,
    Watch,
    CalledTask,
    Weakness,
    Cash,
)
