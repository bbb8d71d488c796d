"""Who is at the table: made, claimed, renamed, introduced, removed."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, JsonValue, ValidationError

from webapp.rules.appearing import about, give_letter, shown_name
from webapp.rules.document import (
    About,
    Alias,
    Audience,
    Body,
    Character,
    CharacterId,
    Gone,
    Name,
    Notice,
    Sheet,
    Side,
    body_of,
    speaks_of,
)
from webapp.rules.errors import NOBODY, RuleError, sentence_of
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.rounds import join, leave
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.values import Plain

MOST_CHARACTERS = 500


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
    alias: Alias = ""
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
            return NOBODY
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
            return NOBODY
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.character)
        scene.say(text("{name} leaves the table.", name=shown_name(character)), audience=about(character))
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
        shown = None if character.hidden else shown_name(character)
        scene.add(Gone(id=character.id, name=character.name, shown=shown))
        scene.remove(character)


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
        give_letter(scene, character)
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
        raise RuleError(NOBODY)
    return found
