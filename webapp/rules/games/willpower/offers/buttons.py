"""Small things that every page of offers needs."""

from __future__ import annotations

from webapp.rules.blocks import Button
from webapp.rules.document import Character
from webapp.rules.games.willpower.blows import Attack
from webapp.rules.games.willpower.rolls import Edge
from webapp.rules.games.willpower.spells import Cast
from webapp.rules.games.willpower.tasks import Test
from webapp.rules.games.willpower.turns import Initiative
from webapp.rules.odds import odds_of
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text

ROLLED_WITH = text("Rolled with")
EDGES = tuple((one.value, text("One die" if one is Edge.NONE else one.value.capitalize())) for one in Edge)


def named(character: Character) -> Text:
    return text("{who}", who=Who(who=character.id))


def rolled(state: State, move: Test | Attack | Cast | Initiative, label: Text) -> Button:
    """A button that rolls, with its chance."""
    return offer(state, move, label).model_copy(update=odds_of(move.ask(state)))
