"""What is changed by hand: fields of sheets, of house rules and of the table, plus and minus on a track."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field, JsonValue, ValidationError

from webapp.rules.appearing import about
from webapp.rules.document import Audience, Document, Settings, Sheet, Side, body_of
from webapp.rules.errors import RuleError, sentence_of
from webapp.rules.forms import label_of, value_of
from webapp.rules.move import Leave, Move, OwnMove
from webapp.rules.scene import Scene
from webapp.rules.state import TABLE
from webapp.rules.text import Text, Who, text
from webapp.rules.undo import handling
from webapp.rules.values import Handling, Plain, Track
from webapp.rules.viewer import Role

Path = Annotated[tuple[Annotated[str, Field(max_length=60)], ...], Field(min_length=1, max_length=6)]


Values = Annotated[dict[Annotated[str, Field(max_length=120)], Plain], Field(min_length=1, max_length=80)]


MOST_TOLD = 8  # of what is kept in one field, so many are told


class Edit(OwnMove):
    """Sets fields of a sheet by hand, by their paths ("hp.full"); what the fight keeps is the GM's to change."""

    game_id: Annotated[str, Field(max_length=40)]
    values: Values

    def apply(self, scene: Scene) -> None:
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
        sheet, character = _sheet_of(scene, self.game_id, self.actor), scene.character(self.actor)
        old, new = self._count(sheet)
        sentence = text(
            "{who}: {field} {old} → {new} ({by:+}).",
            who=Who(who=self.actor),
            field=label_of(sheet, self.path),
            old=old,
            new=new,
            by=new - old,
        )
        readers = Audience.owners(self.actor) if character.side is Side.FOE else about(character)
        scene.say(sentence, audience=readers)

    def _count(self, sheet: Sheet) -> tuple[int, int]:
        """The number before and after."""
        *outer, name = self.path
        held: Any = sheet
        for one in outer:
            held = getattr(held, one, None)
        old = getattr(held, name, None)
        if handling(type(sheet), self.path) is not Handling.COUNTED or not isinstance(old, int):
            raise RuleError("That is not a number to count up and down.")
        new = max(0, min(held.full if isinstance(held, Track) else 999, old + self.amount))
        if new == old:
            raise RuleError("It is at {old} already: it goes no further.", old=old)
        try:
            setattr(held, name, new)
        except ValidationError as error:
            raise RuleError(sentence_of(error)) from None
        return old, new


def _sheet_of(scene: Scene, game: str, who: str) -> Sheet:
    if game not in scene.settings.games:
        raise RuleError("This table does not play that.")
    kind: type[Sheet] = scene.rulebook.games[game].sheet
    sheet: Sheet = scene.sheet(kind, who)
    return sheet


def _set_by_hand(scene: Scene, document: Document, values: Values) -> list[tuple[str, str, str]]:
    """Sets what differs, all of it or nothing; returns field, before and after in words."""
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
            counted = handling(type(document), path) is Handling.COUNTED
            before, after = (value_of(document, path, one) or _shown(one, counted=counted) for one in (old, value))
            done.append((label_of(document, path), before, f"{after}, changed" if after == before else after))
    if not done:
        raise RuleError("That is how it stands already.")
    try:
        scene.replace(type(document).model_validate(body))
    except ValidationError as error:
        raise RuleError(sentence_of(error)) from None
    return done


def _path(name: str) -> tuple[str, ...]:
    return tuple(name.split("."))


def _shown(value: JsonValue, *, counted: bool = False) -> str:
    """In words; of what is kept in a map the names, with the numbers where they are `counted`."""
    match value:
        case True:
            return "yes"
        case False:
            return "no"
        case None | "":
            return "nothing"
        case dict():
            there = {key: one for key, one in value.items() if one or not counted}
            return _listed([_named(key, one, counted=counted) for key, one in there.items()])
        case list():
            return _listed([_named("", one) for one in value])
    return str(value)[:60]


def _named(key: str, value: JsonValue, *, counted: bool = False) -> str:
    if isinstance(value, dict):
        return str(value.get("name") or key or "something")[:60]
    if not key:
        return _shown(value)
    return f"{key.replace('_', ' ')} {value}" if counted else key.replace("_", " ")


def _listed(words: list[str]) -> str:
    more = len(words) - MOST_TOLD
    told = ", ".join(words[:MOST_TOLD]) or "nothing"
    return f"{told} and {more} more" if more > 0 else told
