"""A character as one viewer may know it: another type than what is stored, nothing in it unless let through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from webapp.rules.blocks import Block, Button, Gauge, HealthNow, Helper, Menu, Note, Odds, Section, Tab
from webapp.rules.document import Character, HealthForm, Side
from webapp.rules.sight import Sight, lettered, quarters
from webapp.rules.state import State
from webapp.rules.text import Text, text
from webapp.rules.values import Frozen
from webapp.rules.viewer import Role


class HelperView(Frozen):
    name: str
    how: str
    chance: Odds


class PlightView(Frozen):
    words: str
    helpers: tuple[HelperView, ...]


class CryView(Frozen):
    """What players are told of a hero of somebody else's who is lost unless helped.

    `mine`: those of their own who could help, by id, with the surest way of each;
    `others`: the names of all others who could.
    """

    words: str
    mine: Mapping[str, HelperView]
    others: tuple[str, ...]


class Card(Frozen):
    """`alias` is what others call somebody whose true name this viewer knows; `dying` tells a hero's rounds left.

    `helped_by`: who could help, where a rule set says so.

    `line`: what a hero is, in a few words.
    """

    id: str
    name: str
    side: Side
    mine: bool
    hidden: bool
    alias: str
    health: str
    share: int | None
    down: str | None
    dying: int | None
    vitals: tuple[Gauge, ...]
    notes: tuple[Note, ...]
    sections: tuple[tuple[str, tuple[Block, ...]], ...]
    plight: PlightView | None = None
    cry: CryView | None = None
    helped_by: tuple[str, ...] = ()
    line: str = ""


def sections_of(state: State, who: str) -> list[Section]:
    """What the rule sets in play write on a card, whoever looks at it."""
    return state.recall(("sections", who), lambda: state.rulebook.sections(state, state.character(who)))


def acts_of(state: State, who: str) -> list[tuple[Text, tuple[Block, ...]]]:
    """By rule set, what can be done with a card."""
    return state.recall(("acts", who), lambda: state.rulebook.acts(state, state.character(who)))


def buttons_of(state: State, tab: Tab) -> tuple[Button, ...]:
    """Those of a tab; worked out now where they are only offered."""
    offers = tab.offers
    return tab.buttons if offers is None else state.recall(offers, lambda: tuple(offers.buttons(state)))


def card(sight: Sight, character: Character) -> Card:
    """A visible character as this viewer may know it."""
    state = sight.state
    who = character.id
    own = sections_of(state, who)
    sections = [(sight.words(section.title), as_known(sight, character, section.blocks), section) for section in own]
    health = state.rulebook.health(state, character)
    form = sight.health_form(character)
    blocks = [block for _, blocks, _ in sections for block in blocks]
    return Card(
        id=character.id,
        name=sight.name(character.id),
        side=character.side,
        mine=sight.viewer.owns(character),
        hidden=character.hidden,
        alias=lettered(character.alias, character) if character.alias and sight.knows(character) else "",
        health="" if health is None else sight.health(character.id, health.now, health.full),
        share=None if health is None else _share(form, health),
        down=None if health is None else sight.maybe(health.down),
        dying=None if health is None or character.side is Side.FOE else health.dying,
        vitals=tuple(_told_apart(sight, character, [section for *_, section in sections])),
        notes=(*(block for block in blocks if isinstance(block, Note)), *_also_down(state, character, health)),
        sections=tuple((title, blocks) for title, blocks, _ in sections),
        plight=_plight(sight, character, own),
        cry=_cry(sight, character, own),
        helped_by=() if character.side is Side.FOE else tuple(one.who for one in _helpers_near(sight, own)),
        line=character.line if character.side is Side.HERO else "",
    )


def _also_down(state: State, character: Character, health: HealthNow | None) -> Iterator[Note]:
    """Whoever still acts, though a rule set that does not judge it at this table calls them down."""
    if health is None or health.down is None:
        for title, down in state.rulebook.also_down(state, character):
            words = text("{game}: {down}", game=title, down=down)
            yield Note(key=f"down.{title.template}", icon="skull", words=words, brief=down)


def _told_apart(sight: Sight, character: Character, sections: Sequence[Section]) -> Iterator[Gauge]:
    """The vitals of all rule sets; a word that two of them share is written out."""
    words = [sight.words(gauge.label) for section in sections for gauge in section.vitals]
    for section in sections:
        for gauge in as_known(sight, character, section.vitals):
            shared = words.count(sight.words(gauge.label)) > 1
            label = text("{label} ({game})", label=gauge.label, game=section.title) if shared else gauge.label
            yield gauge.model_copy(update={"label": label})


def _helpers_near(sight: Sight, sections: Iterable[Section]) -> list[Helper]:
    found = next((section.plight for section in sections if section.plight is not None), None)
    helpers = () if found is None else found.helpers
    return [one for one in helpers if sight.sees(sight.state.character(one.who))]


def _plight(sight: Sight, character: Character, sections: Sequence[Section]) -> PlightView | None:
    """For those who play this one, and the GM; helpers out of sight stay there."""
    found = next((section.plight for section in sections if section.plight is not None), None)
    if found is None or not sight.knows(character):
        return None
    near = _helpers_near(sight, sections)
    return PlightView(words=sight.words(found.words), helpers=tuple(_as_helper(sight, one) for one in near))


def _cry(sight: Sight, character: Character, sections: Sequence[Section]) -> CryView | None:
    """Of the chances to help, those of one's own heroes alone."""
    found = next((section.plight for section in sections if section.plight is not None), None)
    if found is None or character.side is Side.FOE or sight.viewer.role is not Role.PLAYER or sight.knows(character):
        return None
    near = _helpers_near(sight, sections)
    surest_last = sorted(near, key=lambda one: 0 if one.chance is None else one.chance)
    mine = {one.who: _as_helper(sight, one) for one in surest_last if sight.owns(one.who)}
    others = dict.fromkeys(sight.name(one.who) for one in near if one.who not in mine)
    return CryView(words=sight.words(found.words), mine=mine, others=tuple(others))


def _as_helper(sight: Sight, helper: Helper) -> HelperView:
    return HelperView(name=sight.name(helper.who), how=sight.words(helper.how), chance=helper.chance)


def _share(form: HealthForm, health: HealthNow) -> int | None:
    """Per cent of health, as fine as the form allows."""
    match form:
        case HealthForm.NUMBER:
            return 100 * health.now // max(1, health.full)
        case HealthForm.BAR:
            return 25 * quarters(health.now, health.full)
    return None


def as_known(sight: Sight, character: Character, blocks: Iterable[Any]) -> tuple[Any, ...]:
    """The blocks that reach this viewer, with chances as fine as may be known; what is only offered stays so."""
    return tuple(
        _judged(sight, block) if isinstance(block, Menu) else block
        for block in blocks
        if sight.reaches(block.reach, character)
    )


def _judged(sight: Sight, menu: Menu) -> Menu:
    """The same menu with its chances as fine as this viewer may know them."""
    tabs = tuple(
        tab if tab.offers is not None else tab.model_copy(update={"buttons": buttons_as_known(sight, tab.buttons)})
        for tab in menu.tabs
    )
    return menu.model_copy(update={"tabs": tabs})


def buttons_as_known(sight: Sight, buttons: Iterable[Button]) -> tuple[Button, ...]:
    return tuple(_button_as_known(sight, button) for button in buttons)


def _button_as_known(sight: Sight, button: Button) -> Button:
    assert not isinstance(button.chance, str)
    known = sight.odds(button.chance, button.about, button.pool)
    switched = {key: _button_as_known(sight, one) for key, one in button.switched.items()}
    picked = {key: _button_as_known(sight, one) for key, one in button.picked.items()}
    hidden = {"about": None, "pool": "", "because": None, "switched": switched, "picked": picked}
    return button.model_copy(update={"chance": known, **hidden})
