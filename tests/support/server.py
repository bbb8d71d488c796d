"""A real server in a process of its own, which may be killed and started again on the same port."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class ServerProcess:
    """Runs `python -m module` with PORT in its environment; all it prints goes to `log_file`."""

    patience = 60.0  # seconds until it must answer

    def __init__(self, module: str, log_file: Path, environment: Mapping[str, str] | None = None) -> None:
        self.module = module
        self.log_file = log_file
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        self._environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None

    def set(self, name: str, value: str) -> None:
        self._environment[name] = value

    def start(self) -> None:
        environment = {**os.environ, **self._environment, "PORT": str(self.port)}
        # NiceGUI behaves differently when it believes to be under test
        for name in ("PYTEST_CURRENT_TEST", "NICEGUI_SCREEN_TEST_PORT"):
            environment.pop(name, None)
        with self.log_file.open("ab") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", self.module],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self._wait_until_it_answers()

    def kill(self) -> None:
        """End it as a dead battery would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        if self._process is None or self._process.poll() is not None:
            return
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    def _wait_until_it_answers(self) -> None:
        assert self._process is not None
        give_up_at = time.monotonic() + self.patience
        while True:
            try:
                urllib.request.urlopen(f"{self.base}/_alive", timeout=2).close()
            except OSError:
                assert self._process.poll() is None, self.log()
                assert time.monotonic() < give_up_at, "the server does not answer"
                time.sleep(0.03)
            else:
                return


ServerT = TypeVar("ServerT", bound=ServerProcess)


@contextmanager
def running(server: ServerT) -> Iterator[ServerT]:
    """For as long as it is needed; by the end it must have met with nothing unforeseen."""
    server.start()
    try:
        yield server
    finally:
        server.stop()
    assert "Traceback" not in server.log(), server.log()[-3000:]
