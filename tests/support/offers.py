"""Random play of whatever is at the table: everybody taps only what their own page offers them.

A button that can be pressed must be accepted; a form may be refused, for what was filled in.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.play import BOOK, GM, Bench, Message, viewer
from tests.support.wild import PEOPLE, SEATS, SECRET
from webapp.leave import why_not
from webapp.projection.picture import Picture
from webapp.rules.blocks import Block, Button, Form, Gauge, Input, Menu
from webapp.rules.dice import SeededDice
from webapp.rules.document import Side
from webapp.rules.errors import RuleError
from webapp.rules.forms import inputs
from webapp.rules.nights import Rest
from webapp.rules.playing import perform
from webapp.rules.questions_view import QuestionView
from webapp.rules.sight import Sight
from webapp.rules.state import Habits
from webapp.rules.text import Text, text
from webapp.store import Store
from webapp.table import Reply

NOTES = "Plot!"  # a table of the GM's own
JUNK_TEXT = "Something else"


@dataclass(frozen=True)
class Offer:
    """A move that somebody's page would send. `sure`: a button that can be pressed, so it must be accepted."""

    move: Message
    by: str
    sure: bool = False


class Offers:
    """One table of these rule sets at which people with a seed tap what they are offered."""

    def __init__(self, store: Store, games: tuple[str, ...], seed: int) -> None:
        self.games = games
        self.any = random.Random(f"{games} {seed}")
        self.bench = Bench(store, dice=SeededDice(seed), games=games)
        self._secrets = 0
        self._set_the_table()

    # --- before it begins

    def _set_the_table(self) -> None:
        for seat in (*SEATS, SEATS[0]):
            self.bench.do(self._hero(), seat)
        self.bench.do(self._foe(name="Thug", copies=2, hidden=False))
        self.bench.do(self._foe(alias="A shape", hidden=False))
        self.bench.do(self._foe(hidden=True))
        self.bench.do({"move": "table.keep_table", "name": NOTES, "lines": f"1-3 {NOTES}\n4-6 {NOTES}{NOTES}"})
        for _ in range(self.any.randint(0, 4)):
            offer = self._house_rule()
            self.bench.table.do(offer.move, viewer(GM))
        orders = Picture(self.bench.table, viewer(SEATS[0])).standing_orders()
        for seat in SEATS:
            told = {order.name: self.any.choice(order.values)[0] for order in orders if self.any.random() < 0.4}
            self.bench.crowd.of[seat] = Habits(real_dice=self.any.random() < 0.3, orders=told)
        self.bench.table.tell()

    def _sheets(self, side: Side) -> Message:
        """A start of the first rule set that has one, perhaps of the others too."""
        found: Message = {}
        for game in Picture(self.bench.table, viewer(GM)).start_groups(side):
            if not found or self.any.random() < 0.7:
                found[game.game] = self.any.choice(game.starts).body
        return found

    def _hero(self) -> Message:
        return {"move": "table.make_hero", "name": "Hero", "sheets": self._sheets(Side.HERO)}

    def _foe(self, *, name: str = "", **more: Any) -> Message:
        self._secrets += not name
        name = name or f"{SECRET}{self._secrets}!"
        return {"move": "table.add_characters", "name": name, "sheets": self._sheets(Side.FOE), **more}

    # --- tapping

    def anything(self) -> tuple[Message, str, Reply]:
        """One tap of somebody. A button that can be pressed is accepted."""
        offer = self._some_offer()
        self.bench.passes(self.any.choice([0.5, 3, 60]))
        reply = self.bench.table.do(offer.move, viewer(offer.by))
        assert reply.ok or not offer.sure, f"{offer} was offered and refused: {reply.say}"
        return offer.move, offer.by, reply

    def _some_offer(self) -> Offer:
        ways: list[Callable[[], list[Offer]]] = [
            self._answers,
            self._acts,
            self._any_card,
            self._whole_table,
            self._about_somebody,
            self._at_large,
        ]
        for way in self.any.choices(ways, weights=(30, 30, 12, 8, 8, 8), k=6):
            found = way()
            if found:
                return self.any.choice(found)
        return self._of_the_big_button() or Offer({"move": "table.tray", "dice": {"6": 1}}, GM, sure=True)

    def _of_the_big_button(self) -> Offer | None:
        picture = Picture(self.bench.table, viewer(GM))
        button = picture.big_button()
        if button is None or picture.big_button_refused() is not None:
            return None
        return Offer(button.move, GM, sure=True)

    def _answers(self) -> list[Offer]:
        person = self.any.choice(PEOPLE)
        picture = Picture(self.bench.table, viewer(person))
        found = [offer for one in picture.questions() for offer in self._answers_to(one, person)]
        found += [
            Offer({"move": "table.noted", "actor": one.character}, person, sure=True) for one in picture.notices()
        ]
        for call in picture.calls() if person == GM else ():
            found.append(Offer({"move": "table.turn_over", "call": call.id}, GM, sure=True))
            found += [
                Offer({"move": "table.let_go", "call": call.id, "character": row.character}, GM, sure=True)
                for row in call.rows
                if not row.is_in
            ]
        return found

    def _answers_to(self, asked: QuestionView, person: str) -> Iterator[Offer]:
        message: Message = {"move": "table.answer", "question": asked.id}
        for choice in asked.choices:
            if choice.why_not is None:
                more = {} if choice.amounts is None else {"amount": self.any.randint(*choice.amounts)}
                yield Offer({**message, "choice": choice.id, **more}, person, sure=True)
        if asked.dice:
            faces = [self.any.randint(1, side) for side in asked.dice]
            yield Offer({"move": "table.tell_faces", "question": asked.id, "faces": faces}, person, sure=True)

    def _acts(self) -> list[Offer]:
        """The big button, or what those who are up may do."""
        big, fight = self._of_the_big_button(), self.bench.state.fight()
        if big is not None and (fight is None or fight.active is None or self.any.random() < 0.3):
            return [big]
        if fight is None or fight.active is None:
            return []
        return self._of_card(fight.active.rpartition(":")[0])

    def _any_card(self) -> list[Offer]:
        everybody = self.bench.state.characters()
        return self._of_card(self.any.choice(everybody).id) if everybody else []

    def _of_card(self, who: str) -> list[Offer]:
        seats = [one.seats for one in self.bench.state.characters() if one.id == who]
        person = self.any.choice([GM, *(seats[0] if seats else [])])
        return list(self.of_card(who, person))

    def of_card(self, who: str, person: str) -> Iterator[Offer]:
        """Everything that this card offers to somebody."""
        picture = Picture(self.bench.table, viewer(person))
        for _, blocks in picture.blocks(who):
            yield from self._of_blocks(blocks, who, person)
        if person == GM:
            yield from self._of_blocks((*picture.in_the_order(who), *picture.seen_as(who)), who, person)

    def _whole_table(self) -> list[Offer]:
        return list(self.of_table())

    def of_table(self) -> Iterator[Offer]:
        """What the GM may do for everybody at once."""
        picture = Picture(self.bench.table, viewer(GM))
        duties = picture.duties()
        blocks: tuple[Block, ...] = (*picture.gm_blocks(), *(() if duties is None else (duties,)))
        yield from self._of_blocks(blocks, "", GM)
        sheet = picture.damage_sheet()
        if sheet.cards:
            form = Form(
                key="",
                label=text(""),
                move={"move": "table.damage"},
                fields=(*sheet.amount, *sheet.how),
                button=text(""),
            )
            shares = {card.id: self.any.choice(["full", "half", "none"]) for card in sheet.cards}
            yield Offer(self._filled(form) | {"shares": shares}, GM)

    def _of_blocks(self, blocks: Iterable[Block], who: str, person: str) -> Iterator[Offer]:
        for block in blocks:
            match block:
                case Menu(why_not=None):
                    buttons = (button for tab in block.tabs for button in tab.buttons)
                    yield from (Offer(one.move, person, sure=True) for button in buttons for one in pressable(button))
                case Form():
                    yield Offer(self._filled(block), person)
                case Gauge(at=(game, *path)):
                    move = {"move": "table.adjust", "actor": who, "game_id": game, "path": path}
                    yield Offer({**move, "amount": self.any.choice([-1, 1, -5, 5])}, person)

    def _filled(self, form: Form) -> Message:
        """As the page would send it, some of its blanks changed."""
        move: Message = {**form.move}
        for blank in form.fields:
            value = self._value(blank)
            name = blank.name
            if name.endswith("[]"):
                listed = move.setdefault(name.removesuffix("[]"), [])
                chosen = blank.checked if self.any.random() < 0.7 else not blank.checked
                listed += [blank.value] if chosen else []
            else:
                *path, last = name.split(".")
                holder = move
                for part in path:
                    holder = holder.setdefault(part, {})
                holder[last] = value
        return move

    def _value(self, blank: Input) -> Any:
        if blank.kind == "choice":
            value = blank.value if self.any.random() < 0.3 else self.any.choice(blank.options)[0]
            value = int(value) if blank.number and value not in ("", None) else value
            return None if value == "" else value
        if self.any.random() < 0.4 and blank.value not in (None, ""):
            return blank.value
        match blank.kind:
            case "number":
                return self.any.randint(blank.lowest or 0, 12 if blank.highest is None else blank.highest)
            case "switch":
                return self.any.random() < 0.5
        return JUNK_TEXT[: blank.longest or 40]

    # --- about people and the table

    def _about_somebody(self) -> list[Offer]:
        everybody = self.bench.state.characters()
        if not everybody:
            return []
        one = self.any.choice(everybody)
        about, fight = {"character": one.id}, self.bench.state.fight()
        found = [Offer({"move": "table.reveal", **about, "hidden": not one.hidden}, GM, sure=True)]
        if fight is not None:
            kind = "leave_fight" if one.id in fight.members else "join_fight"
            found.append(Offer({"move": f"table.{kind}", **about}, GM, sure=True))
        if len(everybody) > 5 and self.any.random() < 0.3:
            found.append(Offer({"move": "table.remove_character", **about}, GM, sure=True))
        person = self.any.choice([GM, *one.seats])
        found += self._edits(one.id, person)
        return found

    def _edits(self, who: str, person: str) -> list[Offer]:
        """One field of each of somebody's sheets, by hand."""
        found = []
        for game in self.bench.state.settings.games:
            sheet = self.bench.state.find(BOOK.games[game].sheet, who)
            fields = () if sheet is None else inputs(sheet, bookkeeping=person == GM)
            if fields:
                field = self.any.choice(fields)
                values = {field.name: self._value(field)}
                found.append(Offer({"move": "table.edit", "actor": who, "game_id": game, "values": values}, person))
        return found

    def _at_large(self) -> list[Offer]:
        state, person = self.bench.state, self.any.choice(PEOPLE)
        fight = state.fight()
        own = {one.id for one in Picture(self.bench.table, viewer(GM)).own_tables()}
        secret = self.any.random() < 0.3
        rolls = (
            {"move": "table.roll_table", "table": table.id, "secret": secret or table.id in own}
            for table in Picture(self.bench.table, viewer(person)).tables()
        )
        found = [Offer(roll, person, sure=True) for roll in rolls]
        found.append(Offer({"move": "table.tray", "dice": {"6": 2}, "secret": secret}, person, sure=True))
        if fight is not None:
            found.append(Offer({"move": "table.end_fight"}, GM, sure=True))
        if len(state.characters()) < 9:
            found.append(Offer(self._foe(hidden=self.any.choice([None, True])), GM, sure=True))
            found.append(Offer(self._hero(), person, sure=True))
        free = Picture(self.bench.table, viewer(SEATS[0])).free_heroes()
        found += [Offer({"move": "table.claim", "character": card.id}, SEATS[0], sure=True) for card in free]
        some = self.any.sample(self.games, self.any.randint(1, len(self.games)))
        found += [Offer({"move": "table.set_games", "games": some}, GM), self._house_rule()]
        cover = self.any.choice(["open", "pause", "curtain"])
        return [*found, Offer({"move": "table.curtain", "value": cover}, GM)]

    def _house_rule(self) -> Offer:
        state = self.bench.state
        game = self.any.choice(state.settings.games)
        field = self.any.choice(inputs(state.house(BOOK.games[game].house)))
        values = {field.name: self._value(field)}
        return Offer({"move": "table.edit_table", "key": f"{game}.house/{game}", "values": values}, GM)

    # --- all at once

    def press_everything(self) -> Iterator[str]:
        """Buttons of every kind that can be pressed now, tried on a draft: a sentence for each that is refused."""
        kinds: dict[tuple[str, str], list[Offer]] = {}
        for offer in self._everything():
            kinds.setdefault((offer.by, offer.move["move"]), []).append(offer)
        for offer in (one for alike in kinds.values() for one in self.any.sample(alike, min(3, len(alike)))):
            try:
                self.try_out(offer)
            except RuleError as refused:
                say = Sight(self.bench.state, viewer(offer.by)).words(refused.sentence)
                yield f"{offer.by}: {offer.move}: {say}"

    def _everything(self) -> Iterator[Offer]:
        for one in self.bench.state.characters():
            for person in {GM, *one.seats}:
                yield from (offer for offer in self.of_card(one.id, person) if offer.sure)
        yield from (offer for offer in self.of_table() if offer.sure)
        big = self._of_the_big_button()
        yield from () if big is None else (big,)
        for person in PEOPLE:
            for asked in Picture(self.bench.table, viewer(person)).questions():
                yield from self._answers_to(asked, person)

    def try_out(self, offer: Offer) -> None:
        """On a draft, of which nothing is kept."""
        table, state, as_ = self.bench.table, self.bench.state, viewer(offer.by)
        move = table.rulebook.move(offer.move)
        if (refusal := why_not(move, Sight(state, as_))) is not None:
            raise RuleError(refusal)
        perform(table._scene(as_), move)


def pressable(button: Button) -> Iterator[Button]:
    """It and its variants, as far as they can be pressed."""
    return (one for one in button.variants() if one.why_not is None)


# --- all that a page may be told -----------------------------------------------------------------------------


def picture_of(bench: Bench, person: str) -> str:
    """Everything that the pages of this person are made of, worked out and put into words."""
    picture, sight = Picture(bench.table, viewer(person)), Sight(bench.state, viewer(person))
    everybody = [one.id for one in bench.state.characters()]
    views: list[Any] = [
        picture.cards(),
        picture.own(),
        picture.free_heroes(),
        picture.fight(),
        picture.questions(),
        picture.calls(),
        picture.standing_orders(),
        picture.notices(),
        picture.log(),
        picture.last_to_undo(),
        picture.ribbon(),
        picture.last_roll(),
        picture.act(),
        picture.turned_over(),
        picture.rest(),
        picture.cover(),
        picture.big_button(),
        picture.big_button_refused(),
        picture.round_outlook(),
        picture.gm_blocks(),
        picture.tables(),
        picture.own_tables(),
        picture.duties(),
        picture.preview(Rest()),
        picture.name(),
        picture.minutes(),
    ]
    for side in Side:
        picture.start_groups(side)
    for who in everybody:
        views += [picture.card(who), picture.blocks(who), picture.in_the_order(who), picture.seen_as(who)]
    return "\n".join(_words(views, sight))


def _words(view: Any, sight: Sight) -> Iterator[str]:
    match view:
        case Text():
            yield sight.words(view)
            yield from view.mentions()
        case str():
            yield view
        case dict():
            yield from _words([*view.keys(), *view.values()], sight)
        case list() | tuple() | set() | frozenset():
            for one in view:
                yield from _words(one, sight)
        case _ if hasattr(view, "model_fields_set"):
            yield from _words([held for _, held in view], sight)
        case _ if hasattr(view, "__dataclass_fields__"):
            yield from _words([getattr(view, name) for name in view.__dataclass_fields__], sight)
