"""Any dice, thrown by hand."""

from __future__ import annotations

from markupsafe import Markup

from webapp.ui.live import Item
from webapp.ui.markup import move_attrs, submit

TRAY = (4, 6, 8, 10, 12, 20)


def tray_form() -> Item:
    """Any dice: how many of each, something added, some kept or counted, in the open or in secret."""
    counts = Markup("").join(
        stepper(f"d{side}", f"dice.{side}", lowest=0, highest=30, label=f"How many d{side}") for side in TRAY
    )
    inside = Markup(
        '<h2>Any dice</h2><div class="steppers">{}{}</div><div class="fields">'
        '<label class="field"><span>Keep</span><select name="keep"><option value="all">All</option>'
        '<option value="highest">The highest</option><option value="lowest">The lowest</option></select></label>'
        '<label class="field number"><span>Count faces from</span><input type="number" inputmode="numeric"'
        ' name="counts_from" min="1" max="100"></label><label class="field switch">'
        '<input type="checkbox" name="secret"><span>In secret</span></label></div>{}'
    ).format(counts, stepper("±", "bonus", lowest=-99, highest=99, label="Plus or minus"), submit("Throw"))
    return Item("tray", inside, tag="form", classes="form wide", attrs=move_attrs({"move": "table.tray"}, "Any dice"))


def stepper(words: str, name: str, *, lowest: int, highest: int, label: str) -> Markup:
    """A number between a minus and a plus, to be typed or tapped."""
    return Markup(
        '<div class="stepper" data-stepper><b aria-hidden="true">{0}</b>'
        '<button type="button" class="button count" data-step="-1" aria-label="{4} −1">−</button>'
        '<input type="number" inputmode="numeric" name="{1}" min="{2}" max="{3}" value="0" aria-label="{4}">'
        '<button type="button" class="button count" data-step="1" aria-label="{4} +1">+</button></div>'
    ).format(words, name, lowest, highest, label)
