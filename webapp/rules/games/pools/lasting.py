"""Continuing Damage: harm that lasts, hurts at the end of each round, and is added up on its part."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules.answers import settle
from webapp.rules.document import CharacterId, Name
from webapp.rules.games.pools.ailments import mend_conduit
from webapp.rules.games.pools.harm import Dealt, deal, pay
from webapp.rules.games.pools.reckoning import Hit
from webapp.rules.games.pools.rolls import Outcome, no_target, no_targets
from webapp.rules.games.pools.sheet import (
    CONDUIT,
    WOUNDED,
    Continuing,
    Dice,
    Kind,
    KindNamed,
    Letters,
    Part,
    Pool,
    Sheet,
)
from webapp.rules.games.pools.turns import Turn, carried_out
from webapp.rules.games.pools.where import PickPart, roll_part, say_where, settle_on
from webapp.rules.move import Leave, Move, Step
from webapp.rules.question import Choice, Question, Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.viewer import Role

MOST = 12
Kinds = Annotated[tuple[Kind, ...], Field(max_length=6)]


# --- begin and end -----------------------------------------------------------------------------------------


def begin(
    scene: Scene,
    who: CharacterId,
    harm: Continuing,
    *,
    roller: CharacterId | None,
    id: str = "",
    after: Dealt | None = None,
) -> None:
    """D-58: the part is rolled when it begins, by whoever deals it, unless the hit that it came with says it.

    `id` of the harm, when that hit knows it already.
    """
    sheet = scene.sheet(Sheet, who)
    if _covers(sheet, harm):
        scene.say(text("{who} is immune.", who=Who(who=who)), outcome=Outcome.IMMUNE)
        return
    if len(sheet.lasting) >= MOST:
        scene.say(text("{who} suffers from too much already: nothing more begins.", who=Who(who=who)))
        return
    id = id or scene.new_id()
    sheet.lasting = {**sheet.lasting, id: harm}
    scene.say(
        text("{who}: {harm} goes on, {dice} dice each round.", who=Who(who=who), harm=harm.name, dice=harm.dice),
        outcome=Outcome.BEGINS,
    )
    if harm.onto != Pool.GRIT or (after is not None and after.asked):
        return
    part = harm.part
    if part is None:
        part, rolls = roll_part(scene, who, roller=roller)
        say_where(scene, who, part, rolls)
    if part is None:
        scene.open(PickPart(id=scene.new_id(), addressee=roller, target=who, harm=id))
    else:
        settle_on(scene, who, id, part)


def end(scene: Scene, who: CharacterId, id: str) -> None:
    sheet = scene.sheet(Sheet, who)
    harm = sheet.lasting[id]
    sheet.lasting = {other: one for other, one in sheet.lasting.items() if other != id}
    _forget_sums(sheet)
    sentence = text("{who}: {harm} is over.", who=Who(who=who), harm=harm.name)
    scene.say(sentence, brief=sentence, outcome=Outcome.ENDS)


def _forget_sums(sheet: Sheet) -> None:
    """With the last harm on a part its sum is forgotten (D-61, B1-19)."""
    hurt = {harm.part for harm in sheet.lasting.values()}
    sheet.sums = {part: sum if part in hurt else 0 for part, sum in sheet.sums.items()}
    sheet.caused = {part: sum if part in hurt else 0 for part, sum in sheet.caused.items()}


class Begin(Move):
    """The GM lets harm begin that goes on. Without a part one is rolled, for Grit."""

    game: ClassVar[str] = "pools"
    by = Leave.GM
    target: CharacterId
    name: Annotated[Name, Field(title="What")]
    dice: Dice
    onto: Annotated[KindNamed, Field(title="Pool or affliction")] = Pool.GRIT.value
    kinds: Annotated[Kinds, Field(title="Type")] = ()
    strikes: Letters = ""
    part: Part | None = None

    def refusal(self, state: State) -> Text | None:
        return no_targets(state, (self.target,)) or no_part(state, self.target, self.part)

    def apply(self, scene: Scene) -> None:
        harm = Continuing(
            name=self.name,
            dice=self.dice,
            onto=self.onto,
            kinds=self.kinds,
            strikes=self.strikes,
            part=self.part if self.onto == Pool.GRIT else None,
        )
        begin(scene, self.target, harm, roller=None)


def no_part(state: State, who: CharacterId, part: Part | None) -> Text | None:
    if part is not None and part not in state.sheet(Sheet, who).parts:
        return text("{who} has no such part.", who=Who(who=who))
    return None


class End(Move):
    game: ClassVar[str] = "pools"
    by = Leave.GM
    character: CharacterId
    harm: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        return no_targets(state, (self.character,)) or no_harm(state, self.character, self.harm)

    def apply(self, scene: Scene) -> None:
        end(scene, self.character, self.harm)


def no_harm(state: State, who: CharacterId, harm: str) -> Text | None:
    return None if harm in state.sheet(Sheet, who).lasting else text("That goes on no more.")


class PutOut(Turn):
    """A helper ends what goes on, at the GM's price; the GM is asked."""

    patient: CharacterId
    harm: Annotated[str, Field(max_length=40)]

    def refusal(self, state: State) -> Text | None:
        refused = super().refusal(state) or no_target(state, self.patient, of=self.actor)
        return refused or no_harm(state, self.patient, self.harm)

    def apply(self, scene: Scene) -> None:
        self.spend(scene)
        carried_out(scene, self.actor)
        if scene.viewer.role is Role.GM:
            end(scene, self.patient, self.harm)
            return
        scene.open(IsOut(id=scene.new_id(), addressee=None, helper=self.actor, patient=self.patient, harm=self.harm))


class IsOut(Question):
    game: ClassVar[str] = "pools"
    window = Window.STANDS
    default = "yes"
    helper: CharacterId
    patient: CharacterId
    harm: str

    def ask(self, state: State) -> Text:
        found = state.sheet(Sheet, self.patient).lasting.get(self.harm)
        return text(
            "{who} puts it out: {harm} on {patient}. At what price?",
            who=Who(who=self.helper),
            harm="" if found is None else found.name,
            patient=Who(who=self.patient),
        )

    def brief(self) -> Text:
        return text("out?")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (
            Choice(id="yes", label=text("It is out")),
            Choice(id="cost", label=text("It is out, for Energy of the helper"), amounts=(0, 20)),
            Choice(id="no", label=text("It goes on")),
        )

    def pointless(self, state: State) -> bool:
        found = state.find(Sheet, self.patient)
        return found is None or self.harm not in found.lasting

    def passed_by(self) -> Text:
        return text("It is out")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if scene.find(Sheet, self.patient) is None or self.harm not in scene.sheet(Sheet, self.patient).lasting:
            return
        if choice == "cost" and amount and scene.find(Sheet, self.helper) is not None:
            pay(scene, self.helper, Pool.ENERGY, amount)
        if choice == "no":
            scene.say(text("{who} can't put it out.", who=Who(who=self.helper)), outcome=Outcome.FAILURE)
        else:
            end(scene, self.patient, self.harm)


# --- each round --------------------------------------------------------------------------------------------


class Tick(Step):
    """One round of one effect, by the GM's dice whoever is away; no dice are held back."""

    game: ClassVar[str] = "pools"
    target: CharacterId
    harm: str

    def apply(self, scene: Scene) -> None:
        _settle_where(scene, self.harm)
        sheet = scene.find(Sheet, self.target)
        found = None if sheet is None else sheet.lasting.get(self.harm)
        if found is None:
            return
        scene.say(text("{harm} goes on for {who}.", harm=found.name, who=Who(who=self.target)))
        deal(
            scene,
            Hit(
                source=None,
                target=self.target,
                damage=found.dice,
                onto=found.onto,
                kinds=found.kinds,
                strikes=found.strikes,
                part=found.part,
                lasting=self.harm,
            ),
        )


def _settle_where(scene: Scene, harm: str) -> None:
    """It hurts the same part each time (D-59): nobody picks it any more."""
    for question in scene.questions():
        if isinstance(question, PickPart) and question.harm == harm:
            settle(scene, question, question.default)


def round_ends(scene: Scene, who: CharacterId) -> None:
    """D-57: the GM's turn, on which all that goes on hurts."""
    for harm in scene.sheet(Sheet, who).lasting:
        scene.run(Tick(target=who, harm=harm))


# --- immunity ----------------------------------------------------------------------------------------------


def conclude(scene: Scene, sheet: Sheet) -> None:
    """D-30, D-33: what one is Immune to leaves there and then, by whatever way the Immunity came."""
    _forget_sums(sheet)
    for affliction in [name for name, tiers in sheet.afflictions.items() if tiers and sheet.is_immune(name)]:
        mend_conduit(sheet, sheet.tiers(CONDUIT)) if affliction == CONDUIT else sheet.set_tiers(affliction, 0)
        scene.say(text("{who} is rid of {what}.", who=Who(who=sheet.id), what=affliction), outcome=Outcome.GONE)
    if sheet.is_immune(WOUNDED) and any(sheet.wounds.values()):
        sheet.wounds = dict.fromkeys(sheet.wounds, 0)
        scene.say(text("{who} is rid of {what}.", who=Who(who=sheet.id), what=WOUNDED), outcome=Outcome.GONE)
    for id in [id for id, harm in sheet.lasting.items() if _covers(sheet, harm)]:
        end(scene, sheet.id, id)


def _covers(sheet: Sheet, harm: Continuing) -> bool:
    hit = Hit(source=None, target=sheet.id, damage=0, onto=harm.onto, kinds=harm.kinds, strikes=harm.strikes)
    return sheet.is_immune(*hit.covered)
