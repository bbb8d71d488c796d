"""What Willpower offers on a card and to the GM, by subject."""
