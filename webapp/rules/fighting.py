"""A fight from its first round to its last: the GM's moves, and how it goes on by itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from webapp.rules.answers import pass_by
from webapp.rules.calls import decide_all, open_in, waiting_call, waits_for
from webapp.rules.document import Character, CharacterId, Duty, Side, TurnIs
from webapp.rules.encounter import Encounter, Member, Phase, Slot, may_still_act, phase_of, up_next
from webapp.rules.knots import part
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.period import Period, begins, ends, in_play
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, counted, listed, text


class StartFight(Move):
    """Everybody in sight and able takes part, unless named."""

    by = Leave.GM
    members: tuple[CharacterId, ...] = ()

    def refusal(self, state: State) -> Text | None:
        if state.fight() is not None:
            return text("A fight is going on already.")
        if {one.side for one in self._members(state)} != {Side.HERO, Side.FOE}:
            return text("A fight needs a hero and a foe who can act.")
        return None

    def apply(self, scene: Scene) -> None:
        members = self._members(scene)
        fight = Encounter(
            id=scene.new_id(), members={one.id: Member(place=place) for place, one in enumerate(members)}
        )
        scene.add(fight)
        scene.say(text("A fight begins."))
        for who in fight.members:
            begins(scene, Period.FIGHT, who)
        begin_round(scene, fight)

    def _members(self, state: State) -> list[Character]:
        order = state.order()
        return [
            one
            for one in state.characters()
            if (one.id in self.members if self.members else not one.hidden)
            and order.can_act(state, one.id)
            and not _is_down_elsewhere(state, one.id)
        ]


class EndFight(Move):
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        if phase_of(fight, scene.slots()) is Phase.OVER:
            end_round(scene, fight)
        scene.lapse(Window.FIGHT)
        scene.lapse(Window.NEXT_ACT)
        for who in fight.members:
            ends(scene, Period.FIGHT, who)
        scene.remove(fight)
        scene.say(_summary(scene, fight))


def _summary(scene: Scene, fight: Encounter) -> Text:
    """How long it took, and who of those in sight is down."""
    took = counted(fight.round, "round")
    there = [found for who in fight.members if (found := scene.find(Character, who)) is not None and not found.hidden]
    down = [
        text("{who} ({how})", who=Who(who=one.id), how=health.down)
        for one in there
        if (health := scene.rulebook.health(scene, one)) is not None and health.down is not None
    ]
    if not down:
        return text("The fight is over. It took {took}; nobody is down.", took=took)
    return text("The fight is over. It took {took}; down: {down}.", took=took, down=listed(down, between=", "))


class JoinFight(Move):
    """Newcomers of a running fight take part from the next round on."""

    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is not None and self.character in fight.members:
            return text("{who} is in this fight already.", who=Who(who=self.character))
        if state.find(Character, self.character) is None:
            return text("There is nobody of that kind at this table: choose somebody who is here.")
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        join(scene, self.character)


class LeaveFight(Move):
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is not None and self.character not in fight.members:
            return text("{who} is not in this fight.", who=Who(who=self.character))
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        leave(scene, self.character)
        scene.say(text("{who} leaves the fight.", who=Who(who=self.character)))


class Done(OwnMove):
    """The turn is over, used or not, whoever runs the order."""

    slot: Annotated[str | None, Field(max_length=60)] = None

    def refusal(self, state: State) -> Text | None:
        slot = own_slot(state, self.actor)
        if slot is None or self.slot not in (None, slot.id):
            return text("It is not {who}'s turn: wait for it.", who=Who(who=self.actor))
        if state.held_up():
            return text("Something is still open: answer what waits first.")
        found = (game.holds_turn(state, self.actor) for game in in_play(state, self.actor))
        return next((why for why in found if why is not None), None)

    def apply(self, scene: Scene) -> None:
        slot = own_slot(scene, self.actor)
        assert slot is not None
        scene.lapse(Window.NEXT_ACT)
        scene.order().let_go(scene, slot)
        scene.say(text("{who} is done.", who=Who(who=self.actor)))


class Next(Move):
    """The GM's one big button: passes by what waits, or lets the fight go on.

    `seen` is what the button was about to do when it was shown; when the table has moved on since,
    the press is refused rather than doing something else.
    """

    by = Leave.GM
    seen: Annotated[str, Field(max_length=200)]

    def refusal(self, state: State) -> Text | None:
        if not what_next(state):
            return text("Nothing waits.")
        if self.seen != what_next(state):
            return text("The table has moved on. Look at the button again.")
        return None

    def apply(self, scene: Scene) -> None:
        waiting = [question for question in scene.questions() if question.holds_up]
        if waiting:
            pass_by(scene, waiting)
            return
        call = waiting_call(scene)
        if call is not None:
            decide_all(scene, call)
            return
        fight = scene.fight()
        assert fight is not None
        if decided(scene, fight):
            scene.then(EndFight())
            return
        match phase_of(fight, scene.slots()):
            case Phase.ORDER:
                scene.then(scene.order().call(scene, fight))
            case Phase.TURNS:
                _play_slot(scene, fight)
            case Phase.OVER:
                end_round(scene, fight)
                fight.stage, fight.lowest, fight.active = (fight.round + 1, False), None, None
                scene.say(text("Round {round}.", round=fight.round))
                begin_round(scene, fight)


def decided(state: State, fight: Encounter) -> bool:
    """Is everybody down on one side? The hidden count, and so do those who join next round."""
    members = [state.character(who) for who in fight.members]
    return len({one.side for one in members if not is_down(state, one)}) < 2


def is_down(state: State, character: Character) -> bool:
    return state.recall(("is down", character.id), lambda: _is_down(state, character))


def _is_down(state: State, character: Character) -> bool:
    return any(not health.may_get_up for health in state.rulebook.downs(state, character).values())


def own_slot(state: State, who: CharacterId) -> Slot | None:
    """The turn this one may use now, whichever rule set runs the order."""
    fight = state.fight()
    if fight is None or not fight.settled or _is_down_elsewhere(state, who):
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


def what_next(state: State) -> str:
    """A key for what Next would do now; it changes whenever that changes."""
    waiting = [question.id for question in state.questions() if question.holds_up]
    if waiting:
        return "pass " + " ".join(waiting)[:190]
    call = waiting_call(state)
    if call is not None:
        return "call " + " ".join(question.id for question in open_in(state, call.id))[:190]
    fight = state.fight()
    if fight is None:
        return ""
    if decided(state, fight):
        return "END"
    return f"{phase_of(fight, state.slots()).name} {fight.round} {fight.active or ''}"


def next_label(state: State) -> Text:
    """What the big button says."""
    waiting = [question for question in state.questions() if question.holds_up]
    if waiting:
        more = len(waiting) - 1
        first = waiting[0].passed_by()
        return (
            text("{first} · go on", first=first)
            if not more
            else text("{first} (and {more} more) · go on", first=first, more=more)
        )
    call = waiting_call(state)
    if call is not None:
        return waits_for(state, call)
    fight = state.fight()
    if fight is None:
        return text("Start the fight")
    if decided(state, fight):
        return text("One side is left: end the fight")
    order, slots = state.order(), state.slots()
    match phase_of(fight, slots):
        case Phase.ORDER:
            return text("Roll {called} for everybody", called=order.called)
        case Phase.OVER:
            return text("Start round {round}", round=fight.round + 1)
    slot = active_slot(slots, fight)
    if slot is None:
        return text("End the round")
    named = order.pass_label(state, slot)
    return named or text("{number}: {who} does nothing", number=slot.number, who=Who(who=slot.character))


def active_slot(slots: tuple[Slot, ...], fight: Encounter) -> Slot | None:
    return next((slot for slot in slots if slot.id == fight.active and not slot.spent), None)


def _play_slot(scene: Scene, fight: Encounter) -> None:
    suggested = scene.order().suggest(scene, fight)
    if suggested is None:
        _let_go(scene, fight)
    else:
        scene.then(suggested)


def _let_go(scene: Scene, fight: Encounter) -> None:
    scene.lapse(Window.NEXT_ACT)
    slots = scene.order().slots(scene, fight)
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
    order = scene.order()
    if not fight.settled and not order.waiting_for(scene, fight):
        fight.stage = (fight.round, True)
    if fight.settled:
        _next_slot(scene, fight, tell_turns_over(scene, fight))


def _next_slot(scene: Scene, fight: Encounter, slots: tuple[Slot, ...]) -> None:
    order = scene.order()
    active = next((slot for slot in slots if slot.id == fight.active), None)
    if active is not None and not active.spent and not active.waits:
        if order.can_act(scene, active.character) and not _is_down_elsewhere(scene, active.character):
            return
        _goes_by(scene, fight, active, order.passes(scene, active))
        active = active.model_copy(update={"spent": True})
    if active is not None and active.spent:
        fight.lowest = min(active.number, fight.lowest or active.number)
    following = up_next(slots)
    fight.active = None if following is None else following.id
    if following is None:
        return
    _begin_turn(scene, fight, following)
    why = order.passes(scene, following)
    slots = order.slots(scene, fight)
    if following.id not in {slot.id for slot in slots}:
        _next_slot(scene, fight, slots)
    elif why is not None or _is_down_elsewhere(scene, following.character):
        _next_slot(scene, fight, _goes_by(scene, fight, following, why))


def _goes_by(scene: Scene, fight: Encounter, slot: Slot, why: Text | None = None) -> tuple[Slot, ...]:
    scene.order().let_go(scene, slot)
    scene.say(why or text("{who} is down: the turn goes by.", who=Who(who=slot.character)))
    return tell_turns_over(scene, fight)


def _is_down_elsewhere(state: State, who: CharacterId) -> bool:
    """Whoever is down by any rule set in play does nothing; of its own the order says so itself."""
    return bool(state.rulebook.downs(state, state.character(who)).keys() - {state.has(Duty.ORDER)})


# --- turns and rounds, told to every rule set in play ------------------------------------------------------


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
    slots = scene.order().slots(scene, fight)
    still_open = {_turn_of(scene, slot) for slot in slots if not slot.spent}
    fight.over = {turn: who for turn, who in fight.over.items() if turn not in still_open}
    ended = [slot for slot in slots if _turn_of(scene, slot) not in {*still_open, *fight.over}]
    for slot in ended:
        turn = _turn_of(scene, slot)
        if turn not in fight.over:
            fight.over = {**fight.over, turn: slot.character}
            ends(scene, Period.TURN, slot.character)
    return scene.order().slots(scene, fight) if ended else slots


def begin_round(scene: Scene, fight: Encounter) -> None:
    fight.begun, fight.over, fight.done = {}, {}, {}
    for who in fight.members:
        begins(scene, Period.ROUND, who)
    scene.order().begin_round(scene, fight)


def end_round(scene: Scene, fight: Encounter) -> None:
    """The round is over for everybody; a member who had no slot in it has had that turn."""
    scene.lapse(Window.NEXT_ACT)
    minutes = pass_a_round(scene)
    time = text(": {minutes} minutes", minutes=minutes) if minutes else text("")
    scene.say(text("Round {round} is over{time}.", round=fight.round, time=time))
    for who in fight.members:
        if who not in fight.over.values():
            ends(scene, Period.TURN, who)
    for one in scene.characters():
        ends(scene, Period.ROUND, one.id)


def pass_a_round(scene: Scene) -> int:
    """Minutes that a round takes, as the slowest rule set in play counts; they have gone by now."""
    minutes = max(scene.rulebook.games[name].round_minutes for name in scene.settings.games)
    scene.clock.minutes += minutes
    return minutes


def join(scene: Scene, who: CharacterId) -> None:
    fight = scene.fight()
    assert fight is not None
    place = 1 + max((member.place for member in fight.members.values()), default=-1)
    joined = fight.round + 1 if fight.settled else fight.round
    fight.members = {**fight.members, who: Member(place=place, joined=joined)}
    begins(scene, Period.FIGHT, who)
    scene.say(text("{who} joins the fight.", who=Who(who=who)))


def leave(scene: Scene, who: CharacterId) -> None:
    """Takes somebody out of the fight, with the questions that were theirs."""
    for question in scene.questions():
        if question.about == who and question.window is not Window.STANDS:
            scene.withdraw(question)
    fight = scene.fight()
    if fight is not None and who in fight.members:
        part(scene, who)
        fight.members = {other: member for other, member in fight.members.items() if other != who}
        ends(scene, Period.FIGHT, who)


def _no_fight(state: State) -> Text | None:
    return text("There is no fight at this table.") if state.fight() is None else None
