"""Paths that are secrets in themselves: whoever reads one in a log or a trace could use it."""

from __future__ import annotations

import re

from tidings.modules.events import feeds, links
from tidings.spine.notify.matters import links as action_links
from tidings.spine.notify.unsubscribing import PATH

_SECRET = re.compile(rf"({PATH}|{action_links.PATH}|{feeds.PATH}|{links.PATH}/[a-z]+)/.*", re.IGNORECASE | re.DOTALL)


def without_secrets(path: str) -> str:
    """The path as it may be kept. Also where no route matched: a link that was cut or lengthened is a link still."""
    return _SECRET.sub(lambda found: f"{found[1].lower()}/{{token}}", path, count=1)
