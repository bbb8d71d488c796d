"""Help for others: waking, treating, putting out; and healing by the dice."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blanks import choice, line, number, options_of, person
from webapp.rules.blocks import Block, Button, Form, Input, Place
from webapp.rules.document import Character, Duty
from webapp.rules.fighting import own_slot
from webapp.rules.games.pools.care import NO_DICE_FOR, Heal, Treat, Wake
from webapp.rules.games.pools.lasting import PutOut
from webapp.rules.games.pools.offers.buttons import menu, others, parts
from webapp.rules.games.pools.sheet import CONDUIT, WOUNDED, Pool, Sheet
from webapp.rules.games.pools.turns import in_fight
from webapp.rules.odds import odds_of
from webapp.rules.offer import offer
from webapp.rules.scene import State
from webapp.rules.text import Text, Who, text


def help_others(state: State, character: Character, sheet: Sheet) -> Iterator[Block]:
    if not sheet.conscious or (in_fight(state, character.id) and own_slot(state, character.id) is None):
        return
    wakes, treats, outs = [], [], []
    for other in others(state, character, too=True):
        patient, name = state.sheet(Sheet, other.id), Who(who=other.id)
        if other.side is character.side and not patient.conscious and patient.grit.now:
            wakes.append(offer(state, Wake(actor=character.id, patient=other.id), text("{who}", who=name)))
        if other.side is character.side:
            for part, tiers in patient.wounds.items():
                if tiers:
                    treat = Treat(actor=character.id, patient=other.id, part=part)
                    treats.append(
                        _treat(state, treat, text("{who}: {part} {tiers}", who=name, part=part.value, tiers=tiers))
                    )
            if patient.tiers(CONDUIT):
                treats.append(
                    _treat(state, Treat(actor=character.id, patient=other.id), text("{who}: conduit", who=name))
                )
            for id, harm in patient.lasting.items():
                put_out = PutOut(actor=character.id, patient=other.id, harm=id)
                outs.append(offer(state, put_out, text("{who}: {harm}", who=name, harm=harm.name)))
    place = Place.FIGHT if in_fight(state, character.id) else Place.SHEET
    for key, label, buttons in (
        ("wake", text("Wake"), wakes),
        ("treat", text("Treat"), treats),
        ("put_out", text("Put it out"), outs),
    ):
        if buttons:
            yield menu(key, label, *buttons, place=place, duty=Duty.BLOWS)


def _treat(state: State, treat: Treat, label: Text) -> Button:
    return offer(state, treat, label).model_copy(update=odds_of(treat.ask(state), about=None))


def heals(state: State, character: Character) -> Iterator[Block]:
    patients = tuple(
        person("patients[]", one, on=one.id == character.id)
        for one in others(state, character, too=True)
        if one.side is character.side
    )
    ill = [state.sheet(Sheet, one.id) for one in others(state, character, too=True) if one.side is character.side]
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
