"""`tidings emit`."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from tidings.cli.context import located_settings, parse_time, run_async, show
from tidings.kit import db
from tidings.kit.errors import Fault, ValidationFailed
from tidings.kit.settings import Settings

JSON_OPTION = Annotated[bool, typer.Option("--json", help="print JSON")]


def register(app: typer.Typer) -> None:
    app.command()(emit)


def emit(
    type: Annotated[str, typer.Argument(help="what happened, such as order.paid")],
    data: Annotated[str, typer.Argument(help="a JSON object")] = "{}",
    stream: Annotated[str | None, typer.Option(help="TYPE/ID, such as order/7")] = None,
    key: Annotated[str | None, typer.Option(help="the same key again is the same fact")] = None,
    tenant: Annotated[str, typer.Option()] = "default",
    run_at: Annotated[str | None, typer.Option(help="ISO 8601 with a timezone; default: now")] = None,
    as_json: JSON_OPTION = False,
) -> None:
    """Record a fact, and the intent that it causes."""
    stream_type, stream_id = _stream(stream)
    fact: dict[str, Any] = {
        "stream": (stream_type, stream_id) if stream_type else None,
        "key": key,
        "tenant": tenant,
        "run_at": None if run_at is None else parse_time("--run-at", run_at),
    }
    fact_id = run_async(_emit(located_settings(), type, _object(data), fact))
    show({"id": str(fact_id)}, as_json, str(fact_id))


async def _emit(settings: Settings, type: str, data: dict[str, Any], fact: dict[str, Any]) -> object:
    from tidings.spine.journal.emitting import aemit

    connection = await db.connect(settings.database, db.Role.EMIT, name="emit")
    try:
        async with connection.transaction():
            return await aemit(connection, type, data, **fact)
    finally:
        await connection.close()


def _stream(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    stream_type, slash, stream_id = text.partition("/")
    if not slash:
        raise ValidationFailed("--stream: must be TYPE/ID, such as order/7")
    return stream_type, stream_id


def _object(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValidationFailed("data: is nested too deeply", (Fault("data", "is nested too deeply"),)) from None
    except ValueError as error:
        raise ValidationFailed(f"data: is not valid JSON ({error})") from None
    if not isinstance(data, dict):
        raise ValidationFailed("data: must be a JSON object")
    return data


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
