"""What comes after the fright: settling, calm, safety, toughness, and the ends of scenes and sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from webapp.rules import period
from webapp.rules.calls import lies_face_down
from webapp.rules.document import Audience, Character, CharacterId
from webapp.rules.errors import NOBODY
from webapp.rules.games.dread.calling import not_all_can_fear
from webapp.rules.games.dread.fear import decide_tests, is_afraid, open_tests
from webapp.rules.games.dread.house import House
from webapp.rules.games.dread.rolls import NO_SHEET, soak
from webapp.rules.games.dread.shaken import Said, gain
from webapp.rules.games.dread.sheet import PERMANENT_FOR_CORRUPTION, Fear, Sheet
from webapp.rules.move import Leave, Move, Step
from webapp.rules.period import Period
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

Several = Annotated[tuple[CharacterId, ...], Field(max_length=500)]


class ForSeveral(Move):
    """Something the GM does for chosen characters; empty: for everybody it does anything to."""

    game: ClassVar[str] = "dread"
    by = Leave.GM
    characters: Several = ()
    nobody: ClassVar[Text]

    def refusal(self, state: State) -> Text | None:
        return not_all_can_fear(state, self.characters) or (None if self._meant(state) else self.nobody)

    def apply(self, scene: Scene) -> None:
        for who in self._meant(scene):
            self.do(scene, who)

    def concerns(self, state: State, sheet: Sheet) -> bool:
        raise NotImplementedError

    def do(self, scene: Scene, who: CharacterId) -> None:
        raise NotImplementedError

    def _meant(self, state: State) -> list[CharacterId]:
        everybody = self.characters or [one.id for one in state.characters()]
        found = {who: state.find(Sheet, who) for who in everybody}
        return [who for who, sheet in found.items() if sheet is not None and self.concerns(state, sheet)]


class Settle(ForSeveral):
    """B3-19: what was put off, line by line, each soaked on its own."""

    nobody = text("There is no insanity to settle.")

    def concerns(self, state: State, sheet: Sheet) -> bool:
        return bool(sheet.pending)

    def do(self, scene: Scene, who: CharacterId) -> None:
        settle_lines(scene, who)


class Calm(ForSeveral):
    """B3-8: the GM says when it is over."""

    nobody = text("Nobody is scared or panicked.")

    def concerns(self, state: State, sheet: Sheet) -> bool:
        return sheet.fear is not Fear.NONE

    def do(self, scene: Scene, who: CharacterId) -> None:
        calm(scene, who)


class Safe(ForSeveral):
    """Temporary insanity heals once safe; after a happy end one permanent point may go."""

    happy_end: bool = False
    nobody = text("There is no insanity that would heal.")

    def concerns(self, state: State, sheet: Sheet) -> bool:
        return bool(sheet.temporary or (self.happy_end and sheet.permanent))

    def do(self, scene: Scene, who: CharacterId) -> None:
        be_safe(scene, who, happy_end=self.happy_end)


def be_safe(scene: Scene, who: CharacterId, *, happy_end: bool = False) -> None:
    sheet = scene.sheet(Sheet, who)
    healed, forgot = sheet.temporary, min(sheet.permanent, int(happy_end))
    sheet.temporary, sheet.permanent = 0, sheet.permanent - forgot
    more = text(", and one permanent point") if forgot else text("")
    sentence = text("{who} is safe: {healed} insanity heals{more}.", who=Who(who=who), healed=healed, more=more)
    scene.say(sentence, outcome=Said.HEALED)


class Night(period.Night):
    """A night in safety heals what is temporary."""

    safe: Annotated[bool, Field(title="In a safe place")] = True


class AwardToughness(Move):
    """F-16: for great frights overcome, or for those to whom horror is daily fare."""

    game: ClassVar[str] = "dread"
    by = Leave.GM
    character: CharacterId

    def refusal(self, state: State) -> Text | None:
        if state.find(Character, self.character) is None:
            return NOBODY
        sheet = state.find(Sheet, self.character)
        if sheet is None:
            return NO_SHEET
        if not state.house(House).toughness:
            return text("This table plays without toughness.")
        return text("That is as tough as anybody gets.") if sheet.toughness >= MOST_TOUGHNESS else None

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.character)
        sheet.toughness += 1
        scene.say(text("{who} gets toughness {rating}.", who=Who(who=self.character), rating=sheet.toughness))


MOST_TOUGHNESS = 20


class SettleLine(Step):
    """One pending line, with the dice of the one it belongs to."""

    game: ClassVar[str] = "dread"
    actor: CharacterId
    line: str

    @property
    def thrower(self) -> CharacterId:
        return self.actor

    def apply(self, scene: Scene) -> None:
        sheet = scene.sheet(Sheet, self.actor)
        line = sheet.pending.get(self.line)
        if line is None:
            return
        soaked = scene.roll(soak(scene, self.actor))
        sheet.pending = {id: other for id, other in sheet.pending.items() if id != self.line}
        sentence = text(
            "{who} settles fear {difficulty}: {insanity}.",
            who=Who(who=self.actor),
            difficulty=line.difficulty,
            insanity=gain(sheet, line.due, soaked),
        )
        scene.say(sentence, soaked, outcome=Said.SOAKED)


def settle_lines(scene: Scene, who: CharacterId) -> None:
    for id, _ in scene.sheet(Sheet, who).lines:
        scene.then(SettleLine(actor=who, line=id))


def calm(scene: Scene, who: CharacterId) -> None:
    scene.sheet(Sheet, who).fear = Fear.NONE
    scene.say(text("{who} is calm again.", who=Who(who=who)), outcome=Said.CALM)


# --- what ends with a period -------------------------------------------------------------------------------


def ends(when: Period, scene: Scene, who: CharacterId) -> None:
    """With the scene fear is over, and what was put off is settled with a clear head; what is open comes first."""
    sheet = scene.sheet(Sheet, who)
    match when:
        case Period.SCENE:
            decide_tests(scene, who)
            if is_afraid(scene, who):
                calm(scene, who)
            settle_lines(scene, who)
        case Period.SESSION if sheet.used:
            sheet.used = 0
            scene.say(text("{who} has all toughness rerolls back.", who=Who(who=who)))


def outlook(when: Period, state: State, who: CharacterId) -> Iterator[Text]:
    sheet = state.sheet(Sheet, who)
    match when:
        case Period.SCENE:
            if open_tests(state, who):
                yield text("first the fear test that is open")
            if sheet.fear is not Fear.NONE:
                yield text("no longer {fear}", fear=sheet.fear.value)
            for _, line in sheet.lines:
                yield text("settles {due} insanity from fear {difficulty}", due=line.due, difficulty=line.difficulty)
        case Period.SESSION if sheet.used:
            rerolls = "reroll" if sheet.used == 1 else "rerolls"
            yield text("{used} toughness {rerolls} back", used=sheet.used, rerolls=rerolls)


def conclude(scene: Scene, sheet: Sheet) -> None:
    """Boxes that are full spill over, however they were filled."""
    house = scene.find(House, House.game) or House()
    beyond, corrupted = sheet.overflow(house.boxes)
    readers = Audience.owners(sheet.id) if lies_face_down(scene, sheet.id) else None
    who = Who(who=sheet.id)
    if beyond:
        sentence = text("{who}: {beyond} insanity is permanent.", who=who, beyond=beyond)
        scene.say(sentence, outcome=Said.PERMANENT, audience=readers)
    if corrupted:
        points = corrupted * PERMANENT_FOR_CORRUPTION
        sentence = text(
            "{who}: {points} permanent points become {corrupted} corruption.",
            who=who,
            points=points,
            corrupted=corrupted,
        )
        scene.say(sentence, outcome=Said.CORRUPTED, audience=readers)
