"""Skill rolls: what is thrown, what comes off, what reaches a DL; and what several of the moves ask."""

from __future__ import annotations

from enum import StrEnum

from webapp.rules.document import Audience, Character, CharacterId, HealthForm, Side
from webapp.rules.games.pools.house import House, SkillRolls
from webapp.rules.games.pools.sheet import FATIGUED, UNAWARE, Part, Sheet, Skill
from webapp.rules.odds import chance
from webapp.rules.roll import Ask, Keep, Modifier, Roll, Wins
from webapp.rules.sight import Sight, may_tell
from webapp.rules.state import State
from webapp.rules.text import Arg, Figure, Text, Who, text
from webapp.rules.viewer import Role, Viewer

NOBODY = text("There is nobody of that kind at this table: choose somebody who is here.")
NO_SHEET = text("There is no sheet of Grit, Energy and Resolve for that.")
BEST_FACE = 12
VULNERABLE_DL = 2


class Outcome(StrEnum):
    SUCCESS = "success"
    FAILURE = "failure"
    ATTACK = "attack"
    HIT = "hit"
    MISS = "miss"
    INJURED = "injured"
    UNHURT = "unhurt"
    IMMUNE = "immune"
    KNOCKED_OUT = "knocked out"
    WOUNDED = "wounded"
    FATIGUED = "fatigued"
    CONDUIT = "ruptured conduit"
    BEGINS = "harm begins"
    ENDS = "harm ends"
    HEALED = "healed"
    NOT_HEALED = "not healed"
    PAID = "paid"
    RECOVERED = "recovered"
    AWAKE = "awake"
    PUSHED = "pushed on"
    GONE = "affliction gone"


# --- the roll ----------------------------------------------------------------------------------------------


def skill_ask(
    state: State,
    who: CharacterId,
    skill: Skill,
    *extra: Modifier,
    dl: int | None = None,
    kinds: tuple[str, ...] = (),
    uses: Part | None = None,
    acting: bool = False,
    defending: bool = False,
) -> Ask:
    """As many d12 as the Tier; the highest face with all that is added, against the DL.

    `kinds` of what is used: whoever is Vulnerable to one faces a DL 2 higher (D-38). `acting`: the declared
    action is rolled, and Injury since then comes off (D-22).
    """
    sheet = state.sheet(Sheet, who)
    ask = Ask(
        what=text("{skill}", skill=skill.value.capitalize()),
        roller=who,
        dice=(12,) * sheet.tier(skill),
        keep=Keep.HIGHEST if state.house(House).skill_roll is SkillRolls.HIGHEST else Keep.ALL,
        tested=True,
        modifiers=(*extra, *_penalties(sheet, uses=uses, acting=acting, defending=defending)),
    )
    ask = state.judged(ask)
    return ask if dl is None else against_dl(state, ask, dl, dearer(sheet, kinds))


def against_dl(state: State, ask: Ask, dl: int, dearer: int = 0) -> Ask:
    """A die that shows 12 reaches any DL, where the house plays it so: no target is higher than 12 makes.

    That it must, and what makes it `dearer`, are figures of the one who rolls.
    """
    assert ask.roller is not None
    house, target = state.house(House), dl + dearer
    reachable = BEST_FACE + ask.bonus
    natural = house.natural_12 and house.skill_roll is SkillRolls.HIGHEST and bool(ask.dice) and reachable < target
    said = text("difficulty {dl}", dl=own(ask.roller, target, str(dl)) if dearer else target)
    if natural:
        said = text("{said}{reached}", said=said, reached=own(ask.roller, ", a 12 reaches it", ""))
    return ask.model_copy(update={"wins": Wins.AT_LEAST, "target": reachable if natural else target, "against": said})


def dearer(sheet: Sheet, kinds: tuple[str, ...]) -> int:
    """D-38: a creature that uses what it is Vulnerable to has a DL 2 higher, per type."""
    return VULNERABLE_DL * len({kind for kind in kinds if kind in sheet.vulnerable})


def _penalties(sheet: Sheet, *, uses: Part | None, acting: bool, defending: bool) -> tuple[Modifier, ...]:
    """House material: Fatigued on all skill rolls, wounds by the part that is used, Unaware on defences."""
    found = [(text("fatigued"), sheet.tiers(FATIGUED))]
    for part in dict.fromkeys((Part.HEAD, Part.TORSO, *((uses,) if uses else ()))):
        found.append((text("wounded {part}", part=part.value), sheet.wounded(part) // 2))
    if defending:
        found.append((text("unaware"), sheet.tiers(UNAWARE)))
    if acting and sheet.declared:
        found.append((text("injured while acting"), sheet.injured))
    return tuple(Modifier(source=source, amount=-amount) for source, amount in found if amount)


def hopeless(ask: Ask) -> Text | None:
    """A roll that no face can make is never rolled."""
    if ask.wins is Wins.AT_LEAST and not chance(ask):
        return text("No face can reach {target}. Ask the GM for a way out.", target=ask.against or "that")
    return None


# --- what several of these ask -----------------------------------------------------------------------------


def unable(state: State, who: CharacterId) -> Text | None:
    """Why this one can't act: unconscious, or without the Resolve for it (D-16)."""
    sheet = state.sheet(Sheet, who)
    if not sheet.conscious:
        return text("{who} is unconscious.", who=Who(who=who))
    if sheet.without_resolve and not sheet.pushed:
        return text("{who} has no Resolve left: push on with Zeal first.", who=Who(who=who))
    return None


def in_sight(state: State, who: CharacterId, *, of: CharacterId) -> bool:
    """Whoever is not the GM's knows nothing of the hidden; foes see everybody."""
    found = state.find(Character, who)
    if found is None:
        return False
    return not found.hidden or who == of or state.character(of).side is Side.FOE


def no_target(state: State, who: CharacterId, *, of: CharacterId) -> Text | None:
    if not in_sight(state, who, of=of):
        return NOBODY
    return NO_SHEET if state.find(Sheet, who) is None else None


def no_targets(state: State, who: tuple[CharacterId, ...]) -> Text | None:
    """For the GM's moves."""
    if any(state.find(Character, one) is None for one in who):
        return NOBODY
    return NO_SHEET if any(state.find(Sheet, one) is None for one in who) else None


def health_is_open(state: State, who: CharacterId) -> bool:
    """May everybody know how much Grit this one has left?"""
    return Sight(state, Viewer(role=Role.SCREEN)).health_form(state.character(who)) is HealthForm.NUMBER


def close(state: State, who: CharacterId) -> Audience | None:
    """For lines finer than others may know somebody's health: its own people and the GM; None: for all."""
    return None if health_is_open(state, who) else Audience.owners(who)


def many(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def own(who: CharacterId, value: int | str, otherwise: str = "?") -> Figure:
    return Figure(figure_of=who, value=value, otherwise=otherwise)


def thrown(state: State, roll: Roll) -> Arg:
    """The faces as they fell, as far as it may be known what this one throws, and what another's figures add."""
    ask, faces = roll.ask, _spoken(roll.faces)
    if ask.lender is not None and may_tell(state, ask.roller):
        return own(ask.lender, faces, _spoken(roll.faces[: -ask.lent]))
    return faces if ask.roller is None else own(ask.roller, faces)


def _spoken(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces)) or "no dice"
