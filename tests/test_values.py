"""Small values of the rules."""

from __future__ import annotations

import pytest

from webapp.rules.values import free_name


@pytest.mark.parametrize(
    ("taken", "free"),
    [((), "axe"), (("bow",), "axe"), (("axe",), "axe2"), (("axe", "axe3", "axe2"), "axe4")],
)
def test_one_more_of_a_kind_gets_the_first_number_that_is_free(taken: tuple[str, ...], free: str) -> None:
    assert free_name("axe", taken) == free
