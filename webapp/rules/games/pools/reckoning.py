"""What is settled before the damage dice fall: the order of operations, and the exact odds that follow from it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from webapp.rules.document import CharacterId
from webapp.rules.games.pools.house import House, StabFloor
from webapp.rules.games.pools.rolls import BEST_FACE, health_is_open, own
from webapp.rules.games.pools.sheet import PHYSICAL, Part, Pool, Sheet, StrikeType, pool_of
from webapp.rules.odds import totals
from webapp.rules.question import Worth
from webapp.rules.roll import Ask, Modifier
from webapp.rules.sight import may_tell
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, number, text
from webapp.rules.values import Frozen

FACE_THAT_HURTS = 3
VULNERABLE = 6
THRESHOLD = "Severe Threshold"
STAB = 2


class Hit(Frozen):
    """Harm on its way. `faces` of the attack roll; `source` None: the GM's, or a trap's.

    `lasting` is the Continuing effect it is a tick of, `carries` the one that begins where it lands; `plus` is Injury
    that no die decides.
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
    plus: int = 0

    @property
    def roller(self) -> CharacterId | None:
        """Whose dice the damage is rolled with; what goes on is the GM's."""
        return self.source if self.lasting is None else None

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
    """All that is settled before the damage dice fall. `lent`: those of the dice that a Threshold below 0 adds."""

    dice: int
    lent: int
    needed: int
    floor: int
    larger: int
    immune: bool
    sum: Text
    face: Figure
    capped: bool

    def ask(self, hit: Hit) -> Ask:
        return Ask(
            what=text("damage, {sum}, need {face}", sum=self.sum, face=self.face),
            roller=hit.roller,
            dice=(12,) * self.dice,
            lent=self.lent,
            lender=hit.target if self.lent else None,
            counts_from=self.needed,
            modifiers=(Modifier(source=text("in any case"), amount=hit.plus),) if hit.plus else (),
        )

    def injury(self, counted: int) -> int:
        return max(counted, self.floor)


def reckon(state: State, hit: Hit, held_back: int = 0) -> Reckoning:
    """The order of operations, from top to bottom; the attack's faces are final (1)."""
    house, target = state.house(House), state.sheet(Sheet, hit.target)

    dice = {"damage": hit.damage}  # 2
    if hit.has(StrikeType.CHOPPING):  # 3: D-48
        dice["Chopping"] = hit.faces_from(9)
    if hit.onto == Pool.GRIT and (any(dice.values()) or hit.plus):  # 4: D-39
        dice[THRESHOLD] = max(0, -target.threshold)
    held_back = min(held_back, sum(dice.values()))  # 5: D-23
    rolled = sum(dice.values()) - held_back
    lent = max(0, rolled - _own_dice(dice))

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
        lent=lent,
        needed=needed,
        floor=floor,
        larger=larger,
        immune=immune,
        sum=_sum(state, hit, dice, held_back),
        face=_face(hit.target, needed, reduction, vulnerable, stabbing, always=always),
        capped=floor < bashing,
    )


def _size(state: State, hit: Hit) -> int:
    striker = None if hit.source is None else state.find(Sheet, hit.source)
    return 1 if striker is None else striker.size


def _sum(state: State, hit: Hit, dice: dict[str, int], held_back: int) -> Text:
    """ "5 dice (3 + 2 Chopping) + 1", as far as it may be known what the dealer throws and what a Threshold adds."""
    all_of_them = _dice(dice, held_back)
    if hit.roller is not None and not may_tell(state, hit.roller):
        told = own(hit.roller, all_of_them, "? dice")
    else:
        hidden = max(0, held_back - dice.get(THRESHOLD, 0))
        told = own(hit.target, all_of_them, _dice({**dice, THRESHOLD: 0}, hidden))
    sum = text("{dice}", dice=told)
    return text("{sum} + {plus}", sum=sum, plus=hit.plus) if hit.plus else sum


def _own_dice(dice: dict[str, int]) -> int:
    """Those that no figure of the one who is hit has added."""
    return sum(dice.values()) - dice.get(THRESHOLD, 0)


def _dice(dice: dict[str, int], held_back: int) -> str:
    rolled = sum(dice.values()) - held_back
    terms = "".join(f" + {count} {word}" for word, count in list(dice.items())[1:] if count)
    terms += f" − {held_back} held back" if held_back else ""
    said = "1 die" if rolled == 1 else f"{rolled} dice"
    return f"{said} ({dice['damage']}{terms})" if terms else said


def _face(who: CharacterId, needed: int, reduction: int, vulnerable: int, stabbing: int, *, always: bool) -> Figure:
    """ "5 (3 + 2 Reduction)"; what stands against it, and whether anything does, may be hidden altogether."""
    terms = [f" {'+' if reduction > 0 else '−'} {abs(reduction)} Reduction"] if reduction else []
    terms += [
        f" − {amount} {word}" for amount, word in ((vulnerable, "Vulnerable"), (stabbing, "Stabbing")) if amount
    ]
    counts = "" if 1 < needed <= BEST_FACE else ", every die" if needed <= 1 else ", no die"
    counts += ", a 12 always counts" if always else ""
    how = f" (3{''.join(terms)})" if terms else ""
    return own(who, f"{number(needed)}{counts}{how}")


def beyond_threshold(target: Sheet, injury: int) -> int:
    """A Threshold below 0 counts as 0 here (D-11)."""
    return max(0, injury - max(0, target.threshold))


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
