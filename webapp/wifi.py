"""The Wi-Fi that phones must be in, typed once by the GM and kept beside the tables for the poster."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from segno import helpers

LONGEST_NAME = 32
SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 63


class Wifi(BaseModel):
    """Without a password the network is open. `on_screen`: the TV shows it too."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    name: Annotated[str, Field(min_length=1)]
    password: str = ""
    on_screen: bool = False

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.name.encode()) > LONGEST_NAME or not self.name.isprintable():
            raise ValueError(f"The name of a Wi-Fi has {LONGEST_NAME} letters at most.")
        long_enough = SHORTEST_PASSWORD <= len(self.password) <= LONGEST_PASSWORD
        if self.password and not (long_enough and self.password.isprintable()):
            raise ValueError(
                f"A Wi-Fi password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} letters: leave it empty without one."
            )
        return self

    def code(self) -> str:
        """What a camera reads to enter the network."""
        security = "WPA" if self.password else None
        return helpers.make_wifi_data(ssid=self.name, password=self.password or None, security=security)


class WifiNote:
    """The Wi-Fi in its file, readable by the host alone."""

    def __init__(self, path: Path) -> None:
        self.changed: list[Callable[[], None]] = []
        self._path = path
        self.wifi = _read(path)

    def write(self, wifi: Wifi) -> None:
        self._path.unlink(missing_ok=True)
        with os.fdopen(
            os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(wifi.model_dump_json())
        self._tell(wifi)

    def forget(self) -> None:
        self._path.unlink(missing_ok=True)
        self._tell(None)

    def _tell(self, wifi: Wifi | None) -> None:
        self.wifi = wifi
        for callback in tuple(self.changed):
            callback()


def _read(path: Path) -> Wifi | None:
    """What cannot be read is typed again."""
    try:
        return Wifi.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None
