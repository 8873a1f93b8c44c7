"""Preferences: the closest one counts."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tidings.kit import db
from tidings.spine.notify.people.preferences import Preference, closest_preference

ALL_OFF, MAIL_ON = Preference("*", "*", False), Preference("*", "email", True)
NEWS_OFF, NEWS_BY_PUSH = Preference("news", "*", False), Preference("news", "push", True)
CASES: list[tuple[list[Preference], str | None, str, Preference | None]] = [
    # preferences, category, channel; which one counts
    ([], "news", "email", None),
    ([NEWS_OFF], "orders", "email", None),
    ([ALL_OFF], "news", "email", ALL_OFF),
    ([ALL_OFF, MAIL_ON], "news", "email", MAIL_ON),
    ([ALL_OFF, MAIL_ON], "news", "push", ALL_OFF),
    ([MAIL_ON, NEWS_OFF], "news", "email", NEWS_OFF),
    ([NEWS_OFF, NEWS_BY_PUSH], "news", "push", NEWS_BY_PUSH),
    ([NEWS_OFF, NEWS_BY_PUSH], "news", "email", NEWS_OFF),
    ([NEWS_OFF, MAIL_ON], None, "email", MAIL_ON),
    ([NEWS_OFF], None, "email", None),
]


async def closest(
    pool: db.Pool, preferences: Sequence[Preference], category: str | None, channel: str
) -> Preference | None:
    statement = closest_preference("category, channel, wanted", "p.id", "$1::text", "$2::text")
    async with pool.acquire() as connection, connection.transaction():
        person = await connection.fetchval(
            "INSERT INTO tidings.people (tenant, name) VALUES ('default', 'Somebody') RETURNING id"
        )
        await connection.executemany(
            "INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted) "
            "VALUES ('default', $1, $2, $3, $4)",
            [(person, p.category, p.channel, p.wanted) for p in preferences],
        )
        row = await connection.fetchrow(
            f"SELECT w.* FROM tidings.people p, LATERAL ({statement}) w WHERE p.id = $3", category, channel, person
        )
    return None if row is None else Preference(*row)


async def test_the_closest_preference_counts(pool: db.Pool) -> None:
    for preferences, category, channel, expected in CASES:
        assert await closest(pool, preferences, category, channel) == expected


@given(
    kept=st.dictionaries(
        st.tuples(st.sampled_from(["*", "news", "orders"]), st.sampled_from(["*", "email", "push"])), st.booleans()
    ),
    category=st.sampled_from([None, "news", "orders", "other"]),
    channel=st.sampled_from(["email", "push", "sms"]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_a_category_counts_more_than_a_channel_and_either_more_than_all(
    pool: db.Pool, kept: dict[tuple[str, str], bool], category: str | None, channel: str
) -> None:
    preferences = [Preference(*about, wanted) for about, wanted in kept.items()]
    nearness = [(category, channel), (category, "*"), ("*", channel), ("*", "*")]
    expected = next((Preference(str(c), ch, kept[str(c), ch]) for c, ch in nearness if (c, ch) in kept), None)
    assert await closest(pool, preferences, category, channel) == expected
