"""Runs the migrations on the connection that the store hands over, inside its transaction.

A new migration is made with `python -m webapp.migrations "what changes"` in a checkout.
"""

from alembic import context

from webapp.store import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
