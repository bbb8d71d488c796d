"""What a card shows of Grit, Energy and Resolve at a glance: pools that spill, a body with wounds, and states."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Anatomy, Cascade, Note, Reach, Spot, Vessel
from webapp.rules.games.pools.rolls import health_is_open
from webapp.rules.games.pools.sheet import FATIGUED, UNCONSCIOUS, Continuing, Part, Pool, Sheet
from webapp.rules.games.pools.turns import PUSH_DL, WAKE_DL
from webapp.rules.state import State
from webapp.rules.text import Text, text

MOST_FATIGUED = 12
SHADES = (1, 3, 6)  # Tiers from which a part is drawn in the next shade
ALL_ROLLS = (Part.HEAD, Part.TORSO)


def reach(state: State, sheet: Sheet) -> Reach:
    """What is finer than its health may be known is for its own people and the GM."""
    return Reach.TABLE if health_is_open(state, sheet.id) else Reach.OWNER


# --- pools -------------------------------------------------------------------------------------------------


def cascade(sheet: Sheet) -> Cascade:
    """Grit runs over into Energy, Energy into Fatigued, and so does Resolve from the other side (B1-12)."""
    tired = sheet.tiers(FATIGUED)
    fatigued = Vessel(
        key=FATIGUED,
        label=text("Fatigued"),
        now=tired,
        full=MOST_FATIGUED,
        harm=True,
        words=text("−{tired} on skill rolls", tired=tired) if tired else None,
    )
    return Cascade(
        key="pools.cascade",
        label=text("Pools that run over: Grit into Energy, Energy and Resolve into Fatigued"),
        vessels=(
            _vessel(sheet, Pool.GRIT, "next"),
            _vessel(sheet, Pool.ENERGY, "next"),
            fatigued,
            _vessel(sheet, Pool.RESOLVE, "before"),
        ),
        because=text(
            "What an empty pool can't take runs over into the next one; each Fatigued is −1 on skill rolls."
        ),
    )


def _vessel(sheet: Sheet, pool: Pool, into: str) -> Vessel:
    track = sheet.pool(pool)
    return Vessel.model_validate(
        {
            "key": pool.value,
            "label": text(pool.value.capitalize()),
            "now": track.now,
            "full": track.full,
            "into": into,
            "spilling": track.now == 0 < track.full,
        }
    )


# --- the body ----------------------------------------------------------------------------------------------


def anatomy(state: State, sheet: Sheet) -> Anatomy:
    return Anatomy(
        key="pools.body",
        label=text("Wounds by part"),
        spots=tuple(_spot(sheet, part) for part in sheet.parts),
        because=text(
            "A Serious Injury wounds by as many Tiers as it is beyond the Severe Threshold; half of a part's Tiers,"
            " rounded down, comes off rolls."
        ),
        reach=reach(state, sheet),
    )


def _spot(sheet: Sheet, part: Part) -> Spot:
    tiers = sheet.wounded(part)
    going_on = [harm for harm in sheet.lasting.values() if harm.part is part]
    return Spot(
        key=part.value,
        label=text(part.value.capitalize()),
        shade=sum(tiers >= least for least in SHADES),
        number=tiers,
        words=_words(sheet, part, tiers, going_on),
        active=bool(going_on),
    )


def _words(sheet: Sheet, part: Part, tiers: int, going_on: list[Continuing]) -> Text:
    rolls = "all rolls" if part in ALL_ROLLS else "rolls that use it"
    off = text("−{off} on {rolls}", off=tiers // 2, rolls=rolls) if tiers > 1 else text("no penalty yet")
    wounded = text("Wounded {tiers}: {off}", tiers=tiers, off=off) if tiers else text("whole")
    if not going_on:
        return wounded
    names = ", ".join(harm.name for harm in going_on)
    so_far = text("{harms} goes on, Injury {sum} so far", harms=names, sum=sheet.sums.get(part, 0))
    return text("{wounded}; {so_far}", wounded=wounded, so_far=so_far) if tiers else so_far


# --- states ------------------------------------------------------------------------------------------------


def notes(state: State, sheet: Sheet) -> Iterator[Note]:
    near = reach(state, sheet)
    if not sheet.conscious:
        words = text(
            "Unconscious: no actions. Endure against difficulty {dl} at the end of each turn,"
            " or somebody wakes you {grit}",
            dl=WAKE_DL - sheet.grit.now,
            grit="now" if sheet.grit.now else "once you have Grit",
        )
        because = text("Difficulty {most} less Grit {grit}.", most=WAKE_DL, grit=sheet.grit.now)
        yield Note(key="pools.down", icon="skull", words=words, because=because, reach=Reach.OWNER)
    elif sheet.without_resolve and not sheet.pushed:
        words = text("No Resolve left: only Zeal against difficulty {dl}, a Minor Action, lets you act", dl=PUSH_DL)
        yield Note(key="pools.spent", icon="scared", words=words, brief=text("no Resolve"), reach=near)
    for name, tiers in sheet.afflictions.items():
        if tiers and name != UNCONSCIOUS:
            words = text("{name} {tiers}{does}", name=name.capitalize(), tiers=tiers, does=_does(name, tiers))
            brief = text("{name} {tiers}", name=name, tiers=tiers)
            yield Note(key=f"pools.is.{name}", icon="surprised", words=words, brief=brief, reach=near)
    for id, harm in sheet.lasting.items():
        yield from _going_on(id, harm, near)
    if sheet.declared:
        words = text("Under way: {action} (−{injured} by Injury)", action=sheet.declared, injured=sheet.injured)
        because = text("All Injury since it was declared comes off its roll.")
        yield Note(key="pools.declared", icon="held", words=words, brief=text("busy"), because=because, reach=near)


def _does(name: str, tiers: int) -> str:
    """House material: what an affliction does."""
    match name:
        case "fatigued":
            return f": −{tiers} on skill rolls; 1 goes per hour of rest with full Energy"
        case "unaware":
            return f": −{tiers} on defences; 1 goes at the end of each turn"
        case "ruptured conduit":
            return f": full Energy is {tiers} lower until it is treated"
    return ""


def _going_on(id: str, harm: Continuing, near: Reach) -> Iterator[Note]:
    """That it burns all can see, how much only those who may."""
    where = "" if harm.part is None else f", {harm.part.value}"
    onto = "" if harm.onto == Pool.GRIT else f" to {harm.onto}"
    dice = "1 die" if harm.dice == 1 else f"{harm.dice} dice"
    told = text(
        "{harm}: {dice}{onto} at the end of each round{where}", harm=harm.name, dice=dice, onto=onto, where=where
    )
    brief = text("{harm}", harm=harm.name)
    if near is Reach.TABLE:
        yield Note(key=f"pools.goes_on.{id}", icon="coming", words=told, brief=brief)
    else:
        yield Note(
            key=f"pools.goes_on.{id}", icon="coming", words=text("{harm} goes on", harm=harm.name), brief=brief
        )
        yield Note(key=f"pools.harm.{id}", icon="coming", words=told, reach=near)
