"""The phone in a hand, one file for each part of it."""
