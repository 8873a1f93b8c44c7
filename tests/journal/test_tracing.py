"""Where a process traces, a fact carries the span that emitted it."""

from __future__ import annotations

import json
import subprocess
import sys

_PROGRAM = """
import json, sys, psycopg, tidings
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

spans, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(spans))
trace.set_tracer_provider(provider)
with psycopg.connect(sys.argv[1]) as connection, trace.get_tracer("app").start_as_current_span("request"):
    tidings.emit(connection, "order.paid", {"n": 1})
    tidings.emit_many(connection, [tidings.NewFact("order.paid"), tidings.NewFact("order.shipped")])
    rows = connection.execute("SELECT metadata ->> 'traceparent' FROM tidings.facts ORDER BY seq").fetchall()
finished = [(s.name, format(s.context.trace_id, "032x"), format(s.context.span_id, "016x"))
            for s in spans.get_finished_spans()]
print(json.dumps([[row[0] for row in rows], finished]))
"""


def test_a_fact_carries_the_span_that_emitted_it(database_url: str) -> None:
    ran = subprocess.run([sys.executable, "-c", _PROGRAM, database_url], capture_output=True, text=True, check=True)
    parents, (one, many, request) = json.loads(ran.stdout)
    assert [name for name, *_ in (one, many, request)] == ["emit order.paid", "emit facts", "request"]
    assert one[1] == many[1] == request[1]
    assert [parent.rpartition("-")[0] for parent in parents] == [f"00-{t}-{s}" for _, t, s in (one, many, many)]
