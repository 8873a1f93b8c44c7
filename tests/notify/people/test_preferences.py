"""Preferences: the closest one counts, in Python and in SQL alike."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tidings.kit import db
from tidings.spine.notify.people.preferences import CLOSEST_PREFERENCE, Preference, wanted

ALL_OFF, MAIL_ON = Preference("*", "*", False), Preference("*", "email", True)
NEWS_OFF, NEWS_BY_PUSH = Preference("news", "*", False), Preference("news", "push", True)
CASES = [
    # preferences, category, channel, required; the answer, and what it says
    ([], "news", "email", False, True, "no preference speaks of the category news on the channel email"),
    ([NEWS_OFF], "orders", "email", False, True, "no preference speaks of"),
    ([ALL_OFF], "news", "email", False, False, "every category on every channel is off"),
    ([ALL_OFF, MAIL_ON], "news", "email", False, True, "every category on the channel email is on"),
    ([ALL_OFF, MAIL_ON], "news", "push", False, False, "every category on every channel is off"),
    ([MAIL_ON, NEWS_OFF], "news", "email", False, False, "the category news on every channel is off"),
    ([NEWS_OFF, NEWS_BY_PUSH], "news", "push", False, True, "the category news on the channel push is on"),
    ([NEWS_OFF, NEWS_BY_PUSH], "news", "email", False, False, "the category news on every channel is off"),
    ([NEWS_OFF, ALL_OFF], "news", "email", True, True, "the category news is required"),
    ([NEWS_OFF, MAIL_ON], None, "email", False, True, "every category on the channel email is on"),
    ([NEWS_OFF], None, "email", False, True, "no preference speaks of every category on the channel email"),
]


@pytest.mark.parametrize(("preferences", "category", "channel", "required", "answer", "words"), CASES)
def test_the_closest_preference_counts(
    preferences: list[Preference], category: str | None, channel: str, required: bool, answer: bool, words: str
) -> None:
    verdict = wanted(preferences, category, channel, required)
    assert (verdict.wanted, words in verdict.reason) == (answer, True), verdict


@given(
    kept=st.dictionaries(
        st.tuples(st.sampled_from(["*", "news", "orders"]), st.sampled_from(["*", "email", "push"])), st.booleans()
    ),
    category=st.sampled_from([None, "news", "orders", "other"]),
    channel=st.sampled_from(["email", "push", "sms"]),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_sql_gives_the_same_answer(
    pool: db.Pool, kept: dict[tuple[str, str], bool], category: str | None, channel: str
) -> None:
    preferences = [Preference(*about, wanted) for about, wanted in kept.items()]
    closest = CLOSEST_PREFERENCE.format(person="p.id", category="$1::text", channel="$2::text")
    async with pool.acquire() as connection, connection.transaction():
        person = await connection.fetchval(
            "INSERT INTO tidings.people (tenant, name) VALUES ('default', 'Somebody') RETURNING id"
        )
        await connection.executemany(
            "INSERT INTO tidings.preferences (tenant, person_id, category, channel, wanted) "
            "VALUES ($1, $2, $3, $4, $5)",
            [("default", person, p.category, p.channel, p.wanted) for p in preferences],
        )
        found = await connection.fetchval(
            f"SELECT {closest} FROM tidings.people p WHERE p.id = $3", category, channel, person
        )
        await connection.execute("DELETE FROM tidings.people")
    verdict = wanted(preferences, category, channel, required=False)
    assert found is (None if verdict.preference is None else verdict.wanted)
    assert verdict.wanted is (True if found is None else found)
