"""What the GM may do for the whole table, and what would come of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from webapp.projection.cards import Cards
from webapp.rules.between import WindUp, what_winds_up, wind_up_label, wind_up_outlook, winds_up
from webapp.rules.blocks import Block, Fact, Form, Input
from webapp.rules.cards_view import Card
from webapp.rules.damage import Damage, amount_inputs, can_be_hurt, damage_outlook, harm_inputs, is_grave
from webapp.rules.document import Character, Side
from webapp.rules.encounter import Phase, phase_of
from webapp.rules.errors import RuleError
from webapp.rules.fighting import EndFight, StartFight
from webapp.rules.knots import seen_knots
from webapp.rules.move import Move
from webapp.rules.next_step import decided, next_label, they_strike, what_next
from webapp.rules.nights import Rest, night_outlook
from webapp.rules.period import Period
from webapp.rules.periods import outlook
from webapp.rules.tables import RandomTable
from webapp.rules.text import Text, Who, listed, text
from webapp.rules.times import duties_form, time_blocks
from webapp.rules.viewer import Role

MOST_AT_ONCE = 40
NOTHING = text("nothing changes")


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


class WholeTable(Cards):
    def big_button(self) -> BigButton | None:
        return self._recall("big button", work_out=self._big_button)

    def _big_button(self) -> BigButton | None:
        if self.viewer.role is not Role.GM:
            return None
        state = self._state
        waits = what_next(state)
        ending = winds_up(state)
        if ending is not None:
            move = {"move": WindUp.kind(), "seen": what_winds_up(state)}
            return BigButton(label=self._sight.words(wind_up_label(ending)), move=move)
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

    def nobody_stands(self) -> BigButton | None:
        """One whole side is down, if not for good: the fight goes on by itself, and the GM may well end it."""
        return self._recall("nobody stands", work_out=self._nobody_stands)

    def _nobody_stands(self) -> BigButton | None:
        state, fight = self._state, self._state.fight()
        if self.viewer.role is not Role.GM or fight is None or decided(state, fight):
            return None
        members = [state.character(who) for who in fight.members]
        up = {one.side for one in members if not state.rulebook.downs(state, one)}
        if len(up) != 1:
            return None
        side = "foe" if Side.HERO in up else "hero"
        return BigButton(label=f"Every {side} is down, though not for good.", move={"move": EndFight.kind()})

    def round_outlook(self) -> tuple[str, ...]:
        """What the big button would bring about when it ends the round or the day."""
        return self._recall("round outlook", work_out=self._round_outlook)

    def _round_outlook(self) -> tuple[str, ...]:
        state = self._state
        fight = state.fight()
        ending = winds_up(state)
        if self.viewer.role is Role.GM and ending is not None:
            return tuple(self._brought(wind_up_outlook(state, ending)))
        ends = fight is not None and phase_of(fight, state.slots()) is Phase.OVER and not state.held_up()
        if self.viewer.role is not Role.GM or fight is None or not ends or decided(state, fight):
            return ()
        return tuple(self._brought(outlook(state, Period.ROUND)))

    def _brought(self, told: Iterable[tuple[str, tuple[Text, ...]]]) -> Iterator[str]:
        for who, words in told:
            yield f"{self._sight.name(who)}: {', '.join(self._sight.words(one) for one in words)}"

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
        if self.viewer.role is not Role.GM:
            return ()
        state = self._state
        games = self._recall("gm blocks", work_out=lambda: self.table.rulebook.gm_blocks(state))
        plan = self._recall("plan", work_out=lambda: tuple(they_strike(state)))
        return (*games, *plan, *self._recall("time blocks", work_out=lambda: tuple(time_blocks(state))))

    def own_tables(self) -> tuple[RandomTable, ...]:
        """Those of the GM's own making, for the GM to change."""
        return tuple(self._state.all(RandomTable)) if self.viewer.role is Role.GM else ()

    def duties(self) -> Form | None:
        """Who does what at this table, for the GM to change."""
        return duties_form(self._state) if self.viewer.role is Role.GM else None

    def preview(self, move: Move) -> tuple[Fact, ...]:
        """What a rest would do to each who rests."""
        if self.viewer.role is not Role.GM or not isinstance(move, Rest):
            return ()
        return tuple(
            Fact(
                key=f"preview.{who}", label=text("{who}", who=Who(who=who)), value=listed(words) if words else NOTHING
            )
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
