"""What people type and what their browsers send: names, codes, devices, cookies."""

import unicodedata

from webapp.refused import Refused

NAME_LENGTH = 40
DEVICE_LABELS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "Chromebook",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def host_cookie_name() -> str:
    return "gritboard_host"


def seat_cookie_name(code: str) -> str:
    return f"gritboard_seat_{code}"


def device_label(user_agent: str) -> str:
    """A short word by which the GM tells a phone from a laptop."""
    return next((label for mark, label in DEVICE_LABELS.items() if mark in user_agent), "Browser")


def tidy_name(name: str) -> str:
    """Without line breaks and other invisible characters; raises when nothing, or too much, is left."""
    spaced = " ".join(unicodedata.normalize("NFC", name).split())
    tidy = "".join(letter for letter in spaced if letter.isprintable()).strip()
    if not tidy:
        raise Refused("Please give a name.")
    if len(tidy) > NAME_LENGTH:
        raise Refused(f"Please keep the name to {NAME_LENGTH} letters.")
    return tidy


def tidy_code(code: str) -> str:
    """As people type it: small letters, spaces and hyphens do not matter."""
    return "".join(letter for letter in code[:40].upper() if letter.isalnum())
