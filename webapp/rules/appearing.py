"""Who comes into sight, and as what: revealed, disguised, told apart, known by how they fight."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Annotated

from pydantic import Field

from webapp.rules.document import Alias, Audience, Character, CharacterId, HealthForm, OddsForm, Side
from webapp.rules.errors import NOBODY
from webapp.rules.move import Leave, Move
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


class Reveal(Move):
    """Brings somebody into sight, or out of it. Old lines of the log stay as secret as they were."""

    by = Leave.GM
    character: CharacterId
    hidden: bool = False

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None:
            return NOBODY
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
    give_letter(scene, character)
    scene.say(text("{who} comes into sight.", who=Who(who=who)))


class Disguise(Move):
    """What players and the TV get to know of somebody: a name to go by, its health, the chances against it."""

    by = Leave.GM
    character: CharacterId
    alias: Annotated[Alias, Field(title="Goes by")] = ""
    shows_health: Annotated[HealthForm | None, Field(title="Health")] = None
    odds: Annotated[OddsForm | None, Field(title="Chances")] = None

    def refusal(self, state: State) -> Text | None:
        found = state.find(Character, self.character)
        if found is None:
            return NOBODY
        if (found.alias, found.shows_health, found.odds) == (self.alias, self.shows_health, self.odds):
            return text("That is how it stands already.")
        return None

    def apply(self, scene: Scene) -> None:
        character = scene.character(self.character)
        before, goes_by = shown_name(character), character.alias
        character.shows_health, character.odds = self.shows_health, self.odds
        if self.alias != goes_by:
            character.alias, character.letter = self.alias, ""
            if not character.hidden:
                give_letter(scene, character)
        scene.say(
            text(
                "{who} goes by {name}; health: {health}; chances: {odds}.",
                who=Who(who=character.id),
                name=shown_name(character),
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


def give_letter(scene: Scene, newcomer: Character) -> None:
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


def shown_name(character: Character) -> str:
    return f"{character.alias or character.name} {character.letter}".strip()


def about(character: Character) -> Audience:
    return Audience.GM if character.hidden else Audience.EVERYBODY
