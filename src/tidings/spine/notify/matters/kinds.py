"""The intents of matters."""

ESCALATE = "notice.escalate"
"""Nobody has acted on a notice: tell others."""
