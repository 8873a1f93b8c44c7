"""Every group of routes that the API has, the busiest first."""

from __future__ import annotations

from tidings.api.routes import (
    addresses,
    categories,
    facts,
    groups,
    health,
    imports,
    inbox,
    keys,
    live,
    me,
    outbox,
    pages,
    people,
    posting,
    rules,
    session,
    suppressions,
    templates,
    wishes,
)

ROUTES = (
    posting,
    facts,
    outbox,
    inbox,
    live,
    keys,
    session,
    health,
    pages,
    people,
    addresses,
    wishes,
    me,
    groups,
    categories,
    suppressions,
    imports,
    rules,
    templates,
)
