"""What Grit, Energy and Resolve offers on a card and to the GM, by subject."""
