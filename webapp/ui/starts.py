"""What somebody new begins with, as it is offered."""

from __future__ import annotations

import json
from collections.abc import Iterable

from markupsafe import Markup

from webapp.projection.picture import StartGroup
from webapp.rules.ruleset import Start
from webapp.ui.markup import submit


def start_form(start: Start, others: tuple[StartGroup, ...] = ()) -> Markup:
    return Markup(
        '<div><b>{}</b><p class="quiet">{}</p></div><div class="fields"><label class="field"><span>Name</span>'
        '<input name="name" maxlength="40" required autocomplete="off"></label>{}</div>{}'
    ).format(start.name, start.line, other_starts(others), submit(f"Play the {start.name}"))


def other_starts(groups: Iterable[StartGroup]) -> Markup:
    """What the other rule sets in play give somebody to begin with; nothing special when it is left alone."""
    fields = Markup("").join(
        Markup(
            '<label class="field"><span>{}</span><select name="sheets.{}" data-type="json">'
            '<option value="">The usual start</option>{}</select></label>'
        ).format(
            group.title,
            group.game,
            Markup("").join(
                Markup('<option value="{}">{}</option>').format(json.dumps(start.body), start.name)
                for start in group.starts
            ),
        )
        for group in groups
    )
    summary = Markup("<summary>In the other rule sets: the usual start</summary>")
    return Markup('<details class="other-starts">{}{}</details>').format(summary, fields) if fields else fields
