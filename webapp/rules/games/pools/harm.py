"""Damage: from the attack's faces to what it leaves of Grit, Energy and Resolve."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import ClassVar

from webapp.rules.document import Character, CharacterId, HealthForm, Side
from webapp.rules.games.pools.ailments import gain, strain, tire, wound
from webapp.rules.games.pools.house import ContinuingWounds, House, KnockoutTiers, StabFloor
from webapp.rules.games.pools.rolls import BEST_FACE, Outcome, many, own
from webapp.rules.games.pools.sheet import (
    FATIGUED,
    PHYSICAL,
    UNAWARE,
    UNCONSCIOUS,
    Part,
    Pool,
    Sheet,
    StrikeType,
    pool_of,
)
from webapp.rules.odds import totals
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene, State
from webapp.rules.tables import Row, ShownTable
from webapp.rules.text import Figure, Health, Text, Who, text
from webapp.rules.values import Frozen
from webapp.rules.view import Sight
from webapp.rules.viewer import Role, Viewer

FACE_THAT_HURTS = 3
KNOCKOUT_UNAWARE = 3
VULNERABLE = 6
STAB = 2
PART_OF = {1: Part.HEAD, 2: Part.RIGHT_ARM, 3: Part.RIGHT_ARM, 4: Part.LEFT_ARM, 5: Part.LEFT_ARM}
PART_OF |= dict.fromkeys(range(6, 10), Part.TORSO) | {10: Part.RIGHT_LEG, 11: Part.LEFT_LEG}


class Hit(Frozen):
    """Harm on its way. `faces` of the attack roll; `source` None: the GM's, or a trap's.

    `lasting` is the Continuing effect it is a tick of.
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

    def ask(self, hit: Hit) -> Ask:
        return Ask(
            what=text("damage, {sum}", sum=self.sum),
            roller=hit.source if hit.lasting is None else None,
            dice=(12,) * self.dice,
            counts_from=self.needed,
            against=text("need {face}", face=self.face),
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
    if house.twelve_always_counts:  # B1-8
        needed = min(needed, BEST_FACE)

    immune = target.is_immune(*hit.covered)  # 7: D-34, B1-10
    floor = larger = 0  # 8 is the roll; 9: D-44 … D-46
    if hit.has(StrikeType.BASHING):
        larger = max(0, target.size - _size(state, hit)) if hit.strike else 0
        floor = min(rolled, max(0, hit.faces_from(6) - larger))

    return Reckoning(
        dice=rolled,
        needed=needed,
        floor=floor,
        larger=larger,
        immune=immune,
        sum=_sum(rolled, dice, held_back),
        face=_face(hit.target, needed, reduction, vulnerable, stabbing),
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


def _face(who: CharacterId, needed: int, reduction: int, vulnerable: int, stabbing: int) -> Text:
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
    template = f"{words} (3{how})" if how else words
    return Text(template=template, args={"needed": own(who, needed), **args})


# --- dealing it --------------------------------------------------------------------------------------------


class Dealt(Frozen):
    """What became of a hit; `part` when it was one part's Serious Injury."""

    injury: int = 0
    immune: bool = False
    part: Part | None = None


def deal(scene: Scene, hit: Hit, held_back: int = 0) -> Dealt:
    """Steps 7 to 10: rolls the damage and draws every consequence."""
    reckoning = reckon(scene, hit, held_back)
    if reckoning.immune:
        sentence = text("{who} is immune: Injury 0.", who=Who(who=hit.target))
        scene.say(sentence, brief=sentence, outcome=Outcome.IMMUNE)
        return Dealt(immune=True)
    roll = scene.roll(reckoning.ask(hit))
    injury = reckoning.injury(roll.total)
    return Dealt(injury=injury, part=suffer(scene, hit, injury, reckoning, roll))


def suffer(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll) -> Part | None:
    """10: off the pool with its overflow, then what comes after suffering, then the penalty on an action."""
    target, pool = scene.sheet(Sheet, hit.target), pool_of(hit.onto)
    beyond, part = 0, hit.part
    if pool is None:
        gain(scene, hit.target, hit.onto, injury)  # D-03, B1-31
    else:
        beyond = injury - target.pool(pool).lose(injury)  # D-02
    _say_injury(scene, hit, injury, reckoning, roll)
    if pool is not None:
        overflow(scene, hit.target, pool, beyond)
    if pool is Pool.GRIT and injury:
        if target.grit.now == 0:
            knock_out(scene, hit.target)
        part = seriously(scene, hit, injury)
    if injury and target.declared:
        target.injured += injury  # D-22, B1-17
    return part


def _say_injury(scene: Scene, hit: Hit, injury: int, reckoning: Reckoning, roll: Roll) -> None:
    target = scene.sheet(Sheet, hit.target)
    sizes = f" ({hit.faces_from(6)} − {many(reckoning.larger, 'size')})" if reckoning.larger else ""
    least = text(", at least {floor} by Bashing{sizes}", floor=reckoning.floor, sizes=sizes)
    floor = least if injury > roll.total else ""
    sentence = text(
        "{who}: {sum}, need {face}: {faces} → Injury {injury}{floor}{onto}{health:, }.",
        who=Who(who=hit.target),
        sum=reckoning.sum,
        face=reckoning.face,
        faces=" ".join(str(face) for face in roll.faces) or "no dice",
        injury=injury,
        floor=floor,
        onto="" if hit.onto == Pool.GRIT else f" to {hit.onto}",
        health=Health(health_of=hit.target, now=target.grit.now, full=target.grit.full),
    )
    brief = text("{who}: Injury {injury}", who=Who(who=hit.target), injury=injury)
    scene.say(sentence, roll, brief=brief, outcome=Outcome.INJURED if injury else Outcome.UNHURT)


def use(scene: Scene, who: CharacterId, pool: Pool, amount: int) -> None:
    """Consumes so much of a pool, and what is beyond it elsewhere."""
    overflow(scene, who, pool, amount - scene.sheet(Sheet, who).pool(pool).lose(amount))


def overflow(scene: Scene, who: CharacterId, pool: Pool, beyond: int) -> None:
    """B1-12: Grit spills into Energy (D-09), Energy and Resolve into Fatigued (D-14, D-19)."""
    if beyond <= 0:
        return
    if pool is Pool.GRIT:
        scene.say(text("{who}: {beyond} beyond Grit, off Energy.", who=Who(who=who), beyond=beyond))
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
    sentence = text(
        "{who} has no Grit left{out}: Fatigued {fatigued}, Unaware {unaware}.",
        who=Who(who=who),
        out="" if sheet.conscious else " and is unconscious",
        fatigued=sheet.tiers(FATIGUED),
        unaware=sheet.tiers(UNAWARE),
    )
    scene.say(sentence, brief=sentence, outcome=Outcome.KNOCKED_OUT)


# --- Serious Injury ----------------------------------------------------------------------------------------


def seriously(scene: Scene, hit: Hit, injury: int) -> Part | None:
    """D-10 … D-12: the whole Injury counts (B1-15), what goes on is added up on its part (D-60)."""
    target = scene.sheet(Sheet, hit.target)
    tiers = beyond_threshold(target, injury) if hit.lasting is None else _of_the_sum(scene, hit, injury)
    if tiers <= 0:
        return hit.part
    part = hit.part or roll_part(scene, hit.target, roller=hit.source)
    if part is None:
        scene.open(PickPart(id=scene.new_id(), addressee=hit.source, target=hit.target, tiers=tiers))
    else:
        wound(scene, hit.target, part, tiers)
    return part


def beyond_threshold(target: Sheet, injury: int) -> int:
    """A Threshold below 0 counts as 0 here (D-11)."""
    return max(0, injury - max(0, target.threshold))


def _of_the_sum(scene: Scene, hit: Hit, injury: int) -> int:
    """B1-18: only Tiers that the sum on this part has not caused yet, or all of them each time."""
    target, part = scene.sheet(Sheet, hit.target), hit.part
    if part is None:
        return beyond_threshold(target, injury)
    total = target.sums.get(part, 0) + injury
    due, had = beyond_threshold(target, total), target.caused.get(part, 0)
    each = scene.house(House).continuing_wounds is ContinuingWounds.FULL_EACH_TICK
    tiers = due if each else max(0, due - had)
    target.sums = {**target.sums, part: total}
    target.caused = {**target.caused, part: had + tiers}
    return tiers


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


def parts_table() -> ShownTable:
    """House material, as it is rolled on when a Serious Injury or lasting harm finds its part."""
    rows = [Row(lowest=face, highest=face, words=part.value.capitalize()) for face, part in PART_OF.items()]
    rows.append(Row(lowest=BEST_FACE, highest=BEST_FACE, words="The attacker picks"))
    return ShownTable(id="pools.parts", name=text("Body parts"), dice=(BEST_FACE,), rows=tuple(rows))


class PickPart(Question):
    """A 12 on the part die: whoever dealt the harm picks, for a wound or for harm that goes on (`harm`)."""

    game: ClassVar[str] = "pools"
    target: CharacterId
    tiers: int = 0
    harm: str | None = None

    @property
    def default(self) -> str:  # type: ignore[override]
        return Part.TORSO.value

    def ask(self, state: State) -> Text:
        if self.harm is not None:
            return text("Pick the part of {who} where the harm goes on.", who=Who(who=self.target))
        return text("Pick the part: {who} is Wounded {tiers}.", who=Who(who=self.target), tiers=self.tiers)

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
        if self.harm is None:
            wound(scene, self.target, Part(picked.id), self.tiers)
        else:
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
    """The exact chances of one damage roll."""

    injury: tuple[tuple[int, Fraction], ...]
    serious: Fraction
    knock_out: Fraction


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
    return Outlook(
        injury=tuple(sorted(chances.items())),
        serious=_share(chances, lambda injury: onto_grit and beyond_threshold(target, injury) > 0),
        knock_out=_share(chances, lambda injury: onto_grit and 0 < injury >= target.grit.now),
    )


def _share(chances: dict[int, Fraction], holds: Callable[[int], bool]) -> Fraction:
    return sum((share for injury, share in chances.items() if holds(injury)), Fraction(0))


def health_is_open(state: State, who: CharacterId) -> bool:
    """May everybody know how much Grit this one has left?"""
    return Sight(state, Viewer(role=Role.SCREEN)).health_form(state.character(who)) is HealthForm.NUMBER


def prospect(state: State, hit: Hit, held_back: int = 0) -> Text:
    """The odds in words: what the target's own figures tell stays as hidden as they are."""
    found = outlook(state, hit, held_back)
    args = {f"p{injury}": own(hit.target, round(100 * share)) for injury, share in found.injury}
    words = " · ".join(f"{injury}: {{p{injury}}} %" for injury, _ in found.injury)
    if health_is_open(state, hit.target):
        words += " · Serious Injury {serious} %, out {out} %"
        args |= {
            "serious": own(hit.target, round(100 * found.serious)),
            "out": own(hit.target, round(100 * found.knock_out)),
        }
    return Text(template="Injury " + words, args=dict(args))
