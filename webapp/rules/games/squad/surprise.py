"""Surprise: who is unaware of whom before the first round."""

from __future__ import annotations

from typing import ClassVar

from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.encounter import Encounter
from webapp.rules.errors import NOBODY
from webapp.rules.games.squad.raising import AskedFirst, raised
from webapp.rules.games.squad.rolls import NO_SHEET, Outcome, throw
from webapp.rules.games.squad.second_try import Rolled, second_try
from webapp.rules.games.squad.sheet import Attribute, Sheet, half
from webapp.rules.move import Leave, Move
from webapp.rules.roll import Ask, Wins
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, text


class Surprise(Move):
    """S-11, S-12: every hero in the fight rolls ATN; `ambush`: to surprise the foes, else not to be surprised."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    ambush: bool

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None or not may_surprise(state, fight):
            return text("Surprise comes before anybody acts in the first round.")
        if state.held_up():
            return text("Something is still open: answer what waits first.")
        return None if _others(state, fight) else text("There is nobody to surprise or be surprised by.")

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for hero in scene.characters(Side.HERO):
            if hero.id in fight.members and scene.order().can_act(scene, hero.id):
                scene.open(Watch(id=scene.new_id(), addressee=hero.id, ambush=self.ambush))


def may_surprise(state: State, fight: Encounter) -> bool:
    """Before initiative; where another order needs none, before the first turn is used."""
    if fight.round > 1:
        return False
    elsewhere = state.has(Duty.ORDER) != Surprise.game
    return not fight.settled or (elsewhere and not any(slot.spent for slot in state.slots()))


class Watch(AskedFirst):
    ambush: bool

    def ask(self, state: State) -> Text:
        return text("Lie in wait: roll ATN.") if self.ambush else text("Something is up: roll ATN.")

    def brief(self) -> Text:
        return text("surprise?")

    def roll(self, state: State) -> Wariness:
        assert self.addressee is not None
        return Wariness(actor=self.addressee, ambush=self.ambush)


class Wariness(Rolled):
    """One hero's roll against half the highest ATN or monster die on the other side (B2-5)."""

    game: ClassVar[str] = "squad"
    actor: CharacterId
    ambush: bool

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def is_past(self, state: State) -> bool:
        fight = state.fight()
        return fight is None or not _others(state, fight)

    def ask(self, state: State) -> Ask:
        fight = state.fight()
        assert fight is not None
        dice = {who: state.sheet(Sheet, who).die(Attribute.ATN) for who in _others(state, fight)}
        keenest = max(dice, key=lambda who: (dice[who], not state.is_hidden(who)))
        die = dice[keenest]
        return state.judged(
            Ask(
                what=text("ATN, to surprise") if self.ambush else text("ATN, not to be surprised"),
                roller=self.actor,
                dice=(raised(state.sheet(Sheet, self.actor).die(Attribute.ATN), self.raised),),
                wins=Wins.AT_LEAST,
                target=half(die),
                against=text(
                    "{number} (half of the keenest on the other side)",
                    number=Figure(figure_of=keenest, value=half(die)),
                ),
            )
        )

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        if fight is None or self.is_past(scene):
            return
        roll = throw(scene, self.ask(scene))
        who = Who(who=self.actor)
        if self.ambush and roll.success:
            for other in _others(scene, fight):
                scene.sheet(Sheet, other).surprised = True
            scene.say(text("{who} takes the other side by surprise.", who=who), roll, outcome=Outcome.SURPRISED)
        elif roll.success:
            scene.sheet(Sheet, self.actor).surprised = False
            scene.say(text("{who} sees it coming.", who=who), roll, outcome=Outcome.SUCCESS)
        elif self.ambush:
            sentence = text("{who} gives it away.", who=who)
            scene.say(sentence, roll, outcome=Outcome.FAILURE)
            second_try(scene, self, sentence)
        else:
            sentence = text("{who} is surprised.", who=who)
            scene.sheet(Sheet, self.actor).surprised = True
            scene.say(sentence, roll, outcome=Outcome.SURPRISED)
            second_try(scene, self, sentence)


class SetSurprised(Move):
    """The GM's last word on who is surprised."""

    game: ClassVar[str] = "squad"
    by = Leave.GM
    character: CharacterId
    surprised: bool

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        fight = state.fight()
        if fight is None or fight.round > 1:
            return text("Only the first round of a fight knows surprise.")
        return text("That is how it stands already.") if sheet.surprised == self.surprised else None

    def apply(self, scene: Scene) -> None:
        scene.sheet(Sheet, self.character).surprised = self.surprised
        word = "is surprised" if self.surprised else "is not surprised after all"
        scene.say(text("{who} {word}.", who=Who(who=self.character), word=word))


def _others(state: State, fight: Encounter) -> list[CharacterId]:
    """The foes in this fight who can be surprised or surprise."""
    order = state.order()
    return [one.id for one in state.characters(Side.FOE) if one.id in fight.members and order.can_act(state, one.id)]
