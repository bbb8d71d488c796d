"""What one viewer may see: another type than what is stored, nothing in it unless it was let through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from webapp.rules.document import Audience, Character, Cover, Duty, Gone, HealthForm, Line, OddsForm, Side
from webapp.rules.encounter import Encounter, Phase, Slot, phase_of
from webapp.rules.knots import seen_knots
from webapp.rules.question import Question
from webapp.rules.roll import Because, Roll, Wins, derivation
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, number, render, text
from webapp.rules.values import Frozen
from webapp.rules.viewer import Role, Viewer

UNSEEN = "Something"
NOT_TOLD = "What {who} sets against it is not told."


class Reach(StrEnum):
    """Who of those who see the card may see this block."""

    TABLE = "table"
    OWNER = "owner"
    GM = "gm"


class Place(StrEnum):
    """Where on a player's phone a block belongs; MORE is the sheet's fold, TABLE the GM's list of everybody.

    A block with a `duty` that another rule set has at this table goes to MORE.
    """

    SHEET = "sheet"
    FIGHT = "fight"
    DICE = "dice"
    MORE = "more"
    TABLE = "table"


Odds = Fraction | str | None


# --- what a rule set hands in ------------------------------------------------------------------------------


class Button(Frozen):
    """A move ready to be sent. `chance` 0 … 1, for a viewer perhaps in words; `why_not` disables it and says why.

    `switched` takes its place while its menu's switch is on, `second` while the second one is, and each may have
    the other inside for when both are; `on` makes it a toggle that stands so. `note` stands small below the label.
    `about` is whose figures the chance tells; whoever may not know them sees the `pool` at most.
    `picked` by what is picked on its menu: the button that then takes its place. `first`: what is to be done now.
    `because`: where the chance comes from, for whoever asks.
    """

    label: Text
    note: Text | None = None
    move: dict[str, Any]
    chance: Odds = None
    about: str | None = None
    pool: str = ""
    because: Because = None
    why_not: Text | None = None
    danger: bool = False
    switched: Button | None = None
    second: Button | None = None
    on: bool | None = None
    picked: dict[str, Button] = {}
    first: bool = False

    def ridden(self, *, switched: bool, second: bool) -> Button:
        """The button as it is with these chips on."""
        first = self.switched if switched and self.switched is not None else self
        return first.second if second and first.second is not None else first

    def variants(self) -> list[Button]:
        """It and all that may take its place."""
        ways = (self.switched, self.second, *self.picked.values())
        others = [button.variants() for button in ways if button is not None]
        return [self, *(variant for found in others for variant in found)]


class Fact(Frozen):
    """`because` tells where it comes from, unless it is simply written on the sheet."""

    type: Literal["fact"] = "fact"
    key: str
    label: Text
    value: Text
    because: Text | None = None
    place: Place = Place.SHEET
    reach: Reach = Reach.TABLE
    duty: Duty | None = None


class Gauge(Frozen):
    """A track with its plus and minus; `at` names the document and path that the buttons count on.

    `die`: the number is the size of a die.
    """

    type: Literal["gauge"] = "gauge"
    key: str
    label: Text
    now: int
    full: int | None = None
    at: tuple[str, ...] = ()
    die: bool = False
    reach: Reach = Reach.OWNER
    duty: ClassVar[Duty | None] = None

    @property
    def shown(self) -> str:
        return f"d{self.now}" if self.die else number(self.now)

    def why_not(self, amount: int) -> Text | None:
        """At its end a track goes no further."""
        if amount < 0 and self.now <= 0:
            return text("It is at {now} already: there is nothing to take off.", now=self.now)
        if amount > 0 and self.at[-1:] == ("now",) and self.full is not None and self.now >= self.full:
            return text("It is full, at {full}: for more, edit the sheet.", full=self.full)
        return None


class Note(Frozen):
    """A state or a remark, in words, with the name of an icon. `brief` is its one word beside a name."""

    type: Literal["note"] = "note"
    key: str
    icon: str
    words: Text
    brief: Text | None = None
    reach: Reach = Reach.TABLE
    duty: ClassVar[Duty | None] = None


class Offers(Frozen):
    """Buttons that are worked out only for whoever looks at them: what of, and how."""

    def buttons(self, state: State) -> Iterator[Button]:
        raise NotImplementedError


class Tab(Frozen):
    """One way; its buttons, or how they come about."""

    key: str
    label: Text
    buttons: tuple[Button, ...] = ()
    offers: Offers | None = None


class Menu(Frozen):
    """Buttons under one heading, on several tabs when there is more than one way.

    `switch` is a chip that rides on all of them, and changes their chances; `second` is another one beside it.
    `why_not` stands in the place of all its buttons. `picks` are chips too, of which
    one at most is on, under a label of their own. `because`: where a number in the label comes from.
    """

    type: Literal["menu"] = "menu"
    key: str
    label: Text
    tabs: tuple[Tab, ...]
    picks: tuple[tuple[str, Text], ...] = ()
    picks_label: Text | None = None
    place: Place = Place.SHEET
    switch: Text | None = None
    second: Text | None = None
    because: Because = None
    why_not: Text | None = None
    reach: Reach = Reach.OWNER
    duty: Duty | None = None

    def open_tab(self, picked: Mapping[str, str]) -> Tab | None:
        """The tab that a page shows, which keeps the picked one of each menu."""
        return next((tab for tab in self.tabs if tab.key == picked.get(self.key)), next(iter(self.tabs), None))


class Input(Frozen):
    """One input of a form; `name` is a path into the move, dots between. `number`: its options are numbers.

    A switch with `checked` set is one of several that together make a list of their values.
    """

    name: str
    label: Text
    kind: Literal["text", "number", "choice", "switch"]
    value: Any = None
    lowest: int | None = None
    highest: int | None = None
    longest: int | None = None
    options: tuple[tuple[str, Text], ...] = ()
    help: Text | None = None
    number: bool = False
    checked: bool | None = None


class Form(Frozen):
    """A move with blanks to fill in. `preview`: a button that shows what it would do, and does nothing.

    `asks`: by it the GM asks the table for a test. `why_not`: whatever is filled in, it can't be done now.
    """

    type: Literal["form"] = "form"
    key: str
    label: Text
    move: dict[str, Any]
    fields: tuple[Input, ...]
    button: Text
    why_not: Text | None = None
    preview: Text | None = None
    asks: bool = False
    place: Place = Place.SHEET
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


class Spot(Frozen):
    """A part of a body: `shade` 0 whole … 3 ruined, its number (0: none), what it means in words.

    `active`: something goes on there.
    """

    key: str
    label: Text
    shade: int = 0
    number: int = 0
    words: Text
    active: bool = False


class Anatomy(Frozen):
    """A body with what became of its parts, drawn, and read out as a list. Any part may have any name."""

    type: Literal["anatomy"] = "anatomy"
    key: str
    label: Text
    spots: tuple[Spot, ...]
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


class Vessel(Frozen):
    """A number that spills into its neighbour: `into` the "next" or the one "before"; `harm` is bad when full."""

    key: str
    label: Text
    now: int
    full: int
    into: Literal["next", "before", ""] = ""
    spilling: bool = False
    harm: bool = False
    words: Text | None = None


class Cascade(Frozen):
    """Vessels in a row that run over into one another."""

    type: Literal["cascade"] = "cascade"
    key: str
    label: Text
    vessels: tuple[Vessel, ...]
    reach: Reach = Reach.OWNER
    duty: Duty | None = None


Block = Annotated[Fact | Gauge | Note | Menu | Form | Anatomy | Cascade, Field(discriminator="type")]


class Helper(Frozen):
    """Somebody who could help, what with, and the chance if it is a matter of chance."""

    who: str
    how: Text
    chance: Fraction | None = None
    because: Because = None


class Plight(Frozen):
    """Somebody is lost unless helped: how long it lasts, and who could."""

    words: Text
    helpers: tuple[Helper, ...] = ()


class Section(Frozen):
    """One rule set's part of a card. `vitals` are the two numbers that always show."""

    title: Text
    vitals: tuple[Gauge, ...] = ()
    blocks: tuple[Block, ...] = ()
    plight: Plight | None = None


class HealthNow(Frozen):
    """`down` says how, for somebody who is out of it; `may_get_up` by themselves: then the fight is not over.

    `dying`: so many rounds are left to live.
    """

    now: int
    full: int
    down: Text | None = None
    dying: int | None = None
    may_get_up: bool = False


# --- what a page receives ----------------------------------------------------------------------------------


class HelperView(Frozen):
    name: str
    how: str
    chance: Odds


class PlightView(Frozen):
    words: str
    helpers: tuple[HelperView, ...]


class Card(Frozen):
    """`alias` is what others call somebody whose true name this viewer knows; `dying` tells a hero's rounds left."""

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


class RollView(Frozen):
    """A roll in words and numbers: everything a player needs to check it.

    `fell`: per cent of all rolls that would have been better, half of its likes included; with it the `margin`,
    by how much it was enough (0 and up) or not (below 0). Both are told where the chance is.
    """

    what: str
    dice: tuple[tuple[int, int, bool], ...]
    modifiers: tuple[str, ...]
    total: int
    target: str | None
    verdict: bool | None
    chance: Odds
    by_hand: bool
    fell: float | None = None
    margin: int | None = None


class LineView(Frozen):
    words: str
    rolls: tuple[RollView, ...]
    secret: bool
    brief: str | None
    why: str | None = None


class SlotView(Frozen):
    """One chance on the clock, under the name this viewer knows; `place` is its number, or better words for it."""

    id: str
    character: str
    name: str
    side: Side
    number: int
    place: str
    state: Literal["up", "coming", "spent", "held"]
    since: int | None
    mine: bool


class FightView(Frozen):
    """`counted`: the numbers are counts; then `counts_until` the own next chance, else `others_first` before it.

    `called` is what is rolled for the order.
    """

    round: int
    phase: Phase
    up: str | None
    up_name: str | None
    number: int | None
    slots: tuple[SlotView, ...]
    waiting_for: tuple[str, ...]
    counts_until: int | None
    called: str = "initiative"
    knots: tuple[tuple[str, ...], ...] = ()
    others_first: int | None = None
    counted: bool = True


class ChoiceView(Frozen):
    id: str
    label: str
    chance: Odds
    price: str | None
    why_not: str | None
    default: bool
    switch: str | None
    amounts: tuple[int, int] | None
    worths: tuple[tuple[Odds, str | None], ...] = ()


class QuestionView(Frozen):
    id: str
    addressee: str | None
    name: str
    ask: str
    brief: str
    choices: tuple[ChoiceView, ...]
    passed_by: str
    dice: tuple[int, ...] = ()
    chip: bool = False


class OrderView(Frozen):
    """A standing order that a player may give: its values in words, the usual one first."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]

    def allows(self, value: object) -> bool:
        return any(value == one for one, _ in self.values)


class NoticeView(Frozen):
    character: str
    name: str
    words: str


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
        return self.true_name(found) if self.knows(found) else _lettered(found.alias or found.name, found)

    def true_name(self, found: Character) -> str:
        """The GM's name for it; the hidden who share a name are told apart by a count nobody else sees."""
        if not found.hidden or found.letter:
            return _lettered(found.name, found)
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

    def figure(self, character: str, value: int) -> str:
        return number(value) if self.told_figures(character) else "?"

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
        return audience.kind == "owners" and any(self._owns(who) for who in audience.characters)

    def _owns(self, who: str) -> bool:
        found = self.state.find(Character, who)
        return found is not None and self.viewer.owns(found)

    def may_answer(self, question: Question) -> bool:
        return self.viewer.role is Role.GM or (question.addressee is not None and self._owns(question.addressee))

    def knows(self, character: Character) -> bool:
        """May this viewer know all of it?"""
        return self.viewer.role is Role.GM or self.viewer.owns(character)


def may_tell(state: State, about: str | None) -> bool:
    """Are somebody's figures open to everybody?"""
    return about is None or Sight(state, Viewer(role=Role.SCREEN)).told_figures(about)


def _lettered(name: str, character: Character) -> str:
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
        alias=_lettered(character.alias, character) if character.alias and sight.knows(character) else "",
        health="" if health is None else sight.health(character.id, health.now, health.full),
        share=None if health is None else _share(form, health),
        down=None if health is None else sight.maybe(health.down),
        dying=None if health is None or character.side is Side.FOE else health.dying,
        vitals=tuple(_told_apart(sight, character, [section for *_, section in sections])),
        notes=(*(block for block in blocks if isinstance(block, Note)), *_also_down(state, character, health)),
        sections=tuple((title, blocks) for title, blocks, _ in sections),
        plight=_plight(sight, character, [section for *_, section in sections]),
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


def _plight(sight: Sight, character: Character, sections: Iterable[Section]) -> PlightView | None:
    """For those who play this one, and the GM; helpers out of sight stay there."""
    found = next((section.plight for section in sections if section.plight is not None), None)
    if found is None or not sight.knows(character):
        return None
    near = [one for one in found.helpers if sight.sees(sight.state.character(one.who))]
    helpers = tuple(HelperView(name=sight.name(one.who), how=sight.words(one.how), chance=one.chance) for one in near)
    return PlightView(words=sight.words(found.words), helpers=helpers)


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
    switched = None if button.switched is None else _button_as_known(sight, button.switched)
    second = None if button.second is None else _button_as_known(sight, button.second)
    picked = {key: _button_as_known(sight, one) for key, one in button.picked.items()}
    hidden = {"about": None, "pool": "", "because": None, "switched": switched, "second": second, "picked": picked}
    return button.model_copy(update={"chance": known, **hidden})


def line_view(sight: Sight, line: Line) -> LineView | None:
    if not sight.may_read(line.audience):
        return None
    return LineView(
        words=sight.words(line.sentence),
        rolls=tuple(roll_view(sight, roll) for roll in line.rolls),
        secret=line.audience.kind != "table",
        brief=sight.maybe(line.brief),
        why=sight.maybe(line.why),
    )


def roll_view(sight: Sight, roll: Roll) -> RollView:
    from webapp.rules.odds import chance, standing

    ask = roll.ask
    kept = list(roll.kept)
    dice = []
    for nth, (side, face) in enumerate(zip(ask.dice, roll.faces, strict=True)):
        is_kept = face in kept
        if is_kept:
            kept.remove(face)
        dice.append((side, -face if nth >= len(ask.dice) - ask.minus else face, is_kept))
    judged = ask.wins is not Wins.ALWAYS
    open_ones = [one for one in ask.modifiers if one.about is None or sight.told_figures(one.about)]
    withheld = ask.bonus - sum(one.amount for one in open_ones)
    target = None if ask.against is None else sight.words(ask.against)
    told = judged and (ask.about is None or sight.told_figures(ask.about))
    odds = chance(ask) if told else None
    return RollView(
        what=sight.words(ask.what),
        dice=tuple(dice),
        modifiers=tuple(
            f"{number(one.amount, signed=True)} {sight.words(one.source)}" for one in open_ones if one.amount
        ),
        total=roll.total - withheld,
        target=target,
        verdict=roll.success if judged else None,
        chance=odds,
        by_hand=roll.by_hand,
        fell=None if odds is None else round(float(100 * standing(roll, odds)), 1),
        margin=_margin(roll) if told else None,
    )


def _margin(roll: Roll) -> int | None:
    """None where a natural face decided, whatever the total."""
    target = roll.ask.target
    if target is None:
        return None
    spare = target - 1 - roll.total if roll.ask.wins is Wins.UNDER else roll.total - target
    return spare if roll.success is (spare >= 0) else None


def question_view(sight: Sight, question: Question) -> QuestionView:
    """What is asked, for all to see; what may be answered only for those who may answer.

    Whoever is asked without being in sight looks like the GM.
    """
    asked = None if question.addressee is None else sight.state.find(Character, question.addressee)
    mine = sight.may_answer(question)
    who = question.addressee if mine or (asked is not None and sight.sees(asked)) else None
    passed = question.choice(sight.state, question.default)
    usual = question.default if passed is None else passed.id
    return QuestionView(
        id=question.id,
        addressee=who,
        name="GM" if who is None else sight.name(who),
        ask=sight.words(question.ask(sight.state) if mine or who else question.brief()),
        brief=sight.words(question.brief()),
        passed_by=sight.words(question.passed_by()),
        dice=getattr(question, "wanted", ()) if mine else (),
        chip=question.chip,
        choices=tuple(
            ChoiceView(
                id=choice.id,
                label=sight.words(choice.label),
                chance=sight.odds(choice.chance, choice.about, choice.pool),
                price=sight.maybe(choice.price),
                why_not=sight.maybe(choice.why_not),
                default=choice.id == usual,
                switch=sight.maybe(choice.switch),
                amounts=choice.amounts,
                worths=tuple(
                    (sight.odds(worth.chance, choice.about, choice.pool), sight.maybe(worth.price))
                    for worth in choice.worths
                ),
            )
            for choice in (question.choices(sight.state) if mine else ())
        ),
    )


def fight_view(sight: Sight, fight: Encounter) -> FightView:
    """The order as this viewer sees it: the slots of the unseen leave no gap and stop no clock."""
    state = sight.state
    slots = state.slots()
    seen = [slot for slot in slots if sight.sees(state.character(slot.character))]
    up = _seen_up(seen, slots, fight)
    return FightView(
        round=fight.round,
        phase=_seen_phase(fight, slots, up),
        up=up and up.id,
        up_name=up and sight.name(up.character),
        number=up and up.number,
        slots=tuple(_slot_view(sight, slot, up) for slot in seen),
        waiting_for=tuple(
            sight.name(who) for who in state.waiting_for() if not fight.settled and sight.sees(state.character(who))
        ),
        counts_until=_counts_until(sight, seen, up),
        called=sight.words(state.order().called),
        knots=tuple(tuple(sight.name(who) for who in knot) for knot in _knots(sight, fight)),
        others_first=_others_first(sight, seen, up),
        counted=state.order().counted,
    )


def _knots(sight: Sight, fight: Encounter) -> tuple[tuple[str, ...], ...]:
    state = sight.state
    return seen_knots(state, fight, {who for who in fight.members if sight.sees(state.character(who))})


def _seen_phase(fight: Encounter, slots: tuple[Slot, ...], up: Slot | None) -> Phase:
    """While an unseen one opens the round, the order still seems to be settled."""
    phase = phase_of(fight, slots)
    return Phase.ORDER if phase is Phase.TURNS and up is None and fight.active is not None else phase


def _seen_up(seen: list[Slot], slots: tuple[Slot, ...], fight: Encounter) -> Slot | None:
    """The active slot; while an unseen one is active, the last one seen before it."""
    ids = [slot.id for slot in slots]
    if fight.active not in ids:
        return None
    at = ids.index(fight.active)
    before = [slot for slot in seen if ids.index(slot.id) <= at]
    return before[-1] if before else None


def _slot_view(sight: Sight, slot: Slot, up: Slot | None) -> SlotView:
    character = sight.state.character(slot.character)
    place = sight.state.order().place_words(sight.state, slot)
    state: Literal["up", "coming", "spent", "held"] = "coming"
    if up is not None and slot.id == up.id:
        state = "up"
    elif slot.spent:
        state = "spent"
    elif slot.waits:
        state = "held"
    return SlotView(
        id=slot.id,
        character=slot.character,
        name=sight.name(slot.character),
        side=character.side,
        number=slot.number,
        place=number(slot.number) if place is None else sight.words(place),
        state=state,
        since=slot.since,
        mine=sight.viewer.owns(character),
    )


def _counts_until(sight: Sight, seen: list[Slot], up: Slot | None) -> int | None:
    """Counts from now until the viewer's own next chance; 0 when it is up."""
    if up is None:
        return None
    own = [
        slot
        for slot in seen
        if sight.viewer.owns(sight.state.character(slot.character)) and not slot.spent and slot.number <= up.number
    ]
    return min((up.number - slot.number for slot in own), default=None)


def _others_first(sight: Sight, seen: list[Slot], up: Slot | None) -> int | None:
    """How many come between the one who is up and the viewer's own next turn; None when there is none."""
    if up is None:
        return None
    to_come = [slot for slot in seen[seen.index(up) + 1 :] if not slot.spent]
    own = [nth for nth, slot in enumerate(to_come) if sight.viewer.owns(sight.state.character(slot.character))]
    return own[0] if own else None
