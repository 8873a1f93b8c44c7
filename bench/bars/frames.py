"""The overview in a real Chromium while 1,000 messages a second pass: its longest frame."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import asyncpg
from playwright.async_api import Page, async_playwright

from bench.figures import Claim, Figure, Result
from bench.plan import Bar, Plan
from bench.processes import output_of, running
from bench.senders import TIDINGS, add_people, add_rule, emit, senders, sending
from bench.server import connected
from tidings.embedded.ports import LOOPBACK, free_port
from tidings.embedded.probes import http_ok

_RATE = 1_000
_CHROMIUM = Path("/usr/bin/chromium")
_LIMIT = 100  # milliseconds
_WATCH = """seconds => new Promise(resolve => {
    const frames = [];
    let last = performance.now();
    const until = last + seconds * 1000;
    requestAnimationFrame(function next() {
        const now = performance.now();
        frames.push(now - last);
        last = now;
        now < until ? requestAnimationFrame(next) : resolve(frames);
    });
})"""


@dataclass
class Watched:
    """What was seen beside the frames."""

    tasks: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)


async def _measure(plan: Plan, stack: AsyncExitStack) -> Result:
    seconds = 10 if plan.quick else 30
    url = await stack.enter_async_context(plan.server.database("bench_frames"))
    await add_people(url, 1_000, "push")
    await add_rule(url, "push", {"by": "externalId", "field": "person"})
    await stack.enter_async_context(senders(url, 1))
    page = await _opened(await _served(url, stack), url, stack)
    watched = Watched()
    runs = {
        "at rest": partial(_longest, page, url, seconds, 0, watched),
        f"{_RATE:,} messages a second": partial(_longest, page, url, seconds, _RATE, watched),
    }
    rest, busy = (await plan.take_turns(runs, "ms")).values()
    tasks = Figure("longest task of the page's thread, by Chromium's trace", watched.tasks, "ms")
    sent = Figure("messages sent meanwhile", watched.sent)
    how = [
        f"The overview with its live charts for {seconds} s a round. A fact and a push each, kept by the sandbox.",
        "A worker, the API, PostgreSQL and Chromium, which has no GPU, share the machine.",
        "A frame is the time between two of the page's animation frames; the worst of all rounds counts.",
    ]
    claims = [
        Claim("longest frame", max(busy.samples), _LIMIT, " ms", at_least=False),
        Claim("messages sent a second", min(watched.sent), _RATE * 0.95, "/s"),
    ]
    return Result(how, [rest, busy, tasks, sent], claims)


async def _served(url: str, stack: AsyncExitStack) -> int:
    port = free_port()
    await stack.enter_async_context(running((*TIDINGS, "api"), _settings(url, port)))
    while not await http_ok(LOOPBACK, port, "/healthz"):
        await asyncio.sleep(0.05)
    return port


def _settings(url: str, port: int) -> Mapping[str, str]:
    return sending(url) | {"TIDINGS_API_PORT": str(port), "TIDINGS_API_PUBLIC_URL": f"http://{LOOPBACK}:{port}"}


async def _opened(port: int, url: str, stack: AsyncExitStack) -> Page:
    """The overview, signed in, in the live view of its chart."""
    settings = _settings(url, port)
    owner = ("--email=operator@localhost", "--operator", "--password=bench bench bench")
    await output_of((*TIDINGS, "user", "create", *owner), settings)
    playwright = await stack.enter_async_context(async_playwright())
    browser = await playwright.chromium.launch(executable_path=_CHROMIUM, args=["--no-sandbox"])
    stack.push_async_callback(browser.close)
    page = await browser.new_page(viewport={"width": 1280, "height": 800})
    await page.goto(f"http://{LOOPBACK}:{port}/")
    await page.get_by_label("E-mail").fill("operator@localhost")
    await page.get_by_label("Password", exact=True).fill("bench bench bench")
    await page.get_by_role("button", name="Sign in").click()
    await page.get_by_text("Live", exact=True).last.click()
    await asyncio.sleep(3)
    return page


async def _longest(page: Page, url: str, seconds: int, rate: int, watched: Watched) -> float:
    """The longest frame, in milliseconds, while so many facts a second are emitted."""
    browser = page.context.browser
    assert browser is not None
    async with connected(url) as connection:
        emitting = asyncio.create_task(_emit(connection, rate))
        await asyncio.sleep(3)
        before = await _sent(url)
        await browser.start_tracing(page=page, categories=["devtools.timeline", "toplevel"])
        frames = await page.evaluate(_WATCH, seconds)
        trace = json.loads(await browser.stop_tracing())
        if rate:
            watched.sent.append((await _sent(url) - before) / seconds)
            watched.tasks.append(_longest_task(trace["traceEvents"]))
        emitting.cancel()
        await asyncio.gather(emitting, return_exceptions=True)
    await asyncio.sleep(3)
    return float(max(frames))


async def _emit(connection: asyncpg.Connection[asyncpg.Record], rate: int) -> None:
    tick, began = 0, time.monotonic()
    while rate:
        await emit(connection, rate // 10, rate // 10)
        tick += 1
        await asyncio.sleep(began + tick / 10 - time.monotonic())


async def _sent(url: str) -> int:
    async with connected(url) as connection:
        count: int = await connection.fetchval("SELECT count(*) FROM tidings.deliveries_finished WHERE status = 'sent'")
        return count


def _longest_task(events: list[dict[str, object]]) -> float:
    """Of the renderer's main thread, in milliseconds."""
    main = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"] == {"name": "CrRendererMain"}
    }
    durations = [
        float(str(event.get("dur", 0))) / 1000 for event in events if (event.get("pid"), event.get("tid")) in main
    ]
    return max(durations, default=0)


BAR = Bar("frames", "The overview while messages pass", _measure)
