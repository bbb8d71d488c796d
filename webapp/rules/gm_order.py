"""The GM's own order: everybody in the fight acts once a round, as the GM has put them."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Block, Button, Form, Input, Menu, Place, Reach, Tab
from webapp.rules.document import Character, CharacterId, Duty, Side
from webapp.rules.encounter import Encounter, FightOrder, Slot
from webapp.rules.fighting import Done
from webapp.rules.knots import Tie, close_to
from webapp.rules.move import Leave, Move
from webapp.rules.scene import Scene
from webapp.rules.state import TABLE, State
from webapp.rules.text import Text, Who, text


class GmOrder(FightOrder):
    """Nothing is rolled; a slot's number counts down from how many take part."""

    counted = False

    def waiting_for(self, state: State, fight: Encounter) -> tuple[CharacterId, ...]:
        return ()

    def call(self, state: State, fight: Encounter) -> Move:
        raise AssertionError("nobody is waited for")

    def slots(self, state: State, fight: Encounter) -> tuple[Slot, ...]:
        there = [who for who in _in_order(fight) if self._takes_part(state, fight, who)]
        return tuple(
            Slot(id=f"{who}:turn", character=who, number=len(there) - nth, spent=fight.done.get(who, False))
            for nth, who in enumerate(there)
        )

    def can_act(self, state: State, who: CharacterId) -> bool:
        character = state.find(Character, who)
        return character is not None and not state.rulebook.downs(state, character)

    def let_go(self, scene: Scene, slot: Slot) -> None:
        fight = scene.fight()
        assert fight is not None
        fight.done = {**fight.done, slot.character: True}

    def begin_round(self, scene: Scene, fight: Encounter) -> None:
        """Nobody has acted yet: the fight keeps that itself."""

    def place_words(self, state: State, slot: Slot) -> Text | None:
        """First, second, third: people count upwards."""
        return text("{nth}", nth=1 + len(state.slots()) - slot.number)

    def gone_by(self, slot: Slot) -> Text | None:
        return text("{who}'s turn is over.", who=Who(who=slot.character))

    def pass_label(self, state: State, slot: Slot) -> Text | None:
        hero = state.character(slot.character).side is Side.HERO
        return text("End {who}'s turn" if hero else "{who} does nothing", who=Who(who=slot.character))

    def _takes_part(self, state: State, fight: Encounter, who: CharacterId) -> bool:
        return fight.members[who].joined <= fight.round and self.can_act(state, who)


def _in_order(fight: Encounter) -> list[CharacterId]:
    return sorted(fight.members, key=lambda who: fight.members[who].place)


def turn_block(state: State, who: CharacterId) -> tuple[Block, ...]:
    """What somebody whose turn it is can do about the turn itself, where no rule set runs the order."""
    done = Done(actor=who)
    if state.has(Duty.ORDER) != TABLE or done.refusal(state) is not None:
        return ()
    button = Button(label=text("Done"), move={"move": done.kind(), "actor": who})
    tab = Tab(key="only", label=text("Or"), buttons=(button,))
    return (Menu(key="table.turn", label=text("Or"), place=Place.FIGHT, tabs=(tab,)),)


class ActsBefore(Move):
    """The GM puts somebody before another in the order, or last of all; it also decides ties."""

    by = Leave.GM
    character: CharacterId
    before: CharacterId | None = None

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is None:
            return text("There is no fight at this table.")
        if self.character not in fight.members or self.before not in (None, *fight.members):
            return text("There is nobody of that kind in this fight: choose somebody who is in it.")
        return text("That is how it stands already.") if self._wanted(fight) == _in_order(fight) else None

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        for place, one in enumerate(self._wanted(fight)):
            fight.members[one].place = place
        who = Who(who=self.character)
        if self.before is None:
            scene.say(text("{who} comes last in the order.", who=who))
        else:
            scene.say(text("{who} comes before {other} in the order.", who=who, other=Who(who=self.before)))

    def _wanted(self, fight: Encounter) -> list[CharacterId]:
        others = [who for who in _in_order(fight) if who != self.character]
        at = len(others) if self.before in (None, self.character) else others.index(self.before or "")
        return [*others[:at], self.character, *others[at:]]


def order_forms(state: State, fight: Encounter, who: CharacterId) -> Iterator[Form]:
    """The GM's word on where somebody stands: close to whom, and before whom in the order."""
    others = tuple((one, text("{who}", who=Who(who=one))) for one in _in_order(fight) if one != who)
    close = close_to(state, who)
    yield _of_another(Tie(character=who), "to", text("Close to"), text("Nobody"), others, close[0] if close else "")
    if state.has(Duty.ORDER) == TABLE:
        yield _of_another(ActsBefore(character=who), "before", text("Acts before"), text("Last of all"), others, "")


def _of_another(
    move: Move, name: str, label: Text, nobody: Text, others: tuple[tuple[str, Text], ...], now: str
) -> Form:
    options = (("", nobody), *others)
    return Form(
        key=move.kind(),
        label=label,
        move={"move": move.kind(), **move.model_dump(mode="json", exclude={name})},
        fields=(Input(name=name, label=label, kind="choice", value=now, options=options),),
        button=text("So it is"),
        reach=Reach.GM,
    )


MOVES: tuple[type[Move], ...] = (ActsBefore,)
