"""One viewer's picture of a live table: the only way from documents to a page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

from webapp.because import because
from webapp.history import Entry
from webapp.rules.answers import missed
from webapp.rules.blocks import Block, Button, Fact, Form, Input, Menu, Tab
from webapp.rules.calls_view import CallView, call_views
from webapp.rules.cards_view import Card, acts_of, as_known, buttons_as_known, buttons_of, card
from webapp.rules.damage import Damage, amount_inputs, can_be_hurt, damage_outlook, harm_inputs, is_grave
from webapp.rules.document import Character, Clock, Cover, Duty, Line, Notice, Side
from webapp.rules.encounter import Phase, phase_of
from webapp.rules.errors import RuleError
from webapp.rules.fighting import StartFight, decided, next_label, what_next
from webapp.rules.fights_view import FightView, fight_view
from webapp.rules.forms import disguise
from webapp.rules.gm_order import order_forms
from webapp.rules.knots import seen_knots
from webapp.rules.lines_view import LineView
from webapp.rules.move import Move
from webapp.rules.period import Period
from webapp.rules.periods import Rest, night_outlook, outlook
from webapp.rules.question import Question
from webapp.rules.questions_view import NoticeView, OrderView, QuestionView, order_views, question_view
from webapp.rules.ruleset import Start
from webapp.rules.scene import PEOPLE, ROW, THREAD, TOLD, State
from webapp.rules.sight import Sight
from webapp.rules.tables import RandomTable, ShownTable, tables
from webapp.rules.text import Who, listed, text
from webapp.rules.times import duties_form, time_blocks
from webapp.rules.viewer import Role, Viewer
from webapp.stage import Act, Fallen, Rested, TurnedOver, act_in_hand, fallen, lines_told, rest, turned_over
from webapp.table import Table

ViewT = TypeVar("ViewT")
MOST_AT_ONCE = 40
MOST_STEPS = 6  # of an act that a phone's ribbon can hold
Picked = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LogRow:
    """One entry of the log as this viewer may read it, newest last. `also`: what its undo takes back besides."""

    id: str
    at: datetime
    by: str
    lines: tuple[LineView, ...]
    undone_by: str | None
    may_undo: bool
    is_undo: bool
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ribbon:
    """The act in hand: what has happened, the step that waits, and what comes behind it."""

    done: tuple[str, ...]
    waits: str | None
    ahead: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What a screen reader says of the newest act; `number` tells a later one from an earlier one."""

    number: int
    words: str


@dataclass(frozen=True, slots=True)
class StartGroup:
    """The sheets to begin with of one rule set."""

    game: str
    title: str
    starts: tuple[Start, ...]


@dataclass(frozen=True, slots=True)
class DamageSheet:
    """What the GM fills in to hurt many: how much, in whose words, who may be hurt, and groups to pick at once."""

    amount: tuple[Input, ...]
    how: tuple[Input, ...]
    groups: tuple[tuple[str, tuple[str, ...]], ...]
    cards: tuple[Card, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class DamageTold:
    """What would become of each, by character; or why it can't be done so."""

    parts: Mapping[str, tuple[tuple[str, bool], ...]]  # the words, and whether they are grave
    why_not: str = ""

    def of(self, who: str) -> str:
        return ", ".join(words for words, _ in self.parts.get(who, ()))


@dataclass(frozen=True, slots=True)
class BigButton:
    """What the GM's one button will do, and the move that does exactly this and nothing else."""

    label: str
    move: dict[str, Any]


class Picture:
    """What one viewer sees of a table. All pages of one viewer share what was worked out."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        self.table = table
        self.viewer = viewer

    def cards(self) -> tuple[Card, ...]:
        """Everybody this viewer can see: the party in its stored order, then foes."""
        return self._recall("cards", work_out=self._cards)

    def own(self) -> tuple[Card, ...]:
        return tuple(one for one in self.cards() if one.mine)

    def card(self, who: str) -> Card | None:
        found = self._state.find(Character, who)
        return None if found is None or not self._sight.sees(found) else self._card(who)

    def blocks(self, who: str, picked: Picked | None = None) -> tuple[tuple[str, tuple[Block, ...]], ...]:
        """By rule set, what this viewer may read of a character and do with it; doing is worked out only here.

        `picked` is the open tab of each menu: of the others nothing is worked out. None opens all.
        """
        sections = self._recall("blocks", who, work_out=lambda: self._blocks(who))
        return tuple((title, tuple(self._opened(block, picked) for block in found)) for title, found in sections)

    def idle(self) -> frozenset[str]:
        """The titles of the rule sets in play that have nothing to do for the whole table."""
        busy = {self._state.has(duty) for duty in Duty}
        games = self.table.rulebook.in_play(self._state)
        return frozenset(self._sight.words(game.title) for game in games if game.id not in busy)

    def idle_vitals(self, card: Card) -> dict[str, str]:
        """The keys of those that belong to an idle rule set and lack nothing, with its title."""
        games, idle = self.table.rulebook.games, self.idle()
        found = {
            one.key: self._sight.words(games[one.at[0]].title)
            for one in card.vitals
            if one.at and one.now == one.full
        }
        return {key: title for key, title in found.items() if title in idle}

    def free_heroes(self) -> tuple[Card, ...]:
        """Heroes that no seat drives yet."""
        taken = {one.id for one in self._state.characters() if one.seats}
        return tuple(one for one in self.cards() if one.side is Side.HERO and one.id not in taken)

    def driven_by(self, seat: str) -> tuple[Card, ...]:
        """Those of this seat that this viewer can see."""
        theirs = {one.id for one in self._state.characters() if seat in one.seats}
        return tuple(one for one in self.cards() if one.id in theirs)

    def fight(self) -> FightView | None:
        return self._recall("fight", work_out=self._fight)

    def questions(self) -> tuple[QuestionView, ...]:
        """Those that this viewer may answer, oldest first; the GM sees all."""
        return self._recall("questions", work_out=self._questions)

    def began(self, question: str) -> str | None:
        """The row that asked for these dice, for whoever may take a roll back that has begun: the GM alone."""
        if self.viewer.role is not Role.GM:
            return None
        asked = (entry for entry in reversed(self.table.entries) if entry.undone_by is None and entry.asked(question))
        return next((entry.id for entry in asked), None)

    def because(self, of: Mapping[str, Any]) -> tuple[str, ...]:
        """Why a number on this viewer's page is what it is: a heading, and what there is to say."""
        return because(self.table, self.viewer, of)

    def calls(self) -> tuple[CallView, ...]:
        """Tests that are called and not turned over yet."""
        return self._recall("calls", work_out=self._calls)

    def standing_orders(self) -> tuple[OrderView, ...]:
        """What may be ordered once for all, by the questions of the games in play."""
        return self._recall("orders", work_out=lambda: order_views(self._sight))

    def notices(self) -> tuple[NoticeView, ...]:
        return self._recall("notices", work_out=self._notices)

    def log(self, most: int = 40) -> tuple[LogRow, ...]:
        return self._recall_told("log", most, work_out=lambda: self._log(most))

    def last_to_undo(self) -> LogRow | None:
        """The newest row that this viewer may take back and that takes nothing back itself."""
        rows = (self._row(entry) for entry in reversed(self.table.entries))
        return next((row for row in rows if row is not None and row.may_undo and not row.is_undo), None)

    def ribbon(self) -> Ribbon | None:
        return self._recall_told("ribbon", work_out=self._ribbon)

    def last_roll(self) -> LineView | None:
        """The newest line with a roll that counts, for the large screen."""
        return self._recall_told("last", work_out=self._last_roll)

    def heard(self) -> Heard | None:
        """The newest act with a roll or a consequence, in whole sentences, as far as this viewer may read it."""
        return self._recall_told("heard", work_out=self._heard)

    def act(self) -> Act | None:
        return self._recall_told("act", work_out=lambda: act_in_hand(self._sight, self.table.entries))

    def turned_over(self) -> TurnedOver | None:
        return self._recall_told("turned", work_out=lambda: turned_over(self._sight, self.table.entries))

    def fallen(self) -> Fallen | None:
        return self._recall_told("fallen", work_out=lambda: fallen(self._sight, self.table.entries))

    def rest(self) -> Rested | None:
        return self._recall_told("rest", work_out=lambda: rest(self._sight, self.table.entries))

    def cover(self) -> Cover:
        """How the GM's key for the large screen stands."""
        return self._state.settings.tv

    def big_button(self) -> BigButton | None:
        return self._recall("big button", work_out=self._big_button)

    def _big_button(self) -> BigButton | None:
        if self.viewer.role is not Role.GM:
            return None
        state = self._state
        waits = what_next(state)
        move = {"move": "table.next", "seen": waits} if waits else {"move": "table.start_fight"}
        return BigButton(label=self._sight.words(next_label(state)), move=move)

    def big_button_refused(self) -> str | None:
        """Why the big button can't be pressed, if it can't."""
        return self._recall("big button refused", work_out=self._big_button_refused)

    def _big_button_refused(self) -> str | None:
        button = self.big_button()
        if button is None:
            return None
        refusal = self.table.rulebook.move(button.move).refusal(self._state)
        return self._sight.maybe(refusal)

    def left_in_hiding(self) -> BigButton | None:
        """Before a fight: who would stay out of it because they are hidden, and the move that takes them in."""
        return self._recall("left in hiding", work_out=self._left_in_hiding)

    def _left_in_hiding(self) -> BigButton | None:
        state = self._state
        if self.viewer.role is not Role.GM or state.fight() is not None:
            return None
        able = [one for one in state.characters() if state.order().can_act(state, one.id)]
        hidden = [one for one in able if one.hidden]
        start = StartFight(members=tuple(one.id for one in able))
        if not hidden or len(able) > MOST_AT_ONCE or start.refusal(state) is not None:
            return None
        names = ", ".join(self._sight.name(one.id) for one in hidden)
        move = {"move": start.kind(), "members": list(start.members)}
        return BigButton(label=f"Hidden, and so not in it: {names}.", move=move)

    def round_outlook(self) -> tuple[str, ...]:
        """What the big button would bring about when it ends the round."""
        return self._recall("round outlook", work_out=self._round_outlook)

    def _round_outlook(self) -> tuple[str, ...]:
        state = self._state
        fight = state.fight()
        ends = fight is not None and phase_of(fight, state.slots()) is Phase.OVER and not state.held_up()
        if self.viewer.role is not Role.GM or fight is None or not ends or decided(state, fight):
            return ()
        return tuple(f"{self._sight.name(who)}: {told}" for who, told in self._round_brings())

    def last_words(self) -> dict[str, str]:
        """Of those heroes whose last rounds are told: what the end of a round that is over will bring them."""
        fight = self.fight()
        if fight is None or fight.phase is not Phase.OVER:
            return {}
        dying = {card.id for card in self.cards() if card.dying is not None}
        return {who: told for who, told in self._round_brings() if who in dying}

    def _round_brings(self) -> Iterator[tuple[str, str]]:
        words = self._sight.words
        for who, told in outlook(self._state, Period.ROUND):
            yield who, ", ".join(words(one) for one in told)

    def gm_blocks(self) -> tuple[Block, ...]:
        """What the GM may do for the whole table at once."""
        return self._recall("gm blocks", work_out=self._gm_blocks) if self.viewer.role is Role.GM else ()

    def tables(self) -> tuple[ShownTable, ...]:
        """Random tables this viewer may read and roll on."""
        if self.viewer.role is Role.SCREEN:
            return ()
        return tables(self._state, all_of_them=self.viewer.role is Role.GM)

    def own_tables(self) -> tuple[RandomTable, ...]:
        """Those of the GM's own making, for the GM to change."""
        return tuple(self._state.all(RandomTable)) if self.viewer.role is Role.GM else ()

    def in_the_order(self, who: str) -> tuple[Form, ...]:
        """Whom somebody in a fight is close to, and before whom they act, for the GM to say."""
        fight = self._state.fight()
        if self.viewer.role is not Role.GM or fight is None or who not in fight.members:
            return ()
        return tuple(order_forms(self._state, fight, who))

    def duties(self) -> Form | None:
        """Who does what at this table, for the GM to change."""
        return duties_form(self._state) if self.viewer.role is Role.GM else None

    def preview(self, move: Move) -> tuple[Fact, ...]:
        """What a rest would do to each who rests."""
        if self.viewer.role is not Role.GM or not isinstance(move, Rest):
            return ()
        return tuple(
            Fact(key=f"preview.{who}", label=text("{who}", who=Who(who=who)), value=listed(words))
            for who, words in night_outlook(self._state, move)
        )

    def damage_sheet(self) -> DamageSheet:
        """For the GM; those in the fight come first, and whoever hides elsewhere last."""
        state, sight = self._state, self._sight
        able = can_be_hurt(state) if self.viewer.role is Role.GM else []
        fight = state.fight()
        members = {} if fight is None else fight.members
        able.sort(key=lambda one: (fight is not None and one.id not in members, one.hidden and one.id not in members))
        listed = able[:MOST_AT_ONCE]
        shown = [(words, tuple(one.id for one in listed if one.id in ids)) for words, ids in self._groups(listed)]
        return DamageSheet(
            amount=amount_inputs(state),
            how=tuple(one.model_copy(update={"name": f"how.{one.name}"}) for one in harm_inputs(state)),
            groups=tuple((words, ids) for words, ids in shown if ids),
            cards=tuple(card for one in listed if (card := self.card(one.id)) is not None and sight.sees(one)),
            left_out=len(able) - len(listed),
        )

    def _groups(self, able: list[Character]) -> Iterator[tuple[str, set[str]]]:
        """Heroes, foes in sight, all in the fight, and each knot."""
        fight = self._state.fight()
        members = set() if fight is None else set(fight.members)
        yield "Heroes", {one.id for one in able if one.side is Side.HERO}
        yield "Foes", {one.id for one in able if one.side is Side.FOE and (not one.hidden or one.id in members)}
        if members:
            yield "All in the fight", members
        for knot in seen_knots(self._state, fight, members) if fight is not None else ():
            yield " + ".join(self._sight.name(who) for who in knot), set(knot)

    def damage_outlook(self, filled_in: Mapping[str, Any]) -> DamageTold:
        """What this damage would do, as far as it is filled in."""
        if self.viewer.role is not Role.GM or not filled_in:
            return DamageTold({})
        try:
            damage = self.table.rulebook.move({**filled_in, "move": Damage.kind()})
            assert isinstance(damage, Damage)
            why_not = damage.refusal(self._state)
            if why_not is not None:
                return DamageTold({}, self._sight.words(why_not))
            found = damage_outlook(self._state, damage)
            words = self._sight.words
            return DamageTold({who: tuple((words(one), is_grave(one)) for one in told) for who, told in found})
        except RuleError as error:
            return DamageTold({}, self._sight.words(error.sentence))

    def starts(self, side: Side) -> tuple[tuple[str, Start], ...]:
        """Sheets to begin with, by rule set."""
        games = self.table.rulebook.in_play(self._state)
        return tuple((game.id, start) for game in games for start in game.starts() if start.side is side)

    def start_groups(self, side: Side) -> tuple[StartGroup, ...]:
        """By rule set, the one that has blows first: whoever is made takes one start of it, and may of the others."""
        groups: dict[str, list[Start]] = {}
        for game, start in self.starts(side):
            groups.setdefault(game, []).append(start)
        words, book = self._sight.words, self.table.rulebook.games
        return tuple(StartGroup(game, words(book[game].title), tuple(starts)) for game, starts in groups.items())

    def seen_as(self, who: str) -> tuple[Form, ...]:
        """What players and the TV get to know of a foe, for the GM to change."""
        found = self._state.find(Character, who)
        if self.viewer.role is not Role.GM or found is None or found.side is not Side.FOE:
            return ()
        return (disguise(found),)

    def minutes(self) -> int:
        return self._state.get(Clock, "table").minutes

    def name(self) -> str:
        return self._state.settings.name

    # --- how it is worked out

    @property
    def _state(self) -> State:
        return self.table.state

    @property
    def _sight(self) -> Sight:
        return Sight(self.table.state, self.viewer)

    def _recall(self, *what: Hashable, work_out: Callable[[], ViewT]) -> ViewT:
        """What comes of documents alone, for this viewer: worked out once until one of those it reads has changed."""
        return self._state.recall((self.viewer, *what), work_out)

    def _recall_told(self, *what: Hashable, work_out: Callable[[], ViewT]) -> ViewT:
        """What comes of the log or of the people here too: worked out once until anything is told."""

        def noted() -> ViewT:
            self._state.note(TOLD)
            return work_out()

        return self._recall(*what, work_out=noted)

    def _gm_blocks(self) -> tuple[Block, ...]:
        return (*self.table.rulebook.gm_blocks(self._state), *time_blocks(self._state))

    def _cards(self) -> tuple[Card, ...]:
        sight = self._sight
        return tuple(self._card(one.id) for one in self._state.characters() if sight.sees(one))

    def _card(self, who: str) -> Card:
        return self._recall("card", who, work_out=lambda: card(self._sight, self._state.character(who)))

    def _blocks(self, who: str) -> tuple[tuple[str, tuple[Block, ...]], ...]:
        state, sight, card = self._state, self._sight, self.card(who)
        character = state.find(Character, who)
        if card is None or character is None or not sight.knows(character):
            return () if card is None else card.sections
        may_do = {sight.words(title): as_known(sight, character, blocks) for title, blocks in acts_of(state, who)}
        return tuple((title, (*blocks, *may_do.get(title, ()))) for title, blocks in card.sections)

    def _opened(self, block: Block, picked: Picked | None) -> Block:
        """The same menu with the buttons of its open tab."""
        if not isinstance(block, Menu) or not any(tab.offers for tab in block.tabs):
            return block
        shown = block.tabs if picked is None else (block.open_tab(picked),)
        tabs = tuple(self._with_buttons(tab) if tab in shown else tab for tab in block.tabs)
        return block.model_copy(update={"tabs": tabs})

    def _with_buttons(self, tab: Tab) -> Tab:
        offers, state = tab.offers, self._state
        if offers is None:
            return tab

        def buttons() -> tuple[Button, ...]:
            return buttons_as_known(self._sight, buttons_of(state, tab))

        return tab.model_copy(update={"buttons": self._recall(offers, work_out=buttons), "offers": None})

    def _fight(self) -> FightView | None:
        fight = None if self._sight.covered else self._state.fight()
        return None if fight is None else fight_view(self._sight, fight)

    def _calls(self) -> tuple[CallView, ...]:
        return () if self._sight.covered else call_views(self._sight)

    def _questions(self) -> tuple[QuestionView, ...]:
        mine = filter(self._sight.may_answer, self._state.questions())
        return tuple(question_view(self._sight, one) for one in mine)

    def _notices(self) -> tuple[NoticeView, ...]:
        own = {one.id for one in self._state.characters() if self.viewer.owns(one)}
        return tuple(
            NoticeView(
                character=one.id,
                name=self._sight.name(one.id),
                words=self._sight.words(text("Decided for you: {missed}", missed=missed(one))),
            )
            for one in self._state.all(Notice)
            if one.id in own
        )

    def _log(self, most: int) -> tuple[LogRow, ...]:
        seen = (row for entry in self._entries(most) if (row := self._row(entry)) is not None)
        return tuple(reversed(list(islice(seen, most))))

    def _entries(self, most: int) -> Iterator[Entry]:
        """The newest first; who asks for more than are at hand gets those from before too."""
        yield from reversed(self.table.entries)
        yield from reversed(self.table.older(max(0, most - len(self.table.entries))))

    def _row(self, entry: Entry) -> LogRow | None:
        """The same row again, for as long as nothing of it differs: what was drawn of it then still holds."""
        return self._state.recall((self.viewer, "row", entry.id), lambda: self._row_of(entry), again=False)

    def _row_of(self, entry: Entry) -> LogRow | None:
        for what, id in ((ROW, entry.id), (THREAD, entry.thread), (PEOPLE, None)):
            self._state.note(what, id)
        lines = self._lines(entry)
        if not lines:
            return None
        may_undo = self.table.may_undo(entry, self.viewer)
        return LogRow(
            id=entry.id,
            at=entry.at,
            by=self.table.persons.name(entry.seat),
            lines=lines,
            undone_by=None if entry.undone_by is None else self._undone_by(entry.undone_by),
            may_undo=may_undo,
            is_undo=bool(entry.undoes),
            also=tuple(self._behind(entry)) if may_undo else (),
        )

    def _lines(self, entry: Entry) -> tuple[LineView, ...]:
        return tuple(line for _, line in lines_told(self._sight, entry))

    def _behind(self, entry: Entry) -> Iterator[str]:
        """The later rows of the same act, by what they say first."""
        for later in self.table.thread(entry.thread):
            if later.number > entry.number and later.undone_by is None:
                for first in self._lines(later)[:1]:
                    yield first.words

    def _undone_by(self, undo: str) -> str:
        found = self.table.entry(undo)
        return "somebody" if found is None else self.table.persons.name(found.seat)

    def _ribbon(self) -> Ribbon | None:
        if self._sight.covered:
            return None
        waiting = [question for question in self._state.questions() if question.holds_up]
        acts = self._acts_of(waiting[0].thread) if waiting else self._newest_act()
        done = tuple(f"{told.brief} (secret)" if told.secret else str(told.brief) for told in self._steps(acts))
        if not done and not waiting:
            return None
        return Ribbon(done=done, waits=self._waits(waiting), ahead=self._ahead(waiting))

    def _heard(self) -> Heard | None:
        for entry in filter(_counts, reversed(self.table.entries)):
            told = [(line, view) for line, view in lines_told(self._sight, entry) if view.rolls or view.brief]
            if told:
                words = " ".join(view.words for view in self._mine_of_many(told))
                return Heard(entry.number, words)
        return None

    def _steps(self, acts: list[Entry]) -> list[LineView]:
        """What stands in the ribbon; of many at once a player is told of their own, and of nobody in particular."""
        told = [
            (line, view) for entry in acts for line, view in lines_told(self._sight, entry) if view.brief is not None
        ]
        return self._mine_of_many(told)

    def _mine_of_many(self, told: list[tuple[Line, LineView]]) -> list[LineView]:
        """Of what happened to very many a player is told what happened to their own, and to nobody in particular."""
        if len(told) <= MOST_STEPS or self.viewer.role is not Role.PLAYER:
            return [view for _, view in told]
        own = {one.id for one in self.own()}
        whom = [(line.sentence.mentions(), view) for line, view in told]
        mine = [view for who, view in whom if not who or who & own]
        return mine if any(who & own for who, _ in whom) else [view for _, view in told]

    def _acts_of(self, thread: str) -> list[Entry]:
        return [entry for entry in self.table.thread(thread) if _counts(entry)]

    def _newest_act(self) -> list[Entry]:
        """Of those of which this viewer may read anything."""
        may_read = self._sight.may_read
        acts = filter(_counts, reversed(self.table.entries))
        read = (one.thread for one in acts if any(may_read(line.audience) for line in one.lines))
        newest = next(read, None)
        return [] if newest is None else self._acts_of(newest)

    def _waits(self, waiting: list[Question]) -> str | None:
        if not waiting:
            return None
        asked = question_view(self._sight, waiting[0])
        return asked.brief if asked.addressee is None else f"{asked.name}: {asked.brief}"

    def _ahead(self, waiting: list[Question]) -> tuple[str, ...]:
        return tuple(self._sight.words(step) for step in waiting[0].ahead()) if waiting else ()

    def _last_roll(self) -> LineView | None:
        for entry in reversed(self.table.entries):
            if entry.undone_by is not None:
                continue
            rolled = [line for line in self._lines(entry) if line.rolls]
            if rolled:
                return rolled[-1]
        return None


def _counts(entry: Entry) -> bool:
    return entry.undone_by is None and not entry.undoes
