"""Every reason is a plain sentence, every number can be asked where it comes from, whatever is played.

GRITBOARD_TAPS and GRITBOARD_GAMES make it longer, as in test_stacks.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import compress, product
from typing import Any

import pytest

from tests.support.offers import Offer, Offers
from tests.support.play import BOOK, GM, SCREEN, STACKS, Bench, Message, viewer
from tests.support.wild import JUNK, SEATS
from webapp.projection.picture import Picture
from webapp.rules.blocks import Block, Button, Fact, Form, Gauge, Input, Menu, Tab
from webapp.rules.cards_view import Card
from webapp.rules.errors import RuleError
from webapp.rules.questions_view import QuestionView
from webapp.rules.sight import Sight
from webapp.rules.text import text
from webapp.store import Store
from webapp.ui.blocks import pieces
from webapp.ui.markup import PLAIN

TAPS = int(os.environ.get("GRITBOARD_TAPS", "40"))
TABLES = max(1, int(os.environ.get("GRITBOARD_GAMES", "1")) // 16)
PEOPLE = (GM, SEATS[0])
NO_PLAIN_WORDS = re.compile(
    r"[{}\[\]<>|\\]|\w_\w|\b[a-z]+\.[a-z]+\b|\bid\d{5}\b"
    r"|\b(int|str|bool|dict|list|tuple|NoneType|None|True|False|object|model|valid|validation|pydantic|Error)\b"
)
LEAST_LETTERS = 8
NUMBERS = re.compile(r"\d+")


@pytest.mark.parametrize(
    "words",
    ["Dl must be 1", "", "no capital.", "The field squad.hit is missing.", "X {who} Y.", "Is not a valid int."],
)
def test_what_no_person_would_say_is_found_out(words: str) -> None:
    assert not is_plain(words)


def is_plain(words: str | None) -> bool:
    """A sentence a person would say: a capital first, a stop at its end, no names of fields or types."""
    if not words or len(words) < LEAST_LETTERS or NO_PLAIN_WORDS.search(words):
        return False
    return not words[0].islower() and words[-1] in ".!?…”"


class Walk:
    """All that one person's pages offer and tell now, with whatever is not clear about it."""

    def __init__(self, offers: Offers, person: str) -> None:
        self.offers, self.person = offers, person
        self.bench = offers.bench
        self.picture = Picture(self.bench.table, viewer(person))
        self.sight = Sight(self.bench.state, viewer(person))

    def faults(self) -> Iterator[str]:
        for card in self.picture.cards():
            yield from self._of_card(card)
        if self.person == GM:
            yield from self._of_blocks(self.picture.gm_blocks(), "")
            yield from self._reason(self.picture.big_button_refused(), "the big button")
        for asked in self.picture.questions():
            yield from self._of_question(asked)
        fight = self.picture.fight()
        for slot in () if fight is None else fight.slots:
            yield from self._asked({"slot": slot.id}, f"the slot at {slot.place}")

    def _of_card(self, card: Card) -> Iterator[str]:
        if any(letter.isdigit() for letter in card.health):
            yield from self._asked({"card": card.id, "block": "health"}, f"health {card.health}")
        for gauge in card.vitals:
            yield from self._asked({"card": card.id, "block": gauge.key}, f"vital {gauge.key}")
        for helper in card.plight.helpers if card.plight is not None else ():
            if helper.chance is not None:
                yield from self._asked({"card": card.id, "block": "plight"}, "a helper's chance")
        for _, blocks in self.picture.blocks(card.id):
            yield from self._of_blocks(blocks, card.id)

    def _of_blocks(self, blocks: Iterable[Block], who: str) -> Iterator[str]:
        for block in blocks:
            match block:
                case Menu():
                    yield from self._of_menu(block, who)
                case Form():
                    yield from self._reason(self.sight.maybe(block.why_not), f"form {block.key}")
                case Gauge():
                    yield from self._asked({"card": who, "block": block.key}, f"gauge {block.key}")
                case Fact() if who and _has_digit(self.sight.words(block.value)):
                    yield from self._asked({"card": who, "block": block.key}, f"fact {block.key}")
                    yield from self._written(block, who)

    def _written(self, fact: Fact, who: str) -> Iterator[str]:
        """A number that stands on no sheet says how it was worked out."""
        bodies = (body for key, body in self.bench.table._bodies().items() if key.endswith(f".sheet/{who}"))
        on_the_sheets = {number for body in bodies for number in NUMBERS.findall(json.dumps(body))}
        unwritten = set(NUMBERS.findall(self.sight.words(fact.value))) - on_the_sheets
        if fact.because is None and unwritten:
            yield f"{self.person}: {fact.key} is said to be written, but {sorted(unwritten)} is worked out"
        yield from self._plain(self.picture.because({"card": who, "block": fact.key})[1:], f"why of {fact.key}")

    def _of_menu(self, menu: Menu, who: str) -> Iterator[str]:
        yield from self._reason(self.sight.maybe(menu.why_not), f"menu {menu.key}")
        if _has_digit(self.sight.words(menu.label)) and "%" in self.sight.words(menu.label):
            yield from self._asked({"card": who, "block": menu.key}, f"menu {menu.key}")
        buttons = [one for tab in menu.tabs for button in tab.buttons for one in button.variants()]
        for button in buttons:
            yield from self._reason(self.sight.maybe(button.why_not), f"{menu.key} {button.move}")
        chances = [one for one in buttons if one.chance is not None and one.why_not is None]
        for button in self.offers.any.sample(chances, min(4, len(chances))):
            yield from self._chance(button, menu.key)

    def _chance(self, button: Button, key: str) -> Iterator[str]:
        told = self.picture.because(button.move)
        if len(told) < 2 or not re.search(r"\bd?\d", told[1]):
            yield f"{self.person}: {key} {button.move}: nothing tells where {button.chance} comes from: {told}"
        yield from self._plain(told[1:], f"why of {key}")

    def _of_question(self, asked: QuestionView) -> Iterator[str]:
        for choice in asked.choices:
            yield from self._reason(choice.why_not, f"{asked.brief}: {choice.label}")
            of = {"move": "table.answer", "question": asked.id, "choice": choice.id}
            if choice.chance is not None:
                yield from self._asked(of, f"{asked.brief}: {choice.label}")
            if choice.worths and choice.amounts is not None:
                yield from self._asked({**of, "amount": choice.amounts[0]}, f"{asked.brief}: {choice.label}")

    def _asked(self, of: Message, what: str) -> Iterator[str]:
        told = self.picture.because(of)
        if len(told) < 2:
            yield f"{self.person}: {what}: nothing tells where it comes from ({told})"

    def _reason(self, words: str | None, what: str) -> Iterator[str]:
        yield from () if words is None else self._plain((words,), what)

    def _plain(self, told: Iterable[str], what: str) -> Iterator[str]:
        yield from (f"{self.person}: {what}: {words!r} is no plain sentence" for words in told if not is_plain(words))


def _has_digit(words: str) -> bool:
    return any(letter.isdigit() for letter in words)


@pytest.mark.timeout(120 + 3 * TAPS)
@pytest.mark.parametrize("seed", range(TABLES))
@pytest.mark.parametrize("games", STACKS, ids="+".join)
def test_every_reason_is_a_sentence_and_every_number_can_be_asked(
    store: Store, games: tuple[str, ...], seed: int
) -> None:
    offers = Offers(store, games, seed)
    for tap in range(TAPS):
        _, _, reply = offers.anything()
        assert reply.ok or is_plain(reply.say), reply.say
        if tap % 4 == 0:
            found = [fault for person in PEOPLE for fault in Walk(offers, person).faults()]
            assert found == [], "\n".join(found)


@pytest.mark.timeout(120 + 3 * TAPS)
@pytest.mark.parametrize("games", [*((game,) for game in BOOK.games), tuple(BOOK.games)], ids="+".join)
def test_whatever_is_sent_wrongly_is_refused_in_a_plain_sentence(store: Store, games: tuple[str, ...]) -> None:
    offers = Offers(store, games, 7)
    for _ in range(TAPS // 2):
        offers.anything()
        everything = list(offers._everything())
        for offer in offers.any.sample(everything, min(12, len(everything))):
            move = dict(offer.move)
            name = offers.any.choice([*move, "nonsense"])
            move[name] = offers.any.choice(JUNK)
            reply = offers.bench.table.do(move, viewer(offer.by))
            assert reply.ok or is_plain(reply.say), f"{name} = {move[name]!r} in {offer.move}: {reply.say}"


WRONG: dict[str, tuple[Any, ...]] = {
    "number": ("x", 10**6, -(10**6)),
    "choice": ("nonsense!",),
    "text": ("y" * 5000,),
}


@pytest.mark.parametrize("games", [*((game,) for game in BOOK.games), tuple(BOOK.games)], ids="+".join)
def test_a_form_filled_in_wrongly_hears_which_field_by_its_name_on_the_page(
    store: Store, games: tuple[str, ...]
) -> None:
    offers = Offers(store, games, 5)
    for _ in range(5):
        offers.anything()
        for form in forms(offers):
            for blank in form.fields:
                for wrong in WRONG.get(blank.kind, ()):
                    said = refused(offers, form, blank, wrong)
                    named = said.startswith(_first_words(blank, offers.bench.sight())) or "There is no" in said
                    assert is_plain(said), said
                    assert named, f"{form.move['move']} {blank.name} = {str(wrong)[:9]}: {said}"


AS_IT_IS = ("That is how it stands already.", "There is no insanity that would heal.")


@pytest.mark.timeout(120 + 3 * TAPS)
@pytest.mark.parametrize("games", [*((game,) for game in BOOK.games), tuple(BOOK.games)], ids="+".join)
def test_a_form_sent_as_it_is_shown_is_accepted_or_said_beforehand_why_not(
    store: Store, games: tuple[str, ...]
) -> None:
    offers = Offers(store, games, 11)
    for tap in range(TAPS):
        offers.anything()
        for form in forms(offers) if tap % 5 == 0 else ():
            said = _tried(offers, shown(form))
            assert said is None or said in AS_IT_IS, f"{form.key}: {said}"


def _tried(offers: Offers, move: Message) -> str | None:
    try:
        offers.try_out(Offer(move, GM))
    except RuleError as refusal:
        return offers.bench.sight().words(refusal.sentence)
    return None


def test_the_night_says_beforehand_who_cannot_rest(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.hero("Ben", seat="ben")
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0}})
    [form] = [one for one in _night(bench) if isinstance(one, Form)]
    resting = {bench.sight().words(one.label): one for one in form.fields if one.name == "resting[]"}
    assert form.why_not is None
    assert (resting["Ann"].checked, resting["Ben"].checked) == (False, True)
    assert bench.sight().maybe(resting["Ann"].help) == "Ann is dying: first aid comes before rest."
    bench.do({"move": "table.edit", "actor": "Ben", "game_id": "squad", "values": {"hp.now": 0}})
    [form] = [one for one in _night(bench) if isinstance(one, Form)]
    assert bench.sight().maybe(form.why_not) == "Ann is dying: first aid comes before rest."


def test_the_dead_are_ticked_nowhere_and_rest_no_more(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.hero("Ben", seat="ben")
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"hp.now": 0, "condition": "dead"}})
    ticked = {
        (block.key, bench.sight().words(one.label)): (one.checked, bench.sight().maybe(one.help))
        for block in Picture(bench.table, viewer(GM)).gm_blocks()
        if isinstance(block, Form)
        for one in block.fields
        if one.checked is not None and one.kind == "switch"
    }
    assert {how for (_, who), how in ticked.items() if who == "Ann"} == {(False, "dead")}
    assert {how for (_, who), how in ticked.items() if who == "Ben"} == {(True, None)}
    assert {key for key, _ in ticked} >= {"night", "squad.call"}
    bench.do({"move": "table.edit", "actor": "Ben", "game_id": "squad", "values": {"hp.now": 1}})
    bench.do({"move": "table.rest", "hours": 8}, faces=[2])
    assert not any("Ann" in words for words in bench.words())


def _night(bench: Bench) -> list[Block]:
    return [block for block in Picture(bench.table, viewer(GM)).gm_blocks() if block.key == "night"]


@pytest.mark.parametrize(("now", "said"), [(0, (True, False)), (5, (False, False)), (9, (False, True))])
def test_a_track_says_where_it_ends(now: int, said: tuple[bool, bool]) -> None:
    gauge = Gauge(key="hp", label=text("HP"), now=now, full=9, at=("squad", "hp", "now"))
    assert tuple(gauge.why_not(amount) is not None for amount in (-1, 1)) == said


def forms(offers: Offers) -> list[Form]:
    picture = Picture(offers.bench.table, viewer(GM))
    cards = [card.id for card in picture.cards()]
    blocks = [block for who in cards for _, own in picture.blocks(who) for block in own]
    blocks += [block for who in cards for block in (*picture.in_the_order(who), *picture.seen_as(who))]
    found = (*blocks, *picture.gm_blocks())
    return [block for block in found if isinstance(block, Form) and block.why_not is None]


def refused(offers: Offers, form: Form, blank: Input, wrong: Any) -> str:
    """What is said when all other blanks are filled in as the page shows them."""
    move = shown(form)
    move[blank.name.removesuffix("[]")] = [wrong] if blank.name.endswith("[]") else wrong
    reply = offers.bench.table.do(move, viewer(GM))
    return reply.say or "It was accepted"


def shown(form: Form) -> Message:
    """The move that the page would send if nobody changed anything; what is empty is filled in somehow."""
    move: Message = dict(form.move)
    for one in form.fields:
        *path, last = one.name.removesuffix("[]").split(".")
        holder = move
        for part in path:
            holder = holder.setdefault(part, {})
        if one.name.endswith("[]"):
            holder[last] = [*holder.get(last, []), *([one.value] if one.checked or one.kind != "switch" else [])]
        else:
            holder[last] = _filled(one)
    return move


def _filled(blank: Input) -> Any:
    if blank.kind == "number" and blank.value is None:
        return blank.lowest or 0
    if blank.kind == "text" and blank.value == "":
        return "Something"
    if blank.number and blank.value not in (None, ""):
        return int(blank.value)
    return None if blank.kind == "choice" and blank.value == "" else blank.value


def _first_words(blank: Input, sight: Sight) -> str:
    return re.split(r"[,(]", sight.words(blank.label))[0].strip()


def test_nobody_is_told_of_what_they_do_not_see(store: Store) -> None:
    """The TV and a stranger ask for everything that the GM may ask for."""
    offers = Offers(store, tuple(BOOK.games), 2)
    for _ in range(TAPS // 2):
        offers.anything()
    state = offers.bench.state
    last = [one.id for one in state.characters() if not one.hidden][-1]
    assert offers.bench.table.do({"move": "table.reveal", "character": last, "hidden": True}, viewer(GM)).ok
    hidden = [one for one in state.characters() if one.hidden]
    for person in ("s3", SCREEN):
        ask = Picture(offers.bench.table, viewer(person)).because
        for one in hidden:
            assert ask({"card": one.id, "block": "health"}) == ()
        for offer in offers._everything():
            assert ask(offer.move) == () or offer.by == person, offer
        for slot in state.slots():
            assert ask({"slot": slot.id}) == () or not state.is_hidden(slot.character)


# --- what is said before, and after ------------------------------------------------------------------------


def test_who_stays_out_of_the_fight_in_hiding_is_said_and_can_be_taken_in(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.foe("Rat", hidden=False)
    gm = Picture(bench.table, viewer(GM))
    assert gm.left_in_hiding() is None
    bench.do({"move": "table.reveal", "character": "Rat", "hidden": True})
    offer = gm.left_in_hiding()
    assert offer is not None
    assert offer.label == "Hidden, and so not in it: Rat."
    assert Picture(bench.table, viewer("ann")).left_in_hiding() is None
    assert gm.big_button_refused() == "A fight needs a hero and a foe who can act."
    assert bench.table.do(offer.move, viewer(GM)).ok
    assert len(bench.battle.members) == 2
    assert bench.state.is_hidden(bench.ids["Rat"])


def test_the_end_of_a_fight_says_how_long_it_took_and_who_is_down(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.foe("Rat")
    bench.foe("Cat")
    bench.do({"move": "table.start_fight"})
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": "squad", "values": {"hp.now": 0}})
    bench.do({"move": "table.end_fight"})
    assert bench.words("ann")[-1].startswith("The fight is over. It took 1 round; down: Rat (")
    bench.do({"move": "table.edit", "actor": "Rat", "game_id": "squad", "values": {"hp.now": 3}})
    bench.do({"move": "table.start_fight"})
    bench.do({"move": "table.end_fight"})
    assert bench.words("ann")[-1] == "The fight is over. It took 1 round; nobody is down."


def test_whoever_is_down_in_another_rule_set_shows_it_and_still_acts(store: Store) -> None:
    bench = Bench(store, games=("squad", "willpower"))
    bench.hero("Ann", seat="ann")
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "willpower", "values": {"hp.now": 0}})
    card = Picture(bench.table, viewer(SCREEN)).card(bench.ids["Ann"])
    assert card is not None
    assert card.down is None
    assert "out" in [bench.sight().maybe(note.brief) for note in card.notes]


def test_who_attacks_from_hiding_may_raise_either_die_too(store: Store) -> None:
    bench = Bench(store)
    bench.hero("Ann", seat="ann")
    bench.foe("Rat")
    bench.do({"move": "table.edit", "actor": "Ann", "game_id": "squad", "values": {"will": 2, "tuf": 6, "stw": 6}})
    bench.do({"move": "table.reveal", "character": "Ann", "hidden": True})
    bench.do({"move": "table.start_fight", "members": [bench.ids["Ann"], bench.ids["Rat"]]})
    for who, at in (("Ann", 4), ("Rat", 1)):
        bench.do({"move": "table.edit", "actor": who, "game_id": "squad", "values": {"initiative": at}})
    blocks = [block for _, own in Picture(bench.table, viewer(GM)).blocks(bench.ids["Ann"]) for block in own]
    [attack] = [block for block in blocks if block.key == "squad.attack"]
    assert isinstance(attack, Menu)
    assert [bench.sight().words(one) for _, one in attack.switches] == [
        "Stay hidden",
        "Raise the die to hit · 1 Will Point",
        "Raise the damage die · 1 Will Point",
    ]
    keys = [key for key, _ in attack.switches]
    for on in product((False, True), repeat=3):
        button = attack.tabs[0].buttons[0].ridden(compress(keys, on))
        assert tuple(button.move.get(key, False) for key in keys) == on
        assert (button.note is not None) is on[2]
    assert len(attack.tabs[0].buttons[0].variants()) == 8


# --- what is changed by hand -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "field", "value", "said"),
    [
        ("willpower", "states", {"bleeding": 0, "shaken": 0}, "Ann: States nothing → bleeding, shaken."),
        ("pools", "afflictions", {"poisoned": 2}, "Ann: Afflictions nothing → poisoned 2."),
        ("pools", "immune", ["fire", "cold"], "Ann: Immune nothing → fire, cold."),
        ("squad", "devices", {"a": {"name": "Axe", "make": "melee", "die": 8}}, "Ann: Devices nothing → Axe."),
    ],
)
def test_whatever_is_set_by_hand_is_told_in_plain_words(
    store: Store, game: str, field: str, value: Any, said: str
) -> None:
    bench = Bench(store, game=game)
    bench.hero("Ann")
    edit = {"move": "table.edit", "actor": "Ann", "game_id": game, "values": {field: value}}
    bench.do(edit)
    assert bench.words() == [said]
    again = value | dict.fromkeys(value, 5) if field == "states" else None
    if again is not None:
        bench.do(edit | {"values": {field: again}})
        assert bench.words() == ["Ann: States bleeding, shaken → bleeding, shaken, changed."]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"afflictions": {"x" * 99: 2}}, "Name in afflictions is too long: 24 letters at most."),
        ({f"afflictions.{'x' * 99}": 2}, "Name in afflictions is too long: 24 letters at most."),
        ({"afflictions": {"poisoned": 99999}}, "Afflictions poisoned can be 999 at most."),
        ({"wounds": {"tail": 2}}, "Name in wounds: choose one of those that are offered."),
        ({"afflictions.": 2}, "Name in afflictions can't be empty: fill it in."),
    ],
)
def test_a_name_that_will_not_do_is_refused_in_plain_words(store: Store, values: Message, said: str) -> None:
    bench = Bench(store, game="pools")
    bench.hero("Ann")
    assert bench.refused({"move": "table.edit", "actor": "Ann", "game_id": "pools", "values": values}) == said


@pytest.mark.parametrize("game", BOOK.games)
def test_each_reading_a_table_may_choose_is_said_in_words_of_its_own(game: str) -> None:
    """Not by the bare name it is saved under, such as "Rank"; its help says more, but is not on the closed list."""
    kinds = [field.annotation for field in BOOK.games[game].house.model_fields.values()]
    readings = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, StrEnum)]
    assert readings
    for one in (one for kind in readings for one in kind):
        assert getattr(one, "label", one.value) not in (one.value, ""), f"{type(one).__name__}: {one}"


def test_a_heading_is_not_said_twice() -> None:
    """Neither above the only button with the same words, nor above the only field."""
    button = Button(label=text("Scene over"), move={"move": "table.x"})
    menu = Menu(key="m", label=text("Scene over"), tabs=(Tab(key="t", label=text("Scene over"), buttons=(button,)),))
    form = Form(
        key="f",
        label=text("Close to"),
        move={"move": "table.x"},
        fields=(Input(name="to", label=text("Close to"), kind="text"),),
        button=text("So it is"),
    )
    drawn = list(pieces((menu, form), "w", PLAIN, {}))
    assert [item.tag for item in drawn] == ["div", "button", "form"]
    assert not drawn[0].html, "only a new line"
    assert str(drawn[2].html).count("Close to") == 1
    two = menu.model_copy(update={"label": text("Time")})
    assert [item.tag for item in pieces((two,), "w", PLAIN, {})] == ["h2", "button"]
