"""What subkeys of the data keys are for. A purpose keeps its name: what was hashed under it would be lost."""

from __future__ import annotations

API_KEYS = "api keys"
SESSIONS = "sessions"
SIGN_IN_LINKS = "sign-in links"
ADDRESSES = "addresses"
PROVIDERS = "providers"
KEPT_MESSAGES = "kept messages"
REPORTS = "reports"
UNSUBSCRIBE = "unsubscribe links"
ACTION_LINKS = "action links"
REPLIES = "idempotent replies"
PROCESSES = "workflow payloads"
