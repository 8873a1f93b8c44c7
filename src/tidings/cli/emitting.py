"""`tidings emit`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from tidings.cli.context import (
    JsonOption,
    TenantOption,
    located_settings,
    parse_time,
    run_async,
    show,
    transaction,
)
from tidings.kit import db
from tidings.kit.callers import invalid
from tidings.kit.settings import Settings


def register(app: typer.Typer) -> None:
    app.command()(emit)


def emit(
    type: Annotated[str, typer.Argument(help="what happened, such as order.paid")],
    data: Annotated[str, typer.Argument(help="a JSON object")] = "{}",
    stream: Annotated[str | None, typer.Option(help="TYPE/ID, such as order/7")] = None,
    key: Annotated[str | None, typer.Option(help="the same key again is the same fact")] = None,
    tenant: TenantOption = "default",
    run_at: Annotated[str | None, typer.Option(help="ISO 8601 with a timezone; default: now")] = None,
    metadata: Annotated[str, typer.Option(help="a JSON object, such as who did it")] = "{}",
    as_json: JsonOption = False,
) -> None:
    """Record a fact, and the intent that it causes."""
    fact: dict[str, Any] = {
        "stream": _stream(stream),
        "key": key,
        "tenant": tenant,
        "metadata": _object("metadata", metadata),
        "run_at": None if run_at is None else parse_time("--run-at", run_at),
    }
    fact_id = run_async(_emit(located_settings(), type, _object("data", data), fact))
    show({"id": str(fact_id)}, as_json, str(fact_id))


async def _emit(settings: Settings, type: str, data: dict[str, Any], fact: dict[str, Any]) -> object:
    from tidings.spine.journal.emitting import aemit

    async with transaction(settings, db.Role.EMIT) as connection:
        return await aemit(connection, type, data, **fact)


def _stream(text: str | None) -> tuple[Any, Any] | None:
    """TYPE/ID; what is missing of it is refused where every way of emitting is checked."""
    if text is None:
        return None
    stream_type, slash, stream_id = text.partition("/")
    return stream_type or None, stream_id if slash else None


def _object(name: str, text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise invalid(name, "is nested too deeply") from None
    except ValueError as error:
        raise invalid(name, f"is not valid JSON ({error})") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
