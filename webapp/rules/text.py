"""Sentences: an English template with typed arguments, turned into words only for one viewer's eyes."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from string import Formatter
from typing import Protocol

from webapp.rules.values import Frozen


class Who(Frozen):
    """A character, shown under the name this viewer knows."""

    who: str


class Health(Frozen):
    """Somebody's health, shown in the form the GM chose for this viewer.

    What stands after the colon in a template, `{health:, }`, goes before it unless nothing may be known.
    """

    health_of: str
    now: int
    full: int


class Figure(Frozen):
    """A number from a character's sheet that a roll must use, or what it threw; the table may hide those of foes.

    `otherwise` is said to whoever may not know it.
    """

    figure_of: str
    value: int | str
    otherwise: str = "?"

    @property
    def told(self) -> str:
        return self.value if isinstance(self.value, str) else number(self.value)


class Text(Frozen):
    """A sentence not yet spoken. The template is also its key for translation."""

    template: str
    args: dict[str, Arg] = {}

    def mentions(self) -> frozenset[str]:
        """Ids of all the characters this sentence speaks of."""
        return frozenset().union(*(_mentioned(arg) for arg in self.args.values()))


Arg = Who | Health | Figure | Text | int | str
Text.model_rebuild()


def text(template: str, /, **args: Arg) -> Text:
    return Text(template=template, args=args)


def listed(sentences: Iterable[Text], *, between: str = "; ") -> Text:
    """Several as one."""
    args: dict[str, Arg] = {f"t{nth}": sentence for nth, sentence in enumerate(sentences)}
    return Text(template=between.join(f"{{{name}}}" for name in args), args=args)


class Eyes(Protocol):
    """One viewer's way of seeing the typed arguments of a sentence."""

    def name(self, character: str) -> str: ...

    def health(self, character: str, now: int, full: int) -> str: ...

    def figure(self, figure: Figure) -> str: ...


def number(value: int, *, signed: bool = False) -> str:
    """Tabular text with a true minus sign."""
    return f"{value:+d}".replace("-", "−") if signed else str(value).replace("-", "−")


def render(sentence: Text, eyes: Eyes) -> str:
    """The sentence in words. Names only: a template can reach no attribute and no index of its arguments."""
    args = sentence.args
    return "".join(
        literal if name is None else literal + _spoken(args[name], form, eyes)
        for literal, name, form in _pieces(sentence.template)
    )


@lru_cache(maxsize=4096)
def _pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """By field, the words before it, its name and its form; the name is None where the words end it."""
    return tuple((literal, name, form or "") for literal, name, form, _ in Formatter().parse(template))


def _spoken(arg: Arg, form: str, eyes: Eyes) -> str:
    match arg:
        case Who(who=who):
            return eyes.name(who)
        case Health(health_of=who, now=now, full=full):
            known = eyes.health(who, now, full)
            return form + known if known else ""
        case Figure():
            return eyes.figure(arg)
        case Text():
            return render(arg, eyes)
        case int():
            return number(arg, signed=form == "+")
    return str(arg)


def _mentioned(arg: Arg) -> frozenset[str]:
    match arg:
        case Who(who=who) | Health(health_of=who) | Figure(figure_of=who):
            return frozenset((who,))
        case Text():
            return arg.mentions()
    return frozenset()


NBSP = "\u00a0"


def percent(chance: Fraction | str) -> str:
    """A chance as people read it; 0 and 100 only when they are certain."""
    if isinstance(chance, str):
        return chance
    if chance in (0, 1):
        return f"{int(chance * 100)}{NBSP}%"
    rounded = round(chance * 100)
    if rounded == 0:
        return f"<1{NBSP}%"
    return f">99{NBSP}%" if rounded == 100 else f"{rounded}{NBSP}%"


def counted(count: int, one: str, many: str = "") -> str:
    """Some of these, in words and number: "1 hero", "3 heroes"."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
