"""OpenTelemetry spans from emit to handler. The context travels in the fact's metadata as `traceparent`.

Costs nothing where nobody set up tracing: without a tracer provider no span is made.
"""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from tidings.kit.settings import TelemetrySettings

_NAME = "tidings"


def configure(settings: TelemetrySettings, service: str) -> None:
    """Sends spans to the endpoint in the settings; without one, leaves tracing as the process has it."""
    if settings.otlp_endpoint is None:
        return
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": f"tidings-{service}"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.otlp_endpoint)))
    trace.set_tracer_provider(provider)


def is_on() -> bool:
    """Whether this process has a tracer provider, ours or its own."""
    trace = sys.modules.get("opentelemetry.trace")
    return trace is not None and not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)


def traceparent() -> str | None:
    """The caller's span in W3C form, to be kept in the fact."""
    if not is_on():
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent")


def emitting(kind: str, tenant: str) -> AbstractContextManager[Any]:
    """A span around the emitting of a fact."""
    if not is_on():
        return nullcontext()
    from opentelemetry import trace

    attributes = {"tidings.type": kind, "tidings.tenant": tenant}
    return trace.get_tracer(_NAME).start_as_current_span(
        f"emit {kind}", kind=trace.SpanKind.PRODUCER, attributes=attributes
    )


def handling(kind: str, tenant: str, intent_id: UUID, metadata: str | None) -> AbstractContextManager[Any]:
    """A span around a handler, the child of the span that emitted the fact."""
    if not is_on():
        return nullcontext()
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract(
        {"traceparent": str((json.loads(metadata) if metadata else {}).get("traceparent", ""))}
    )
    attributes = {"tidings.kind": kind, "tidings.tenant": tenant, "tidings.intent": str(intent_id)}
    return trace.get_tracer(_NAME).start_as_current_span(
        f"handle {kind}", context=parent, kind=trace.SpanKind.CONSUMER, attributes=attributes
    )
