"""Random tables as they are read, rolled and kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from webapp.rules.tables import RandomTable, Row, ShownTable
from webapp.rules.text import Eyes, render
from webapp.ui.live import Item
from webapp.ui.markup import join, move_attrs, submit


def random_tables(tables: Iterable[ShownTable], eyes: Eyes) -> Iterator[Item]:
    """Each with its rows behind its name, and the ways to roll on it."""
    for table in tables:
        name = render(table.name, eyes)
        yield Item(f"{table.id} rows", _rows(table, name), tag="details", classes="random-table wide")
        for secret, words in ((False, f"Roll {table.pool}"), (True, "In secret")):
            move = {"move": "table.roll_table", "table": table.id, "secret": secret}
            label = f"{name}: {words}"
            attrs = move_attrs(move, label) | {"aria-label": label}
            yield Item(f"{table.id} roll {secret}", words, tag="button", classes="button small", attrs=attrs)


def _rows(table: ShownTable, name: str) -> Markup:
    rows = join(Markup("<li><b>{}</b> {}</li>").format(span(row), row.words) for row in table.rows)
    return Markup("<summary>{} <small>{}</small></summary><ol class='rows'>{}</ol>").format(name, table.pool, rows)


def span(row: Row) -> str:
    return str(row.lowest) if row.lowest == row.highest else f"{row.lowest}-{row.highest}"


def kept_tables(tables: Iterable[RandomTable]) -> Iterator[Item]:
    """The GM's own, to be changed and thrown away."""
    for table in tables:
        yield _form(table)
        move = {"move": "table.throw_table_away", "table": table.id}
        attrs = move_attrs(move, f"Throw {table.name} away", sure=f"Throw {table.name} away? Tap again.")
        yield Item(f"{table.id} away", "Throw away", tag="button", classes="button small danger", attrs=attrs)


def new_table() -> Item:
    return _form(None)


def _form(table: RandomTable | None) -> Item:
    lines = "" if table is None else "\n".join(f"{span(row)} {row.words}" for row in table.rows)
    count, sides = (1, 6) if table is None else (len(table.dice), table.dice[0])
    title = "A table of your own" if table is None else f"Change {table.name}"
    inside = Markup(
        '<h2 class="menu">{}</h2><div class="fields"><label class="field"><span>Name</span>'
        '<input name="name" value="{}" maxlength="40" required autocomplete="off"></label>'
        '<label class="field number"><span>How many dice</span>'
        '<input type="number" inputmode="numeric" name="count" min="1" max="6" value="{}" required></label>'
        '<label class="field number"><span>Sides</span>'
        '<input type="number" inputmode="numeric" name="sides" min="2" max="100" value="{}" required></label>'
        '<label class="field lines"><span>Rows, one a line</span>'
        '<textarea name="lines" rows="6" maxlength="8000" required placeholder="1-2 Rain&#10;3-5 Fog&#10;6 Sun">{}'
        "</textarea></label>"
        '<label class="field switch"><input type="checkbox" name="shared"{}>'
        "<span>Players see it and may roll on it</span></label></div>{}"
    ).format(
        title,
        "" if table is None else table.name,
        count,
        sides,
        lines,
        Markup(" checked") if table is not None and table.shared else "",
        submit("Keep it"),
    )
    move = {"move": "table.keep_table", **({} if table is None else {"table": table.id})}
    id, attrs = "new" if table is None else table.id, move_attrs(move, title)
    attrs |= {"data-reset": ""} if table is None else {}
    return Item(f"{id} form", inside, tag="form", classes="form wide", attrs=attrs)
