"""A renderer, and what a template is given."""

from __future__ import annotations

from typing import Any

import pytest

from tidings.spine.notify.templates.checking import Checker
from tidings.spine.notify.templates.rendering import Renderer


@pytest.fixture(scope="session")
def renderer() -> Renderer:
    return Renderer()


@pytest.fixture(scope="session")
def checker(renderer: Renderer) -> Checker:
    return Checker(renderer)


@pytest.fixture
def context() -> dict[str, Any]:
    data = {
        "order": "4711",
        "total": 1250.5,
        "startsAt": "2026-03-29T09:30:00Z",
        "items": [{"name": "chair", "price": 40}, {"name": "table", "price": 160}],
    }
    return {
        "fact": {"type": "order.paid", "data": data, "occurredAt": "2026-03-28T23:30:00Z"},
        "data": data,
        "notice": {"title": "Order 4711 is paid", "body": "It has arrived.", "level": "info", "category": "orders"},
        "person": {"name": "the owner", "locale": "it-IT", "timezone": "Europe/Rome", "externalId": "7"},
        "tenant": {"name": "Example Shop"},
        "unsubscribe_url": "https://tidings.example.com/u/abc",
        "links": [],
    }
