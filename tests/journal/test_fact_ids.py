"""The id of a fact with a key: the same for the same parts, another for any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.postgres import Server

Parts: TypeAlias = tuple[str, str, str | None, str | None, str]

_TEXT = st.text(st.sampled_from("ab:1é\u0301🎉"), min_size=1, max_size=6)
_STREAM = st.one_of(st.just((None, None)), st.tuples(_TEXT, _TEXT))
_PARTS = st.builds(lambda tenant, kind, stream, key: (tenant, kind, *stream, key), _TEXT, _TEXT, _STREAM, _TEXT)
_SAME_TEXT = st.text(st.sampled_from("ab1:"), min_size=4, max_size=9)
_PROPERTY = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def connection(postgres_18: Server) -> Iterator[psycopg.Connection]:
    with postgres_18.database() as url, psycopg.connect(url, autocommit=True) as connection:
        yield connection


def _id(connection: psycopg.Connection, parts: Parts) -> UUID:
    statement = "SELECT tidings.fact_id(%s::text, %s::text, %s::text, %s::text, %s::text)"
    row = connection.execute(statement, parts).fetchone()
    assert row is not None
    found: UUID = row[0]
    return found


@_PROPERTY
@given(one=_PARTS, other=_PARTS)
def test_different_parts_have_different_ids(connection: psycopg.Connection, one: Parts, other: Parts) -> None:
    assert (_id(connection, one) == _id(connection, other)) == (one == other)


@_PROPERTY
@given(whole=_SAME_TEXT, cuts=st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_the_same_text_cut_elsewhere_has_another_id(
    connection: psycopg.Connection, whole: str, cuts: tuple[int, int]
) -> None:
    first, second = (("t", "a.b", "s", whole[:cut], whole[cut:]) for cut in cuts)
    assert (_id(connection, first) == _id(connection, second)) == (cuts[0] == cuts[1])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("t", "a.b", "a", "bc", "k"), ("t", "a.b", "ab", "c", "k")),
        (("t", "a.b", None, None, "k"), ("t", "a.b", "", "", "k")),
        (("t", "a.b", "s", "1", "1:k"), ("t", "a.b", "s", "11:", "k")),
        (("t", "a.b", None, None, "3:a.b"), ("t3:a.b", "a.b", None, None, "a.b")),
    ],
)
def test_parts_do_not_run_into_each_other(connection: psycopg.Connection, one: Parts, other: Parts) -> None:
    assert _id(connection, one) != _id(connection, other)


def test_an_id_is_a_valid_uuid_of_its_own_version(connection: psycopg.Connection) -> None:
    found = _id(connection, ("default", "order.paid", None, None, "k"))
    assert (found.version, found.variant) == (8, "specified in RFC 4122")


def test_the_id_of_given_parts_never_changes(connection: psycopg.Connection) -> None:
    """Stored ids were made by it: a change would record old facts again."""
    assert str(_id(connection, ("default", "order.paid", "order", "7", "order.paid:7"))) == (
        "31d49787-491e-8194-8506-70061ac8a5a4"
    )
