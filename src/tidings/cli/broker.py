"""`tidings broker`: what is declared at RabbitMQ, how it stands, and the end of the stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.context import JsonOption, located_settings, run_async, show, table, transaction, utc
from tidings.cli.running import Load, with_handlers
from tidings.kit.errors import Misconfigured, Unavailable
from tidings.kit.settings import Settings

if TYPE_CHECKING:
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.standing import QueueStanding, Unpublished
    from tidings.spine.broker.topology import Queue

broker = typer.Typer(help="RabbitMQ, where you want the stream of facts outside.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(broker, name="broker")


@broker.command("declare")
def declare(load: Load = None, as_json: JsonOption = False) -> None:
    """Declare exchanges, queues and bindings, and begin to publish facts. Workers do the same when they start."""
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.standing import declare_all
    from tidings.spine.broker.streaming import declare_stream

    settings = _settings(load)
    queues = _queues(settings)

    async def run() -> None:
        with _naming(Broker(settings.broker)) as rabbitmq:
            await declare_all(rabbitmq, queues)
        async with transaction(settings) as connection:
            await declare_stream(connection)

    run_async(run())
    names = [queue.name for queue in queues]
    show({"queues": names}, as_json, f"Declared {len(names)} queues; from now on facts are published.")


@broker.command("status")
def status(load: Load = None, as_json: JsonOption = False) -> None:
    """Messages and consumers of each queue of ours, and how many facts wait to be published."""
    from tidings.spine.broker.connecting import Broker
    from tidings.spine.broker.standing import standing_of, unpublished

    settings = _settings(load)

    async def run() -> tuple[Unpublished, list[QueueStanding]]:
        async with transaction(settings) as connection:
            waiting = await unpublished(connection)
        with _naming(Broker(settings.broker)) as rabbitmq:
            return waiting, await standing_of(rabbitmq, _queues(settings))

    waiting, queues = run_async(run())
    document = {
        "address": Broker(settings.broker).address,
        "unpublished": {"facts": waiting.facts, "since": waiting.since},
        "queues": [asdict(queue) for queue in queues],
    }
    show(document, as_json, _lines(document["address"], waiting, queues))


@broker.command("end")
def end(
    sure: Annotated[bool, typer.Option("--yes", help="do it: facts that wait to be published never will be")] = False,
    as_json: JsonOption = False,
) -> None:
    """End the stream: facts are not published any more. Take TIDINGS_BROKER_URL from your workers first."""
    from tidings.spine.broker.standing import end_stream

    if not sure:
        raise typer.BadParameter("say --yes: facts that wait to be published never will be")

    async def run() -> int:
        async with transaction(located_settings()) as connection:
            return await end_stream(connection)

    cancelled = run_async(run())
    show({"cancelled": cancelled}, as_json, f"Facts are published no more; {cancelled} that waited will not be.")


@contextmanager
def _naming(broker: Broker) -> Iterator[Broker]:
    """Says which setting it is, and where, before what is wrong with it."""
    try:
        yield broker
    except Unavailable as error:
        raise Unavailable(f"TIDINGS_BROKER_URL: {broker.address}: {error.detail}") from error


def _settings(load: list[str] | None) -> Settings:
    settings = with_handlers(located_settings(), load)
    if settings.broker.url is None:
        raise Misconfigured("TIDINGS_BROKER_URL: is not set, so that there is no broker")
    return settings


def _queues(settings: Settings) -> list[Queue]:
    from tidings.app.broker import queues_of
    from tidings.worker import loading

    return queues_of(settings, loading.load(settings.worker.load).listeners)


def _lines(address: object, waiting: Unpublished, queues: Sequence[QueueStanding]) -> str:
    since = "" if waiting.since is None else f", the first since {utc(waiting.since)} UTC"
    rows = [(q.name, "missing" if q.messages is None else q.messages, q.consumers) for q in queues]
    facts = f"RabbitMQ on {address}. Facts that wait to be published: {waiting.facts}{since}."
    return f"{facts}\n\n{table(('QUEUE', 'MESSAGES', 'CONSUMERS'), rows)}"
