"""What a worker counts. Depth and lag come from the database, see `api.metrics`."""

from __future__ import annotations

from prometheus_client import Counter, Gauge, Histogram

_FAST = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

LEASE_SECONDS = Histogram("tidings_lease_seconds", "Time to lease a batch", ["kind"], buckets=_FAST)
LEASED = Counter("tidings_leased_total", "Intents leased", ["kind"])
SETTLE_SECONDS = Histogram("tidings_settle_seconds", "Time to settle a batch", ["kind"], buckets=_FAST)
SETTLED = Counter("tidings_settled_total", "Intents settled, by outcome", ["kind", "outcome"])
HANDLE_SECONDS = Histogram("tidings_handle_seconds", "Time a handler took, for one intent or a batch", ["kind"])
IN_HAND = Gauge("tidings_in_hand", "Intents leased and not yet settled", ["kind"])
RESCUED = Counter("tidings_rescued_total", "Intents taken back from workers that died or froze")
