"""Grit, Energy and Resolve's part of a character's card: what is written on the sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from webapp.rules.blocks import Fact, Gauge, Helper, Place, Plight, Reach, Section
from webapp.rules.document import Character, Side
from webapp.rules.games.pools.healing import FACE_THAT_HEALS
from webapp.rules.games.pools.picture import anatomy, cascade, notes
from webapp.rules.games.pools.rest import HEALING_RECOVERIES, needed_to_recover
from webapp.rules.games.pools.rolls import BEST_FACE
from webapp.rules.games.pools.sheet import Attack, Pool, Sheet, Skill, StrikeType
from webapp.rules.state import State
from webapp.rules.text import Text, text

TITLE = text("Grit, Energy and Resolve")
TIERS = text("Written on the sheet. What wounds, Fatigued and fear take off comes off each roll, and is told there.")
HEAVY = text("Armour too heavy to recover in")


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(character, sheet)),
        blocks=(cascade(sheet), *notes(state, sheet), anatomy(state, sheet), *_facts(sheet)),
        plight=_plight(state, character, sheet),
    )


def _plight(state: State, character: Character, sheet: Sheet) -> Plight | None:
    """What goes on, or unconsciousness, and who of the own side could end it."""
    others = [one.id for one in state.characters(character.side) if one.id != character.id]
    sheets = [(who, found) for who in others if (found := state.find(Sheet, who)) is not None and found.conscious]
    if sheet.lasting:
        names = ", ".join(harm.name for harm in sheet.lasting.values())
        helpers = tuple(Helper(who=who, how=text("can put it out")) for who, _ in sheets)
        return Plight(words=text("{harms} goes on each round", harms=names), helpers=helpers)
    if sheet.conscious:
        return None
    helpers = tuple(Helper(who=who, how=text("can wake you")) for who, _ in sheets if sheet.grit.now)
    words = "Unconscious, until woken" if sheet.grit.now else "Unconscious, and no Grit to wake with"
    return Plight(words=text(words), helpers=helpers)


def _vitals(character: Character, sheet: Sheet) -> Iterator[Gauge]:
    hero = character.side is Side.HERO
    for pool in Pool:
        open_to = Reach.TABLE if hero and pool is Pool.GRIT else Reach.OWNER
        yield Gauge(
            key=f"pools.{pool.value}",
            label=text(pool.value.capitalize()),
            now=sheet.pool(pool).now,
            full=sheet.pool(pool).full,
            at=("pools", pool.value, "now"),
            reach=open_to,
        )


def _facts(sheet: Sheet) -> Iterator[Fact]:
    skills = _list(f"{skill.value.capitalize()} {sheet.tier(skill)}" for skill in Skill)
    yield _fact("skills", text("Skills"), skills).model_copy(update={"because": TIERS})
    for key, attack in sheet.attacks.items():
        yield _fact(f"attack.{key}", text("{name}", name=attack.name), _attack(attack))
    yield _fact("threshold", text("Severe Threshold"), text("{number}", number=sheet.threshold))
    if sheet.size != 1:
        yield _fact("size", text("Size"), text("{size}", size=sheet.size))
    for key, one in sheet.reductions.items():
        value = text("{amount} against {kind}", amount=one.amount, kind=one.against)
        yield _fact(f"reduction.{key}", text("{name}", name=one.name), value)
    for name, kinds in (("immune", sheet.immune), ("vulnerable", sheet.vulnerable)):
        if kinds:
            yield _fact(name, text(name.capitalize()), _list(kinds))
    used = text("{used} today", used=sheet.recoveries)
    if needed_to_recover(sheet) > BEST_FACE:
        used = HEAVY
    elif sheet.bulk:
        used = text("{used} today, a face of {needed} heals", used=sheet.recoveries, needed=needed_to_recover(sheet))
    yield _fact("recoveries", text("Recoveries"), used).model_copy(update={"because": _recovering(sheet)})


def _recovering(sheet: Sheet) -> Text:
    counted = text("Counted since the day began; {most} of a day heal.", most=HEALING_RECOVERIES)
    if not sheet.bulk:
        return counted
    return text(
        "{counted} A face that heals: {least} + {bulk} bulk of armour = {needed}.",
        counted=counted,
        least=FACE_THAT_HEALS,
        bulk=sheet.bulk,
        needed=needed_to_recover(sheet),
    )


def _attack(attack: Attack) -> Text:
    types = " or ".join(" and ".join(StrikeType(one).word for one in mode) for mode in attack.modes if mode)
    kinds = ", ".join(kind for kind in (attack.element, attack.subtype) if kind)
    more = "".join(f" · {word}" for word in (types, kinds) if word)
    lasting = f" · {attack.lasting} go on" if attack.lasting else ""
    onto = "" if attack.onto == Pool.GRIT else f" to {attack.onto}"
    return text(
        "{skill} · {damage} dice{onto}{more}{lasting}",
        skill=attack.skill.value.capitalize(),
        damage=attack.damage,
        onto=onto,
        more=more,
        lasting=lasting,
    )


def _list(words: Any) -> Text:
    return text("{list}", list=", ".join(words) or "none")


def _fact(key: str, label: Text, value: Text, *, place: Place = Place.SHEET) -> Fact:
    return Fact(key=f"pools.{key}", label=label, value=value, place=place, reach=Reach.OWNER)
