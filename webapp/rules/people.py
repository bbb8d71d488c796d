"""Who is at the table: made, claimed, renamed, hidden, disguised, removed."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Annotated, Any

from pydantic import Field, JsonValue, StringConstraints, ValidationError

from webapp.rules.document import (
    Audience,
    Body,
    Character,
    CharacterId,
    Gone,
    HealthForm,
    Name,
    Notice,
    OddsForm,
    Sheet,
    Side,
    body_of,
    speaks_of,
)
from webapp.rules.errors import RuleError, sentence_of
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.rounds import join, leave
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.values import READABLE, Plain

MOST_CHARACTERS = 500
About = Annotated[str, StringConstraints(strip_whitespace=True, max_length=140), READABLE]


class MakeHero(Move):
    """A player's new hero, driven from that player's seat. `sheets` by rule set, without ids."""

    by = Leave.SEATED
    name: Name
    sheets: Annotated[dict[str, dict[str, Plain]], Field(max_length=8)]
    line: About = ""

    def refusal(self, state: State) -> Text | None:
        return _too_many(state, 1)

    def apply(self, scene: Scene) -> None:
        seats = [] if scene.viewer.seat is None else [scene.viewer.seat]
        hero = _add(scene, self.name, Side.HERO, self.sheets, seats=seats, line=self.line)
        scene.say(text("{who} sits down at the table.", who=Who(who=hero.id)))


class AddCharacters(Move):
    """Heroes or foes of the GM's, several alike at once or one for a seat. `hidden` None: as the table is used."""

    by = Leave.GM
    name: Name
    side: Side = Side.FOE
    sheets: Annotated[dict[str, dict[str, Plain]], Field(max_length=8)]
    copies: Annotated[int, Field(ge=1, le=20)] = 1
    hidden: bool | None = None
    alias: Annotated[str, StringConstraints(strip_whitespace=True, max_length=40), READABLE] = ""
    seats: Annotated[list[str], Field(max_length=20)] = []
    line: About = ""

    def refusal(self, state: State) -> Text | None:
        return _too_many(state, self.copies)

    def apply(self, scene: Scene) -> None:
        in_fight = scene.fight() is not None
        hidden = self.hidden
        if hidden is None:
            hidden = self.side is Side.FOE and in_fight and scene.settings.newcomers_hidden
        more: dict[str, Any] = {"seats": self.seats, "hidden": hidden, "alias": self.alias, "line": self.line}
        added = [_add(scene, self.name, self.side, self.sheets, **more).id for _ in range(self.copies)]
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
            return text("There is nobody of that kind at this table: choose somebody who is here.")
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
        audience = Audience.GM if character.alias else about(character)
        scene.say(text("{old} is now called {new}.", old=character.name, new=self.name), audience=audience)
        character.name = self.name


class Introduce(OwnMove):
    """What a hero is called, and the few words beside the name where somebody chooses one."""

    name: Name
    line: About = ""

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.actor)
        if found is not None and (found.name, found.line) == (self.name, self.line):
            return text("That is how it stands already.")
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.actor)
        if self.name != character.name:
            scene.then(Rename(actor=self.actor, name=self.name))
        if self.line != character.line:
            character.line = self.line
            words = "{who} is introduced as “{line}”." if self.line else "{who} is introduced by name alone."
            scene.say(text(words, who=Who(who=self.actor), line=self.line), audience=about(character))


class RemoveCharacter(Move):
    """Takes a character from the table with its sheets; undo brings all of it back."""

    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return text("There is nobody of that kind at this table: choose somebody who is here.")
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.character)
        scene.say(text("{name} leaves the table.", name=_shown_name(character)), audience=about(character))
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
            return text("There is nobody of that kind at this table: choose somebody who is here.")
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
    alias: Annotated[
        str, StringConstraints(strip_whitespace=True, max_length=40), READABLE, Field(title="Goes by")
    ] = ""
    shows_health: Annotated[HealthForm | None, Field(title="Health")] = None
    odds: Annotated[OddsForm | None, Field(title="Chances")] = None

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None:
            return text("There is nobody of that kind at this table: choose somebody who is here.")
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
    line: str = "",
) -> Character:
    order = 1 + max((one.order for one in scene.characters()), default=0)
    character = Character(
        id=scene.new_id(), name=name, side=side, seats=seats or [], order=order, hidden=hidden, alias=alias, line=line
    )
    scene.add(character)
    if not hidden:
        _letter(scene, character)
    for game, body in sheets.items():
        scene.add(_sheet(scene, game, character.id, body))
    fill_in(scene, character)
    return character


def fill_in(scene: Scene, character: Character) -> None:
    """Gives somebody a blank sheet of each game in play that they have none of."""
    for name in scene.settings.games:
        game = scene.rulebook.games[name]
        blank = game.blank(character.side)
        if blank is not None and scene.find(game.sheet, character.id) is None:
            scene.add(game.sheet.model_validate({**blank, "id": character.id}))


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
        raise RuleError(sentence_of(error)) from None


def _too_many(state: State, more: int) -> Text | None:
    if len(state.characters()) + more > MOST_CHARACTERS:
        return text("A table holds {most} characters at most.", most=MOST_CHARACTERS)
    return None


def _known(scene: Scene, who: str) -> Character:
    found = scene.find(Character, who)
    if found is None:
        raise RuleError("There is nobody of that kind at this table: choose somebody who is here.")
    return found


def _shown_name(character: Character) -> str:
    return f"{character.alias or character.name} {character.letter}".strip()


def about(character: Character) -> Audience:
    return Audience.GM if character.hidden else Audience.EVERYBODY
