"""Damage: from the attack's faces to what it leaves of Grit, Energy and Resolve."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from webapp.rules.document import Character, CharacterId, Side
from webapp.rules.games.pools.ailments import gain, strain, tire, wound
from webapp.rules.games.pools.house import ContinuingWounds, House, KnockoutTiers, StabFloor
from webapp.rules.games.pools.rolls import BEST_FACE, Outcome, close, health_is_open, many, own
from webapp.rules.games.pools.sheet import (
    FATIGUED,
    PHYSICAL,
    UNAWARE,
    UNCONSCIOUS,
    WOUNDED,
    Part,
    Pool,
    Sheet,
    StrikeType,
    pool_of,
)
from webapp.rules.odds import totals
from webapp.rules.question import Choice, Question, Worth
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene, State
from webapp.rules.text import Figure, Health, Text, Who, text
from webapp.rules.values import Frozen

FACE_THAT_HURTS = 3
KNOCKOUT_UNAWARE = 3
VULNERABLE = 6
STAB = 2
PART_OF = {1: Part.HEAD, 2: Part.RIGHT_ARM, 3: Part.RIGHT_ARM, 4: Part.LEFT_ARM, 5: Part.LEFT_ARM}
PART_OF |= dict.fromkeys(range(6, 10), Part.TORSO) | {10: Part.RIGHT_LEG, 11: Part.LEFT_LEG}


class Hit(Frozen):
    """Harm on its way. `faces` of the attack roll; `source` None: the GM's, or a trap's.

    `lasting` is the Continuing effect it is a tick of, `carries` the one that begins where it lands.
    """

    source: CharacterId | None
    target: CharacterId
    damage: int
    onto: str = Pool.GRIT.value
    kinds: tuple[str, ...] = ()
    strikes: str = ""
    faces: tuple[int, ...] = ()
    strike: bool = False
    part: Part | None = None
    lasting: str | None = None
    carries: str | None = None

    def has(self, strike: StrikeType) -> bool:
        return strike.value in self.strikes

    def faces_from(self, least: int) -> int:
        return sum(face >= least for face in self.faces)

    @property
    def types(self) -> frozenset[str]:
        """Its damage types, with what its Strike Types make of it (D-41, D-42)."""
        natures = {StrikeType(letter).nature for letter in self.strikes}
        return frozenset(kind for kind in (*self.kinds, *natures) if kind)

    @property
    def covered(self) -> frozenset[str]:
        """All that a Reduction or an Immunity could name."""
        return self.types | {self.onto}


# --- the order of operations -------------------------------------------------------------------------------


class Reckoning(Frozen):
    """All that is settled before the damage dice fall."""

    dice: int
    needed: int
    floor: int
    larger: int
    immune: bool
    sum: Text
    face: Text
    capped: bool

    def ask(self, hit: Hit) -> Ask:
        return Ask(
            what=text("damage, {sum}, need {face}", sum=self.sum, face=self.face),
            roller=hit.source if hit.lasting is None else None,
            dice=(12,) * self.dice,
            counts_from=self.needed,
        )

    def injury(self, counted: int) -> int:
        return max(counted, self.floor)


def reckon(state: State, hit: Hit, held_back: int = 0) -> Reckoning:
    """The order of operations, from top to bottom; the attack's faces are final (1)."""
    house, target = state.house(House), state.sheet(Sheet, hit.target)

    dice = {"damage": hit.damage}  # 2
    if hit.has(StrikeType.CHOPPING):  # 3: D-48
        dice["Chopping"] = hit.faces_from(9)
    if hit.onto == Pool.GRIT:  # 4: D-39
        dice["Severe Threshold"] = max(0, -target.threshold)
    held_back = min(held_back, sum(dice.values()))  # 5: D-23
    rolled = sum(dice.values()) - held_back

    reductions = [one for one in target.reductions.values() if one.against in hit.covered]  # 6: D-27, D-28
    if hit.has(StrikeType.FLOWING):  # D-50
        reductions = [one for one in reductions if not (one.armour and one.against == PHYSICAL)]
    reduction = sum(one.amount for one in reductions)
    vulnerable = VULNERABLE * len(hit.types & set(target.vulnerable))  # D-36, B1-9
    stabbing = STAB * hit.faces_from(9) if hit.has(StrikeType.STABBING) else 0  # D-55
    if house.stab_floor is StabFloor.ZERO:  # B1-5
        stabbing = min(stabbing, max(0, reduction - vulnerable))
    needed = FACE_THAT_HURTS + reduction - vulnerable - stabbing
    always = house.twelve_always_counts and needed > BEST_FACE  # B1-8
    needed = BEST_FACE if always else needed

    immune = target.is_immune(*hit.covered)  # 7: D-34, B1-10
    bashing = larger = 0  # 8 is the roll; 9: D-44 … D-46
    if hit.has(StrikeType.BASHING):
        larger = max(0, target.size - _size(state, hit)) if hit.strike else 0
        bashing = max(0, hit.faces_from(6) - larger)
    floor = min(rolled, bashing)

    return Reckoning(
        dice=rolled,
        needed=needed,
        floor=floor,
        larger=larger,
        immune=immune,
        sum=_sum(rolled, dice, held_back),
        face=_face(hit.target, needed, reduction, vulnerable, stabbing, always=always),
        capped=floor < bashing,
    )


def _size(state: State, hit: Hit) -> int:
    striker = None if hit.source is None else state.find(Sheet, hit.source)
    return 1 if striker is None else striker.size


def _sum(rolled: int, dice: dict[str, int], held_back: int) -> Text:
    """ "5 dice (3 + 2 Chopping)"."""
    terms = "".join(f" + {count} {word}" for word, count in list(dice.items())[1:] if count)
    terms += f" − {held_back} held back" if held_back else ""
    said = text("1 die") if rolled == 1 else text("{count} dice", count=rolled)
    return text("{rolled} ({first}{terms})", rolled=said, first=dice["damage"], terms=terms) if terms else said


def _face(who: CharacterId, needed: int, reduction: int, vulnerable: int, stabbing: int, *, always: bool) -> Text:
    """ "5 (3 + 2 Reduction)", as far as the figures of the one who is hit may be known."""
    terms = [
        (" {sign} {reduction} Reduction", "reduction", abs(reduction)),
        (" − {vulnerable} Vulnerable", "vulnerable", vulnerable),
        (" − {stabbing} Stabbing", "stabbing", stabbing),
    ]
    used = [(words, name, value) for words, name, value in terms if value]
    how = "".join(words for words, *_ in used).replace("{sign}", "+" if reduction > 0 else "−")
    args: dict[str, Figure] = {name: own(who, value) for _, name, value in used}
    words = "{needed}" if 1 < needed <= BEST_FACE else "{needed}, every die" if needed <= 1 else "{needed}, no die"
    words += ", a 12 always counts" if always else ""
    template = f"{words} (3{how})" if how else words
    return Text(template=template, args={"needed": own(who, needed), **args})


# --- dealing it --------------------------------------------------------------------------------------------


class Dealt(Frozen):
    """What became of a hit: the `part` it fell on, if it fell on one, or `asked`, while somebody picks it."""

    injury: int = 0
    immune: bool = False
    part: Part | None = None
    asked: bool = False


def deal(scene: Scene, hit: Hit, held_back: int = 0) -> Dealt:
    """Steps 7 to 10: rolls the damage and draws every consequence."""
    reckoning = reckon(scene, hit, held_back)
    if reckoning.immune:  # 7
        sentence = text("{who} is immune: Injury 0.", who=Who(who=hit.target))
        scene.say(sentence, brief=sentence, outcome=Outcome.IMMUNE)
        return Dealt(immune=True)
    roll = scene.roll(reckoning.ask(hit))  # 8
    injury = reckoning.injury(roll.total)  # 9
    return suffer(scene, hit, injury, reckoning, roll)  # 10


def suffer(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll) -> Dealt:
    """10: off the pool with its overflow, then what comes after suffering, then the penalty on an action."""
    target, pool = scene.sheet(Sheet, hit.target), pool_of(hit.onto)
    beyond = 0 if pool is None else injury - target.pool(pool).lose(injury)  # D-02
    if pool is None and hit.onto != WOUNDED:
        gain(scene, hit.target, hit.onto, injury)  # D-03, B1-31
    _say_injury(scene, hit, injury, reckoning, roll)
    if pool is not None:
        overflow(scene, hit.target, pool, beyond)
    if pool is Pool.GRIT and injury and target.grit.now == 0:
        knock_out(scene, hit.target)
    dealt = _on_a_part(scene, hit, injury)
    if injury and target.declared:
        target.injured += injury  # D-22, B1-17
    return dealt


def _say_injury(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll) -> None:
    target = scene.sheet(Sheet, hit.target)
    sentence = text(
        "{who}: {sum}, need {face}: {faces} → Injury {injury}{floor}{onto}{health:, }.",
        who=Who(who=hit.target),
        sum=reckoning.sum,
        face=reckoning.face,
        faces=" ".join(str(face) for face in roll.faces) or "no dice",
        injury=injury,
        floor=_by_bashing(hit, reckoning) if injury > roll.total else "",
        onto="" if hit.onto == Pool.GRIT else f" to {hit.onto}",
        health=Health(health_of=hit.target, now=target.grit.now, full=target.grit.full),
    )
    brief = text("{who}: Injury {injury}", who=Who(who=hit.target), injury=injury)
    scene.say(sentence, roll, brief=brief, outcome=Outcome.INJURED if injury else Outcome.UNHURT)


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
    if not sheet.conscious:
        sheet.declared, sheet.injured = "", 0
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
    part = part or roll_part(scene, hit.target, roller=hit.source)
    if part is not None:
        wound(scene, hit.target, part, tiers, how)
        return Dealt(injury=injury, part=part)
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
    how = text("Injury {injury} − Threshold {threshold}", injury=injury, threshold=threshold)
    return beyond_threshold(target, injury), how


def beyond_threshold(target: Sheet, injury: int) -> int:
    """A Threshold below 0 counts as 0 here (D-11)."""
    return max(0, injury - max(0, target.threshold))


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
        threshold=max(0, target.threshold),
        before=f" − {had} before" if had and not each else "",
    )


def roll_part(scene: Scene, who: CharacterId, *, roller: CharacterId | None) -> Part | None:
    """House material: where it lands; a part that is not there is rolled again, None: the dealer picks."""
    parts = scene.sheet(Sheet, who).parts
    rolls: list[Roll] = []
    while not rolls or not (rolls[-1].total == BEST_FACE or PART_OF[rolls[-1].total] in parts):
        rolls.append(scene.roll(Ask(what=text("the part"), roller=roller, dice=(12,))))
    part = PART_OF.get(rolls[-1].total)
    where = "the attacker picks the part" if part is None else part.value
    scene.say(text("Where {who} is hurt: {where}.", who=Who(who=who), where=where), *rolls)
    return part


class PickPart(Question):
    """A 12 on the part die: whoever dealt the harm picks, for a wound or for harm that goes on (`harm`)."""

    game: ClassVar[str] = "pools"
    target: CharacterId
    tiers: int = 0
    how: Text | None = None
    harm: str | None = None

    @property
    def default(self) -> str:  # type: ignore[override]
        return Part.TORSO.value

    def ask(self, state: State) -> Text:
        who, goes_on = Who(who=self.target), " and the harm goes on there" if self.harm is not None else ""
        if not self.tiers:
            return text("Pick the part of {who} where the harm goes on.", who=who)
        if not health_is_open(state, self.target):
            return text("Pick the part: {who} is wounded{more}.", who=who, more=goes_on)
        return text("Pick the part: {who} is Wounded {tiers}{more}.", who=who, tiers=self.tiers, more=goes_on)

    def brief(self) -> Text:
        return text("which part?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return tuple(
            Choice(id=part.value, label=text(part.value.capitalize()))
            for part in sorted(state.sheet(Sheet, self.target).parts, key=lambda part: part is not Part.TORSO)
        )

    def choice(self, state: State, wanted: str) -> Choice | None:
        """What has no torso is hurt at its first part by default."""
        found = super().choice(state, wanted)
        return self.choices(state)[0] if found is None and wanted == self.default else found

    def pointless(self, state: State) -> bool:
        return len(state.sheet(Sheet, self.target).parts) == 1

    def ordered(self, state: State) -> str | None:
        return self.default if _by_itself(state, self.addressee) else None

    def passed_by(self) -> Text:
        return text("The torso")

    def decided(self, choice: str) -> Text:
        return text("the GM picked the {part}.", part=choice)

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        picked = self.choice(scene, choice)
        assert picked is not None
        if self.tiers:
            wound(scene, self.target, Part(picked.id), self.tiers, self.how)
        if self.harm is not None:
            settle_on(scene, self.target, self.harm, Part(picked.id))


def settle_on(scene: Scene, who: CharacterId, harm: str, part: Part) -> None:
    """From now on it hurts there each time (D-59), and its Injury is added up with all that goes on there."""
    sheet = scene.sheet(Sheet, who)
    if harm in sheet.lasting:
        sheet.lasting = {**sheet.lasting, harm: sheet.lasting[harm].model_copy(update={"part": part})}


def _by_itself(state: State, who: CharacterId | None) -> bool:
    """A foe without a person picks nothing."""
    found = None if who is None else state.find(Character, who)
    return found is not None and found.side is Side.FOE and not found.seats


# --- the odds ----------------------------------------------------------------------------------------------


class Outlook(Frozen):
    """The exact chances of one damage roll. `bad`: a Serious Injury, or out, or both."""

    injury: tuple[tuple[int, Fraction], ...]
    serious: Fraction
    knock_out: Fraction
    bad: Fraction

    @property
    def any(self) -> Fraction:
        return sum((share for injury, share in self.injury if injury), Fraction(0))


def outlook(state: State, hit: Hit, held_back: int = 0) -> Outlook:
    """From the very ask that will be rolled."""
    reckoning, target = reckon(state, hit, held_back), state.sheet(Sheet, hit.target)
    chances: dict[int, Fraction] = {}
    if reckoning.immune:
        chances[0] = Fraction(1)
    else:
        for counted, share in totals(reckoning.ask(hit)):
            injury = reckoning.injury(counted)
            chances[injury] = chances.get(injury, Fraction(0)) + share
    onto_grit = pool_of(hit.onto) is Pool.GRIT

    def serious(injury: int) -> bool:
        return onto_grit and beyond_threshold(target, injury) > 0

    def out(injury: int) -> bool:
        return onto_grit and 0 < injury >= target.grit.now

    return Outlook(
        injury=tuple(sorted(chances.items())),
        serious=_share(chances, serious),
        knock_out=_share(chances, out),
        bad=_share(chances, lambda injury: serious(injury) or out(injury)),
    )


def _share(chances: dict[int, Fraction], holds: Callable[[int], bool]) -> Fraction:
    return sum((share for injury, share in chances.items() if holds(injury)), Fraction(0))


def worth(state: State, hit: Hit, held_back: int = 0) -> Worth:
    """Two numbers: any Injury at all, and the bad thing, where that tells no secret."""
    found = outlook(state, hit, held_back)
    tells = hit.onto == Pool.GRIT and health_is_open(state, hit.target)
    price = text("Serious Injury or out: {bad}", bad=per_cent(found.bad)) if tells else None
    return Worth(chance=found.any, price=price)


def per_cent(share: Fraction) -> str:
    """0 and 100 only when they are certain."""
    rounded = round(100 * share)
    if share in (0, 1):
        return f"{rounded}\u00a0%"
    return "<1\u00a0%" if rounded == 0 else ">99\u00a0%" if rounded == 100 else f"{rounded}\u00a0%"
