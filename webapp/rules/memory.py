"""What was worked out is kept for as long as nothing that it was worked out from has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

ValueT = TypeVar("ValueT")
Read = tuple[str, str | None]
WorkOut = Callable[[], Any]
MOST = 20_000
RECENT = 50


@dataclass(slots=True)
class _Sources:
    """In the order they were asked for: a later one may make sense only while the earlier ones are what they were."""

    reads: dict[Read, None] = field(default_factory=dict)
    parts: dict[Hashable, None] = field(default_factory=dict)


@dataclass(slots=True)
class _Kept:
    """A value, since when it has been this one, and when that was last found to be so."""

    value: Any
    sources: _Sources
    work_out: WorkOut | None
    since: int
    checked: int


class Memory:
    """Notes what is read while something is worked out: a document by kind and id, all of a kind (id None),
    and whatever else was recalled on the way.

    Where a part is worked out again and turns out the same, what was made of it holds too.
    It belongs to one table, and outlives its states.
    """

    def __init__(self) -> None:
        self._now = 0
        self._changed: dict[Read, int] = {}
        self._kept: dict[Hashable, _Kept] = {}
        self._asking: list[_Sources] = []

    def note(self, kind: str, id: str | None) -> None:
        if self._asking:
            self._asking[-1].reads[kind, id] = None

    def forget(self, reads: Iterable[Read]) -> None:
        """These have changed."""
        self._now += 1
        for kind, id in reads:
            self._changed[kind, id] = self._changed[kind, None] = self._now

    def recall(self, key: Hashable, work_out: Callable[[], ValueT], *, again: bool = True) -> ValueT:
        """`again` False: it is never worked out by itself, only for whoever asks, and nothing of theirs is kept."""
        kept = self._kept.get(key)
        if kept is None or not self._holds(kept):
            kept = self._worked_out(key, work_out, again=again)
        if self._asking:
            self._asking[-1].parts[key] = None
        found: ValueT = kept.value
        return found

    def _holds(self, kept: _Kept) -> bool:
        if kept.checked == self._now:
            return True
        for read in kept.sources.reads:
            if self._changed.get(read, 0) > kept.checked:
                return False
        if not all(self._is_same(part, kept.checked) for part in kept.sources.parts):
            return False
        kept.checked = self._now
        return True

    def _is_same(self, key: Hashable, since: int) -> bool:
        part = self._kept.get(key)
        if part is None:
            return False
        if not self._holds(part):
            if part.work_out is None:
                return False
            try:
                part = self._worked_out(key, part.work_out, again=True)
            except Exception:  # it makes no sense any more, and whoever still asks for it will hear why
                del self._kept[key]
                return False
        return part.since <= since

    def _worked_out(self, key: Hashable, work_out: WorkOut, *, again: bool) -> _Kept:
        self._asking.append(_Sources())
        try:
            value = work_out()
        finally:
            sources = self._asking.pop()
        since, before = self._now, self._kept.get(key)
        if before is not None and before.value == value:
            value, since = before.value, before.since
        kept = _Kept(value, sources, work_out if again else None, since, self._now)
        self._kept[key] = kept
        self._make_room()
        return kept

    def _make_room(self) -> None:
        """Lets go of what nobody has asked for of late."""
        if len(self._kept) > MOST:
            late = self._now - RECENT
            self._kept = {key: kept for key, kept in self._kept.items() if kept.checked >= late}
