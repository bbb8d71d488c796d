"""Willpower's part of a character's card: what is written on the sheet."""

from __future__ import annotations

from collections.abc import Iterator

from webapp.rules.blocks import Fact, Gauge, Helper, Note, Place, Plight, Reach, Section
from webapp.rules.calls import is_called
from webapp.rules.document import Character, Side
from webapp.rules.games.willpower.sheet import Attribute, Condition, Sheet, Weapon
from webapp.rules.games.willpower.sheet import State as Hampered
from webapp.rules.state import State
from webapp.rules.text import Text, text

TITLE = text("Willpower")
WORDS = {
    Hampered.BLEEDING: "1 damage at the start of each turn until tended",
    Hampered.ENTANGLED: "others attack with advantage, own defence at disadvantage, until the end of the next turn",
    Hampered.PINNED: "no move until the end of the next turn",
    Hampered.SHAKEN: "all tests at disadvantage until the end of the next turn",
    Hampered.FROZEN: "no actions next turn",
    Hampered.BOLTING: "both actions of the next turn are moves away",
    Hampered.LASHING: "next turn an attack on the nearest creature first, friend or foe",
    Hampered.NO_SPELLS: "can't cast until a long rest",
}
OF_NERVES = (Hampered.SHAKEN, Hampered.FROZEN, Hampered.BOLTING, Hampered.LASHING)
ICONS = {
    Hampered.BLEEDING: "surprised",
    Hampered.ENTANGLED: "held",
    Hampered.PINNED: "held",
    Hampered.SHAKEN: "scared",
    Hampered.FROZEN: "panicked",
    Hampered.BOLTING: "panicked",
    Hampered.LASHING: "panicked",
    Hampered.NO_SPELLS: "missed",
}


def section(state: State, character: Character, sheet: Sheet) -> Section:
    return Section(
        title=TITLE,
        vitals=tuple(_vitals(character, sheet)),
        blocks=(*_states(state, character, sheet), *_facts(character, sheet)),
        plight=_plight(state, character, sheet),
    )


def _plight(state: State, character: Character, sheet: Sheet) -> Plight | None:
    """Out, or bleeding: who of the own side could help."""
    others = [one.id for one in state.characters(character.side) if one.id != character.id]
    able = [who for who in others if (found := state.find(Sheet, who)) is not None and found.can_act]
    if sheet.condition is Condition.OUT:
        words, how = text("Dies with the scene, unless helped up"), text("can help you up")
    elif Hampered.BLEEDING in sheet.states and sheet.condition is Condition.FIT:
        words, how = text("Bleeds 1 HP each turn, until tended"), text("can tend you")
    else:
        return None
    return Plight(words=words, helpers=tuple(Helper(who=who, how=how) for who in able))


def _vitals(character: Character, sheet: Sheet) -> Iterator[Gauge]:
    hero = character.side is Side.HERO
    yield Gauge(
        key="willpower.hp",
        label=text("HP"),
        now=sheet.hp.now,
        full=sheet.hp.full,
        at=("willpower", "hp", "now"),
        reach=Reach.TABLE if hero else Reach.OWNER,
    )
    if sheet.damage is None:
        yield Gauge(key="willpower.die", label=text("Willpower"), now=sheet.willpower, die=True)


def _states(state: State, character: Character, sheet: Sheet) -> Iterator[Note]:
    """What a called test has done to somebody is known to its owner and the GM until the results turn over."""
    if sheet.condition is not Condition.FIT:
        words = {
            Condition.OUT: "Out: dies with the scene unless helped",
            Condition.HELPED: "Out, but helped: up again after the scene",
            Condition.DEAD: "Dead",
        }
        yield Note(key="willpower.down", icon="skull", words=text(words[sheet.condition]))
    called = is_called(state, character.id)
    for one in sheet.states:
        told = text("{state}: {does}", state=one.value.capitalize(), does=WORDS[one])
        reach = Reach.OWNER if called and one in OF_NERVES else Reach.TABLE
        yield Note(key=f"willpower.{one.name}", icon=ICONS[one], words=told, brief=text(one.value), reach=reach)
    lies = [weapon.name for weapon in sheet.weapons.values() if weapon.dropped]
    if lies or sheet.disarmed:
        lying = text("Disarmed: {lies} lies close by", lies=", ".join(lies) or "the weapon")
        yield Note(key="willpower.disarmed", icon="broken", words=lying, brief=text("disarmed"))


def _facts(character: Character, sheet: Sheet) -> Iterator[Fact]:
    if sheet.damage is not None:
        yield from _of_a_foe(sheet)
        return
    for attribute in Attribute:
        if attribute is Attribute.SHOOTING:
            yield fact("level", text("Level"), text("{level}", level=sheet.level))
        score = text("{score}", score=sheet.score(attribute))
        yield fact(attribute.value, text(attribute.value.capitalize()), score)
    worn = text("{protection}{shield}", protection=sheet.protection, shield=" and a shield" if sheet.shield else "")
    yield fact("protection", text("Protection"), worn)
    for id, weapon in sheet.weapons.items():
        told = fact(f"weapon.{id}", text("{name}", name=weapon.name), _weapon(weapon, held=id == sheet.in_hand))
        how = text("The die is written on the sheet. It was dropped or knocked away; picking it up is an action.")
        yield told.model_copy(update={"because": how if weapon.dropped else None})
    for id, spell in sheet.spells.items():
        yield fact(f"spell.{id}", text("{name}", name=spell.name), text("{line}", line=spell.line or "A spell"))
    if sheet.spells:
        told = fact("today", text("Spells cast today"), text("{count}", count=sheet.cast_today))
        how = text("Counted at each casting; a new day sets it back to 0, a rest alone does not.")
        yield told.model_copy(update={"because": how})
    if sheet.marks:
        told = fact("marks", text("Marks of Chaos"), text("{marks}", marks=sheet.marks))
        yield told.model_copy(update={"because": text("Counted each time a failed spell left a mark.")})


def _of_a_foe(sheet: Sheet) -> Iterator[Fact]:
    afar = "from afar" if sheet.ranged else "close"
    yield fact("level", text("Level"), text("{level}", level=sheet.level))
    told = fact("damage", text("Damage"), text("{damage}, {afar}", damage=sheet.strikes_for, afar=afar))
    yield told.model_copy(update={"because": _while_disarmed(sheet) if sheet.disarmed else None})
    yield fact("protection", text("Protection"), text("{protection}", protection=sheet.protection))
    if sheet.fearsome:
        yield fact("fearsome", text("Fearsome"), text("Guts to face it"))


def _while_disarmed(sheet: Sheet) -> Text:
    return text("Half of its {damage}, rounded down, while it is disarmed.", damage=sheet.damage or 0)


def _weapon(weapon: Weapon, *, held: bool) -> Text:
    where = " · on the ground" if weapon.dropped else " · in hand" if held else ""
    kind = "ranged" if weapon.ranged else "melee"
    return text("{kind} d{die}{where}", kind=kind, die=weapon.die, where=where)


def fact(key: str, label: Text, value: Text, *, place: Place = Place.SHEET) -> Fact:
    return Fact(key=f"willpower.{key}", label=label, value=value, reach=Reach.OWNER, place=place)
