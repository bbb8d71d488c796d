"""Names as long as names get: where a word that doesn't fit may be parted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup

LONG = 10  # letters; a word up to that is never parted
LONG_IN_A_SENTENCE = 14
LEAST = 4  # letters before the first hyphen, and at least three after the last
VOWELS = "aeiouy"
TOGETHER = ("sch", "ch", "ph", "th", "sh", "qu")
LIQUID = re.compile(r"[bdfgkptv][lr]$")
PART = Markup('<i class="part"></i>')  # its hyphen is drawn, so that the text stays the name


@lru_cache(maxsize=2_000)
def parted(name: str, longest: int = LONG) -> Markup:
    """With places in its long words where a line may end, each with a hyphen."""
    return Markup("").join(
        PART.join(Markup.escape(piece) for piece in _pieces(word)) if len(word) > longest else Markup.escape(word)
        for word in re.split(r"(\W+)", name)
    )


def parted_in(sentence: str) -> Markup:
    """A sentence in which names may stand: only words longer than any of ours are parted."""
    return parted(sentence, LONG_IN_A_SENTENCE)


def _pieces(word: str) -> Iterator[str]:
    begun = 0
    for nth in range(LEAST, len(word) - 2):
        if _is_vowel(word[nth]) or not _is_vowel(word[nth + 1]):
            continue
        at = _start_of(word, nth)
        if at - begun >= 3 and at >= LEAST:
            yield word[begun:at]
            begun = at
    yield word[begun:]


def _start_of(word: str, nth: int) -> int:
    """Of the sound that ends with the consonant before a vowel."""
    before = word[: nth + 1].casefold()
    sound = next((one for one in TOGETHER if before.endswith(one)), None)
    if sound is not None:
        return nth + 1 - len(sound)
    return nth - 1 if LIQUID.search(before) else nth


def _is_vowel(letter: str) -> bool:
    return unicodedata.normalize("NFD", letter)[0].casefold() in VOWELS
