"""What Fear and Insanity offers on a card and to the GM, by subject."""
