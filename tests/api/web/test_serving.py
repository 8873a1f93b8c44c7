"""The UI at every address that is no route of the API's: its files, its page, its policy; and what is there without."""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.api.world import Client, api_settings, running

INDEX = '<meta name="csp-nonce" content="%NONCE%"><script type="module" src="/assets/index-Ab1.js"></script>'
SCRIPT = b"console.log('tidings');" * 100
PACKED = gzip.compress(SCRIPT)


@pytest.fixture
def ui(tmp_path: Path) -> Path:
    """As `make ui` leaves it, with little in it."""
    folder = tmp_path / "ui"
    (folder / "assets").mkdir(parents=True)
    (folder / ".vite").mkdir()
    (folder / ".vite/manifest.json").write_text("{}")
    (folder / "index.html").write_text(INDEX)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets/index-Ab1.js").write_bytes(SCRIPT)
    (folder / "assets/index-Ab1.js.br").write_bytes(b"brotli")
    (folder / "assets/index-Ab1.js.gz").write_bytes(PACKED)
    (folder / "assets/inter-Cd2.woff2").write_bytes(b"font")
    (folder / "assets/unknown.exe").write_bytes(b"MZ")
    (tmp_path / "secret.js").write_text("outside")
    return folder


@pytest.fixture
async def client(database_url: str, ui: Path) -> AsyncIterator[Client]:
    settings = api_settings(database_url, api={"public_url": "https://tidings.example"})
    async with running(settings, ui) as client:
        yield client


@pytest.fixture
async def without(database_url: str, tmp_path: Path) -> AsyncIterator[Client]:
    async with running(api_settings(database_url), tmp_path) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/outbox", "/sign-in?token=x", "/rules/7/edit", "/templates/order.paid", "/v10"])
async def test_every_other_address_is_the_page(client: Client, path: str) -> None:
    page = await client.get(path)
    assert (page.status, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert 'src="/assets/index-Ab1.js"' in page.text
    assert page.headers["Cache-Control"] == "no-store"
    head = await client.call("HEAD", path)
    assert (head.status, head.text, head.headers["Content-Length"]) == (200, "", page.headers["Content-Length"])


async def test_each_page_has_a_nonce_of_its_own_and_a_policy_that_names_it(client: Client) -> None:
    pages = [await client.get("/") for _ in range(3)]
    nonces = [re.findall(r'content="([\w-]{20,})"', page.text)[0] for page in pages]
    assert len(set(nonces)) == 3
    for nonce, page in zip(nonces, pages, strict=True):
        assert page.headers["Content-Security-Policy"] == (
            f"default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; "
            "font-src 'self'; connect-src 'self' wss://tidings.example; frame-src 'self'; manifest-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        assert (page.headers["X-Frame-Options"], page.headers["Referrer-Policy"]) == ("DENY", "no-referrer")


async def test_files_are_kept_for_a_year_under_names_that_change(client: Client) -> None:
    script = await client.get("/assets/index-Ab1.js", headers={"Accept-Encoding": "identity"})
    assert (script.status, script.text) == (200, SCRIPT.decode())
    assert script.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert script.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert script.headers["X-Content-Type-Options"] == "nosniff"
    font = await client.get("/assets/inter-Cd2.woff2")
    assert (font.status, font.headers["Content-Type"]) == (200, "font/woff2")
    icon = await client.get("/favicon.svg")
    assert (icon.headers["Content-Type"], icon.headers["Cache-Control"]) == ("image/svg+xml", "public, max-age=3600")
    assert (await client.call("HEAD", "/assets/index-Ab1.js")).status == 200


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0, gzip", "gzip"), ("", None), ("deflate", None)],
)
async def test_a_file_comes_in_the_smallest_form_that_the_client_takes(
    client: Client, accepted: str, encoding: str | None
) -> None:
    asked = Request(f"{client.base}/assets/index-Ab1.js", headers={"Accept-Encoding": accepted})
    with await asyncio.to_thread(urlopen, asked) as reply:
        assert (reply.headers.get("Content-Encoding"), reply.headers["Vary"]) == (encoding, "Accept-Encoding")
        assert reply.read() == {"br": b"brotli", "gzip": PACKED, None: SCRIPT}[encoding]


@pytest.mark.parametrize(
    "path",
    [
        "/assets/gone.js",
        "/assets/",
        "/assets/unknown.exe",
        "/assets/index-Ab1.js.br",
        "/assets/../index.html",
        "/assets/../../secret.js",
        "/assets/..%2f..%2fsecret.js",
        "/assets/%2e%2e/%2e%2e/secret.js",
        "/assets/..%5c..%5csecret.js",
        "/assets//etc/passwd",
    ],
)
async def test_what_is_no_file_of_the_ui_is_not_there(client: Client, path: str) -> None:
    answer = await client.get(path)
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json")


async def test_what_lies_outside_is_never_given_out(client: Client) -> None:
    for path in ("/../secret.js", "/%2e%2e/secret.js", "/.vite/manifest.json", "/index.html"):
        answer = await client.get(path)
        assert "outside" not in answer.text
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"  # the page, as anywhere


async def test_under_v1_and_for_other_methods_a_mistake_is_a_problem(client: Client) -> None:
    for method, path in (("GET", "/v1"), ("GET", "/v1/"), ("GET", "/v1/nothing"), ("POST", "/outbox"), ("PUT", "/")):
        answer = await client.call(method, path)
        assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json"), (method, path)
    assert (await client.call("POST", "/docs")).status == 405


async def test_the_reference_stays(client: Client) -> None:
    assert "API reference" in (await client.get("/docs")).text
    assert (await client.get("/openapi.json")).status == 200


async def test_what_somebody_types_adds_no_series_to_the_metrics(client: Client) -> None:
    for n in range(3):
        await client.get(f"/typed-{n}")
    metrics = (await client.get("/metrics")).text
    assert "typed-" not in metrics
    assert 'route="/{page}"' in metrics


async def test_without_the_ui_the_first_page_says_how_to_build_it(without: Client) -> None:
    page = await without.get("/")
    assert (page.status, "make ui" in page.text, 'href="/docs"' in page.text) == (200, True, True)
    assert (await without.get("/outbox")).status == 404


async def test_without_the_ui_a_link_still_signs_in_and_its_page_lets_nothing_else_in(without: Client) -> None:
    page = await without.get("/sign-in?token=<script>alert(1)</script>")
    assert "alert(1)" not in page.text
    policy = page.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'sha256-" in policy
    assert page.headers["X-Frame-Options"] == "DENY"
    assert page.headers["Cache-Control"] == "no-store"
    assert "http://" not in page.text
    assert "https://" not in page.text
