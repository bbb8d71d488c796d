"""Harm: what a blow or a mishap takes off, who is close enough for it, and going down."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules import damage as many
from webapp.rules.document import CharacterId
from webapp.rules.games.willpower.rolls import GAME, ActorStep, Outcome, lift, put
from webapp.rules.games.willpower.sheet import Condition, Sheet, State
from webapp.rules.knots import close_to
from webapp.rules.move import Step
from webapp.rules.question import Choice, Question
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Health, Text, Who, text

DONE = "done"


def hurt(
    scene: Scene, who: CharacterId, damage: int, *rolls: Roll, armour: bool = True, why: Text | None = None
) -> None:
    """Damage less Protection off HP, never less than nothing; at 0 HP one is out."""
    sheet = scene.sheet(Sheet, who)
    off = sheet.protection if armour else 0
    hits = max(0, damage - off)
    sheet.hp.lose(hits)
    args: dict[str, Any] = {"who": Who(who=who), "hits": hits, "damage": damage, "off": off}
    args["health"] = Health(health_of=who, now=sheet.hp.now, full=sheet.hp.full)
    sum_ = text(" ({damage} − {off})", **args) if off else ""
    sentence = text("{who} takes {hits} damage{sum}{health:, }.", **{**args, "sum": sum_})
    outcome = Outcome.HURT if hits else Outcome.UNHURT
    scene.say(sentence, *rolls, brief=text("{who} takes {hits}", **args), outcome=outcome, why=why)
    if sheet.hp.now == 0 and sheet.condition is Condition.FIT:
        fall(scene, who)


class Harm(many.Harm):
    armour: Annotated[bool, Field(title="Protection helps")] = True


def hurt_by(scene: Scene, who: CharacterId, harm: many.Hurting) -> None:
    """What nobody struck with."""
    harm = harm.thrown(scene)
    assert isinstance(harm.how, Harm)
    hurt(scene, who, harm.amount, *harm.rolls, armour=harm.how.armour, why=harm.why)


def hurt_outlook(state: Table, who: CharacterId, harm: many.Hurting) -> Iterator[Text]:
    assert isinstance(harm.how, Harm)
    sheet = state.sheet(Sheet, who)
    off = sheet.protection if harm.how.armour else 0
    yield from many.outlook_words(many.less(harm.amounts(), {off: Fraction(1)}), sheet.hp.now, "HP")


def fall(scene: Scene, who: CharacterId) -> None:
    scene.sheet(Sheet, who).condition = Condition.OUT
    sentence = text("{who} goes down.", who=Who(who=who))
    scene.say(sentence, brief=sentence, outcome=Outcome.DOWN)


def conclude(scene: Scene, sheet: Sheet) -> None:
    """Whoever is at 0 HP is out, by whatever way; whoever has HP back is up again."""
    if sheet.hp.now == 0 and sheet.condition is Condition.FIT and sheet.hp.full > 0:
        fall(scene, sheet.id)
    elif sheet.hp.now > 0 and sheet.condition is not Condition.FIT:
        sheet.condition = Condition.FIT
        scene.say(text("{who} is up again.", who=Who(who=sheet.id)), outcome=Outcome.UP)


def bleed(scene: Scene, who: CharacterId) -> None:
    """W-23: 1 damage at the start of one's turn; armour is no help, and nobody falls deeper than down."""
    sheet = scene.sheet(Sheet, who)
    if State.BLEEDING in sheet.states and sheet.hp.now > 0:
        scene.say(text("{who} is bleeding.", who=Who(who=who)))
        hurt(scene, who, 1, armour=False)


# --- who is close ------------------------------------------------------------------------------------------


class Aimed(Step):
    """Something that lands on these; a hurt of one roll for all of them (B0-5)."""

    targets: tuple[CharacterId, ...] = ()


class WhoIsClose(Question):
    """To the GM: who is close to `centre`? Each answer adds one or takes one away, until that is all."""

    game: ClassVar[str] = GAME
    default = DONE

    centre: CharacterId
    step: dict[str, Any]
    close: tuple[CharacterId, ...]

    def ask(self, state: Table) -> Text:
        return text("Who is close to {who}?", who=Who(who=self.centre))

    def brief(self) -> Text:
        return text("who is close?")

    def choices(self, state: Table) -> tuple[Choice, ...]:
        names = {f"n{nth}": Who(who=who) for nth, who in enumerate(self._there(state))}
        listed = Text(template=", ".join(f"{{{name}}}" for name in names) or "nobody", args=dict(names))
        done = Choice(id=DONE, label=text("That is all: {names}", names=listed))
        words = (
            (who, "{who} is not close" if who in self.close else "{who} is close too") for who in self._asked(state)
        )
        return (done, *(Choice(id=who, label=text(word, who=Who(who=who))) for who, word in words))

    def pointless(self, state: Table) -> bool:
        return not self._asked(state)

    def passed_by(self) -> Text:
        return text("Those who were close last")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        if choice == DONE:
            there = self._there(scene)
            scene.sheet(Sheet, self.centre).close = there
            step = self._step(scene)
            scene.then(step.model_copy(update={"targets": (*step.targets, *there)}))
            return
        without = tuple(who for who in self.close if who != choice)
        close = without if choice in self.close else (*self.close, choice)
        scene.open(WhoIsClose(id=scene.new_id(), addressee=None, centre=self.centre, step=self.step, close=close))

    def _asked(self, state: Table) -> list[CharacterId]:
        """Those whom it hits only if they are close; whoever was aimed at is hit anyway."""
        aimed = self._step(state).targets
        return [who for who in might_be_close(state, self.centre) if who not in aimed]

    def _step(self, state: Table) -> Aimed:
        step = state.rulebook.step(self.step)
        assert isinstance(step, Aimed)
        return step

    def _there(self, state: Table) -> tuple[CharacterId, ...]:
        return tuple(who for who in might_be_close(state, self.centre) if who in self.close)


def might_be_close(state: Table, centre: CharacterId) -> list[CharacterId]:
    """All others who could be hurt: those in the fight, or at the table when there is none."""
    fight = state.fight()
    return [
        one.id
        for one in state.characters()
        for sheet in (state.find(Sheet, one.id),)
        if sheet is not None and one.id != centre and sheet.hp.now > 0 and (fight is None or one.id in fight.members)
    ]


def ask_who_is_close(scene: Scene, centre: CharacterId, step: Aimed, *surely: CharacterId) -> None:
    """A knot of more than these two says it; else the last answer suggests itself, and the knot.

    `surely`: those who are known to be close.
    """
    knot = tuple(who for who in close_to(scene, centre) if who in might_be_close(scene, centre))
    if set(knot) - set(surely):
        there = tuple(dict.fromkeys((*surely, *knot)))
        scene.then(step.model_copy(update={"targets": (*step.targets, *there)}))
        return
    close = (*surely, *(who for who in scene.sheet(Sheet, centre).close if who not in surely))
    held = scene.rulebook.dump_step(step)
    scene.open(WhoIsClose(id=scene.new_id(), addressee=None, centre=centre, step=held, close=close))


class Landing(Aimed):
    """One amount for all targets, each with its own Protection; and what the blow brings besides."""

    game: ClassVar[str] = GAME
    damage: int
    rolls: tuple[Roll, ...] = ()
    brings: State | None = None
    disarms: bool = False

    def apply(self, scene: Scene) -> None:
        for who in dict.fromkeys(self.targets):
            if scene.find(Sheet, who) is None:
                continue
            if self.brings is not State.ENTANGLED:
                hurt(scene, who, self.damage, *self.rolls)
            if self.brings is not None and scene.sheet(Sheet, who).can_act:
                put(scene, who, self.brings)
                scene.say(text("{who} is {state}.", who=Who(who=who), state=self.brings.value))
            if self.disarms:
                disarm(scene, who)


class Blast(Aimed, ActorStep):
    """A burst around somebody, thrown with that one's die."""

    die: int
    following: dict[str, Any] | None = None

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(Ask(what=text("chaos"), roller=self.actor, dice=(self.die,)))
        for who in dict.fromkeys(self.targets):
            if scene.find(Sheet, who) is not None:
                hurt(scene, who, roll.total, roll)
        if self.following is not None:
            scene.then(scene.rulebook.step(self.following))


def disarm(scene: Scene, who: CharacterId) -> None:
    """W-19: what was in hand lies close by; picking it up is an action."""
    sheet = scene.sheet(Sheet, who)
    if sheet.damage is not None and not sheet.disarmed:
        sheet.disarmed = True
        scene.say(text("{who} is disarmed.", who=Who(who=who)))
    elif sheet.damage is None and (lost := sheet.drop_what_is_in_hand()) is not None:
        scene.say(text("{who} is disarmed of {weapon}.", who=Who(who=who), weapon=lost))
    else:
        scene.say(text("{who} has nothing in hand to lose.", who=Who(who=who)))


def carry_over(sheet: Sheet) -> None:
    """A fight begins: what hampers somebody until the end of the next turn ends with the first one of it."""
    sheet.states = {state: 0 if state.lasts else 1 for state in sheet.states}
    sheet.forget_fight()


def forget_fight(scene: Scene, who: CharacterId) -> None:
    """What only turns can end is over with the fight."""
    sheet = scene.sheet(Sheet, who)
    lift(scene, who, *(state for state in State if not state.lasts))
    sheet.forget_fight()
