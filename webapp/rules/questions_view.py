"""What is asked, ordered once for all, or was decided, as one viewer may know it."""

from __future__ import annotations

from webapp.rules.blocks import Odds
from webapp.rules.document import Character
from webapp.rules.question import Choice, Question
from webapp.rules.sight import Sight
from webapp.rules.values import Frozen


class ChoiceView(Frozen):
    id: str
    label: str
    chance: Odds
    price: str | None
    why_not: str | None
    default: bool
    switch: str | None
    amounts: tuple[int, int] | None
    worths: tuple[tuple[Odds, str | None], ...] = ()


class QuestionView(Frozen):
    id: str
    addressee: str | None
    name: str
    ask: str
    brief: str
    choices: tuple[ChoiceView, ...]
    passed_by: str
    dice: tuple[int, ...] = ()
    chip: bool = False


class OrderView(Frozen):
    """A standing order that a player may give: its values in words, the usual one first."""

    name: str
    title: str
    values: tuple[tuple[str, str], ...]

    def allows(self, value: object) -> bool:
        return any(value == one for one, _ in self.values)


class NoticeView(Frozen):
    character: str
    name: str
    words: str


def question_view(sight: Sight, question: Question) -> QuestionView:
    """What is asked, for all to see; what may be answered only for those who may answer.

    Whoever is asked without being in sight looks like the GM.
    """
    asked = None if question.addressee is None else sight.state.find(Character, question.addressee)
    mine = sight.may_answer(question)
    who = question.addressee if mine or (asked is not None and sight.sees(asked)) else None
    passed = question.choice(sight.state, question.default)
    usual = question.default if passed is None else passed.id
    return QuestionView(
        id=question.id,
        addressee=who,
        name="GM" if who is None else sight.name(who),
        ask=sight.words(question.ask(sight.state) if mine or who else question.brief()),
        brief=sight.words(question.brief()),
        passed_by=sight.words(question.passed_by()),
        dice=getattr(question, "wanted", ()) if mine else (),
        chip=question.chip,
        choices=tuple(
            _choice_view(sight, choice, usual) for choice in (question.choices(sight.state) if mine else ())
        ),
    )


def _choice_view(sight: Sight, choice: Choice, usual: str) -> ChoiceView:
    return ChoiceView(
        id=choice.id,
        label=sight.words(choice.label),
        chance=sight.odds(choice.chance, choice.about, choice.pool),
        price=sight.maybe(choice.price),
        why_not=sight.maybe(choice.why_not),
        default=choice.id == usual,
        switch=sight.maybe(choice.switch),
        amounts=choice.amounts,
        worths=tuple(
            (sight.odds(worth.chance, choice.about, choice.pool), sight.maybe(worth.price)) for worth in choice.worths
        ),
    )


def order_views(sight: Sight) -> tuple[OrderView, ...]:
    """What may be ordered once for all, by the games in play; a title that two of them share is written out."""
    words, games = sight.words, sight.state.rulebook.in_play(sight.state)
    asked = ((game, kind.standing_order) for game in games for kind in game.questions)
    orders = {order.name: (game, order) for game, order in asked if order is not None}
    titles = [words(order.title) for _, order in orders.values()]
    return tuple(
        OrderView(
            name=order.name,
            title=f"{title} ({words(game.title)})" if titles.count(title) > 1 else title,
            values=tuple((value, words(said)) for value, said in order.values),
        )
        for (game, order), title in zip(orders.values(), titles, strict=True)
    )
