"""Pictures of a character: a body with its wounds, and pools that run over into one another."""

from __future__ import annotations

from markupsafe import Markup

from webapp.rules.blocks import Anatomy, Cascade, Spot, Vessel
from webapp.rules.text import Eyes, render
from webapp.ui.live import Item
from webapp.ui.markup import asks, join

Shapes = dict[str, tuple[str, int, int]]

# Each part: its outline, and where its number stands. A body faces us, so its right is on our left.
UPRIGHT: Shapes = {
    "left leg": ("M62 113q9 0 17-6l3 46-1 38q-8 6-14 0l-3-38z", 73, 156),
    "right leg": ("M58 113q-9 0-17-6l-3 46 1 38q8 6 14 0l3-38z", 47, 156),
    "left arm": ("M85 52q9 2 12 14l5 24 5 26q-2 8-10 5l-8-25-7-20z", 98, 92),
    "right arm": ("M35 52q-9 2-12 14l-5 24-5 26q2 8 10 5l8-25 7-20z", 22, 92),
    "torso": ("M52 45h16q10 3 17 7l-3 28-3 26q-19 9-38 0l-3-26-3-28q7-4 17-7z", 60, 79),
    "head": ("M60 4c11 0 17 8 16 19-1 12-8 20-16 20s-15-8-16-20C43 12 49 4 60 4z", 60, 24),
}
BEAST: Shapes = {
    "left leg": ("M110 76l26-8 2 30-4 24h-14l2-22z", 128, 108),
    "right leg": ("M58 78l22 2-2 20 2 22H64l-2-22z", 71, 108),
    "torso": ("M52 42q38-18 78-4 8-2 24-22l4 4q-8 20-16 28 4 20-10 32-36 12-76 6-8-18-4-44z", 96, 60),
    "head": ("M50 42q6 18-3 36-16 8-42-8 1-16 20-26l3-16 12 10z", 32, 58),
}
SWIMMER: Shapes = {
    "torso": ("M62 24q44-12 92 26l30-20q-6 26 0 50l-30-18Q108 96 62 86q8-30 0-62z", 106, 56),
    "head": ("M58 26q10 30 0 58Q24 80 6 54 26 30 58 26z", 36, 56),
}
BLOB: Shapes = {
    "torso": ("M12 74Q10 10 70 8t58 66q-2 20-14 4-8 30-22 4-10 34-22 2-12 34-22-2-14 26-22-4-12 16-14-4z", 70, 50),
}
FIELD = {
    "upright": (UPRIGHT, 120, 200),
    "beast": (BEAST, 164, 128),
    "swimmer": (SWIMMER, 190, 110),
    "blob": (BLOB, 140, 112),
}
BADGE, DISC = 11, 30


def anatomy(block: Anatomy, who: str, eyes: Eyes) -> Item:
    """The drawing for the eye; its list is what screen readers get, and beside it all that is not whole."""
    shapes, width, height = FIELD[_build(block)]
    drawn = [spot for spot in block.spots if spot.key in shapes]
    others = [spot for spot in block.spots if spot.key not in shapes]
    drawn.sort(key=lambda spot: list(shapes).index(spot.key))
    places = {spot.key: shapes[spot.key][1:] for spot in drawn}
    places |= {spot.key: (DISC // 2 + nth * DISC, height + DISC // 2) for nth, spot in enumerate(others)}
    outlines = join(_outline(spot, Markup('<path d="{}"/>').format(shapes[spot.key][0])) for spot in drawn)
    discs = join(
        _outline(spot, Markup('<circle cx="{}" cy="{}" r="12"/>').format(*places[spot.key])) for spot in others
    )
    numbers = join(_badge(spot, *places[spot.key]) for spot in block.spots if spot.number)
    picture = Markup('<svg viewBox="0 0 {} {}" aria-hidden="true">{}{}{}</svg>').format(
        max(width, DISC * len(others)), height + (DISC if others else 0), outlines, discs, numbers
    )
    is_whole = not any(_is_hurt(spot) for spot in block.spots)
    whole = Markup('<li class="quiet" aria-hidden="true">Nothing is wounded.</li>') if is_whole else Markup("")
    label = render(block.label, eyes)
    wide = " across" if width > height else ""
    html = Markup('{}<div><h2 class="menu">{}</h2><ul aria-label="{}">{}{}</ul></div>').format(
        picture, label, label, whole, join(_told(spot, eyes) for spot in block.spots)
    )
    attrs = {**asks(card=who, block=block.key), "role": "group", "aria-label": label}
    return Item(f"{who} {block.key}", html, classes=f"anatomy wide{wide}", attrs=attrs)


def _build(block: Anatomy) -> str:
    """Whoever has arms stands upright; legs alone go on all fours; without limbs one swims, or just wobbles."""
    parts = " ".join(spot.key for spot in block.spots)
    if "head" not in parts and "leg" not in parts and "arm" not in parts:
        return "blob"
    return "upright" if "arm" in parts else "beast" if "leg" in parts else "swimmer"


def _is_hurt(spot: Spot) -> bool:
    return bool(spot.shade or spot.number or spot.active)


def _outline(spot: Spot, shape: Markup) -> Markup:
    active = " active" if spot.active else ""
    return Markup('<g class="spot s{}{}" data-spot="{}">{}</g>').format(spot.shade, active, spot.key, shape)


def _badge(spot: Spot, x: int, y: int) -> Markup:
    return Markup('<g class="badge"><circle cx="{0}" cy="{1}" r="{2}"/><text x="{0}" y="{1}">{3}</text></g>').format(
        x, y, BADGE, spot.number
    )


def _told(spot: Spot, eyes: Eyes) -> Markup:
    shown = f"s{spot.shade}" if _is_hurt(spot) else "heard"
    return Markup('<li class="{}"><b>{}</b> <span>{}</span></li>').format(
        shown, render(spot.label, eyes), render(spot.words, eyes)
    )


# --- pools -------------------------------------------------------------------------------------------------


def cascade(block: Cascade, who: str, eyes: Eyes) -> Item:
    vessels = join(_vessel(one, eyes) for one in block.vessels)
    html = Markup('<ul aria-label="{}">{}</ul>').format(render(block.label, eyes), vessels)
    attrs = {**asks(card=who, block=block.key), "role": "group", "aria-label": render(block.label, eyes)}
    return Item(f"{who} {block.key}", html, classes="cascade wide", attrs=attrs)


def _vessel(vessel: Vessel, eyes: Eyes) -> Markup:
    share = 0 if vessel.full <= 0 else min(100, 100 * vessel.now // vessel.full)
    kind = "harm" if vessel.harm else "empty" if vessel.now <= 0 else "low" if share <= 33 else "well"
    full = "" if vessel.harm else Markup("<small> of {}</small>").format(vessel.full)
    words = "" if vessel.words is None else Markup("<em>{}</em>").format(render(vessel.words, eyes))
    return Markup(
        '<li class="vessel {}"><span class="label">{}</span><span class="jar"><i style="height:{}%"></i>'
        "<b>{}{}</b></span>{}{}</li>"
    ).format(kind, render(vessel.label, eyes), share, vessel.now, full, words, _pipe(vessel))


def _pipe(vessel: Vessel) -> Markup:
    if not vessel.into:
        return Markup("")
    lit = " spilling" if vessel.spilling else ""
    word = "runs over" if vessel.spilling else ""
    return Markup(
        '<span class="pipe {}{}"><svg viewBox="0 0 24 16" aria-hidden="true"><path d="{}"/></svg>'
        '<span class="heard">{}</span></span>'
    ).format(vessel.into, lit, "M2 8h17M13 2l7 6-7 6" if vessel.into == "next" else "M22 8H5M11 2L4 8l7 6", word)
