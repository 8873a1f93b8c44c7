"""What axe finds wrong with a page: only what it calls serious or critical, in both themes."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Page

_AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
_JUDGE = """async () => {
    const { violations } = await axe.run(document);
    return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}: ${node.failureSummary}`));
}"""


async def complaints(page: Page) -> list[str]:
    await page.evaluate(_AXE.read_text())  # through the browser's own door: the policy would refuse it in the page
    found: list[str] = []
    for theme in ("light", "dark"):
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {complaint}" for complaint in await page.evaluate(_JUDGE)]
    return found
