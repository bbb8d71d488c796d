"""What nobody can guess: tokens, ids, codes and the host's secret. Only hashes of tokens are stored."""

import hashlib
import os
import secrets
from pathlib import Path

LETTERS = "BCDFGHJKMNPRSTWXYZ"  # no look-alikes, and no vowels, so that no code spells a word
CODE_LENGTH = 6


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def kept_secret(path: Path) -> str:
    """The secret in the file, made at the first start and readable by the host alone."""
    if path.exists():
        kept = path.read_text(encoding="ascii", errors="ignore").strip()
        if kept:
            return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    secret = new_token()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(secret)
    return secret


def new_id() -> str:
    return secrets.token_hex(8)


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
