"""Reading what a report says: as one tenant, without writing, and no more than a mail can carry."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from tests.support.pipeline import Owner
from tidings.kit.db import Role, open_pool
from tidings.kit.settings import Settings
from tidings.modules.reports.catalogue import Figure, ReportType
from tidings.modules.reports.generating import Asked, GenerationFailed, Generator
from tidings.modules.reports.rendering.formats import Format

AT = datetime(2026, 3, 2, 8, tzinfo=UTC)
PERIOD = "FROM (SELECT $1::timestamptz, $2::timestamptz) AS period"


@pytest.fixture
async def generator(owner: Owner, settings: Settings) -> AsyncIterator[Generator]:
    pool = await open_pool(settings.database, Role.API, name="tests")
    yield Generator(pool)
    pool.terminate()


def asked(table: str, figure: str = "1") -> Asked:
    kind = ReportType("own", "Own", "", (Figure("Of this tenant", f"SELECT {figure} {PERIOD}"),), f"{table} {PERIOD}")
    return Asked(kind, "Mine", AT, AT, "UTC", Format.CSV)


async def test_it_says_what_is_the_tenants_alone(generator: Generator, owner: Owner) -> None:
    await owner.execute("INSERT INTO tidings.tenants (id, name) VALUES ('globex', 'Globex')")
    for tenant, name in (("default", "ours"), ("globex", "theirs")):
        await owner.execute("INSERT INTO tidings.categories VALUES ($1, $2, $2)", tenant, name)
    ours = "(SELECT string_agg(id, ',') FROM tidings.categories WHERE id IN ('ours', 'theirs'))"
    made = await generator.generate("default", asked(f"SELECT {ours} AS name", ours))
    assert (made.summary, made.content) == ("Of this tenant: ours", b"name\r\nours\r\n")


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ("SELECT repeat('x', 11 << 20) AS long", "it is larger than 10 MB"),
        ("SELECT generate_series(1, 1001) AS n", "it has more than 1,000 rows"),
        ("SELECT nextval('tidings.report_runs_id_seq') AS n", "a statement of Own (would write|failed)"),
        ("SELECT 1 / 0 AS n", "a statement of Own failed: division by zero"),
    ],
)
async def test_what_cannot_be_made_says_why(generator: Generator, table: str, reason: str) -> None:
    with pytest.raises(GenerationFailed, match=reason):
        await generator.generate("default", asked(table))
