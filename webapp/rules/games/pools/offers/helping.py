"""Help for others: waking, treating, putting out; and healing by the dice."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, line, number, options_of, person
from webapp.rules.blocks import Block, Button, Form, Input, Place
from webapp.rules.document import Character, CharacterId, Duty
from webapp.rules.games.pools.care import Treat, Wake
from webapp.rules.games.pools.healing import NO_DICE_FOR, Heal
from webapp.rules.games.pools.lasting import PutOut
from webapp.rules.games.pools.offers.buttons import menu, others, parts
from webapp.rules.games.pools.sheet import CONDUIT, WOUNDED, Pool, Sheet
from webapp.rules.games.pools.turns import in_fight
from webapp.rules.odds import odds_of
from webapp.rules.offer import offer
from webapp.rules.state import State
from webapp.rules.text import Text, Who, text
from webapp.rules.turns import own_slot


def help_others(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    fighting = in_fight(state, character.id)
    if not sheet.conscious or (fighting and own_slot(state, character.id) is None):
        return
    place, near = Place.FIGHT if fighting else Place.SHEET, _own_side(state, character)
    for key, label, helps in (
        ("wake", text("Wake"), _wakes),
        ("treat", text("Treat"), _treats),
        ("put_out", text("Put it out"), _puts_out),
    ):
        buttons = [button for other in near for button in helps(state, character.id, other.id)]
        if buttons:
            yield menu(key, label, *buttons, place=place, duty=Duty.BLOWS)


def _own_side(state: State, character: Character) -> list[Character]:
    """Whom one may help, oneself among them."""
    return [one for one in others(state, character, too=True) if one.side is character.side]


def _wakes(state: State, actor: CharacterId, patient: CharacterId) -> Iterator[Button]:
    sheet = state.sheet(Sheet, patient)
    if not sheet.conscious and sheet.grit.now:
        yield offer(state, Wake(actor=actor, patient=patient), text("{who}", who=Who(who=patient)))


def _treats(state: State, actor: CharacterId, patient: CharacterId) -> Iterator[Button]:
    sheet, who = state.sheet(Sheet, patient), Who(who=patient)
    for part, tiers in sheet.wounds.items():
        if tiers:
            label = text("{who}: {part} {tiers}", who=who, part=part.value, tiers=tiers)
            yield _treat(state, Treat(actor=actor, patient=patient, part=part), label)
    if sheet.tiers(CONDUIT):
        yield _treat(state, Treat(actor=actor, patient=patient), text("{who}: conduit", who=who))


def _treat(state: State, treat: Treat, label: Text) -> Button:
    return offer(state, treat, label).model_copy(update=odds_of(treat.ask(state), about=None))


def _puts_out(state: State, actor: CharacterId, patient: CharacterId) -> Iterator[Button]:
    for id, harm in state.sheet(Sheet, patient).lasting.items():
        label = text("{who}: {harm}", who=Who(who=patient), harm=harm.name)
        yield offer(state, PutOut(actor=actor, patient=patient, harm=id), label)


def heals(state: State, character: Character) -> Iterator[Block]:
    near = _own_side(state, character)
    patients = tuple(person("patients[]", one, on=one.id == character.id) for one in near)
    ill = [state.sheet(Sheet, one.id) for one in near]
    names = dict.fromkeys(name for sheet in ill for name, tiers in sheet.afflictions.items() if tiers)
    ailing = [(name, text("{name}", name=name.capitalize())) for name in names if name not in NO_DICE_FOR]
    where: tuple[Input, ...] = ()
    if any(any(sheet.wounds.values()) for sheet in ill):
        ailing.append((WOUNDED, text(WOUNDED.capitalize())))
        where = (choice("part", text("Part, of a wound"), (("", text("The worst")), *parts())),)
    yield Form(
        key="pools.heal",
        label=text("Heal"),
        move={"move": Heal.kind(), "actor": character.id},
        fields=(
            number("dice", text("Dice"), 3, 0, 30),
            choice("pool", text("What"), (*options_of(Pool), *ailing)),
            *where,
            line("kinds[]", text("Type"), 24),
            *patients,
        ),
        button=text("Heal"),
        why_not=Heal(actor=character.id, dice=1, patients=(character.id,)).refusal(state),
        place=Place.MORE,
    )
