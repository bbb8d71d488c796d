"""The benchmark still works; what it measures is not judged here."""

from tests.bench.live import Plan, measure, report


async def test_the_benchmark_prints_a_figure_for_each_of_its_rows() -> None:
    rows = await measure(Plan(screens=(3,), rounds=1, logs=(0, 400), pages=2, browser=False))
    printed = "\n".join(report(rows, "python -m tests.bench.live", 1.0))
    for what in (
        "push, 3 screens",
        "roll, 3 screens",
        "all at once, 3 screens",
        "roll, 3 screens, 400 log entries",
        "start to first page",
        "memory for a phone's page",
        "memory for a GM's page",
    ):
        figures = [line.split("|")[2] for line in printed.splitlines() if line.startswith(f"| {what} |")]
        assert len(figures) == 1, what
        assert any(sign.isdigit() for sign in figures[0]), what
