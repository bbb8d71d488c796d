"""Harm without an attack roll, costs, and what a sheet comes to suffer or to withstand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from webapp.rules import damage as many
from webapp.rules.document import CharacterId
from webapp.rules.games.pools.ailments import afflict, mend_conduit, wound
from webapp.rules.games.pools.harm import deal, pay
from webapp.rules.games.pools.lasting import Kinds, no_part
from webapp.rules.games.pools.reckoning import FACE_THAT_HURTS, Hit, outlook
from webapp.rules.games.pools.rolls import NO_SHEET, Outcome, close, no_targets
from webapp.rules.games.pools.sheet import (
    CONDUIT,
    UNCONSCIOUS,
    WOUNDED,
    Dice,
    Kind,
    KindNamed,
    Letters,
    Part,
    Pool,
    Sheet,
)
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

MOST_KINDS = 12


class Hurt(Move):
    """The GM, or a trap, deals damage to one or several: the same chain without an attack roll."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    targets: Annotated[tuple[CharacterId, ...], Field(min_length=1, max_length=40)]
    dice: Dice
    onto: Annotated[KindNamed, Field(title="Pool or affliction")] = Pool.GRIT.value
    kinds: Annotated[Kinds, Field(title="Type")] = ()
    strikes: Letters = ""
    part: Part | None = None

    def refusal(self, state: State) -> Text | None:
        unknown = no_targets(state, self.targets)
        if unknown is not None:
            return unknown
        return next((no for who in self.targets if (no := no_part(state, who, self.part)) is not None), None)

    def apply(self, scene: Scene) -> None:
        for who in self.targets:
            scene.then(
                Struck(
                    hit=Hit(
                        source=None,
                        target=who,
                        damage=self.dice,
                        onto=self.onto,
                        kinds=self.kinds,
                        strikes=self.strikes,
                        part=self.part,
                    )
                )
            )


class Struck(Step):
    game: ClassVar[str] = "pools"
    hit: Hit
    thrown: tuple[int, ...] | None = None
    why: Text | None = None

    def apply(self, scene: Scene) -> None:
        deal(scene, self.hit, thrown=self.thrown, why=self.why)


class Harm(many.Harm):
    die = 12
    counts_from = FACE_THAT_HURTS

    onto: Annotated[KindNamed, Field(title="Pool or affliction")] = Pool.GRIT.value
    kind: Annotated[Kind, Field(title="Type", description="Fire, cold, physical … Armour may ward it off.")] = ""
    part: Annotated[Part | None, Field(title="Part, of a wound", description="Nothing: it is rolled.")] = None


def hurt_many(scene: Scene, who: CharacterId, harm: many.Hurting) -> None:
    """Of half the dice; those thrown for all are everybody's, and only what a Threshold adds is thrown besides."""
    hit = _hit(who, harm)
    thrown = None if harm.roll is None else harm.roll.faces[: hit.damage]
    scene.then(Struck(hit=hit, thrown=thrown, why=harm.why))


def hurt_outlook(state: State, who: CharacterId, harm: many.Hurting) -> Iterator[Text]:
    found = outlook(state, _hit(who, harm))
    yield many.span("Injury", dict(found.injury))
    if found.knock_out:
        yield many.sure("knocked out", found.knock_out)
    if found.serious:
        yield many.sure("Serious Injury", found.serious)


def _hit(who: CharacterId, harm: many.Hurting) -> Hit:
    how = harm.how
    assert isinstance(how, Harm)
    return Hit(
        source=None,
        target=who,
        damage=harm.share.of(len(harm.ask.dice)),
        plus=harm.share.of(harm.ask.bonus),
        onto=how.onto,
        kinds=(how.kind,) if how.kind else (),
        part=how.part,
    )


class Pay(OwnMove):
    """A cost: an empty pool stops nobody from paying (D-13)."""

    game: ClassVar[str] = "pools"
    pool: Annotated[Pool, Field(title="From")]
    amount: Annotated[int, Field(title="How much", ge=1, le=99)]

    def refusal(self, state: State) -> Text | None:
        return NO_SHEET if state.find(Sheet, self.actor) is None else None

    def apply(self, scene: Scene) -> None:
        pay(scene, self.actor, self.pool, self.amount)


class Afflict(Move):
    """The GM gives Tiers of an affliction, or takes them; what is wounded is a part."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    target: CharacterId
    name: Annotated[KindNamed, Field(title="Which")]
    tiers: Annotated[int, Field(ge=-99, le=99)]
    part: Part | None = None

    def refusal(self, state: State) -> Text | None:
        unknown = no_targets(state, (self.target,)) or no_part(state, self.target, self.part)
        if unknown is not None:
            return unknown
        if self.name == WOUNDED and self.part is None:
            return text("Say which part is wounded.")
        has = self._has(state)
        if self.tiers == 0 or (self.tiers < 0 and not has):
            return text("There is nothing to give or to take.")
        if self.name == UNCONSCIOUS and self.tiers > 0 and has:
            return text("{who} is unconscious already.", who=Who(who=self.target))
        return None

    def apply(self, scene: Scene) -> None:
        if self.tiers > 0:
            self._give(scene)
        else:
            self._take(scene)

    def _give(self, scene: Scene) -> None:
        if self.name == WOUNDED and self.part is not None:
            wound(scene, self.target, self.part, self.tiers)
        elif afflict(scene, self.target, self.name, self.tiers) and self.name != CONDUIT:
            self._say(scene)

    def _take(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.target)
        if self.name == WOUNDED and self.part is not None:
            sheet.set_wound(self.part, sheet.wounded(self.part) + self.tiers)
        elif self.name == CONDUIT:
            mend_conduit(sheet, -self.tiers)
        else:
            sheet.set_tiers(self.name, sheet.tiers(self.name) + self.tiers)
        self._say(scene)

    def _say(self, scene: Scene) -> None:
        now = self._has(scene)
        where = "" if self.name != WOUNDED or self.part is None else f", {self.part.value}"
        scene.say(
            text("{who}: {name} {now}{where}.", who=Who(who=self.target), name=self.name, now=now, where=where),
            audience=close(scene, self.target),
            outcome=None if now else Outcome.GONE,
        )

    def _has(self, state: State) -> int:
        sheet = state.sheet(Sheet, self.target)
        return sheet.tiers(self.name) if self.name != WOUNDED or self.part is None else sheet.wounded(self.part)


class Grow(OwnMove):
    """An Immunity or a Vulnerability comes, or goes (`away`)."""

    game: ClassVar[str] = "pools"
    what: Literal["immune", "vulnerable"]
    kind_of: Annotated[KindNamed, Field(title="To what")]
    away: bool = False

    def refusal(self, state: State) -> Text | None:
        sheet = state.find(Sheet, self.actor)
        if sheet is None:
            return NO_SHEET
        held = self._held(sheet)
        if (self.kind_of in held) is not self.away:
            return text("That is how it stands already.")
        return (
            text("The sheet has no room for more: put something away first.")
            if not self.away and len(held) >= MOST_KINDS
            else None
        )

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        kept = tuple(kind for kind in self._held(sheet) if kind != self.kind_of)
        now = kept if self.away else (*kept, self.kind_of)
        if self.what == "immune":
            sheet.immune = now
        else:
            sheet.vulnerable = now
        word = "{who} is {what} to {kind} no more." if self.away else "{who} is {what} to {kind} now."
        scene.say(text(word, who=Who(who=self.actor), what=self.what, kind=self.kind_of))

    def _held(self, sheet: Sheet) -> tuple[str, ...]:
        return sheet.immune if self.what == "immune" else sheet.vulnerable
