"""Grit, Energy and Resolve, all that can be done: this page names it, each line has its own."""

from __future__ import annotations

from webapp.rules.games.pools.ailments import Conduit, ConduitCheck
from webapp.rules.games.pools.book import Drop, Take
from webapp.rules.games.pools.care import Rouse, Treat, Wake
from webapp.rules.games.pools.dealing import Damage, HowMany
from webapp.rules.games.pools.defence import Defence, Defend
from webapp.rules.games.pools.healing import Heal, Healing
from webapp.rules.games.pools.hurts import Afflict, Grow, Hurt, Pay, Struck
from webapp.rules.games.pools.lasting import Begin, End, IsOut, PutOut, Tick
from webapp.rules.games.pools.rest import Resting
from webapp.rules.games.pools.skills import CallSkill, SkillRoll, SkillTest
from webapp.rules.games.pools.strikes import MayAim, Strike, Swing
from webapp.rules.games.pools.turns import Declare, FreeAct, Minor, Priority, Push, RollPriority, Waking
from webapp.rules.games.pools.where import PickPart
from webapp.rules.move import Move, Step
from webapp.rules.question import Question

MOVES: tuple[type[Move], ...] = (
    # skills
    SkillRoll,
    CallSkill,
    # a fight
    Priority,
    RollPriority,
    Declare,
    Strike,
    Minor,
    Push,
    FreeAct,
    # harm and costs
    Hurt,
    Pay,
    Afflict,
    Grow,
    Begin,
    End,
    PutOut,
    # what helps
    Heal,
    Treat,
    Wake,
    Rouse,
    # what is carried
    Take,
    Drop,
)
STEPS: tuple[type[Step], ...] = (
    SkillTest,
    Swing,
    Defence,
    Damage,
    Struck,
    Tick,
    ConduitCheck,
    Waking,
    Healing,
    Resting,
)
QUESTIONS: tuple[type[Question], ...] = (MayAim, Defend, HowMany, PickPart, Conduit, IsOut)
