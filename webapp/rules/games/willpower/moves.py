"""Willpower, all that can be done: this page names it, each line has its own."""

from __future__ import annotations

from webapp.rules.games.willpower.blows import Attack, AttackRoll, Damage, EffectRoll
from webapp.rules.games.willpower.care import HelpingUp, HelpUp, PickingUp, PickUp, SetState, Tend, Tending
from webapp.rules.games.willpower.defence import DefenceRoll, Defend, FoeAttacks, FoeStrike, StrikeBack, Wound
from webapp.rules.games.willpower.fear import FaceIt, GutsRoll, StandOrFlee
from webapp.rules.games.willpower.foes import FoesAct, InTurn
from webapp.rules.games.willpower.gear import Drop, Take
from webapp.rules.games.willpower.harm import Blast, Landing, WhoIsClose
from webapp.rules.games.willpower.nerve import Panic, Risk
from webapp.rules.games.willpower.spells import Cast, CastRoll, ChaosRevenge, PayHp, Works
from webapp.rules.games.willpower.tasks import CallTest, Test, TestRoll
from webapp.rules.games.willpower.trial import Decide, Spend, Spending
from webapp.rules.games.willpower.turns import (
    Act,
    ActDone,
    Doing,
    GrantAction,
    Initiative,
    InitiativeRoll,
    OfAnother,
    RollInitiative,
)
from webapp.rules.move import Move, Step
from webapp.rules.question import Question

MOVES: tuple[type[Move], ...] = (
    # tests, and what must be faced
    Test,
    CallTest,
    FaceIt,
    # a fight, from initiative to the last action
    Initiative,
    RollInitiative,
    Act,
    Attack,
    Cast,
    GrantAction,
    FoeAttacks,
    FoesAct,
    # help and rest
    Tend,
    HelpUp,
    PickUp,
    SetState,
    # what is carried
    Take,
    Drop,
)
STEPS: tuple[type[Step], ...] = (
    # the die of nerve
    Risk,
    Panic,
    ChaosRevenge,
    # tests
    TestRoll,
    GutsRoll,
    InitiativeRoll,
    OfAnother,
    AttackRoll,
    DefenceRoll,
    Decide,
    Spending,
    # actions and blows
    Doing,
    ActDone,
    Damage,
    EffectRoll,
    Landing,
    Blast,
    FoeStrike,
    InTurn,
    StrikeBack,
    Wound,
    # spells and help
    CastRoll,
    Works,
    Tending,
    HelpingUp,
    PickingUp,
)
QUESTIONS: tuple[type[Question], ...] = (Spend, StandOrFlee, Defend, PayHp, WhoIsClose)
