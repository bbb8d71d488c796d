"""The moves every table has, whatever is played at it: this page names them, each line has its own."""

from __future__ import annotations

from webapp.rules import between, calls, curtain, damage, gm_order, knots, nights, periods, sharing, tables
from webapp.rules.answers import Answer, Noted, TellFaces
from webapp.rules.appearing import Disguise, Reveal
from webapp.rules.asking import Settling
from webapp.rules.by_hand import Adjust, Edit, EditTable
from webapp.rules.fighting import Done, EndFight, JoinFight, LeaveFight, StartFight
from webapp.rules.move import Move, Step
from webapp.rules.next_step import Next
from webapp.rules.people import AddCharacters, Assign, Claim, Introduce, MakeHero, RemoveCharacter, Rename
from webapp.rules.tray import Tray

MOVES: tuple[type[Move], ...] = (
    Answer,
    TellFaces,
    Noted,
    Next,
    Done,
    StartFight,
    EndFight,
    JoinFight,
    LeaveFight,
    MakeHero,
    AddCharacters,
    Claim,
    Assign,
    Rename,
    Introduce,
    RemoveCharacter,
    Reveal,
    Disguise,
    Edit,
    EditTable,
    Adjust,
    Tray,
    # of a subject each
    *gm_order.MOVES,
    *knots.MOVES,
    *tables.MOVES,
    *periods.MOVES,
    *nights.MOVES,
    *sharing.MOVES,
    *between.MOVES,
    *curtain.MOVES,
    *calls.MOVES,
    damage.Damage,
)
STEPS: tuple[type[Step], ...] = (Settling, damage.Hurt)
