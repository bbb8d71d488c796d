#!/usr/bin/env bash
# Formatting, lint, types and tests, in an environment that this script makes itself.
# Arguments go to pytest: bash tests/run.sh -k store
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PYTHON="${PYTHON:-python3}"
VENV=.venv

step() { printf -- '-- %s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }
can_apt() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

apt_install() {
    step "Installing $1 with apt-get"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

find_chromium() {
    local name
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && command -v "$name"; then return; fi
    done
    return 1
}

command -v "$PYTHON" >/dev/null || fail "Python 3.11 or newer is needed: install it as python3."
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Python 3.11 or newer is needed; $PYTHON is $("$PYTHON" -V). Name another one with PYTHON=…"

if ! "$PYTHON" -c 'import ensurepip, venv' 2>/dev/null; then
    can_apt || fail "Python's venv module is missing: on Debian and Ubuntu install python3-venv, then try again."
    apt_install python3-venv
fi

if ! "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
    step "Making the environment $VENV"
    "$PYTHON" -m venv --clear "$VENV"
fi

stamp=$("$VENV/bin/python" -c 'import hashlib, pathlib, sys
lock = pathlib.Path("tests/requirements.txt").read_bytes()
print(hashlib.sha256(lock).hexdigest(), sys.version.split()[0])')
if [ "$(cat "$VENV/lock.stamp" 2>/dev/null || true)" != "$stamp" ]; then
    step "Installing what tests/requirements.txt lists"
    "$VENV/bin/python" -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
    echo "$stamp" >"$VENV/lock.stamp"
else
    step "The environment $VENV has what tests/requirements.txt lists"
fi

step "Installing Gritboard as its users do"
"$VENV/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .

if ! CHROMIUM=$(find_chromium); then
    can_apt || fail "The tests need Chromium or Google Chrome: install one, or name its program with CHROMIUM=…"
    apt_install chromium
    CHROMIUM=$(find_chromium) || fail "Chromium was installed but is not found: name its program with CHROMIUM=…"
fi
export CHROMIUM
step "The browser is $CHROMIUM"

step "Formatting"
"$VENV/bin/ruff" format --check
step "Lint"
"$VENV/bin/ruff" check
step "Types"
"$VENV/bin/mypy"
step "Tests"
if [ $# = 0 ]; then
    set -- -n 2 --dist loadfile # whole files side by side: each brings its own servers and browsers
fi
"$VENV/bin/python" -m pytest "$@"
