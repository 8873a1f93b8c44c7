"""Bar 4: the whole way, one fact with one recipient and one webhook: emit to 2xx, beside Celery, Redis and Apprise."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from bench.figures import Claim, NotRun, Result, Row, times
from bench.peering import Peer, told_by_celery
from bench.plan import Bar, Plan
from bench.rounds import Run
from bench.senders import add_people, add_provider, add_rule, endpoint, senders

_FACTS, _PEOPLE = 10_000, 1_000
_OURS = "ours, two workers, 100 facts a commit"
_SINGLY = "ours, two workers, one fact a commit"


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    url = await stack.enter_async_context(plan.server.database("bench_whole"))
    hook = await stack.enter_async_context(endpoint(0))
    await add_people(url, _PEOPLE, "webhook", hook)
    await add_provider(url, "webhook", "webhook", {})
    await add_rule(url, "webhook", {"by": "externalId", "field": "person"})
    ours = await stack.enter_async_context(senders(url, 2))
    peer = await stack.enter_async_context(told_by_celery(plan, hook))
    facts = plan.size(_FACTS)
    runs: dict[str, Run] = {_OURS: partial(ours.told, facts), _SINGLY: partial(ours.told, facts, 1)}
    if isinstance(peer, Peer):
        runs[peer.name] = partial(peer.settle_rate, plan.size(peer.jobs))
    found: dict[str, Row] = dict(await plan.take_turns(runs))
    if isinstance(peer, NotRun):
        found[peer.name] = peer
    claim = Claim("the whole way beside Celery + Redis + Apprise", times(found[_OURS], found[peer.name]), 5, " ×")
    how = [
        f"{facts:,} facts, {_PEOPLE:,} people, one rule, one webhook each; a local server that answers at once.",
        "Ours: from the first emit until every notice is settled, attempts on record, by a look every 20 ms.",
        "Theirs: from the first `delay` until the last is acknowledged; the task calls Apprise with a `json://` URL.",
    ]
    return Result(how, list(found.values()), [claim])


BAR = Bar("whole", "4. The whole way: one fact, one recipient, one webhook", _measure)
