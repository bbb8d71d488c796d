"""Putting an act back, field by field, without disturbing what came after it."""

from __future__ import annotations

from copy import deepcopy
from enum import StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from webapp.rules.document import Body, Change, changes
from webapp.rules.values import Frozen, Handling


class Verdict(StrEnum):
    DONE = "put back"
    BITES = "put back as far as the track's end allows"
    LEFT = "left as it is, touched since"
    IN_THE_WAY = "changed since"


class PutBack(Frozen):
    """What became of one change."""

    change: Change
    verdict: Verdict


def put_back(bodies: dict[str, Body | None], model: type[BaseModel], change: Change) -> PutBack:
    """Reverts one change in `bodies`, in place; what stands in the way stays as it is."""
    body = bodies.get(change.key)
    if not change.path:
        return PutBack(change=change, verdict=_put_back_whole(bodies, model, change))
    if body is None:
        return PutBack(change=change, verdict=Verdict.LEFT)
    holder = _holder(body, change.path)
    if holder is None:
        return PutBack(change=change, verdict=Verdict.IN_THE_WAY)
    return PutBack(change=change, verdict=_put_back_field(holder, model, change))


def _put_back_whole(bodies: dict[str, Body | None], model: type[BaseModel], change: Change) -> Verdict:
    now = bodies.get(change.key)
    if change.before is None:
        if now is not None and not _same_but_for_trails(model, now, change.after):
            return Verdict.IN_THE_WAY
        bodies[change.key] = None
        return Verdict.DONE
    if now is not None:
        if _alike(model, (), now, change.before):
            return Verdict.DONE
        return Verdict.LEFT if _same_but_for_trails(model, now, change.before) else Verdict.IN_THE_WAY
    assert isinstance(change.before, dict)
    bodies[change.key] = deepcopy(change.before)
    return Verdict.DONE


def _put_back_field(holder: Body, model: type[BaseModel], change: Change) -> Verdict:
    name, now, how = change.path[-1], holder.get(change.path[-1]), handling(model, change.path)
    if _alike(model, change.path, now, change.after):
        _set(holder, model, change)
        return Verdict.DONE
    match how, now, change.before, change.after:
        case Handling.COUNTED, int(), int(), int():
            return _count_back(holder, name, change.before - change.after)
        case Handling.TRAIL, _, _, _:
            return Verdict.LEFT
    return Verdict.DONE if _alike(model, change.path, now, change.before) else Verdict.IN_THE_WAY


def _count_back(holder: Body, name: str, difference: int) -> Verdict:
    now, full = holder[name], holder.get("full")
    assert isinstance(now, int)
    wanted = now + difference
    held = max(0, min(wanted, full)) if isinstance(full, int) else max(0, wanted)
    holder[name] = held
    return Verdict.DONE if held == wanted else Verdict.BITES


def _set(holder: Body, model: type[BaseModel], change: Change) -> None:
    """A field goes back to what it held; an item that a map did not have leaves it."""
    if change.before is None and _is_map(model, change.path[:-1]):
        holder.pop(change.path[-1], None)
    else:
        holder[change.path[-1]] = deepcopy(change.before)


def _holder(body: Body, path: tuple[str, ...]) -> Body | None:
    inner: Any = body
    for name in path[:-1]:
        inner = inner.get(name) if isinstance(inner, dict) else None
    return inner if isinstance(inner, dict) else None


def _same_but_for_trails(model: type[BaseModel], now: Body, then: Any) -> bool:
    then, now = _as_today(model, (), then), _as_today(model, (), now)
    return all(handling(model, change.path) is Handling.TRAIL for change in changes("", then, now))


def _alike(model: type[BaseModel], path: tuple[str, ...], now: Any, then: Any) -> bool:
    """Also where `then` was saved by an older Gritboard, whose documents had fewer fields."""
    return bool(now == then or _as_today(model, path, now) == _as_today(model, path, then))


def _as_today(model: type[BaseModel], path: tuple[str, ...], value: Any) -> Any:
    kind = kind_at(model, path)
    if kind is None or not isinstance(value, dict | list):
        return value
    try:
        adapter = TypeAdapter(kind)
        return adapter.dump_python(adapter.validate_python(value), mode="json")
    except ValidationError:
        return value


def _is_map(model: type[BaseModel], path: tuple[str, ...]) -> bool:
    return any(get_origin(kind) is dict for kind in _alternatives(kind_at(model, path)))


def kind_at(model: type[BaseModel], path: tuple[str, ...]) -> Any:
    """What the field at this path may hold; None where there is no such field."""
    inner: Any = model
    for name in path:
        inner, _ = _step(inner, name)
    return inner


def handling(model: type[BaseModel], path: tuple[str, ...]) -> Handling | None:
    """How undo treats the field at this path; a mark on an outer field holds for all within."""
    inner: Any = model
    for name in path:
        inner, mark = _step(inner, name)
        if mark is not None:
            return mark
        if inner is None:
            return None
    return None


def _step(holder: Any, name: str) -> tuple[Any, Handling | None]:
    for kind in _alternatives(holder):
        if isinstance(kind, type) and issubclass(kind, BaseModel) and name in kind.model_fields:
            field = kind.model_fields[name]
            return field.annotation, next((mark for mark in field.metadata if isinstance(mark, Handling)), None)
        if get_origin(kind) is dict:
            return get_args(kind)[1], None
    return None, None


def _alternatives(annotation: Any) -> tuple[Any, ...]:
    if get_origin(annotation) in (Union, UnionType):
        return get_args(annotation)
    return (annotation,)
