"""The host's settings: environment variables that start with GRITBOARD_, or the command line."""

from pathlib import Path
from typing import Annotated

from platformdirs import user_data_dir
from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


def _data_folder() -> Path:
    return Path(user_data_dir("gritboard", appauthor=False))


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="GRITBOARD_", env_ignore_empty=True, frozen=True, extra="forbid")

    host: str = Field("0.0.0.0", min_length=1, description="address to listen on")
    port: int = Field(8463, ge=1, le=65535, description="port to listen on")
    data: Path = Field(default_factory=_data_folder, description="folder that keeps the tables")
    open_browser: bool = Field(True, description="open the GM's page when Gritboard starts")
    names: Annotated[list[str], NoDecode] = Field(
        default_factory=list, description="further host names that browsers may use, with commas between"
    )

    @field_validator("names", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        if isinstance(value, str):
            return [name.strip().lower() for name in value.split(",") if name.strip()]
        return value

    @field_validator("data")
    @classmethod
    def _at_home(cls, value: Path) -> Path:
        try:
            return value.expanduser().absolute()
        except RuntimeError as error:  # ~somebody who is not there
            raise ValueError(str(error)) from None

    @property
    def database(self) -> Path:
        return self.data / "gritboard.sqlite3"

    @property
    def wifi_file(self) -> Path:
        return self.data / "wifi.json"

    @property
    def secret_file(self) -> Path:
        return self.data / "host-secret"


class StaticMissing(Exception):
    """This Gritboard is not whole, as one sentence for the host."""

    def __init__(self) -> None:
        super().__init__("Gritboard's folder static is missing or not whole: install Gritboard again.")


def static_folder() -> Path:
    """Styles, fonts and icons: inside the package once installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent
    for folder in (package / "static", package.parent / "static"):
        if all((folder / name).is_file() for name in ("gritboard.css", "gritboard.js")):
            return folder
    raise StaticMissing
