"""Tasks: an attribute against a number, or against somebody."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import asked_of_heroes, choice, number, switch
from webapp.rules.blocks import Block, Button, Form, Menu, Offers, Place, Tab
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.squad.offers.buttons import others_up, raises, rolled
from webapp.rules.games.squad.raising import RAISE
from webapp.rules.games.squad.sheet import ATTRIBUTE_WORDS, Attribute, Sheet
from webapp.rules.games.squad.tasks import CallTask, Task
from webapp.rules.state import State
from webapp.rules.text import Who, text

DIFFICULTIES = ((2, text("Easy 2")), (4, text("Average 4")), (6, text("Hard 6")))


def tasks(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    yield Menu(
        key="squad.task",
        duty=Duty.TESTS,
        label=text("Roll for a task"),
        place=Place.DICE,
        switches=raises(sheet),
        tabs=tuple(_ways(character, sheet)),
    )
    yield Form(
        key="squad.task.any",
        duty=Duty.TESTS,
        label=text("Another difficulty"),
        move={"move": Task.kind(), "actor": character.id},
        fields=(
            choice("attribute", text("Attribute"), _ATTRIBUTES, "TUF"),
            number("difficulty", text("Difficulty"), 8, 1, 30),
            *((switch("raised", RAISE),) if sheet.will else ()),
        ),
        button=text("Roll"),
        why_not=Task(actor=character.id, attribute=Attribute.TUF, difficulty=1).refusal(state),
        place=Place.DICE,
    )


def _ways(character: Character, sheet: Sheet) -> Iterator[Tab]:
    """Each attribute by itself, then with each thing that lifts one."""
    attributes = (Attribute.TUF,) if sheet.monster else tuple(Attribute)
    for attribute in attributes:
        label = text("{attribute} d{die}", attribute=attribute.value, die=sheet.die(attribute))
        offers = Difficulties(actor=character.id, attribute=attribute)
        yield Tab(key=attribute.value, label=label, note=text(ATTRIBUTE_WORDS[attribute]), offers=offers)
    for attribute in Attribute:
        for id in sheet.lifting(attribute):
            device = sheet.devices[id]
            die = sheet.die_with(attribute, device)
            label = text("{attribute} d{die}", attribute=attribute.value, die=die)
            offers = Difficulties(actor=character.id, attribute=attribute, device=id)
            yield Tab(key=f"with {id}", label=label, note=text("with {device}", device=device.name), offers=offers)


class Difficulties(Offers):
    """Numbers, and others, to roll an attribute against."""

    actor: CharacterId
    attribute: Attribute
    device: str = ""

    def buttons(self, state: State) -> Iterator[Button]:
        plain = Task(actor=self.actor, attribute=self.attribute, device=self.device)
        for difficulty, label in DIFFICULTIES:
            yield rolled(state, plain.model_copy(update={"difficulty": difficulty}), label)
        for other in others_up(state, state.character(self.actor)):
            yield from self._against(state, other.id)

    def _against(self, state: State, other: CharacterId) -> tuple[Button, ...]:
        return state.recall((self, other), lambda: tuple(self._worked_out(state, other)))

    def _worked_out(self, state: State, other: CharacterId) -> Iterator[Button]:
        for their in (None,) if state.sheet(Sheet, other).monster else tuple(Attribute):
            task = Task(actor=self.actor, attribute=self.attribute, against=other, their=their, device=self.device)
            label = text("Against {who}{die}", who=Who(who=other), die=f"'s {their}" if their else "")
            yield rolled(state, task, label)


def ask_the_table(state: State) -> Form:
    return asked_of_heroes(
        state,
        Sheet,
        CallTask(attribute=Attribute.TUF, difficulty=1),
        text("Ask the table for a task"),
        choice("attribute", text("Attribute"), _ATTRIBUTES, "TUF"),
        number("difficulty", text("Difficulty"), 4, 1, 30),
        duty=Duty.TESTS,
    )


_ATTRIBUTES = tuple((attribute.value, text(attribute.named)) for attribute in Attribute)
