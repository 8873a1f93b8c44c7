"""The frame for HTML of somebody else, in a real Chromium: it shows it, and nothing of it runs, loads, submits or leads
anywhere, whatever it tries."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from playwright.async_api import Browser, Frame, Page, async_playwright

from tests.api.world import api_settings, running

CHROMIUM = Path("/usr/bin/chromium")
HOST = """<!doctype html><title>host</title><iframe sandbox="allow-scripts" src="/frame" width=600 height=300></iframe>
<script>
window.heard = [];
const frame = document.querySelector("iframe");
addEventListener("message", (event) => { if (event.source === frame.contentWindow) heard.push(event.data); });
window.show = (html) => frame.contentWindow.postMessage({ type: "tidings.frame.show", html }, "*");
</script>"""
HOSTILE = Path(__file__).with_name("hostile.html").read_text()
EVIL = "top.pwned=1;parent.pwned=1;window.pwned=1;fetch('THERE/evil');new Image().src='THERE/evil'"


@dataclass
class Elsewhere:
    """A server that the HTML would like to reach."""

    url: str = ""
    reached: list[str] = field(default_factory=list)

    async def hear(self, request: web.Request) -> web.Response:
        self.reached.append(request.path)
        return web.Response(text="", content_type="text/html")

    @property
    def hostile(self) -> str:
        return HOSTILE.replace("EVIL", EVIL).replace("THERE", self.url)


@pytest.fixture
async def elsewhere() -> AsyncIterator[Elsewhere]:
    heard = Elsewhere()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", heard.hear)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    heard.url = f"http://localhost:{runner.addresses[0][1]}"
    yield heard
    await runner.cleanup()


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    if not CHROMIUM.exists():
        missing = "Chromium is missing; install it with: apt-get install chromium"
        pytest.fail(missing) if os.environ.get("CI") else pytest.skip(missing)
    async with async_playwright() as playwright:
        args = ["--no-sandbox", "--disable-features=LocalNetworkAccessChecks"]  # nothing but us may be in the way
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=args)
        yield browser
        await browser.close()


@pytest.fixture
async def base(database_url: str) -> AsyncIterator[str]:
    async with running(api_settings(database_url)) as client:
        yield client.base


@asynccontextmanager
async def hosted(browser: Browser, base: str, at: str | None = None) -> AsyncIterator[tuple[Page, Frame]]:
    """A page around the frame that has no policy of its own: the frame has to hold by itself."""
    context = await browser.new_context()
    page = await context.new_page()
    await page.route("**/host", lambda route: route.fulfill(content_type="text/html", body=HOST))
    await page.goto(f"{at or base}/host")
    await page.wait_for_function("heard.some((message) => message.type === 'tidings.frame.ready')")
    yield page, page.frames[1]
    await context.close()


async def show(page: Page, frame: Frame, html: str, sign: str = "#shown") -> None:
    await page.evaluate("html => show(html)", html)
    await frame.wait_for_selector(sign, state="attached")
    await page.wait_for_function("heard.some((message) => message.type === 'tidings.frame.height')")


async def test_the_html_would_do_harm_if_it_could(browser: Browser, elsewhere: Elsewhere) -> None:
    page = await browser.new_page()
    await page.set_content(elsewhere.hostile, wait_until="commit")
    async with asyncio.timeout(30):
        while not {"/evil", "/img", "/css", "/iframe", "/m2"} <= set(elsewhere.reached):
            await asyncio.sleep(0.05)


async def test_nothing_of_the_html_runs_loads_or_leads_away(browser: Browser, base: str, elsewhere: Elsewhere) -> None:
    async with hosted(browser, base) as (page, frame):
        came: list[str] = []
        popups: list[Page] = []
        page.context.on("response", lambda response: came.append(response.url))
        page.context.on("page", lambda popup: popups.append(popup))
        await show(page, frame, elsewhere.hostile)
        assert await frame.inner_text("#shown") == "Good morning"
        await _press_everything(page, frame)
        await asyncio.sleep(1)
        assert (elsewhere.reached, popups) == ([], [])
        assert [url for url in came if not url.startswith("data:")] == []
        assert (frame.url, page.url) == (f"{base}/frame", f"{base}/host")
        assert await page.evaluate("window.pwned") is None
        assert await frame.evaluate("window.pwned") is None
        assert await frame.evaluate("self.origin") == "null"


async def _press_everything(page: Page, frame: Frame) -> None:
    """With the mouse in each way, and with the keyboard."""
    ways: Sequence[dict[str, Any]] = ({}, {"button": "middle"}, {"modifiers": ["Control"]}, {"modifiers": ["Shift"]})
    for element in await frame.query_selector_all("a, button, input, area, summary, img[usemap], svg text"):
        for way in ways:
            try:
                await element.click(force=True, timeout=500, no_wait_after=True, **way)
            except Exception:  # not all of it can be hit
                await element.dispatch_event("click")
        if await element.evaluate("element => 'focus' in element"):
            await element.evaluate("element => element.focus()")
            await page.keyboard.press("Enter")


async def test_the_page_hears_how_high_it_is_and_no_more_than_it_can_use(browser: Browser, base: str) -> None:
    async with hosted(browser, base) as (page, frame):
        heights = "heard.filter((message) => message.type === 'tidings.frame.height').map((message) => message.height)"
        for height in (40, 1234, 70):
            await show(
                page, frame, f"<body style='margin:0'><div id=h{height} style='height:{height}px'>", f"#h{height}"
            )
            await page.wait_for_function(f"{heights}.at(-1) === {height}")
        await show(page, frame, "<div id=deep style='height:9999999px'>", "#deep")
        await page.wait_for_function(f"{heights}.at(-1) === 20000")
        count = len(await page.evaluate(heights))
        await show(page, frame, "<div id=grows style='height:120vh'>", "#grows")
        for height in (500, 700, 900):  # a frame that follows what it hears does not grow for ever
            await page.evaluate("height => { document.querySelector('iframe').height = height; }", height)
        await asyncio.sleep(0.3)
        assert len(await page.evaluate(heights)) == count + 1


async def test_it_shows_what_the_page_around_it_gives_and_nobody_else(browser: Browser, base: str) -> None:
    async with hosted(browser, base) as (page, frame):
        await show(page, frame, "<p id=shown>first")
        await frame.evaluate("postMessage({ type: 'tidings.frame.show', html: '<p id=own>own' }, '*')")
        await page.evaluate("frame.contentWindow.postMessage({ type: 'tidings.frame.show', html: 7 }, '*')")
        await page.evaluate("frame.contentWindow.postMessage('x', '*')")
        await show(page, frame, "<style>p { color: rgb(1, 2, 3) }</style><p id=second>second", "#second")
        assert await frame.query_selector("#own") is None
        assert await frame.eval_on_selector("p", "p => getComputedStyle(p).color") == "rgb(1, 2, 3)"


async def test_no_other_origin_can_frame_it(browser: Browser, base: str) -> None:
    async with hosted(browser, base, at=base.replace("127.0.0.1", "localhost")) as (page, _):
        async with page.expect_event("requestfailed") as failed:
            await page.evaluate("url => { document.querySelector('iframe').src = url; }", f"{base}/frame")
        refused = await failed.value
        assert (refused.url, refused.failure) == (f"{base}/frame", "net::ERR_BLOCKED_BY_RESPONSE")


async def test_its_headers(base: str, browser: Browser) -> None:
    page = await browser.new_page()
    reply = await page.goto(f"{base}/frame")
    assert reply is not None
    headers = await reply.all_headers()
    assert headers["x-frame-options"] == "SAMEORIGIN"
    policy = headers["content-security-policy"]
    for rule in ("default-src 'none'", "img-src data:", "frame-ancestors 'self'", "sandbox allow-scripts"):
        assert rule in policy
    assert "script-src 'sha256-" in policy
