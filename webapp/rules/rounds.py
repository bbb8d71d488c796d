"""Rounds, and who comes into a fight and leaves it."""

from __future__ import annotations

from webapp.rules.document import CharacterId
from webapp.rules.encounter import Encounter, Member
from webapp.rules.knots import part
from webapp.rules.period import Period, begins, ends
from webapp.rules.question import Window
from webapp.rules.scene import Scene
from webapp.rules.text import Who, text


def begin_round(scene: Scene, fight: Encounter) -> None:
    fight.begun, fight.over, fight.done = {}, {}, {}
    for who in fight.members:
        begins(scene, Period.ROUND, who)
    scene.order().begin_round(scene, fight)


def end_round(scene: Scene, fight: Encounter) -> None:
    """The round is over for everybody; a member who had no slot in it has had that turn."""
    scene.lapse(Window.NEXT_ACT)
    minutes = pass_a_round(scene)
    time = text(": {minutes} minutes", minutes=minutes) if minutes else text("")
    scene.say(text("Round {round} is over{time}.", round=fight.round, time=time))
    for who in fight.members:
        if who not in fight.over.values():
            ends(scene, Period.TURN, who)
    for one in scene.characters():
        ends(scene, Period.ROUND, one.id)


def pass_a_round(scene: Scene) -> int:
    """Minutes that a round takes, as the slowest rule set in play counts; they have gone by now."""
    minutes = max(scene.rulebook.games[name].round_minutes for name in scene.settings.games)
    scene.clock.minutes += minutes
    return minutes


def join(scene: Scene, who: CharacterId) -> None:
    fight = scene.fight()
    assert fight is not None
    place = 1 + max((member.place for member in fight.members.values()), default=-1)
    joined = fight.round + 1 if fight.settled else fight.round
    fight.members = {**fight.members, who: Member(place=place, joined=joined)}
    begins(scene, Period.FIGHT, who)
    scene.say(text("{who} joins the fight.", who=Who(who=who)))


def leave(scene: Scene, who: CharacterId) -> None:
    """Takes somebody out of the fight, with the questions that were theirs."""
    for question in scene.questions():
        if question.about == who and question.window is not Window.STANDS:
            scene.withdraw(question)
    fight = scene.fight()
    if fight is not None and who in fight.members:
        part(scene, who)
        fight.members = {other: member for other, member in fight.members.items() if other != who}
        ends(scene, Period.FIGHT, who)
