"""One viewer's eyes: who is seen, and how fine what is known of them may be told."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from webapp.rules.blocks import Odds, Reach
from webapp.rules.document import Audience, Character, Cover, Gone, HealthForm, OddsForm, Side
from webapp.rules.question import Question
from webapp.rules.roll import Because, derivation
from webapp.rules.state import State
from webapp.rules.text import Figure, Text, Who, render, text
from webapp.rules.viewer import Role, Viewer

UNSEEN = "Something"
NOT_TOLD = "What {who} sets against it is not told."


class Sight:
    """One viewer's eyes on one state: names, health and figures as they may be known."""

    def __init__(self, state: State, viewer: Viewer) -> None:
        self.state = state
        self.viewer = viewer

    @property
    def covered(self) -> bool:
        return self.viewer.role is Role.SCREEN and self.state.settings.tv is Cover.CURTAIN

    def sees(self, character: Character) -> bool:
        return self.viewer.role is Role.GM or not (character.hidden or self.covered)

    def name(self, character: str) -> str:
        return self.state.recall((self.viewer, "name", character), lambda: self._name(character))

    def _name(self, character: str) -> str:
        found = self.state.find(Character, character)
        if found is None:
            gone = self.state.find(Gone, character)
            if gone is None:
                return "Somebody gone" if self.viewer.role is Role.GM else UNSEEN
            return gone.name if self.viewer.role is Role.GM else gone.shown or UNSEEN
        if not self.sees(found):
            return UNSEEN
        return self.true_name(found) if self.knows(found) else lettered(found.alias or found.name, found)

    def true_name(self, found: Character) -> str:
        """The GM's name for it; the hidden who share a name are told apart by a count nobody else sees."""
        if not found.hidden or found.letter:
            return lettered(found.name, found)
        like = self.state.recall(("like", found.name), lambda: self._hidden_like(found.name))
        return found.name if len(like) == 1 else f"{found.name} #{like[found.id]}"

    def _hidden_like(self, name: str) -> dict[str, int]:
        alike = (one.id for one in self.state.characters() if one.hidden and one.name == name)
        return {id: nth for nth, id in enumerate(alike, 1)}

    def health(self, character: str, now: int, full: int) -> str:
        found = self.state.find(Character, character)
        form = HealthForm.NOTHING if found is None else self.health_form(found)
        match form:
            case HealthForm.NUMBER:
                return f"{now} of {full} left"
            case HealthForm.BAR | HealthForm.WORD:
                return health_word(now, full)
        return ""

    def figure(self, figure: Figure) -> str:
        return figure.told if self.told_figures(figure.figure_of) else figure.otherwise

    def told_figures(self, character: str) -> bool:
        """May this viewer know the numbers of theirs that a roll must use?"""
        found = self.state.find(Character, character)
        if found is None:
            return self.viewer.role is Role.GM or not self.state.settings.hide_figures
        vague = found.odds is OddsForm.ROUGH or self.odds_form(found) is OddsForm.OWN
        return self.knows(found) or not vague

    def odds_form(self, character: Character) -> OddsForm:
        """How fine a chance against it may be told: rough until the first blow, unless the GM says otherwise."""
        if self.knows(character) or character.side is Side.HERO:
            return OddsForm.EXACT
        if character.hidden:
            return OddsForm.OWN
        usual = OddsForm.EXACT if character.known else OddsForm.ROUGH
        return character.odds or (OddsForm.OWN if self.state.settings.hide_figures else usual)

    def odds(self, chance: Fraction | None, about: str | None, pool: str = "") -> Odds:
        found = None if about is None else self.state.find(Character, about)
        if chance is None or found is None:
            return chance
        match self.odds_form(found):
            case OddsForm.ROUGH:
                return rough(chance)
            case OddsForm.OWN:
                return pool or None
        return chance

    def derived(self, because: Because, about: str | None = None, pool: str = "") -> str | None:
        """Where a chance comes from, no finer than the chance itself may be told."""
        found = None if about is None else self.state.find(Character, about)
        if because is not None and found is not None and self.odds_form(found) is not OddsForm.EXACT:
            words = "Rolled with {pool}; what {who} sets against it is not told." if pool else NOT_TOLD
            return self.words(text(words, who=Who(who=found.id), pool=pool))
        told = self.maybe(derivation(because))
        return told and told[:1].upper() + told[1:]

    def health_form(self, character: Character) -> HealthForm:
        if self.knows(character) or character.side is Side.HERO:
            return HealthForm.NUMBER
        return character.shows_health or self.state.settings.foes_health

    def words(self, sentence: Text) -> str:
        return render(sentence, self)

    def maybe(self, sentence: Text | None) -> str | None:
        return None if sentence is None else self.words(sentence)

    def reaches(self, reach: Reach, character: Character) -> bool:
        match reach:
            case Reach.TABLE:
                return True
            case Reach.OWNER:
                return self.knows(character)
            case Reach.GM:
                return self.viewer.role is Role.GM

    def may_read(self, audience: Audience) -> bool:
        if self.viewer.role is Role.GM or audience.kind == "table":
            return not self.covered
        return audience.kind == "owners" and any(self.owns(who) for who in audience.characters)

    def owns(self, who: str) -> bool:
        found = self.state.find(Character, who)
        return found is not None and self.viewer.owns(found)

    def may_answer(self, question: Question) -> bool:
        return self.viewer.role is Role.GM or (question.addressee is not None and self.owns(question.addressee))

    def likeness(self, characters: Iterable[str]) -> Hashable:
        """Viewers alike in this are told the same of these characters, and of nobody else."""
        return self.viewer.role is Role.GM, self.covered, frozenset(filter(self.owns, characters))

    def knows(self, character: Character) -> bool:
        """May this viewer know all of it?"""
        return self.viewer.role is Role.GM or self.viewer.owns(character)


def may_tell(state: State, about: str | None) -> bool:
    """Are somebody's figures open to everybody?"""
    return about is None or Sight(state, Viewer(role=Role.SCREEN)).told_figures(about)


def lettered(name: str, character: Character) -> str:
    return f"{name} {character.letter}" if character.letter else name


def health_word(now: int, full: int) -> str:
    """A coarse word; the same for a foe with many points and one with few."""
    match quarters(now, full):
        case 0:
            return "down"
        case 1:
            return "nearly down"
        case 2:
            return "badly hurt"
        case 3:
            return "hurt"
    return "unhurt"


def quarters(now: int, full: int) -> int:
    """0 down, 4 unhurt, between them thirds of what is left: the finest that a bar may tell."""
    if now <= 0 or full <= 0:
        return 0
    return 4 if now >= full else 1 + (3 * now - 1) // full


def rough(chance: Fraction) -> str:
    """A chance in a word, for somebody who has not seen the other fight."""
    limits = ((5, "hopeless"), (40, "long shot"), (61, "even"), (96, "likely"))
    return next((word for limit, word in limits if chance * 100 < limit), "sure")
