"""Whose turn it is, and how turns come up, pass and end."""

from __future__ import annotations

from webapp.rules.document import CharacterId, Duty, TurnIs
from webapp.rules.encounter import Encounter, Slot, may_still_act, up_next
from webapp.rules.move import Step
from webapp.rules.period import Period, begins, ends, in_play
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


def own_slot(state: State, who: CharacterId) -> Slot | None:
    """The turn this one may use now, whichever rule set runs the order."""
    fight = state.fight()
    if fight is None or not fight.settled or is_down_elsewhere(state, who):
        return None
    return may_still_act(state.slots(), fight, who)


def no_attack(state: State, who: CharacterId) -> Text | None:
    """Why this one can make no attack now; in a fight it takes a turn, whichever rule set the attack is of."""
    fight = state.fight()
    if fight is not None and who in fight.members:
        if own_slot(state, who) is None:
            return text("It is not {who}'s turn: wait for it.", who=Who(who=who))
        if state.held_up():
            return text("Something is still open: answer what waits first.")
    found = (game.no_attack(state, who) for game in in_play(state, who))
    return next((why for why in found if why is not None), None)


def attack(scene: Scene, who: CharacterId, name: str, deed: Step) -> None:
    """Does it, with the turn that an attack takes in a fight."""
    slot = own_slot(scene, who)
    if slot is None:
        scene.then(deed)
        return
    scene.lapse(Window.NEXT_ACT)
    scene.order().attack(scene, slot, name, deed)


def active_slot(slots: tuple[Slot, ...], fight: Encounter) -> Slot | None:
    return next((slot for slot in slots if slot.id == fight.active and not slot.spent), None)


def play_slot(scene: Scene, fight: Encounter) -> None:
    suggested = scene.order().suggest(scene, fight)
    if suggested is None:
        _let_go(scene, fight)
    else:
        scene.then(suggested)


def _let_go(scene: Scene, fight: Encounter) -> None:
    scene.lapse(Window.NEXT_ACT)
    slots = scene.slots()
    slot = active_slot(slots, fight)
    if slot is None:
        for held in slots:
            if not held.spent:
                scene.order().let_go(scene, held)
                scene.say(text("{who}'s held chance is lost.", who=Who(who=held.character)))
        return
    scene.order().let_go(scene, slot)
    gone = text("{who} lets the chance at {number} go.", who=Who(who=slot.character), number=slot.number)
    scene.say(scene.order().gone_by(slot) or gone)


def go_on(scene: Scene) -> None:
    """Lets the fight go on as far as nobody has to decide anything."""
    fight = scene.fight()
    if fight is None or scene.held_up():
        return
    if not fight.settled and not scene.waiting_for():
        fight.stage = (fight.round, True)
    if fight.settled:
        _next_slot(scene, fight, tell_turns_over(scene, fight))


def _next_slot(scene: Scene, fight: Encounter, slots: tuple[Slot, ...]) -> None:
    """Passes by all who can't act, each once, until somebody is up or nobody is left."""
    left: tuple[Slot, ...] | None = slots
    for _ in range(len(slots) + 1):
        left = None if left is None else _pass_on(scene, fight, left)


def _pass_on(scene: Scene, fight: Encounter, slots: tuple[Slot, ...]) -> tuple[Slot, ...] | None:
    """Brings up who is next. The slots as they are then, where that one can't act either."""
    order = scene.order()
    active = next((slot for slot in slots if slot.id == fight.active), None)
    if active is not None and not active.spent and not active.waits:
        if order.can_act(scene, active.character) and not is_down_elsewhere(scene, active.character):
            return None
        slots = _goes_by(scene, fight, active, order.passes(scene, active))
        active = active.model_copy(update={"spent": True})
    if active is not None and active.spent:
        fight.lowest = min(active.number, fight.lowest or active.number)
    following = up_next(slots)
    fight.active = None if following is None else following.id
    return None if following is None else _come_up(scene, fight, following)


def _come_up(scene: Scene, fight: Encounter, slot: Slot) -> tuple[Slot, ...] | None:
    """The turn begins; what it begins with may end it."""
    _begin_turn(scene, fight, slot)
    why = scene.order().passes(scene, slot)
    slots = scene.slots()
    if slot.id not in {one.id for one in slots}:
        return slots
    if why is not None or is_down_elsewhere(scene, slot.character):
        return _goes_by(scene, fight, slot, why)
    return None


def _goes_by(scene: Scene, fight: Encounter, slot: Slot, why: Text | None = None) -> tuple[Slot, ...]:
    scene.order().let_go(scene, slot)
    scene.say(why or text("{who} is down: the turn goes by.", who=Who(who=slot.character)))
    return tell_turns_over(scene, fight)


def is_down_elsewhere(state: State, who: CharacterId) -> bool:
    """Whoever is down by any rule set in play does nothing; of its own the order says so itself."""
    return bool(state.rulebook.downs(state, state.character(who)).keys() - {state.has(Duty.ORDER)})


def _turn_of(state: State, slot: Slot) -> str:
    """The turn a slot belongs to: itself, or all of the round's slots of its character."""
    return slot.id if state.settings.turn is TurnIs.SLOT else slot.character


def _begin_turn(scene: Scene, fight: Encounter, slot: Slot) -> None:
    turn = _turn_of(scene, slot)
    if turn not in fight.begun:
        fight.begun = {**fight.begun, turn: slot.character}
        begins(scene, Period.TURN, slot.character)


def take_turn(scene: Scene, slot: Slot) -> None:
    """Uses a slot that comes up together with others: its turn begins all the same."""
    fight = scene.fight()
    assert fight is not None
    _begin_turn(scene, fight, slot)
    scene.order().let_go(scene, slot)


def tell_turns_over(scene: Scene, fight: Encounter) -> tuple[Slot, ...]:
    """Ends the turns whose slots are all spent; one that was opened again will end again. The slots after that."""
    slots = scene.slots()
    still_open = {_turn_of(scene, slot) for slot in slots if not slot.spent}
    fight.over = {turn: who for turn, who in fight.over.items() if turn not in still_open}
    ended = [slot for slot in slots if _turn_of(scene, slot) not in {*still_open, *fight.over}]
    for slot in ended:
        turn = _turn_of(scene, slot)
        if turn not in fight.over:
            fight.over = {**fight.over, turn: slot.character}
            ends(scene, Period.TURN, slot.character)
    return scene.slots() if ended else slots
