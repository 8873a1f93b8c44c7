"""Bar 5: a broadcast to 100,000 people over the sandbox: deliveries settled a second, and the workers' memory."""

from __future__ import annotations

from contextlib import AsyncExitStack
from functools import partial

from bench.figures import Claim, Figure, Result
from bench.plan import Bar, Plan
from bench.rounds import Run
from bench.senders import Senders, add_people, add_rule, senders

_PEOPLE = 100_000


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    people, grown = plan.size(_PEOPLE), list[float]()
    runs: dict[str, Run] = {}
    for channel, kind in (("push", "push"), ("email", "email")):
        url = await stack.enter_async_context(plan.server.database(f"bench_{channel}"))
        await add_people(url, people, kind)
        await add_rule(url, channel, {"by": "everyone"})
        ours = await stack.enter_async_context(senders(url, 2))
        await ours.told(1)  # a first one, so that what is loaded once is loaded
        runs[f"ours, two workers, {channel}"] = partial(_broadcast, ours, people, grown)
    found = await plan.take_turns(runs)
    push = found["ours, two workers, push"]
    memory = Figure("growth of a worker's resident memory over one broadcast, the largest", [max(grown)], "MB")
    claims = [
        Claim("deliveries settled a second, push", push.median, 5_000, "/s"),
        Claim("growth of memory", memory.median, 50, " MB", at_least=False),
    ]
    how = [
        f"One fact, one rule for everyone, {people:,} people with one address each, the sandbox keeps every message.",
        "From the commit of the fact until the notice is settled; a mail is rendered for each person, a push once.",
    ]
    return Result(how, [*found.values(), memory], claims)


async def _broadcast(ours: Senders, people: int, grown: list[float]) -> float:
    before = ours.memory()
    rate = await ours.told(1)
    grown += [after - earlier for after, earlier in zip(ours.memory(), before, strict=True)]
    return rate * people


BAR = Bar("broadcast", "5. A broadcast over the sandbox", _measure)
