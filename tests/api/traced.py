"""Posts one fact and opens one link with tracing on, and prints what was traced.

A process of its own: a tracer provider is set once.
"""

from __future__ import annotations

import asyncio
import json
import sys

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.api.world import api_settings, running


async def main(url: str, key: str, parent: str) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    async with running(api_settings(url)) as client:
        fact = await client.acting(key, traceparent=parent).emit()
        await client.get("/unsubscribe/a-secret")
    span, opened = exporter.get_finished_spans()
    assert span.context is not None
    assert span.parent is not None
    told = {"trace": span.context.trace_id, "span": span.context.span_id, "parent": span.parent.span_id}
    said = {"fact": fact["metadata"]["traceparent"], "opened": opened.to_json()}
    print(json.dumps({name: f"{value:x}" for name, value in told.items()} | said))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
