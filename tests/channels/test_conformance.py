"""What every adapter promises, tried on each against a server on a real socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from tests.channels.behaviours import Behaviour, Case, Provider
from tests.channels.cases import CASES
from tests.channels.times import PATIENT, SHORT
from tidings.spine.channels.port import Adapter, Blame, Deferred, Outcome, Rejected, Sent, Unknown
from tidings.spine.channels.registry import Outside

B = Behaviour

Reaching = Callable[[timedelta], Outside]


def with_every(behaviour: Behaviour) -> pytest.MarkDecorator:
    """Every adapter whose provider can behave like this."""
    able = [case for case in CASES if behaviour not in case.cannot]
    return pytest.mark.parametrize("case", able, ids=lambda case: case.name)


@asynccontextmanager
async def meeting(
    case: Case, behaviour: Behaviour, outside: Reaching, deadline: timedelta = PATIENT
) -> AsyncIterator[tuple[Adapter, Provider]]:
    """An adapter and its provider, who behaves like this."""
    async with case.start(behaviour) as provider:
        adapter = provider.adapter(outside(deadline))
        try:
            yield adapter, provider
        finally:
            await adapter.close()


async def outcome(case: Case, behaviour: Behaviour, outside: Reaching, deadline: timedelta = PATIENT) -> Outcome:
    async with meeting(case, behaviour, outside, deadline) as (adapter, _):
        return await adapter.send(case.message)


@with_every(B.TAKES_IT)
async def test_what_is_taken_is_sent_with_a_receipt(case: Case, outside: Reaching) -> None:
    found = await outcome(case, B.TAKES_IT, outside)
    assert isinstance(found, Sent)
    assert found.receipt == case.receipt


@with_every(B.IS_BUSY)
async def test_a_passing_failure_is_deferred(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.IS_BUSY, outside), Deferred)


@with_every(B.ASKS_TO_WAIT)
async def test_a_provider_that_asks_to_wait_is_heard(case: Case, outside: Reaching) -> None:
    found = await outcome(case, B.ASKS_TO_WAIT, outside)
    assert isinstance(found, Deferred)
    assert found.after == timedelta(seconds=7)


@with_every(B.REFUSES_CREDENTIALS)
async def test_refused_credentials_are_deferred_and_the_providers_matter(case: Case, outside: Reaching) -> None:
    found = await outcome(case, B.REFUSES_CREDENTIALS, outside)
    assert isinstance(found, Deferred)
    assert found.blame is Blame.PROVIDER


@with_every(B.REJECTS_IT)
async def test_what_will_never_be_taken_is_rejected(case: Case, outside: Reaching) -> None:
    found = await outcome(case, B.REJECTS_IT, outside)
    assert isinstance(found, Rejected)
    assert not found.gone


@with_every(B.KNOWS_NO_SUCH_ADDRESS)
async def test_an_address_that_is_no_more_is_reported_gone(case: Case, outside: Reaching) -> None:
    found = await outcome(case, B.KNOWS_NO_SUCH_ADDRESS, outside)
    assert isinstance(found, Rejected)
    assert found.gone


@with_every(B.REFUSES_CONNECTIONS)
async def test_a_refused_connection_is_deferred(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.REFUSES_CONNECTIONS, outside), Deferred)


@with_every(B.NEVER_LETS_US_IN)
async def test_time_that_runs_out_before_anything_was_sent_is_deferred(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.NEVER_LETS_US_IN, outside, SHORT), Deferred)


@with_every(B.HAS_A_WRONG_CERTIFICATE)
async def test_a_certificate_that_nobody_vouches_for_is_not_talked_to(case: Case, outside: Reaching) -> None:
    async with meeting(case, B.HAS_A_WRONG_CERTIFICATE, outside) as (adapter, provider):
        assert isinstance(await adapter.send(case.message), Deferred)
        assert provider.keys == []


@with_every(B.TAKES_IT_AND_IS_SILENT)
async def test_silence_after_it_was_taken_is_unknown(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.TAKES_IT_AND_IS_SILENT, outside, SHORT), Unknown)


@with_every(B.TAKES_IT_AND_RESETS)
async def test_a_reset_after_it_was_taken_is_unknown(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.TAKES_IT_AND_RESETS, outside), Unknown)


@with_every(B.TAKES_IT_AND_NEVER_ENDS)
async def test_an_endless_answer_ends_at_the_limit(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.TAKES_IT_AND_NEVER_ENDS, outside), case.cut_off)


@with_every(B.TAKES_IT_AND_DRIPS)
async def test_a_dripping_answer_ends_at_the_deadline(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.TAKES_IT_AND_DRIPS, outside, SHORT), case.cut_off)


@with_every(B.TALKS_NONSENSE)
async def test_nonsense_is_no_success(case: Case, outside: Reaching) -> None:
    assert isinstance(await outcome(case, B.TALKS_NONSENSE, outside), Unknown | Deferred)


@with_every(B.IS_BUSY)
async def test_every_attempt_carries_the_same_key(case: Case, outside: Reaching) -> None:
    async with meeting(case, B.IS_BUSY, outside) as (adapter, provider):
        await adapter.send(case.message)
        provider.behaviour = B.TAKES_IT
        assert isinstance(await adapter.send(case.message), Sent)
        assert set(provider.keys) <= {case.message.key}


@with_every(B.TAKES_IT_AND_RESETS)
async def test_an_adapter_goes_on_after_a_broken_connection(case: Case, outside: Reaching) -> None:
    async with meeting(case, B.TAKES_IT_AND_RESETS, outside) as (adapter, provider):
        await adapter.send(case.message)
        provider.behaviour = B.TAKES_IT
        assert isinstance(await adapter.send(case.message), Sent)
