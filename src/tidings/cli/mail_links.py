"""Whether the links in mails that really leave can be opened by those who get them."""

from __future__ import annotations

from urllib.parse import urlsplit

from tidings.app.public import public_url
from tidings.kit import db
from tidings.kit.settings import Settings

_SENDS_MAIL = """
SELECT count(*) AS all, min(name || ' of ' || tenant) AS first FROM tidings.providers
WHERE channel = 'email' AND enabled AND removed_at IS NULL AND type NOT IN ('sandbox', 'none')
"""


async def warning_of_links(settings: Settings) -> str | None:
    """What is not right with them; None where all is, or no mail is sent."""
    public = settings.api.public_url
    if public is not None and urlsplit(public).scheme == "https":
        return None
    connection = await db.connect(settings.database, db.Role.WORKER, name="doctor")
    try:
        row = await connection.fetchrow(_SENDS_MAIL)
    finally:
        await connection.close()
    if row is None or not row["all"]:
        return None
    senders = row["first"] + (f" and {row['all'] - 1} more" if row["all"] > 1 else "")
    if public is None:
        return (
            f"is not set, and mail is sent ({senders}): its links, also to unsubscribe, lead to {public_url(settings)}"
        )
    return f"is not https, and mail is sent ({senders}): mail programs will not offer to unsubscribe with one click"
