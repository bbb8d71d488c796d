"""A face for everybody, drawn from the name alone: the same name, the same face, wherever it is shown."""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

from markupsafe import Markup

from webapp.rules.document import Side

TONES = ("ember", "good", "half", "bad", "held", "ash")
LETTER = re.compile(r" (?:[A-Z]{1,2}|#\d+)$")  # tells those of one kind apart

HEADS = {
    Side.HERO: (
        "M24 6c8 0 11 5 11 12s-5 12-11 12-11-5-11-12S16 6 24 6z",
        "M13 15a11 11 0 0 1 22 0v6a11 9 0 0 1-22 0z",
    ),
    Side.FOE: ("M12 8h24l-2 14-6 8h-8l-6-8z", "M14 6h20l3 9-5 15H16l-5-15z", "M24 4l13 12-6 14H17l-6-14z"),
}
HAIR = {
    Side.HERO: (
        "M12 18C11 7 17 4 24 4s13 3 12 14c-2-5-5-7-12-7s-10 2-12 7z",
        "M12 30C9 12 14 4 24 4s15 8 12 26l-3-1c2-10-1-16-9-17-8 1-11 7-9 17z",
        "M11 13c4-2 22-2 26 0L34 4 29 7 24 2l-5 5-5-3z",
        "M9 13h30l-5-3c-1-5-5-7-10-7s-9 2-10 7z",
        "M14 12c0-6 4-9 11-8 6-3 11 2 10 10-4-1-6-3-7-5-3 3-8 4-14 3z",
        "M22 1h5l1 13h-7z",
        "M12 17c-4-3-3-8 1-9 1-5 7-6 11-4 4-2 10-1 11 4 4 1 5 6 1 9-1-4-5-6-12-6s-11 2-12 6z",
        "M13 13h22v4H13zM35 14l6-2-2 8z",
    ),
    Side.FOE: (
        "M13 12C6 11 5 6 7 1c2 4 5 5 9 6zM35 12c7-1 8-6 6-11-2 4-5 5-9 6z",
        "M24 0L10 14v17l4-13 10-8 10 8 4 13V14z",
        "M9 18L12 3l8 7zM39 18L36 3l-8 7z",
        "M11 11l3-8 4 4 6-6 6 6 4-4 3 8z",
        "M10 9l14-5 14 5v4l-14-3-14 3z",
        "M12 16c0-9 5-12 12-12s12 3 12 12c-3-3-5-5-12-5s-9 2-12 5z",
    ),
}
EYES = {
    Side.HERO: (
        "M19 18h.1M29 18h.1",
        "M17.5 18q1.5-2 3 0M27.5 18q1.5-2 3 0",
        "M19 17v2M29 17v2",
        "M19 18h.1M27.5 18h3",
    ),
    Side.FOE: (
        "M17 15l4 3M31 15l-4 3",
        "M18 17h3M27 17h3",
        "M17 16l3 3 1-3M31 16l-3 3-1-3",
        "M24 16v3M19 18h.1M29 18h.1",
    ),
}
MOUTHS = {
    Side.HERO: ("M20 23q4 4 8 0", "M21 24h6", "M21 23q4 3 6-1", "M22 24q2-2 4 0"),
    Side.FOE: ("M19 25l2-2 2 2 2-2 2 2 2-2", "M20 25q4-3 8 0", "M20 24h8M22 24v3M26 24v3", "M21 23q3 4 6 0"),
}
DRAWN = Markup(
    '<svg class="face {}" viewBox="0 0 48 48" aria-hidden="true" style="--a:var(--{});--b:var(--{})">'
    '<path class="a" d="M2 48c0-13 9-19 22-19s22 6 22 19z"/><path class="skin" d="{}"/><path class="b" d="{}"/>'
    '<path class="line" d="{}{}"/><text x="24" y="45">{}</text></svg>'
)


@lru_cache(maxsize=512)
def face(name: str, side: str = Side.HERO) -> Markup:
    """Those who only differ by a letter behind the name look alike; their initials don't."""
    kind = Side(side)
    pick = iter(sha256(LETTER.sub("", name).encode()).digest())
    tone = next(pick) % len(TONES)
    other = (tone + 1 + next(pick) % (len(TONES) - 1)) % len(TONES)
    parts = (shapes[kind][next(pick) % len(shapes[kind])] for shapes in (HEADS, HAIR, EYES, MOUTHS))
    return DRAWN.format(kind, TONES[tone], TONES[other], *parts, initials(name))


def initials(name: str) -> str:
    """Of the first word and of the last."""
    words = [word for word in re.findall(r"[^\W_]+", name) if word]
    return "".join(word[0] for word in (*words[:1], *words[1:][-1:])).upper() or "?"
