"""Links that settle a matter: what they carry, which are offered, and when they end."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.temporal import keyring_of_tests
from tidings.kit.tokens import LONGEST
from tidings.spine.notify.matters.links import CLICKS, ActionLink, end_of, offered, open_action_links
from tidings.spine.notify.matters.model import USUAL, Action
from tidings.spine.notify.matters.words import spoken, words_of
from tidings.spine.notify.unsubscribing import Link, open_links

DUE = datetime(2026, 11, 18, 12, 0, tzinfo=UTC)
WEEK = timedelta(days=7)
LINK = ActionLink("default", UUID(int=7), UUID(int=8), Action.CONFIRMED, DUE)
LINKS = open_action_links(keyring_of_tests(), "https://tidings.example.com")


@given(st.uuids(), st.uuids(), st.sampled_from(Action), st.from_regex(r"[a-z0-9-]{1,63}", fullmatch=True))
def test_a_link_comes_back_as_it_was_and_is_the_same_every_time(
    notification: UUID, delivery: UUID, action: Action, tenant: str
) -> None:
    link = ActionLink(tenant, notification, delivery, action, DUE)
    token = LINKS.token(link)
    assert LINKS.read(token) == link
    assert LINKS.url(link) == f"https://tidings.example.com/act/{token}"
    assert LINKS.token(link) == token
    assert len(token) < LONGEST / 4


def test_whatever_is_different_makes_another_link() -> None:
    others = [
        replace(LINK, tenant="another"),
        replace(LINK, notification_id=uuid4()),
        replace(LINK, delivery_id=uuid4()),
        replace(LINK, action=Action.REJECTED),
        replace(LINK, until=DUE + timedelta(seconds=1)),
    ]
    assert len({LINKS.token(link) for link in [LINK, *others]}) == 6


def test_neither_reads_what_is_the_others() -> None:
    unsubscribing = open_links(keyring_of_tests(), "https://tidings.example.com")
    assert unsubscribing.read(LINKS.token(LINK)) is None
    assert LINKS.read(unsubscribing.token(Link("default", UUID(int=7), "orders"))) is None
    assert LINKS.read("") is None


@pytest.mark.parametrize(
    ("possible", "expected"),
    [
        (("CONFIRMED", "REJECTED", "POSTPONED", "DISMISSED", "CUSTOM"), ("CONFIRMED", "REJECTED")),
        (("REJECTED", "CONFIRMED"), ("CONFIRMED", "REJECTED")),
        (USUAL, ("CONFIRMED", "DISMISSED")),
        (("DISMISSED",), ("DISMISSED",)),
        (("REJECTED", "DISMISSED"), ("REJECTED",)),
        (("POSTPONED", "CUSTOM"), ()),
        ((), ()),
    ],
)
def test_a_message_offers_to_say_yes_and_to_say_no(possible: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert offered(possible) == expected


@pytest.mark.parametrize(
    ("late", "end"),
    [
        (timedelta(0), WEEK),
        (timedelta(seconds=-3), WEEK),
        (timedelta(hours=23, minutes=59), WEEK),
        (timedelta(days=1), WEEK + timedelta(days=1)),
        (timedelta(days=9, hours=1), WEEK + timedelta(days=9)),
    ],
)
def test_a_link_ends_a_week_after_its_message_was_due_or_a_day_later_for_each_day_that_it_is_late(
    late: timedelta, end: timedelta
) -> None:
    assert end_of(DUE, DUE + late) == DUE + end


@given(st.timedeltas(timedelta(0), timedelta(days=400)))
def test_whoever_gets_a_message_has_six_days_at_least_and_seven_at_most(late: timedelta) -> None:
    left = end_of(DUE, DUE + late) - (DUE + late)
    assert timedelta(days=6) < left <= WEEK


def test_what_takes_a_click_has_a_label_in_every_language() -> None:
    labels = [words_of(language).buttons for language in ("en", "de", "it")]
    assert all(set(each) == set(CLICKS) for each in labels)


@pytest.mark.parametrize(
    ("locales", "expected"),
    [(("de-AT", "it"), "de"), ((None, "it"), "it"), (("fr", "IT-it"), "it"), (("fr", None), None), ((), None)],
)
def test_the_first_language_that_there_are_words_in_is_spoken(
    locales: tuple[str | None, ...], expected: str | None
) -> None:
    assert spoken(*locales) == expected
