"""Between fights: what the GM's one big button does while nobody is left to fight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from webapp.rules.document import Character, CharacterId, Gone, Side
from webapp.rules.fighting import StartFight
from webapp.rules.move import Leave, Move
from webapp.rules.next_step import is_down, what_next
from webapp.rules.nights import Rest, lost_words, night_outlook
from webapp.rules.period import Period
from webapp.rules.periods import PeriodOver, outlook
from webapp.rules.scene import Scene
from webapp.rules.state import State
from webapp.rules.text import Text, text

Seen = Annotated[str, Field(max_length=200)]


class WindUp(Move):
    """The big button after a fight. `seen` is what it was about to do when it was shown."""

    by = Leave.GM
    rests = True
    seen: Seen

    def refusal(self, state: State) -> Text | None:
        if not self.seen or self.seen != what_winds_up(state):
            return text("The table has moved on. Look at the button again.")
        return None

    def apply(self, scene: Scene) -> None:
        ending = winds_up(scene)
        assert ending is not None
        scene.then(ending)


def winds_up(state: State) -> PeriodOver | Rest | None:
    """The end of the scene where it changes something, else a night where somebody is hurt.

    Neither while a hero lies helpless: what comes for that one is for the GM to choose.
    """
    if what_next(state) or not _is_won(state) or any(_is_helpless(state, one) for one in state.characters(Side.HERO)):
        return None
    scene_over, night = PeriodOver(period=Period.SCENE), Rest(new_day=True)
    if outlook(state, Period.SCENE):
        return scene_over
    return night if _somebody_is_hurt(state) and night.refusal(state) is None else None


def what_winds_up(state: State) -> str:
    """A key for what would be done; it changes whenever that changes."""
    ending = winds_up(state)
    return "" if ending is None else f"{ending.kind()} {state.clock.minutes}"


def wind_up_label(ending: PeriodOver | Rest) -> Text:
    if isinstance(ending, Rest):
        return text("Night: {hours} hours of rest, then a new day", hours=ending.hours)
    return text("Scene over")


def wind_up_outlook(state: State, ending: PeriodOver | Rest) -> Iterator[tuple[CharacterId, tuple[Text, ...]]]:
    """What a night would do; what the end of the scene does stands beside its own button."""
    told = night_outlook(state, ending) if isinstance(ending, Rest) else []
    yield from ((who, words) for who, words in told if words)


def _is_won(state: State) -> bool:
    """Foes lie at the table or were taken from it, and none who could fight is left, not even in hiding."""
    order, foes = state.order(), state.characters(Side.FOE)
    able = tuple(one.id for one in state.characters() if order.can_act(state, one.id))
    no_fight = not able or StartFight(members=able).refusal(state) is not None
    fallen = any(is_down(state, one) or not order.can_act(state, one.id) for one in foes)
    return no_fight and (fallen or (not foes and any(state.all(Gone))))


def _is_helpless(state: State, hero: Character) -> bool:
    return is_down(state, hero) and lost_words(state, hero) is None


def _somebody_is_hurt(state: State) -> bool:
    alive = (one for one in state.characters(Side.HERO) if lost_words(state, one) is None)
    healths = (state.rulebook.health(state, one) for one in alive)
    return any(health is not None and health.now < health.full for health in healths)


MOVES: tuple[type[Move], ...] = (WindUp,)
