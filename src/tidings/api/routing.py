"""Every group of routes that the API has, the busiest first."""

from __future__ import annotations

from tidings.api.routes import (
    addresses,
    categories,
    deliveries,
    facts,
    groups,
    health,
    imports,
    inbox,
    keys,
    live,
    me,
    notices,
    outbox,
    pages,
    people,
    posting,
<<<<<<< HEAD
    providers,
    sandbox,
=======
    rules,
>>>>>>> 7e55425c0ec7528986f4ac6718d3d3d2a060816c
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
<<<<<<< HEAD
    notices,
    deliveries,
    providers,
    sandbox,
=======
    rules,
    templates,
>>>>>>> 7e55425c0ec7528986f4ac6718d3d3d2a060816c
)
