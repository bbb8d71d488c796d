"""The moves every table has, whatever is played at it."""

from __future__ import annotations

from collections.abc import Iterable
from string import ascii_uppercase
from typing import Annotated, Any, ClassVar

from pydantic import Field, JsonValue, StringConstraints, ValidationError

from webapp.rules.document import (
    Audience,
    Body,
    Character,
    CharacterId,
    Document,
    Gone,
    HealthForm,
    Name,
    Notice,
    OddsForm,
    Settings,
    Sheet,
    Side,
    body_of,
)
from webapp.rules.encounter import Encounter, Member, Phase, Slot, phase_of, up_next
from webapp.rules.errors import RuleError
from webapp.rules.move import Leave, Move, OwnMove, Step
from webapp.rules.question import Choice, Question, Window
from webapp.rules.roll import Ask, Keep, Modifier, Roll
from webapp.rules.scene import TABLE, Scene, State
from webapp.rules.text import Text, Who, text
from webapp.rules.undo import handling
from webapp.rules.values import Handling, Track

MOST_CHARACTERS = 500


# --- questions ---------------------------------------------------------------------------------------------


class Settling(Step):
    """Carries an answer out; the dice are those of the one who was asked."""

    question: str
    body: dict[str, Any]
    choice: str
    amount: int | None = None

    @property
    def thrower(self) -> CharacterId | None:
        who = self.body["addressee"]
        return who if isinstance(who, str) else None

    def apply(self, scene: Scene) -> None:
        question = scene.rulebook.documents[self.question].model_validate(self.body)
        assert isinstance(question, Question)
        question.settle(scene, self.choice, self.amount)


class Answer(Move):
    """Answers the open question of this id."""

    by = Leave.ADDRESSEE
    question: str
    choice: Annotated[str, Field(max_length=60)]
    amount: int | None = None

    def refusal(self, state: State) -> Text | None:
        question = open_question(state, self.question)
        if question is None:
            return text("That is decided already.")
        choice = question.choice(state, self.choice)
        if choice is None:
            return text("That is not one of the choices.")
        lowest, highest = choice.amounts or (0, 0)
        if choice.amounts is not None and not lowest <= (self.amount or 0) <= highest:
            return text("It takes a number from {lowest} to {highest}.", lowest=lowest, highest=highest)
        return choice.why_not

    def apply(self, scene: Scene) -> None:
        question = open_question(scene, self.question)
        assert question is not None
        settle(scene, question, self.choice, self.amount)


class Faces(Question):
    """A roll by hand that waits for its dice: `wanted` are the sides still to be told, in order.

    `told` are the step's faces so far; at the places `thrown` they were rolled for the one who was asked.
    """

    default = "roll"
    addressee: CharacterId | None
    step: dict[str, Any]
    told: tuple[int, ...] = ()
    thrown: tuple[int, ...] = ()
    wanted: tuple[int, ...]
    what: Text | None = None

    def ask(self, state: State) -> Text:
        dice = ", ".join(f"d{side}" for side in self.wanted)
        return text(
            "Roll {dice}{what}.", dice=dice, what="" if self.what is None else text(": {what}", what=self.what)
        )

    def brief(self) -> Text:
        return text("rolling")

    def choices(self, state: State) -> tuple[Choice, ...]:
        return (Choice(id="roll", label=text("Roll these for me")),)

    def passed_by(self) -> Text:
        return text("Roll for them")

    def settle(self, scene: Scene, choice: str, amount: int | None) -> None:
        faces = (*self.told, *scene.fair.throw(self.wanted))
        thrown = (*self.thrown, *range(len(self.told), len(faces)))
        scene.run(scene.rulebook.step(self.step), faces, thrown)


class TellFaces(Move):
    """The faces of dice rolled by hand, all that were asked for, in order."""

    by = Leave.ADDRESSEE
    question: str
    faces: Annotated[tuple[int, ...], Field(max_length=100)]

    def refusal(self, state: State) -> Text | None:
        question = open_question(state, self.question)
        if not isinstance(question, Faces):
            return text("Those dice are told already.")
        if len(self.faces) != len(question.wanted):
            return text("Tell {count} dice.", count=len(question.wanted))
        for face, side in zip(self.faces, question.wanted, strict=True):
            if not 1 <= face <= side:
                return text("A {die} can't show {face}.", die=f"d{side}", face=face)
        return None

    def apply(self, scene: Scene) -> None:
        question = open_question(scene, self.question)
        assert isinstance(question, Faces)
        scene.withdraw(question)
        scene.thread = question.thread
        faces = (*question.told, *self.faces)
        scene.run_or_drop(scene.rulebook.step(question.step), faces, question.thrown)


class Noted(OwnMove):
    """The player has read what was decided meanwhile."""

    def refusal(self, state: State) -> Text | None:
        return text("That is put away already.") if state.find(Notice, self.actor) is None else None

    def apply(self, scene: Scene) -> None:
        scene.remove(scene.get(Notice, self.actor))


def open_question(state: State, id: str) -> Question | None:
    return next((question for question in state.questions() if question.id == id), None)


def settle(scene: Scene, question: Question, choice: str, amount: int | None = None, *, told: bool = True) -> None:
    """Answers an open question; when another than its player does, the player finds out on waking."""
    from webapp.rules.view import Role

    scene.withdraw(question)
    scene.thread = question.thread
    heard = len(scene.lines)
    scene.run_or_drop(Settling(question=question.kind(), body=body_of(question), choice=choice, amount=amount))
    if told and scene.viewer.role is Role.GM:
        scene.notify(question, choice, scene.lines[heard:])


# --- the fight ---------------------------------------------------------------------------------------------


class StartFight(Move):
    """Everybody in sight and able takes part, unless named."""

    by = Leave.GM
    members: tuple[CharacterId, ...] = ()

    def refusal(self, state: State) -> Text | None:
        if state.fight() is not None:
            return text("A fight is going on already.")
        if not state.has_order():
            return text("Nothing that is played here has an order of fight.")
        if {one.side for one in self._members(state)} != {Side.HERO, Side.FOE}:
            return text("A fight needs a hero and a foe who can act.")
        return None

    def apply(self, scene: Scene) -> None:
        order, members = scene.order(), self._members(scene)
        fight = Encounter(
            id=scene.new_id(), members={one.id: Member(place=place) for place, one in enumerate(members)}
        )
        scene.add(fight)
        scene.say(text("A fight begins."))
        order.begin_round(scene, fight)

    def _members(self, state: State) -> list[Character]:
        order = state.order()
        return [
            one
            for one in state.characters()
            if (one.id in self.members if self.members else not one.hidden) and order.can_act(state, one.id)
        ]


class EndFight(Move):
    by = Leave.GM

    def refusal(self, state: State) -> Text | None:
        return _no_fight(state)

    def apply(self, scene: Scene) -> None:
        fight = scene.fight()
        assert fight is not None
        if phase_of(fight, scene.slots()) is Phase.OVER:
            scene.order().end_round(scene, fight)
        scene.lapse(Window.FIGHT)
        scene.lapse(Window.NEXT_ACT)
        for who in fight.members:
            scene.order().leave(scene, who)
        scene.remove(fight)
        scene.say(text("The fight is over."))


class JoinFight(Move):
    """Newcomers of a running fight take part from the next round on."""

    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        fight = state.fight()
        if fight is not None and self.character in fight.members:
            return text("{who} is in this fight already.", who=Who(who=self.character))
        if state.find(Character, self.character) is None:
            return text("There is nobody of that kind at this table.")
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
                scene.lapse(Window.NEXT_ACT)
                scene.order().end_round(scene, fight)
                fight.stage, fight.lowest, fight.active = (fight.round + 1, False), None, None
                scene.say(text("Round {round}.", round=fight.round))
                scene.order().begin_round(scene, fight)


def decided(state: State, fight: Encounter) -> bool:
    """Is everybody down on one side? The hidden count, and so do those who join next round."""
    members = [state.character(who) for who in fight.members]
    return len({one.side for one in members if not _is_down(state, one)}) < 2


def _is_down(state: State, character: Character) -> bool:
    health = state.rulebook.health(state, character)
    return health is not None and health.down is not None and not state.order().may_get_up(state, character.id)


def what_next(state: State) -> str:
    """A key for what Next would do now; it changes whenever that changes."""
    waiting = [question.id for question in state.questions() if question.holds_up]
    if waiting:
        return "pass " + " ".join(waiting)[:190]
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
    fight = state.fight()
    if fight is None:
        return text("Start the fight")
    if decided(state, fight):
        return text("One side is left: end the fight")
    order, slots = state.order(), state.slots()
    match phase_of(fight, slots):
        case Phase.ORDER:
            return text("Roll initiative for everybody")
        case Phase.OVER:
            return text("Start round {round}", round=fight.round + 1)
    slot = active_slot(slots, fight)
    if slot is None:
        return text("End the round")
    named = order.pass_label(state, slot)
    return named or text("{number}: {who} does nothing", number=slot.number, who=Who(who=slot.character))


def active_slot(slots: tuple[Slot, ...], fight: Encounter) -> Slot | None:
    return next((slot for slot in slots if slot.id == fight.active and not slot.spent), None)


def pass_by(scene: Scene, waiting: list[Question]) -> None:
    """Answers all that waits by its default, and whatever those answers ask in turn."""
    while waiting:
        settle(scene, waiting[0], waiting[0].default)
        waiting = [question for question in scene.questions() if question.holds_up]


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
        _next_slot(scene, fight)


def tidy(scene: Scene, removed: Iterable[CharacterId]) -> None:
    """After an undo that took these away: nothing is left of those who are gone, and there is one fight at most."""
    from webapp.rules.calls import turn_over_what_is_in

    if len(list(scene.all(Encounter))) > 1:
        raise RuleError("Another fight is going on: end that one first.")
    if scene.fight() is not None and not scene.has_order():
        raise RuleError("The game that runs the fight's order is not in play any more: put that back first.")
    for game in scene.rulebook.games.values():
        kind: type[Sheet] = game.sheet
        for sheet in list(scene.all(kind)):
            if scene.find(Character, sheet.id) is None:
                scene.remove(sheet)
    fight = scene.fight()
    known = [*removed, *(fight.members if fight is not None else ())]
    gone = [who for who in dict.fromkeys(known) if scene.find(Character, who) is None]
    for who in gone:
        leave(scene, who)
    for question in scene.questions():
        about = {question.addressee, question.about} - {None}
        lost = any(scene.find(Character, who or "") is None for who in about)
        lost |= question.game in scene.rulebook.games and question.game not in scene.settings.games
        if lost or any(speaks_of(body_of(question), who) for who in gone):
            scene.withdraw(question)
    turn_over_what_is_in(scene)


def _next_slot(scene: Scene, fight: Encounter) -> None:
    order = scene.order()
    slots = order.slots(scene, fight)
    active = next((slot for slot in slots if slot.id == fight.active), None)
    if active is not None and not active.spent and not active.waits:
        return
    if active is not None and active.spent:
        fight.lowest = min(active.number, fight.lowest or active.number)
    following = up_next(slots)
    fight.active = None if following is None else following.id
    if following is not None:
        order.turn_begins(scene, following)
        if following.id not in {slot.id for slot in order.slots(scene, fight)}:
            _next_slot(scene, fight)
            return
    why = None if following is None else order.passes(scene, following)
    if following is not None and why is not None:
        order.let_go(scene, following)
        scene.say(why)
        _next_slot(scene, fight)


def join(scene: Scene, who: CharacterId) -> None:
    fight = scene.fight()
    assert fight is not None
    place = 1 + max((member.place for member in fight.members.values()), default=-1)
    joined = fight.round + 1 if fight.settled else fight.round
    fight.members = {**fight.members, who: Member(place=place, joined=joined)}
    scene.say(text("{who} joins the fight.", who=Who(who=who)))


def leave(scene: Scene, who: CharacterId) -> None:
    """Takes somebody out of the fight, with the questions that were theirs."""
    for question in scene.questions():
        if question.about == who and question.window is not Window.STANDS:
            scene.withdraw(question)
    fight = scene.fight()
    if fight is not None and who in fight.members:
        fight.members = {other: member for other, member in fight.members.items() if other != who}
        scene.order().leave(scene, who)


def _no_fight(state: State) -> Text | None:
    return text("There is no fight at this table.") if state.fight() is None else None


# --- characters --------------------------------------------------------------------------------------------


class MakeHero(Move):
    """A player's new hero, driven from that player's seat. `sheets` by rule set, without ids."""

    by = Leave.SEATED
    name: Name
    sheets: Annotated[dict[str, dict[str, JsonValue]], Field(max_length=8)]

    def refusal(self, state: State) -> Text | None:
        return _too_many(state, 1)

    def apply(self, scene: Scene) -> None:
        seats = [] if scene.viewer.seat is None else [scene.viewer.seat]
        hero = _add(scene, self.name, Side.HERO, self.sheets, seats=seats)
        scene.say(text("{who} sits down at the table.", who=Who(who=hero.id)))


class AddCharacters(Move):
    """Heroes or foes of the GM's, several alike at once. `hidden` None: as the table is used to."""

    by = Leave.GM
    name: Name
    side: Side = Side.FOE
    sheets: Annotated[dict[str, dict[str, JsonValue]], Field(max_length=8)]
    copies: Annotated[int, Field(ge=1, le=20)] = 1
    hidden: bool | None = None
    alias: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40)] = ""

    def refusal(self, state: State) -> Text | None:
        return _too_many(state, self.copies)

    def apply(self, scene: Scene) -> None:
        in_fight = scene.fight() is not None
        hidden = self.hidden
        if hidden is None:
            hidden = self.side is Side.FOE and in_fight and scene.settings.newcomers_hidden
        added = [
            _add(scene, self.name, self.side, self.sheets, hidden=hidden, alias=self.alias).id
            for _ in range(self.copies)
        ]
        scene.say(text("{who} appears.", who=Who(who=added[0])) if len(added) == 1 else _all_appear(added))
        for who in added if in_fight else ():
            join(scene, who)


def _all_appear(added: list[str]) -> Text:
    names = [f"{{who{nth}}}" for nth in range(len(added))]
    template = f"{', '.join(names[:-1])} and {names[-1]} appear."
    return Text(template=template, args={f"who{nth}": Who(who=who) for nth, who in enumerate(added)})


class Claim(Move):
    """A player takes a hero that nobody drives."""

    by = Leave.SEATED
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None or found.hidden or found.side is not Side.HERO:
            return text("There is nobody of that kind at this table.")
        return text("{who} is taken.", who=Who(who=self.character)) if found.seats else None

    def apply(self, scene: Scene) -> None:
        if scene.viewer.seat is None:
            raise RuleError("Only a player can take a hero.")
        scene.character(self.character).seats = [scene.viewer.seat]
        scene.say(text("{who} has a player.", who=Who(who=self.character)))


class Assign(Move):
    """The GM says which seats drive a character."""

    by = Leave.GM
    character: CharacterId
    seats: Annotated[list[str], Field(max_length=20)]

    def apply(self, scene: Scene) -> None:
        _known(scene, self.character).seats = self.seats
        scene.say(text("{who} changes hands.", who=Who(who=self.character)), audience=Audience.GM)


class Rename(OwnMove):
    name: Name

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.actor)
        audience = Audience.GM if character.alias else _about(character)
        scene.say(text("{old} is now called {new}.", old=character.name, new=self.name), audience=audience)
        character.name = self.name


class RemoveCharacter(Move):
    """Takes a character from the table with its sheets; undo brings all of it back."""

    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return text("There is nobody of that kind at this table.")
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.character)
        scene.say(text("{name} leaves the table.", name=_shown_name(character)), audience=_about(character))
        for question in scene.questions():
            if speaks_of(body_of(question), character.id):
                scene.withdraw(question)
        leave(scene, character.id)
        for game in scene.rulebook.games.values():
            sheet: Sheet | None = scene.find(game.sheet, character.id)
            if sheet is not None:
                scene.remove(sheet)
        notice = scene.find(Notice, character.id)
        if notice is not None:
            scene.remove(notice)
        shown = None if character.hidden else _shown_name(character)
        scene.add(Gone(id=character.id, name=character.name, shown=shown))
        scene.remove(character)


class Reveal(Move):
    """Brings somebody into sight, or out of it. Old lines of the log stay as secret as they were."""

    by = Leave.GM
    character: CharacterId
    hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None:
            return text("There is nobody of that kind at this table.")
        if found.hidden == self.hidden:
            return text("{who} is that already.", who=Who(who=found.id))
        return None

    def apply(self, scene: Scene) -> None:
        if self.hidden:
            scene.character(self.character).hidden = True
            scene.say(text("{who} is hidden now.", who=Who(who=self.character)), audience=Audience.GM)
        else:
            reveal(scene, self.character)


def reveal(scene: Scene, who: CharacterId) -> None:
    character = scene.character(who)
    character.hidden = False
    _letter(scene, character)
    scene.say(text("{who} comes into sight.", who=Who(who=who)))


class Disguise(Move):
    """What players and the TV get to know of somebody: a name to go by, its health, the chances against it."""

    by = Leave.GM
    character: CharacterId
    alias: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40)] = ""
    shows_health: HealthForm | None = None
    odds: OddsForm | None = None

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None:
            return text("There is nobody of that kind at this table.")
        if (found.alias, found.shows_health, found.odds) == (self.alias, self.shows_health, self.odds):
            return text("That is how it stands already.")
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.character)
        before, goes_by = _shown_name(character), character.alias
        character.shows_health, character.odds = self.shows_health, self.odds
        if self.alias != goes_by:
            character.alias, character.letter = self.alias, ""
            if not character.hidden:
                _letter(scene, character)
        scene.say(
            text(
                "{who} goes by {name}; health: {health}; chances: {odds}.",
                who=Who(who=character.id),
                name=_shown_name(character),
                health=self.shows_health or "as usual",
                odds=self.odds or "as usual",
            ),
            audience=Audience.GM,
        )
        if goes_by and not self.alias and not character.hidden:
            scene.say(text("{before} turns out to be {who}.", before=before, who=Who(who=character.id)))


def exchange(scene: Scene, *fighters: CharacterId) -> None:
    """A blow between these: whoever takes part in sight is known from now on for how it fights."""
    characters = [scene.character(who) for who in fighters]
    if any(one.hidden for one in characters):
        return
    for one in characters:
        if not one.known and one.side is Side.FOE:
            one.known = True


def _add(
    scene: Scene,
    name: str,
    side: Side,
    sheets: dict[str, dict[str, JsonValue]],
    *,
    seats: list[str] | None = None,
    hidden: bool = False,
    alias: str = "",
) -> Character:
    from webapp.rules.periods import fill_in

    order = 1 + max((one.order for one in scene.characters()), default=0)
    character = Character(
        id=scene.new_id(), name=name, side=side, seats=seats or [], order=order, hidden=hidden, alias=alias
    )
    scene.add(character)
    if not hidden:
        _letter(scene, character)
    for game, body in sheets.items():
        scene.add(_sheet(scene, game, character.id, body))
    fill_in(scene, character)
    return character


def _letter(scene: Scene, newcomer: Character) -> None:
    """Tells apart those who go by the same visible name, by letters that stay."""
    shown = newcomer.alias or newcomer.name
    others = [one for one in scene.characters() if one.id != newcomer.id and (one.alias or one.name) == shown]
    like = [one for one in others if not one.hidden]
    if not like or newcomer.letter:
        return
    for one in [*like, newcomer]:
        if not one.letter:
            taken = {other.letter for other in others}
            one.letter = next(letter for letter in _letters() if letter not in taken)


def _letters() -> list[str]:
    return [*ascii_uppercase, *(a + b for a in ascii_uppercase for b in ascii_uppercase)]


def _sheet(scene: Scene, game: str, who: str, body: Body) -> Sheet:
    if game not in scene.settings.games:
        raise RuleError("This table does not play that.")
    kind: type[Sheet] = scene.rulebook.games[game].sheet
    try:
        return kind.model_validate({**body, "id": who})
    except ValidationError as error:
        from webapp.rules.ruleset import sentence_of

        raise RuleError(sentence_of(error)) from None


def _too_many(state: State, more: int) -> Text | None:
    if len(state.characters()) + more > MOST_CHARACTERS:
        return text("A table holds {most} characters at most.", most=MOST_CHARACTERS)
    return None


def _known(scene: Scene, who: str) -> Character:
    found = scene.find(Character, who)
    if found is None:
        raise RuleError("There is nobody of that kind at this table.")
    return found


def _shown_name(character: Character) -> str:
    return f"{character.alias or character.name} {character.letter}".strip()


def speaks_of(value: Any, who: str) -> bool:
    """Is this id anywhere in it?"""
    match value:
        case dict():
            return any(speaks_of(held, who) for held in value.values())
        case list():
            return any(speaks_of(held, who) for held in value)
    return bool(value == who)


def _about(character: Character) -> Audience:
    return Audience.GM if character.hidden else Audience.EVERYBODY


# --- the tray ---------------------------------------------------------------------------------------------


Sides = Annotated[int, Field(ge=2, le=100)]
HowMany = Annotated[int, Field(ge=0, le=30)]


class Tray(Move):
    """Any dice, thrown in the open or in secret; they belong to nobody's sheet and count for no streak.

    `dice` maps sides to how many; `counts_from` counts faces that reach it instead of adding all up.
    """

    by = Leave.SEATED
    dice: Annotated[dict[Sides, HowMany], Field(max_length=12)]
    bonus: Annotated[int, Field(ge=-99, le=99)] = 0
    keep: Keep = Keep.ALL
    counts_from: Annotated[int | None, Field(ge=1, le=100)] = None
    secret: bool = False

    def refusal(self, state: State) -> Text | None:
        count = sum(self.dice.values())
        if not 1 <= count <= 60:
            return text("Choose from 1 to 60 dice.")
        return None

    def apply(self, scene: Scene) -> None:
        dice = tuple(side for side, count in sorted(self.dice.items()) for _ in range(count))
        plus = (Modifier(source=text("added"), amount=self.bonus),) if self.bonus else ()
        ask = Ask(what=self._what(), dice=dice, keep=self.keep, counts_from=self.counts_from, modifiers=plus)
        roll = Roll(ask=ask, faces=scene.fair.throw(dice))
        scene.say(text("{what}: {total}.", what=ask.what, total=roll.total), roll, audience=self._audience(scene))

    def _what(self) -> Text:
        pool = " + ".join(f"{count}d{side}" for side, count in sorted(self.dice.items()) if count)
        kept = "" if self.keep is Keep.ALL else f", {self.keep.value} kept"
        counted = "" if self.counts_from is None else f", {self.counts_from} and up counted"
        return text("{pool}{more}", pool=pool, more=kept + counted)

    def _audience(self, scene: Scene) -> Audience:
        """A secret throw is for the GM, and for the seat that made it."""
        if not self.secret:
            return Audience.EVERYBODY
        own = [one.id for one in scene.characters() if scene.viewer.owns(one)]
        return Audience.owners(*own) if own else Audience.GM


# --- by hand -----------------------------------------------------------------------------------------------

Path = Annotated[tuple[Annotated[str, Field(max_length=60)], ...], Field(min_length=1, max_length=6)]


Values = Annotated[dict[Annotated[str, Field(max_length=120)], JsonValue], Field(min_length=1, max_length=80)]


class Edit(OwnMove):
    """Sets fields of a sheet by hand, by their paths ("hp.full"); what the fight keeps is the GM's to change."""

    game_id: Annotated[str, Field(max_length=40)]
    values: Values

    def apply(self, scene: Scene) -> None:
        from webapp.rules.view import Role

        sheet = _sheet_of(scene, self.game_id, self.actor)
        for name in self.values:
            if handling(type(sheet), _path(name)) is Handling.TRAIL and scene.viewer.role is not Role.GM:
                raise RuleError("Only the GM changes that by hand.")
        audience = Audience.owners(self.actor)
        for field, before, after in _set_by_hand(scene, sheet, self.values):
            sentence = "{who}: {field} {before} → {after}."
            args = {"who": Who(who=self.actor), "field": field, "before": before, "after": after}
            scene.say(Text(template=sentence, args=args), audience=audience)


class EditTable(Move):
    """Sets fields of the table's settings or of a rule set's house rules."""

    by = Leave.GM
    key: Annotated[str, Field(max_length=100)]
    values: Values
    EDITABLE: ClassVar[tuple[str, ...]] = (
        "name",
        "foes_health",
        "hide_figures",
        "newcomers_hidden",
        "gm_rolls_by_hand",
    )

    def apply(self, scene: Scene) -> None:
        for field, before, after in _set_by_hand(scene, self._document(scene), self.values):
            scene.say(text("{field}: {before} → {after}.", field=field, before=before, after=after))

    def _document(self, scene: Scene) -> Document:
        houses = [scene.rulebook.games[name].house for name in scene.settings.games]
        found = next((scene.house(house) for house in houses if self.key == f"{house.kind()}/{house.game}"), None)
        if found is not None:
            return found
        if self.key == f"{Settings.kind()}/{TABLE}" and all(name in self.EDITABLE for name in self.values):
            return scene.settings
        raise RuleError("That can't be changed here.")


class Adjust(OwnMove):
    """Plus or minus on a number of a sheet; taps in quick succession are one row of the log."""

    game_id: Annotated[str, Field(max_length=40)]
    path: Path
    amount: Annotated[int, Field(ge=-999, le=999)]

    def apply(self, scene: Scene) -> None:
        from webapp.rules.forms import label_of

        sheet = _sheet_of(scene, self.game_id, self.actor)
        if handling(type(sheet), self.path) is not Handling.COUNTED:
            raise RuleError("That is not a number to count up and down.")
        held: Any = sheet
        for name in self.path[:-1]:
            held = getattr(held, name, None)
        old = getattr(held, self.path[-1], None)
        if not isinstance(old, int):
            raise RuleError("That is not a number to count up and down.")
        top = held.full if isinstance(held, Track) else 999
        new = max(0, min(top, old + self.amount))
        if new == old:
            raise RuleError("It is at {old} already.", old=old)
        try:
            setattr(held, self.path[-1], new)
        except ValidationError as error:
            from webapp.rules.ruleset import sentence_of

            raise RuleError(sentence_of(error)) from None
        scene.say(
            text(
                "{who}: {field} {old} → {new} ({by:+}).",
                who=Who(who=self.actor),
                field=label_of(sheet, self.path),
                old=old,
                new=new,
                by=new - old,
            ),
            audience=Audience.owners(self.actor)
            if scene.character(self.actor).side is Side.FOE
            else _about(scene.character(self.actor)),
        )


def _sheet_of(scene: Scene, game: str, who: str) -> Sheet:
    if game not in scene.settings.games:
        raise RuleError("This table does not play that.")
    kind: type[Sheet] = scene.rulebook.games[game].sheet
    sheet: Sheet = scene.sheet(kind, who)
    return sheet


def _set_by_hand(scene: Scene, document: Document, values: Values) -> list[tuple[str, str, str]]:
    """Sets what differs, all of it or nothing; returns field, before and after in words."""
    from webapp.rules.forms import label_of
    from webapp.rules.ruleset import sentence_of

    body, done = body_of(document), []
    for name, value in values.items():
        path = _path(name)
        holder: Any = body
        for part in path[:-1]:
            holder = holder.get(part) if isinstance(holder, dict) else None
        if not isinstance(holder, dict) or path[0] in ("id", "version"):
            raise RuleError("That can't be changed here.")
        old = holder.get(path[-1])
        if old != value:
            holder[path[-1]] = value
            done.append((label_of(document, path), _shown(old), _shown(value)))
    if not done:
        raise RuleError("That is how it stands already.")
    try:
        scene.replace(type(document).model_validate(body))
    except ValidationError as error:
        raise RuleError(sentence_of(error)) from None
    return done


def _path(name: str) -> tuple[str, ...]:
    return tuple(name.split("."))


def _shown(value: JsonValue) -> str:
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None | "":
            return "nothing"
        case dict() | list():
            return "…"
    return str(value)[:60]


MOVES: tuple[type[Move], ...] = (
    Answer,
    TellFaces,
    Noted,
    Next,
    StartFight,
    EndFight,
    JoinFight,
    LeaveFight,
    MakeHero,
    AddCharacters,
    Claim,
    Assign,
    Rename,
    RemoveCharacter,
    Reveal,
    Disguise,
    Edit,
    EditTable,
    Adjust,
    Tray,
)
STEPS: tuple[type[Step], ...] = (Settling,)
