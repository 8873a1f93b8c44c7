"""A server span for each request, the child of the caller's. Nothing where tracing is off."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from tidings.api.exchange import Exchange
from tidings.api.secret_paths import without_secrets
from tidings.kit import telemetry

_OFF: AbstractContextManager[Any] = nullcontext()


def serving(scope: Any, exchange: Exchange) -> AbstractContextManager[Any]:
    if not telemetry.is_on():
        return _OFF
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract({"traceparent": exchange.traceparent or ""})
    path = without_secrets(scope["path"])
    attributes = {"http.request.method": scope["method"], "url.path": path[:200]}
    return trace.get_tracer("tidings").start_as_current_span(
        f"{scope['method']} {path[:100]}",
        context=parent,
        kind=trace.SpanKind.SERVER,
        attributes={**attributes, "tidings.request_id": exchange.request_id},
    )


def trace_of(exchange: Exchange) -> str | None:
    """What a fact keeps of the trace it was posted in: this request's span or, with tracing off, the caller's."""
    return telemetry.traceparent() or exchange.traceparent
