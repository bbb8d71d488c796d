"""One viewer's picture of a live table, by subject."""
