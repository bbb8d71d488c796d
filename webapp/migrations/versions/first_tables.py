"""Tables, documents, log, taps, seats, devices, links, hosts."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _of(column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "game_table",
        _text("id"),
        _text("code"),
        _text("name"),
        _text("games"),
        _text("created"),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("code"),
    )
    op.create_table(
        "document",
        _text("table_id"),
        _text("key"),
        _text("body"),
        _of("table_id", "game_table"),
        sa.PrimaryKeyConstraint("table_id", "key"),
    )
    op.create_table(
        "entry",
        _text("table_id"),
        _text("id"),
        sa.Column("number", sa.Integer(), nullable=False),
        _text("at"),
        _text("seat", nullable=True),
        _text("move"),
        _text("thread"),
        _text("lines"),
        _text("changes"),
        _text("settles"),
        _text("undoes"),
        _text("undone_by", nullable=True),
        _text("answer"),
        _of("table_id", "game_table"),
        sa.PrimaryKeyConstraint("table_id", "id"),
        sa.UniqueConstraint("table_id", "number", name="entry_number"),
    )
    op.create_index("entry_thread", "entry", ["table_id", "thread"])
    op.create_table(
        "tap",
        _text("table_id"),
        _text("seat"),
        _text("tap"),
        _text("answer"),
        _of("table_id", "game_table"),
        sa.PrimaryKeyConstraint("table_id", "seat", "tap"),
    )
    op.create_table(
        "seat",
        _text("id"),
        _text("table_id"),
        _text("name"),
        _text("name_key"),
        _text("created"),
        sa.Column("real_dice", sa.Boolean(), nullable=False),
        _text("orders"),
        _of("table_id", "game_table"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("table_id", "name_key", name="seat_name"),
    )
    op.create_table(
        "device",
        _text("id"),
        _text("token"),
        _text("seat_id"),
        _text("table_id"),
        sa.Column("admitted", sa.Boolean(), nullable=False),
        _text("label"),
        _text("last_seen"),
        _of("seat_id", "seat"),
        _of("table_id", "game_table"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token"),
    )
    op.create_index("ix_device_seat_id", "device", ["seat_id"])
    op.create_index("ix_device_table_id", "device", ["table_id"])
    op.create_table(
        "link",
        _text("token"),
        _text("seat_id"),
        sa.Column("adds", sa.Boolean(), nullable=False),
        _text("until"),
        _of("seat_id", "seat"),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("ix_link_seat_id", "link", ["seat_id"])
    op.create_table("host", _text("token"), _text("created"), sa.PrimaryKeyConstraint("token"))
