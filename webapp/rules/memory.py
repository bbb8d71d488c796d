"""What was worked out is kept for as long as nothing that it was worked out from has changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, TypeVar

ValueT = TypeVar("ValueT")
Read = tuple[str, str | None]
WorkOut = Callable[[], Any]
MOST = 20_000
RECENT = 50


class Trust(Enum):
    """How far a value may be relied on: as it is, after a look at its parts, or not at all."""

    HOLDS = auto()
    DOUBTFUL = auto()
    GONE = auto()


@dataclass(slots=True)
class _Sources:
    """In the order they were asked for: a later one may make sense only while the earlier ones are what they were."""

    reads: dict[Read, None] = field(default_factory=dict)
    parts: dict[Hashable, None] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Kept:
    """A value, since when it has been this one, and when that was last found to be so; `users` are made of it."""

    value: Any
    sources: _Sources
    work_out: WorkOut | None
    since: int
    checked: int
    asked: int
    trust: Trust = Trust.HOLDS
    users: set[Hashable] = field(default_factory=set)


class Memory:
    """Notes what is read while something is worked out: a document by kind and id, all of a kind (id None),
    and whatever else was recalled on the way.

    A change casts doubt on all that was made of it, near and far, and on nothing else. Where a part is worked out
    again and turns out the same, what was made of it holds too. It belongs to one table, and outlives its states.
    """

    def __init__(self, most: int = MOST) -> None:
        """`most`: so many values are kept before room is made; more where that many are wanted."""
        self._least = self._most = most
        self._now = 0
        self._kept: dict[Hashable, _Kept] = {}
        self._readers: dict[Read, set[Hashable]] = {}
        self._asking: list[_Sources] = []

    def note(self, kind: str, id: str | None) -> None:
        if self._asking:
            self._asking[-1].reads[kind, id] = None

    def forget(self, reads: Iterable[Read]) -> None:
        """These have changed."""
        self._now += 1
        for kind, id in reads:
            for key in (*self._readers.get((kind, id), ()), *self._readers.get((kind, None), ())):
                kept = self._kept[key]
                self._doubt(kept.users if kept.trust is Trust.HOLDS else ())
                kept.trust = Trust.GONE

    def _doubt(self, keys: Iterable[Hashable]) -> None:
        """Whatever is in doubt already has no users that are not."""
        coming = list(keys)
        while coming:
            kept = self._kept[coming.pop()]
            if kept.trust is Trust.HOLDS:
                kept.trust = Trust.DOUBTFUL
                coming += kept.users

    def recall(self, key: Hashable, work_out: Callable[[], ValueT], *, again: bool = True) -> ValueT:
        """`again` False: it is never worked out by itself, only for whoever asks, and nothing of theirs is kept."""
        self._make_room()
        kept = self._kept.get(key)
        if kept is None or not (kept.trust is Trust.HOLDS or self._still_holds(kept)):
            kept = self._worked_out(key, work_out, again=again)
        kept.asked = self._now
        if self._asking:
            self._asking[-1].parts[key] = None
        found: ValueT = kept.value
        return found

    def _still_holds(self, kept: _Kept) -> bool:
        if kept.trust is Trust.DOUBTFUL:
            same = all(self._is_same(part, kept.checked) for part in kept.sources.parts)
            kept.trust = Trust.HOLDS if same else Trust.GONE
            kept.checked = self._now if same else kept.checked
        return kept.trust is Trust.HOLDS

    def _is_same(self, key: Hashable, since: int) -> bool:
        part = self._kept.get(key)
        if part is None:
            return False
        if not self._still_holds(part):
            if part.work_out is None:
                return False
            try:
                part = self._worked_out(key, part.work_out, again=True)
            except Exception:  # it makes no sense any more, and whoever still asks for it will hear why
                return False
        return part.since <= since

    def _worked_out(self, key: Hashable, work_out: WorkOut, *, again: bool) -> _Kept:
        self._asking.append(_Sources())
        try:
            value = work_out()
        finally:
            sources = self._asking.pop()
        kept = self._kept.get(key)
        if kept is None:
            kept = self._kept[key] = _Kept(value, _Sources(), None, self._now, self._now, self._now)
        elif kept.value != value:
            kept.value, kept.since = value, self._now
        kept.work_out, kept.checked, kept.trust = work_out if again else None, self._now, Trust.HOLDS
        self._link(key, kept, sources)
        return kept

    def _link(self, key: Hashable, kept: _Kept, sources: _Sources) -> None:
        before, kept.sources = kept.sources, sources
        for read in before.reads.keys() - sources.reads.keys():
            self._readers[read].discard(key)
        for read in sources.reads.keys() - before.reads.keys():
            self._readers.setdefault(read, set()).add(key)
        for part in before.parts.keys() - sources.parts.keys():
            self._kept[part].users.discard(key)
        for part in sources.parts.keys() - before.parts.keys():
            self._kept[part].users.add(key)

    def _make_room(self) -> None:
        """Lets go of what nobody has asked for of late, and nothing is made of."""
        if len(self._kept) < self._most or self._asking:
            return
        wanted: dict[Hashable, _Kept] = {}
        coming = [key for key, kept in self._kept.items() if kept.asked >= self._now - RECENT]
        while coming:
            key = coming.pop()
            if key not in wanted:
                wanted[key] = self._kept[key]
                coming += self._kept[key].sources.parts
        self._kept = wanted
        self._most = max(self._least, 2 * len(wanted))
        for kept in wanted.values():
            kept.users.intersection_update(wanted)
        for readers in self._readers.values():
            readers.intersection_update(wanted)
        self._readers = {read: readers for read, readers in self._readers.items() if readers}
