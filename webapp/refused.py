"""Why somebody may not come in or sit there."""


class Refused(Exception):
    """One sentence, for whoever is refused."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence
