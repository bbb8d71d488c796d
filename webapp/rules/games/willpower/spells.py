"""Spells: the die that casts, HP that hold it, and the revenge of Chaos."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from webapp.rules.document import Audience
from webapp.rules.games.willpower.harm import Blast, ask_who_is_close, hurt
from webapp.rules.games.willpower.house import ChaosRow, House, HpScope
from webapp.rules.games.willpower.house import Mishap as Brings
from webapp.rules.games.willpower.nerve import HOLDS, Deed, Mishap, wear, willpower
from webapp.rules.games.willpower.rolls import GAME, ActorStep, Outcome, is_foe, put
from webapp.rules.games.willpower.sheet import DICE, Sheet, State
from webapp.rules.games.willpower.turns import CAST, Turn
from webapp.rules.question import Choice, Question, StandingOrder
from webapp.rules.roll import Ask, Roll
from webapp.rules.scene import Scene
from webapp.rules.state import State as Table
from webapp.rules.text import Text, Who, text

NO, PAY = "no", "pay"


class Cast(Turn):
    """W-29 … W-33; one spell a turn at most."""

    game: ClassVar[str] = GAME
    spell: Annotated[str, Field(max_length=40)]

    def act(self, state: Table) -> str:
        return CAST

    def deed(self, state: Table) -> CastRoll:
        return CastRoll(actor=self.actor, spell=self.spell)

    def ask(self, state: Table) -> Ask:
        return self.deed(state).ask(state)

    def hindrance(self, state: Table) -> Text | None:
        sheet, who = state.sheet(Sheet, self.actor), Who(who=self.actor)
        if self.spell not in sheet.spells or is_foe(state, self.actor):
            return text("There is no such spell on the sheet.")
        if State.NO_SPELLS in sheet.states:
            return text("{who} can cast no more until a long rest.", who=who)
        if CAST in sheet.acts:
            return text("{who} has cast this turn: one spell a turn.", who=who)
        return None


class CastRoll(ActorStep):
    """The second spell of a day and all after it are cast at disadvantage."""

    spell: str

    def ask(self, state: Table) -> Ask:
        return willpower(state, self.actor, worse=state.sheet(Sheet, self.actor).cast_today > 0)

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(self.ask(scene))
        sheet = scene.sheet(Sheet, self.actor)
        first = sheet.cast_today == 0
        sheet.cast_today = min(99, sheet.cast_today + 1)
        kept = PayHp(
            id=scene.new_id(), addressee=self.actor, spell=self.spell, name=self._name(scene), roll=roll, first=first
        )
        if roll.success:
            kept.settle(scene, NO, None)
        else:
            scene.say(
                text(
                    "{who} casts {spell}: Willpower {face}.",
                    who=Who(who=self.actor),
                    spell=kept.name,
                    face=roll.total,
                )
            )
            scene.open(kept)

    def _name(self, scene: Scene) -> str:
        spell = scene.sheet(Sheet, self.actor).spells.get(self.spell)
        return "a spell" if spell is None else spell.name


WHEN_SHORT = StandingOrder(
    name="hp",
    title=text("When a spell falls short"),
    values=(("ask", text("Offer to pay HP")), ("never", text("Never pay HP"))),
)


class PayHp(Question):
    """W-32, W-33, B0-15: 1 HP for each point that is missing, on the kept die, after the roll is seen."""

    game: ClassVar[str] = GAME
    standing_order = WHEN_SHORT
    default = NO

    spell: str
    name: str
    roll: Roll
    first: bool

    @property
    def price(self) -> int:
        return max(0, HOLDS - self.roll.total)

    def ask(self, state: Table) -> Text:
        return text("{spell}: Willpower {face}. Pay HP to hold the die?", spell=self.name, face=self.roll.total)

    def brief(self) -> Text:
        return text("pay HP?")

    def choices(self, state: Table) -> tuple[Choice, ...]:
        left = state.sheet(Sheet, self._who).hp.now
        price = text("{price} of {left} HP; the die holds", price=self.price, left=left)
        if left == self.price:
            price = text("your last {price} HP: you go down, but the die holds", price=self.price)
        smaller = DICE.shift(state.sheet(Sheet, self._who).willpower, -1)
        drop = text("the die goes down to a d{die}", die=smaller or 0)
        if smaller is None:
            drop = text("it runs out: certain Panic and Chaos Revenge")
        return (
            Choice(id=NO, label=text("Let it drop"), price=drop),
            Choice(id=PAY, label=text("Pay {price} HP", price=self.price), price=price),
        )

    def pointless(self, state: Table) -> bool:
        late = state.house(House).cast_hp_scope is HpScope.AFTER_FIRST
        return (late and self.first) or state.sheet(Sheet, self._who).hp.now < self.price

    def ordered(self, state: Table) -> str | None:
        return NO if state.habits(self._who).orders.get("hp") == "never" else None

    def passed_by(self) -> Text:
        return text("No HP paid")

    def decided(self, choice: str) -> Text:
        return text("the GM let the die drop.") if choice == NO else text("the GM paid with your HP.")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        raised = 0
        if choice == PAY:
            raised = self.price
            scene.sheet(Sheet, self._who).hp.lose(raised)
            scene.say(text("{who} pays {hp} HP to hold the die.", who=Who(who=self._who), hp=raised))
        drops = self.roll.total + raised < HOLDS
        fails = drops and scene.house(House).spell_fails_on_drop
        works = Works(actor=self._who, spell=self.spell, name=self.name, fails=fails)
        wear(
            scene,
            self._who,
            self.roll,
            text("{spell}", spell=self.name),
            following=scene.rulebook.dump_step(works),
            mishap=scene.rulebook.dump_step(ChaosRevenge(actor=self._who)),
            raised=raised,
        )


class Works(Deed):
    """What becomes of the spell (B0-14)."""

    spell: str
    name: str
    fails: bool = False

    def apply(self, scene: Scene) -> None:
        args: dict[str, Any] = {"who": Who(who=self.actor), "spell": self.name}
        if self.fails:
            sentence = text("{who}'s {spell} fails.", **args)
            scene.say(sentence, brief=sentence, outcome=Outcome.SPELL_FAILED)
            return
        spell = scene.sheet(Sheet, self.actor).spells.get(self.spell)
        args["line"] = f" {spell.line}" if spell is not None and spell.line else ""
        brief = text("{who} casts {spell}", **args)
        scene.say(text("{who} casts {spell}.{line}", **args), brief=brief, outcome=Outcome.CAST)


class ChaosRevenge(Mishap):
    """W-37: after Panic, when the die ran out through casting. The spell works unless the row says otherwise."""

    def apply(self, scene: Scene) -> None:
        roll = scene.roll(Ask(what=text("Chaos Revenge"), roller=self.actor, dice=(6,)))
        row = scene.house(House).chaos.row(roll.total)
        who = Who(who=self.actor)
        sentence = text("Chaos takes revenge on {who} ({face}). {words}.", who=who, face=roll.total, words=row.words)
        scene.say(sentence, roll, brief=text("Chaos takes revenge on {who}", who=who), outcome=Outcome.CHAOS)
        self._suffer(scene, row, self._spell(scene, row))

    def _spell(self, scene: Scene, row: ChaosRow) -> Works | None:
        """What is left of it after Panic, and after this row."""
        if self.following is None:
            return None
        spell = scene.rulebook.step(self.following)
        assert isinstance(spell, Works)
        return spell if row.spell_works else spell.model_copy(update={"fails": True})

    def _suffer(self, scene: Scene, row: ChaosRow, spell: Works | None) -> None:
        who, sheet = Who(who=self.actor), scene.sheet(Sheet, self.actor)
        match row.does:
            case Brings.HURTS_ALL_CLOSE:
                following = None if spell is None else scene.rulebook.dump_step(spell)
                blast = Blast(actor=self.actor, die=row.die, targets=(self.actor,), following=following)
                ask_who_is_close(scene, self.actor, blast)
                return
            case Brings.HURTS_CASTER:
                damage = scene.roll(Ask(what=text("chaos"), roller=self.actor, dice=(row.die,)))
                hurt(scene, self.actor, damage.total, damage, armour=False)
            case Brings.OTHER_TARGET:
                astray = "The spell of {who} goes to another target: the GM picks it."
                lost = spell is None or spell.fails
                scene.say(text("There is no spell left to go astray." if lost else astray, who=who))
            case Brings.NO_MORE_SPELLS:
                put(scene, self.actor, State.NO_SPELLS)
                scene.say(text("{who} can cast no more until a long rest.", who=who))
            case Brings.MARK:
                sheet.marks = min(99, sheet.marks + 1)
                scene.say(text("{who} bears a mark of Chaos.", who=who))
            case Brings.TROUBLE:
                scene.say(text("Keep a trouble for later: something noticed {who}.", who=who), audience=Audience.GM)
            case Brings.NOTHING:
                pass
        if spell is not None:
            scene.then(spell)
