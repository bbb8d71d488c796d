"""First aid, powers and treatment, in a fight and outside it."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import line
from webapp.rules.blocks import Block, Button, Form, Menu, Place, Reach
from webapp.rules.document import Character, CharacterId
from webapp.rules.encounter import Slot
from webapp.rules.games.squad.aid import FirstAid
from webapp.rules.games.squad.harm import Treat, is_dying
from webapp.rules.games.squad.offers.buttons import RAISED, power_label, raises, rolled
from webapp.rules.games.squad.powers import UsePower
from webapp.rules.games.squad.rolls import in_sight
from webapp.rules.games.squad.sheet import Condition, Power, PowerKind, Sheet
from webapp.rules.offer import lone, message, offer
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text


def help_outside_a_fight(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    """Outside a fight, where no chance is needed."""
    fight = state.fight()
    if fight is None or character.id not in fight.members:
        aid = tuple(first_aid(state, character, None))
        if aid:
            yield lone("squad.aid", text("First aid"), *aid, switches=raises(sheet), place=Place.SHEET)
        yield from powers_to_use(state, character, sheet, None)
    if sheet.condition is Condition.BROKEN_DOWN:
        yield Form(
            key="squad.treat",
            label=text("Treatment by a specialist"),
            move=message(Treat(patient=character.id)),
            fields=(line("specialist", text("By whom"), 60, "a specialist"),),
            button=text("Treat"),
            reach=Reach.GM,
        )


def first_aid(state: State, character: Character, slot: Slot | None) -> Iterator[Button]:
    if not state.sheet(Sheet, character.id).first_aid:
        return
    for other in dying_near(state, character):
        plain = FirstAid(actor=character.id, patient=other.id, slot=None if slot is None else slot.id)
        yield rolled(state, plain, text("{who}", who=Who(who=other.id)))


def dying_near(state: State, character: Character) -> list[Character]:
    """Those in sight who need first aid."""
    others = [one for one in state.characters() if one.id != character.id and _is_dying(state, one.id)]
    return [one for one in others if in_sight(state, one.id, of=character.id)]


def _is_dying(state: State, who: CharacterId) -> bool:
    """Asked by itself, so that what else changes on a sheet does not concern those who could help."""
    return state.recall(("squad.dying", who), lambda: is_dying(state, who))


def _is_hurt(state: State, who: CharacterId) -> bool:
    def is_hurt() -> bool:
        sheet = state.find(Sheet, who)
        return sheet is not None and sheet.hp.now < sheet.hp.full

    return state.recall(("squad.hurt", who), is_hurt)


def powers_to_use(state: State, character: Character, sheet: Sheet, slot: Slot | None) -> Iterator[Menu]:
    for key, power in sheet.powers.items():
        buttons = () if power.kind.range is not None else tuple(_uses(state, character, key, power, slot))
        if buttons:
            label = power_label(power)
            place = Place.SHEET if slot is None else Place.FIGHT
            switches = raises(sheet) if power.kind is PowerKind.HEALING else ()
            yield lone(f"squad.power.{key}", label, *buttons, place=place, switches=switches)


def _uses(state: State, character: Character, key: str, power: Power, slot: Slot | None) -> Iterator[Button]:
    at = None if slot is None else slot.id
    if power.kind is PowerKind.OTHER:
        use = UsePower(actor=character.id, patient=character.id, power=key, slot=at)
        yield offer(state, use, text("Use it"))
        return
    for other in state.characters(character.side):
        if _is_hurt(state, other.id) and in_sight(state, other.id, of=character.id):
            use = UsePower(actor=character.id, patient=other.id, power=key, slot=at)
            yield _raisable(state, use, text("{who}", who=Who(who=other.id)))


def _raisable(state: State, use: UsePower, label: Text) -> Button:
    higher = offer(state, use.model_copy(update={RAISED: True}), label)
    return offer(state, use, label).model_copy(update={"switched": {RAISED: higher}})
