"""What was seen, as a client sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tidings.api.shown import shown_fact
from tidings.api.shown.plain import plain as _plain
from tidings.spine.delivery.seeing.causes import Answer
from tidings.spine.delivery.seeing.deliveries import DeliverySeen
from tidings.spine.delivery.seeing.forecast import Expected, Forecast
from tidings.spine.delivery.seeing.trace import Trace
from tidings.spine.delivery.seeing.why import Explanation, Matter
from tidings.spine.delivery.seeing.wording import place


def shown_trace(trace: Trace) -> dict[str, Any]:
    return {
        "fact": shown_fact(trace.fact),
        "intents": _plain(trace.intents),
        "listeners": _plain(trace.listeners),
        "notices": _plain(trace.notices),
        "notifications": _plain(trace.notifications),
        "deliveries": [_shown_delivery(delivery) for delivery in trace.deliveries],
        "counts": _plain(trace.counts),
        "counted": trace.counted,
        "facts": _plain(trace.facts),
        "truncated": trace.truncated,
    }


def shown_why(explanation: Explanation) -> dict[str, Any]:
    who = explanation.who
    return {
        "person": {"id": who.id, "externalId": who.external_id, "name": who.name},
        "matters": [_shown_matter(matter) for matter in explanation.matters],
        "truncated": explanation.truncated,
    }


def shown_forecast(forecast: Forecast, zone: str) -> dict[str, Any]:
    return {
        "since": forecast.since,
        "until": forecast.until,
        "timezone": zone,
        "expected": [_shown_expected(each) for each in forecast.expected],
        "capped": forecast.capped,
        "held": forecast.held,
        "unserved": list(forecast.unserved),
        "coming": _plain(forecast.coming.items),
    }


def _shown_delivery(delivery: DeliverySeen) -> dict[str, Any]:
    tries = []
    for each in delivery.tries:
        attempt = _plain(each)
        took: timedelta | None = attempt.pop("took")
        tries.append(attempt | {"tookSeconds": None if took is None else took.total_seconds()})
    shown: dict[str, Any] = _plain(delivery)
    return shown | {"address": place(delivery.channel, delivery.address), "tries": tries}


def _shown_matter(matter: Matter) -> dict[str, Any]:
    answers = [_shown_answer(answer) for answer in matter.answers]
    return {"fact": _plain(matter.fact), "got": matter.got, "answers": answers}


def _shown_answer(answer: Answer) -> dict[str, Any]:
    about: dict[str, Any] = _plain(answer.about)
    return {"cause": answer.cause, "got": answer.got, "sentences": list(answer.sentences), "at": answer.at, **about}


def _shown_expected(each: Expected) -> dict[str, Any]:
    return {
        "startsAt": each.starts_at,
        "day": each.local.date().isoformat(),
        "hour": each.local.hour,
        "what": each.what,
        "name": each.name,
        "count": each.count,
    }
