"""The house that stories happen in: real API and worker processes over a database of their own, and a real Chromium."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from urllib.request import urlopen
from uuid import UUID, uuid4

import asyncpg
from playwright.async_api import Browser, BrowserContext, Page, async_playwright

from tests.support.pipeline import KEY, Owner, sending_settings
from tidings.embedded.ports import free_port
from tidings.spine.access.data_keys import unlocked
from tidings.spine.access.identity import Role
from tidings.spine.access.people import Tenants, Users
from tidings.spine.access.purposes import SIGN_IN_LINKS
from tidings.spine.access.sessions import make_sign_in_link

CHROMIUM = Path("/usr/bin/chromium")
DESK, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
_LOAD, _HOUSES = 50, 30  # looks; more than any file opens


@dataclass
class Stack:
    """API and worker over one database. They can be killed and started again, on the same port."""

    database_url: str
    settings: Mapping[str, str] = field(default_factory=dict)
    """More of them, by the names of the environment."""
    tenants: Sequence[str] = field(default_factory=lambda: [f"t{uuid4().hex[:10]}" for _ in range(_HOUSES)])
    """Of houses to come; each has a domain for its organisations."""
    vacant: Iterator[str] = field(init=False)
    port: int = field(default_factory=free_port)
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.vacant = iter(self.tenants)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, parts: Sequence[str] = ("api", "worker")) -> None:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TIDINGS_")}
        environment = inherited | {
            "TIDINGS_DATABASE_URL": self.database_url,
            "TIDINGS_MASTER_KEY": KEY.get_secret_value(),
            "TIDINGS_API_PORT": str(self.port),
            "TIDINGS_API_PUBLIC_URL": self.url,
            "TIDINGS_DELIVERY_DEFAULT_PROVIDER": "sandbox",
            "TIDINGS_NETWORK_ALLOW": "127.0.0.1",
            "TIDINGS_LOG_LEVEL": "warning",
            "TIDINGS_ORGANIZATIONS_DOMAINS": ",".join(f"{each}={each}.example.org" for each in self.tenants),
            **self.settings,
        }
        for part in parts:
            self.processes.append(subprocess.Popen([sys.executable, "-m", "tidings", part], env=environment))

    def kill(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes.clear()

    async def ready(self) -> None:
        for _ in range(_LOAD * 6):
            if await asyncio.to_thread(self._answers):
                return
            await asyncio.sleep(0.1)
        raise TimeoutError("the API did not become ready")

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


def on_temporal(address: str) -> dict[str, str]:
    """Settings of a stack with processes, on a Temporal that others use too."""
    return {"TIDINGS_TEMPORAL_ADDRESS": address, "TIDINGS_TEMPORAL_TASK_QUEUE": f"ui-{uuid4().hex}"}


@contextmanager
def running(database_url: str, settings: Mapping[str, str] | None = None) -> Iterator[Stack]:
    stack = Stack(database_url, settings or {})
    stack.start()
    try:
        yield stack
    finally:
        stack.kill()


@dataclass(frozen=True)
class House:
    """One tenant of a running stack, and a browser before its door."""

    stack: Stack
    owner: Owner
    browser: Browser
    tenant: str
    wrongs: list[str] = field(default_factory=list)

    def _watch(self, page: Page) -> None:
        """Whatever a page throws, or its policy refuses, fails the story at its end."""
        page.on("pageerror", lambda error: self.wrongs.append(f"the page threw: {error}"))
        page.on("console", lambda message: self.wrongs.append(message.text) if _violates(message.text) else None)

    async def visitor(
        self, role: Role = Role.ADMIN, *, person: str | None = None, phone: bool = False, dark: bool = False
    ) -> Page:
        """A page of somebody who has just signed in by a link; with `person`, their login is that person's."""
        context = await self.browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            color_scheme="dark" if dark else "light",
            timezone_id="Europe/Vienna",
            locale="en-GB",
            base_url=self.stack.url,
        )
        page = await context.new_page()
        self._watch(page)
        await page.goto(f"/sign-in?token={await self._link(role, person)}")
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("heading", level=1).filter(has_not_text="Sign in").wait_for()
        return page

    async def second_window(self, page: Page) -> Page:
        """Another browser of the same person."""
        state = await page.context.storage_state()
        context: BrowserContext = await self.browser.new_context(
            viewport=DESK,  # type: ignore[arg-type]
            storage_state=state,
            base_url=self.stack.url,
            timezone_id="Europe/Vienna",
            locale="en-GB",
        )
        other = await context.new_page()
        self._watch(other)
        return other

    async def _link(self, role: Role, person: str | None) -> str:
        users = Users(self.owner)
        user_id = await users.create(f"{uuid4().hex}@example.com", "The visitor", None, operator=role is Role.OPERATOR)
        await users.join(user_id, self.tenant, Role.ADMIN if role is Role.OPERATOR else role)
        if person is not None:
            await self._linked(user_id, person)
        hasher = (await unlocked(sending_settings(self.stack.database_url), self.owner)).hasher(SIGN_IN_LINKS)
        return await make_sign_in_link(self.owner, hasher, user_id, self.tenant, timedelta(minutes=5))

    async def _linked(self, user_id: UUID, name: str) -> None:
        await self.owner.execute(
            "INSERT INTO tidings.people (tenant, name, user_id) VALUES ($1, $2, $3)", self.tenant, name, user_id
        )


def _violates(text: str) -> bool:
    return "Content Security Policy" in text or "Content-Security-Policy" in text


@asynccontextmanager
async def opened(stack: Stack, tenant: str | None = None) -> AsyncIterator[House]:
    """A tenant of its own, unless one is named."""
    name = tenant or next(stack.vacant)
    owner = await asyncpg.connect(stack.database_url)
    await stack.ready()
    try:
        if tenant is None:
            await Tenants(owner).create(name, "A tenant")
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            try:
                house = House(stack, owner, browser, name)
                yield house
                assert house.wrongs == []
            finally:
                await browser.close()
    finally:
        await owner.close()
