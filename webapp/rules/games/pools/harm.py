"""Damage: from the attack's faces to what it leaves of Grit, Energy and Resolve."""

from __future__ import annotations

from webapp.rules.document import Audience, CharacterId
from webapp.rules.games.pools.ailments import afflict, gain, strain, tire, wound
from webapp.rules.games.pools.house import ContinuingWounds, House, KnockoutTiers
from webapp.rules.games.pools.reckoning import Hit, Reckoning, beyond_threshold, reckon
from webapp.rules.games.pools.rolls import Outcome, close, health_is_open, many, own, thrown
from webapp.rules.games.pools.sheet import (
    FATIGUED,
    UNAWARE,
    UNCONSCIOUS,
    WOUNDED,
    Part,
    Pool,
    Sheet,
    pool_of,
)
from webapp.rules.games.pools.where import PickPart, roll_part, say_where
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Health, Text, Who, text
from webapp.rules.values import Frozen

KNOCKOUT_UNAWARE = 3


# --- dealing it --------------------------------------------------------------------------------------------


class Dealt(Frozen):
    """What became of a hit: the `part` it fell on, if it fell on one, or `asked`, while somebody picks it."""

    injury: int = 0
    immune: bool = False
    part: Part | None = None
    asked: bool = False


def deal(
    scene: Scene, hit: Hit, held_back: int = 0, *, thrown: tuple[int, ...] | None = None, why: Text | None = None
) -> Dealt:
    """Steps 7 to 10: rolls the damage and draws every consequence. `thrown`: faces that have fallen already."""
    reckoning = reckon(scene, hit, held_back)
    if reckoning.immune:  # 7
        sentence = text("{who} is immune: Injury 0.", who=Who(who=hit.target))
        scene.say(sentence, brief=sentence, outcome=Outcome.IMMUNE)
        return Dealt(immune=True)
    roll = _roll(scene, reckoning.ask(hit), thrown)  # 8
    injury = reckoning.injury(roll.total)  # 9
    return suffer(scene, hit, injury, reckoning, roll, why)  # 10


def _roll(scene: Scene, ask: Ask, thrown: tuple[int, ...] | None) -> Roll:
    """With those that have fallen already, and only the rest of the dice thrown."""
    if thrown is None:
        return scene.roll(ask)
    more = ask.model_copy(update={"dice": ask.dice[len(thrown) :]})
    late = scene.roll(more).faces if more.dice else ()
    return Roll(ask=ask, faces=(*thrown, *late)[: len(ask.dice)])


def suffer(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll, why: Text | None = None) -> Dealt:
    """10: off the pool with its overflow, then what comes after suffering, then the penalty on an action."""
    target, pool = scene.sheet(Sheet, hit.target), pool_of(hit.onto)
    beyond = 0 if pool is None else injury - target.pool(pool).lose(injury)  # D-02
    if pool is None and hit.onto != WOUNDED:
        afflict(scene, hit.target, hit.onto, injury)  # D-03, B1-31
    _say_injury(scene, hit, injury, reckoning, roll, why)
    if pool is not None:
        overflow(scene, hit.target, pool, beyond)
    if pool is Pool.GRIT and injury and target.grit.now == 0:
        knock_out(scene, hit.target)
    dealt = _on_a_part(scene, hit, injury)
    if injury and target.declared:
        target.injured += injury  # D-22, B1-17
    return dealt


def _say_injury(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll, why: Text | None) -> None:
    target = scene.sheet(Sheet, hit.target)
    sentence = text(
        "{who}: {sum}, need {face}: {faces} → Injury {injury}{floor}{left}.",
        who=Who(who=hit.target),
        sum=reckoning.sum,
        face=reckoning.face,
        faces=thrown(scene, roll),
        injury=injury,
        floor=_by_bashing(hit, reckoning) if injury > roll.total else "",
        left=_left(scene, target, hit.onto),
    )
    brief = text("{who}: Injury {injury}", who=Who(who=hit.target), injury=injury)
    felt = Audience.GM if scene.is_hidden(hit.target) else Audience.EVERYBODY  # by whoever it was dealt
    outcome = Outcome.INJURED if injury else Outcome.UNHURT
    scene.say(sentence, roll, brief=brief, outcome=outcome, audience=felt, why=why)


def _left(state: State, target: Sheet, onto: str) -> Text:
    """Of what was hurt: of Grit as finely as health may be told, of anything else to those who may know all of it."""
    pool = pool_of(onto)
    if pool is Pool.GRIT:
        return text("{health:, }", health=Health(health_of=target.id, now=target.grit.now, full=target.grit.full))
    if not health_is_open(state, target.id) or onto == WOUNDED:
        return text(" to {onto}", onto=onto)
    if pool is None:
        return text(" to {onto}, {tiers} now", onto=onto, tiers=target.tiers(onto))
    track = target.pool(pool)
    return text(" to {onto}, {now} of {full} left", onto=onto, now=track.now, full=track.full)


def _by_bashing(hit: Hit, reckoning: Reckoning) -> Text:
    """ ", at least 2 by Bashing (3 − 1 size)"."""
    larger = f" − {many(reckoning.larger, 'size')}" if reckoning.larger else ""
    dice = "1 die" if reckoning.dice == 1 else f"{reckoning.dice} dice"
    capped = f", {dice} at most" if reckoning.capped else ""
    how = f" ({hit.faces_from(6)}{larger}{capped})" if larger or capped else ""
    return text(", at least {floor} by Bashing{how}", floor=reckoning.floor, how=how)


def use(scene: Scene, who: CharacterId, pool: Pool, amount: int) -> None:
    """Consumes so much of a pool, and what is beyond it elsewhere."""
    overflow(scene, who, pool, amount - scene.sheet(Sheet, who).pool(pool).lose(amount))


def pay(scene: Scene, who: CharacterId, pool: Pool, amount: int) -> None:
    """A cost: an empty pool stops nobody from paying (D-13)."""
    left = max(0, scene.sheet(Sheet, who).pool(pool).now - amount)
    words = "{who} uses {amount} {pool}, {left} left."
    sentence = text(words, who=Who(who=who), amount=amount, pool=pool.value.capitalize(), left=left)
    scene.say(sentence, audience=close(scene, who), outcome=Outcome.PAID)
    use(scene, who, pool, amount)


def overflow(scene: Scene, who: CharacterId, pool: Pool, beyond: int) -> None:
    """B1-12: Grit spills into Energy (D-09), Energy and Resolve into Fatigued (D-14, D-19)."""
    if beyond <= 0:
        return
    if pool is Pool.GRIT:
        sentence = text("{who}: {beyond} beyond Grit, off Energy.", who=Who(who=who), beyond=beyond)
        scene.say(sentence, audience=close(scene, who))
        use(scene, who, Pool.ENERGY, beyond)
        return
    tire(scene, who, beyond, because=pool.value.capitalize())
    if pool is Pool.ENERGY:
        strain(scene, who, beyond)


def knock_out(scene: Scene, who: CharacterId) -> None:
    """D-06 … D-08, after Grit Injury with nothing left; again each time, unless the house says once (B1-14)."""
    sheet = scene.sheet(Sheet, who)
    if not sheet.conscious and scene.house(House).knockout_tiers is KnockoutTiers.FIRST_ONLY:
        return
    gain(scene, who, UNCONSCIOUS, 1)
    gain(scene, who, FATIGUED, 1)
    gain(scene, who, UNAWARE, KNOCKOUT_UNAWARE)
    fallen = text(
        "{who} has no Grit left{out}", who=Who(who=who), out="" if sheet.conscious else " and is unconscious"
    )
    tiers = text(
        "Fatigued {fatigued}, Unaware {unaware}", fatigued=sheet.tiers(FATIGUED), unaware=sheet.tiers(UNAWARE)
    )
    brief = text("{fallen}.", fallen=fallen)
    if health_is_open(scene, who):
        scene.say(text("{fallen}: {tiers}.", fallen=fallen, tiers=tiers), brief=brief, outcome=Outcome.KNOCKED_OUT)
    else:
        scene.say(brief, brief=brief, outcome=Outcome.KNOCKED_OUT)
        scene.say(text("{who}: {tiers}.", who=Who(who=who), tiers=tiers), audience=close(scene, who))


# --- Serious Injury, and where ------------------------------------------------------------------------------


def _on_a_part(scene: Scene, hit: Hit, injury: int) -> Dealt:
    """D-10 … D-12: what wounds falls on a part: the one aimed at, or one that is rolled."""
    tiers, how = _wounds(scene, hit, injury)
    part = hit.part
    if tiers <= 0:
        return Dealt(injury=injury, part=part)
    rolls: tuple[Roll, ...] = ()
    if part is None:
        part, rolls = roll_part(scene, hit.target, roller=hit.source)
    if part is not None:
        wound(scene, hit.target, part, tiers, how, rolls=rolls)
        return Dealt(injury=injury, part=part)
    say_where(scene, hit.target, part, rolls)
    picks = PickPart(
        id=scene.new_id(), addressee=hit.source, target=hit.target, tiers=tiers, how=how, harm=hit.carries
    )
    scene.open(picks)
    return Dealt(injury=injury, asked=True)


def _wounds(scene: Scene, hit: Hit, injury: int) -> tuple[int, Text | None]:
    """Tiers of Wounded and how they come about: the whole Injury counts (B1-15), what goes on is added up (D-60)."""
    target = scene.sheet(Sheet, hit.target)
    if hit.onto == WOUNDED:
        return injury, None
    if hit.onto != Pool.GRIT or not injury:
        return 0, None
    if hit.lasting is not None and hit.part is not None:
        return _of_the_sum(scene, target, hit.part, injury)
    threshold = max(0, target.threshold)
    how = text("Injury {injury} − Threshold {threshold}", injury=injury, threshold=own(hit.target, threshold))
    return beyond_threshold(target, injury), how


def _of_the_sum(scene: Scene, target: Sheet, part: Part, injury: int) -> tuple[int, Text]:
    """B1-18: only Tiers that the sum on this part has not caused yet, or all of them each time."""
    total = target.sums.get(part, 0) + injury
    due, had = beyond_threshold(target, total), target.caused.get(part, 0)
    each = scene.house(House).continuing_wounds is ContinuingWounds.FULL_EACH_TICK
    tiers = due if each else max(0, due - had)
    target.sums = {**target.sums, part: total}
    target.caused = {**target.caused, part: had + tiers}
    return tiers, text(
        "{total} in all from what goes on − Threshold {threshold}{before}",
        total=total,
        threshold=own(target.id, max(0, target.threshold)),
        before=f" − {had} before" if had and not each else "",
    )
