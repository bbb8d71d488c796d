"""Why a number is what it is, for whoever asks and may see it: one answer for every number on every page.

A page asks for what it shows: a move (what its button or choice would roll), a block of a card, somebody's health,
a place in the order, or the clock. The answer is a few plain sentences, read with the viewer's own eyes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from webapp.rules.blocks import Block, Button, Fact, Gauge, HealthNow, Menu
from webapp.rules.cards_view import acts_of, buttons_of, sections_of
from webapp.rules.document import Character, Clock
from webapp.rules.lines_view import RollView, roll_view
from webapp.rules.question import Choice
from webapp.rules.roll import Roll
from webapp.rules.sight import Sight
from webapp.rules.state import TABLE
from webapp.rules.text import Text, number, percent, text
from webapp.rules.viewer import Role, Viewer

if TYPE_CHECKING:
    from webapp.table import Table

Of = Mapping[str, Any]
MOST = 5  # of the latest changes, so many are told
NO_ROLL = "No dice decide this: it simply happens."
WRITTEN = "It is written on the sheet. Edit the sheet, under More, changes it."
NOTHING = ("Nothing to ask about here", "Ask about a chance, a count, or a value of a sheet.")


def because(table: Table, viewer: Viewer, of: Of) -> tuple[str, ...]:
    """A heading, and what there is to say; nothing for what this viewer does not see."""
    return tuple(words[:1].upper() + words[1:] for words in _Asked(table, viewer).told(of))


class _Asked:
    def __init__(self, table: Table, viewer: Viewer) -> None:
        self.table, self.viewer = table, viewer
        self.state = table.state
        self.sight = Sight(table.state, viewer)

    def told(self, of: Of) -> Iterator[str]:
        match dict(of):
            case {"move": "table.answer", "question": str(question), "choice": str(choice)}:
                yield from self._of_choice(question, choice, of.get("amount"))
            case {"move": "table.adjust", "actor": str(who), "game_id": str(game), "path": list(path)}:
                yield from self._of_gauge(who, (game, *map(str, path)))
            case {"move": str()}:
                yield from self._of_button(of)
            case {"card": str(who), "block": "health"}:
                yield from self._of_health(who)
            case {"card": str(who), "block": "plight"}:
                yield from self._of_plight(who)
            case {"card": str(who), "block": str(key)}:
                yield from self._of_block(who, key)
            case {"slot": str(slot)}:
                yield from self._of_slot(slot)
            case {"block": "clock"} if self.viewer.role is Role.GM:
                yield from ("The clock", *self._history(f"{Clock.kind()}/{TABLE}", ("minutes",)))

    # --- chances

    def _of_button(self, of: Of) -> Iterator[str]:
        for menu in self._menus(of):
            for button in (
                one for tab in menu.tabs for plain in buttons_of(self.state, tab) for one in plain.variants()
            ):
                if button.move == of:
                    yield self._headed(f"{self._words(menu.label)}: {self._words(button.label)}", button)
                    yield self._how(button)
                    return

    def _how(self, button: Button | Choice) -> str:
        if button.why_not is not None:
            return self._words(button.why_not)
        return self.sight.derived(button.because, button.about, button.pool) or NO_ROLL

    def _headed(self, label: str, button: Button | Choice) -> str:
        assert not isinstance(button.chance, str)
        chance = self.sight.odds(button.chance, button.about, button.pool)
        return label if chance is None or button.why_not is not None else f"{label} · {percent(chance)}"

    def _menus(self, of: Of) -> Iterator[Menu]:
        """All that this viewer may press; those of the one who would do it first."""
        actor = next((str(of[name]) for name in ("actor", "character") if name in of), "")
        there = sorted(self.state.characters(), key=lambda one: one.id != actor)
        for one in there:
            yield from (block for block in self._raw(one) if isinstance(block, Menu))
        if self.viewer.role is Role.GM:
            blocks = self.state.rulebook.gm_blocks(self.state)
            yield from (block for block in blocks if isinstance(block, Menu))

    def _raw(self, character: Character) -> Iterator[Block]:
        """The blocks of a card as the rule sets made them, as far as they reach this viewer."""
        if not self.sight.sees(character):
            return
        sections = sections_of(self.state, character.id)
        blocks: Iterable[Block] = (block for section in sections for block in (*section.vitals, *section.blocks))
        yield from (block for block in blocks if self.sight.reaches(block.reach, character))
        if self.sight.knows(character):
            acts = acts_of(self.state, character.id)
            yield from (block for _, own in acts for block in own if self.sight.reaches(block.reach, character))

    def _of_choice(self, id: str, choice: str, amount: object) -> Iterator[str]:
        asked = next((one for one in self.state.questions() if one.id == id), None)
        if asked is None or not self.sight.may_answer(asked):
            return
        found = asked.choice(self.state, choice)
        if found is None:
            return
        if found.worths and found.amounts is not None and isinstance(amount, int):
            found = _at(found, amount)
        yield self._headed(self._words(found.label), found)
        yield self._how(found)
        if found.price is not None:
            yield self._words(found.price)

    def _of_plight(self, who: str) -> Iterator[str]:
        found = self.state.find(Character, who)
        if found is None or not self.sight.knows(found):
            return
        for section in sections_of(self.state, who):
            helpers = section.plight.helpers if section.plight is not None else ()
            if helpers:
                yield f"Who can help {self.sight.name(who)}"
            for one in helpers:
                if self.sight.sees(self.state.character(one.who)):
                    name = self.sight.name(one.who)
                    yield f"{name}: {self.sight.derived(one.because) or self._words(one.how)}"

    # --- values

    def _of_block(self, who: str, key: str) -> Iterator[str]:
        found = self.state.find(Character, who)
        for block in () if found is None else self._raw(found):
            if block.key != key:
                continue
            match block:
                case Gauge():
                    yield self._gauge_words(block)
                    yield from self._lately(block.at, who)
                case Fact():
                    yield f"{self._words(block.label)}: {self._words(block.value)}"
                    yield WRITTEN if block.because is None else self._words(block.because)
                case Menu():
                    yield self._words(block.label)
                    yield self.sight.derived(block.because) or NO_ROLL
                case _:
                    yield self._words(block.label) if hasattr(block, "label") else self._words(block.words)
                    how = getattr(block, "because", None)
                    yield from () if how is None else (self._words(how),)
                    yield from self._of_the_sheet(who)
            return

    def _of_gauge(self, who: str, at: tuple[str, ...]) -> Iterator[str]:
        """Asked on its plus or minus."""
        found = self.state.find(Character, who)
        for block in () if found is None else self._raw(found):
            if isinstance(block, Gauge) and block.at == at:
                yield from self._of_block(who, block.key)
                return

    def _gauge_words(self, block: Gauge) -> str:
        full = "" if block.full is None else f" of {block.full}"
        return f"{self._words(block.label)}: {block.shown}{full}"

    def _lately(self, at: tuple[str, ...], who: str) -> Iterator[str]:
        if not at:
            yield from self._of_the_sheet(who)
            return
        game, *path = at
        yield from self._history(f"{self.state.rulebook.games[game].sheet.kind()}/{who}", tuple(path))

    def _of_the_sheet(self, who: str) -> Iterator[str]:
        """The latest rows of the log that speak of somebody."""
        said = (
            self._words(line.sentence)
            for entry in self.table.log.latest(who, "lines")
            for line in entry.lines
            if self.sight.may_read(line.audience) and who in line.sentence.mentions()
        )
        found = [sentence for sentence, _ in zip(said, range(MOST), strict=False)]
        yield "The log, latest first:" if found else WRITTEN
        yield from found

    def _of_health(self, who: str) -> Iterator[str]:
        """The very numbers that stand on the card, by the rule set that has health."""
        found = self.state.find(Character, who)
        health = (
            None if found is None or not self.sight.sees(found) else self.state.rulebook.health(self.state, found)
        )
        if health is None:
            return
        yield f"{self.sight.name(who)}: {self._health_words(who, health)}".rstrip(": ")
        gauges = (block for block in self._raw(self.state.character(who)) if isinstance(block, Gauge) and block.at)
        same = [one for one in gauges if (one.now, one.full) == (health.now, health.full)]
        if same:
            yield from self._lately(same[0].at, who)
        elif health.down is not None:
            yield self._words(health.down)
        else:
            yield "The GM chose how finely health is shown."

    def _health_words(self, who: str, health: HealthNow) -> str:
        return self.sight.health(who, health.now, health.full)

    def _history(self, key: str, path: tuple[str, ...]) -> Iterator[str]:
        """How a number came to be what it is: its latest changes, and what was said of them."""
        found = [one for one, _ in zip(self._changes(key, path), range(MOST), strict=False)]
        yield "Lately, the latest first:" if found else "Nothing in the log has changed it: it stands as it was made."
        yield from found

    def _changes(self, key: str, path: tuple[str, ...]) -> Iterator[str]:
        for entry in self.table.log.latest(key, "changes"):
            for change in entry.changes:
                if change.key == key and change.path == path:
                    said = next((line.sentence for line in entry.lines if self.sight.may_read(line.audience)), None)
                    words = "out of your sight" if said is None else self._words(said)
                    yield f"{_plain(change.before)} → {_plain(change.after)}: {words}"

    # --- the order

    def _of_slot(self, id: str) -> Iterator[str]:
        fight = self.state.fight()
        slot = next((one for one in self.state.slots() if one.id == id), None) if fight is not None else None
        if slot is None or not self.sight.sees(self.state.character(slot.character)):
            return
        order = self.state.order()
        place = order.place_words(self.state, slot)
        yield f"{self.sight.name(slot.character)}: {number(slot.number) if place is None else self._words(place)}"
        called = self._words(order.called)
        rolled = next(self._rolled(slot.character, called.lower()), None)
        yield f"Nothing was rolled for it: that is the table's order for {called}." if rolled is None else rolled
        if slot.since is not None:
            yield f"Held back at {number(slot.since)}."

    def _rolled(self, who: str, called: str) -> Iterator[str]:
        """The latest roll for a place in the order, as far as it may be read."""
        for entry in self.table.log.latest(who, "lines"):
            for line in entry.lines:
                for roll in line.rolls:
                    if roll.ask.roller == who and called in self._words(roll.ask.what).lower():
                        yield (
                            self._roll_words(roll)
                            if self.sight.may_read(line.audience)
                            else "It was rolled in secret."
                        )

    def _roll_words(self, roll: Roll) -> str:
        return roll_words(roll_view(self.sight, roll))

    def _words(self, sentence: Text) -> str:
        return self.sight.words(sentence)


def _at(choice: Choice, amount: int) -> Choice:
    """A choice that carries a number, with what it is worth at this one."""
    assert choice.amounts is not None
    lowest, highest = choice.amounts
    worth = choice.worths[min(highest, max(lowest, amount)) - lowest]
    label = text("{label} {amount}", label=choice.label, amount=amount)
    return choice.model_copy(
        update={"label": label, "chance": worth.chance, "because": worth.because or choice.because}
    )


def _plain(value: Any) -> str:
    return number(value) if isinstance(value, int) else "nothing" if value is None else str(value)


def roll_words(view: RollView) -> str:
    """The derivation of a roll as one plain sentence."""
    dice = ", ".join(f"d{side} shows {number(face)}{'' if kept else ' (dropped)'}" for side, face, kept in view.dice)
    plus = "".join(f", {modifier}" for modifier in view.modifiers)
    against = f" against {view.target}" if view.target else ""
    if not dice and not plus:
        return f"{view.what}: {number(view.total)}{against}."
    return f"{view.what}: {dice}{plus}, that is {number(view.total)}{against}."
