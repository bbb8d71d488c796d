"""A table at its worst for the eye: names as long as they get, twelve foes, every state at once."""

from __future__ import annotations

import json
from typing import Any

from tests.support.story import Seen

Move = dict[str, Any]
LONGEST = "Donaudampfschifffahrtskapitän Friedhelms"
LONG_NAMES = (LONGEST, "Schwester Philippa von Rindfleischetiket", "Straßenbahnschaffner Übermut-Xylophon IV")
LONG_FOE = "Quallenungeheuer vom Unterwassergewölbe"
PLAIN_FOE = {"squad": {"hp": {"now": 7, "full": 7}, "devices": {"claw": {"name": "Claw", "make": "melee", "die": 4}}}}
EVERY_STATE: dict[str, dict[str, Any]] = {
    "squad": {"surprised": True, "weakness": "Geschwindigkeitsbegrenzungen und Rindfleischetikettierung"},
    "dread": {"fear": "panicked", "temporary": 4, "permanent": 3, "corruption": 2},
    "willpower": {"states": {"bleeding": 0, "entangled": 9, "pinned": 9, "shaken": 9, "no spells": 0}},
    "pools": {
        "resolve.now": 0,
        "afflictions": {"fatigued": 2, "unaware": 1, "unconscious": 0, "verkehrsgenehmigung": 3},
        "wounds": dict.fromkeys(("head", "right arm", "left arm", "torso", "right leg", "left leg"), 3),
    },
}


async def send(seen: Seen, move: Move) -> None:
    """As a button of this page would, though it has none that does it."""
    await seen.page.evaluate(
        """move => {
            const button = document.createElement('button');
            button.setAttribute('data-move', move);
            document.body.append(button);
            button.click();
            button.remove();
        }""",
        json.dumps(move),
    )
    await seen.all_answered()


async def cast(gm: Seen) -> dict[str, str]:
    """The ids of all who are on the GM's page, by name."""
    heads = await gm.page.locator(".cast-list .card-head").evaluate_all(
        "all => all.map(one => [one.querySelector('b').textContent, JSON.parse(one.dataset.move), one.dataset.label])"
    )
    return {name: move["tab"] or name for name, move, _ in heads}


async def gets_crowded(gm: Seen) -> None:
    """The heroes get long names, and twelve foes more, with names as long, come in."""
    heroes = list((await cast(gm)).values())[: len(LONG_NAMES)]
    for who, name in zip(heroes, LONG_NAMES, strict=True):
        await send(gm, {"move": "table.rename", "actor": who, "name": name})
    await send(gm, {"move": "table.add_characters", "name": LONG_FOE, "copies": 12, "sheets": PLAIN_FOE})
    await gm.has(".cast-list .card-head", len(heroes) + 12 + 4)


async def gets_every_state(gm: Seen, who: str) -> None:
    for game, values in EVERY_STATE.items():
        await send(gm, {"move": "table.edit", "actor": who, "game_id": game, "values": values})
