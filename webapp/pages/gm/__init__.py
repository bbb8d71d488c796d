"""The laptop behind a screen, one file for each part of it."""
