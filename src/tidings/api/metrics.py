"""What the API counts about itself. What is in the database is in `collector`."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram

_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}


class HttpMetrics:
    """Requests by route, method and status. Routes are templates: what a client types cannot add a series."""

    def __init__(self, registry: CollectorRegistry) -> None:
        labels = ["route", "method"]
        self._requests = Counter("tidings_http_requests", "Requests answered", [*labels, "status"], registry=registry)
        self._seconds = Histogram(
            "tidings_http_request_seconds", "Time to answer a request", labels, buckets=_BUCKETS, registry=registry
        )
        self._series: dict[tuple[str, str, int], tuple[Any, Any]] = {}

    def observe(self, scope: Any, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path_format", "unmatched")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        key = (route, method, status or 499)
        series = self._series.get(key)
        if series is None:
            requests = self._requests.labels(route, method, str(key[2]))
            series = self._series[key] = (requests, self._seconds.labels(route, method))
        series[0].inc()
        series[1].observe(seconds)
