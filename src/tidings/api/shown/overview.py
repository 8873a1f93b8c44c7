"""A tenant at a glance, as a client sees it."""

from __future__ import annotations

from typing import Any

from tidings.api.shown.plain import plain
from tidings.spine.delivery.overview.overview import Overview
from tidings.spine.delivery.overview.standing import Standing


def shown_overview(overview: Overview) -> dict[str, Any]:
    standing = overview.standing
    return {
        "at": standing.at,
        "minutes": plain(list(overview.minutes)),
        "countedUntil": overview.counted_until,
        "totals": shown_totals(standing),
        "lag": {"intentsSeconds": standing.intents_lag, "deliveriesSeconds": standing.deliveries_lag},
        "workers": standing.workers,
        "kindsWithoutWorker": list(standing.kinds_without_worker),
        "providers": plain(list(overview.providers)),
        "failures": plain(list(overview.failures)),
        "begun": plain(overview.begun),
    }


def shown_totals(standing: Standing) -> dict[str, Any]:
    return {
        "intents": plain(standing.intents),
        "deliveries": plain(standing.deliveries),
        "held": standing.held,
        "dead": standing.dead,
        "capped": standing.capped,
    }
