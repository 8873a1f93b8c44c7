"""The intents that lead from a fact to its deliveries."""

RULES = "notice.rules"
"""What a tenant's rules make of a fact."""
LISTENER = "notice.listener."
"""What one listener makes of a fact; its name follows."""
PREPARE = "notice.prepare"
"""What all of them make of it, in one: written before each had an intent of its own."""
FAN_OUT = "notice.fan_out"
"""The next people of a notice's audience."""


def kind_of(listener: str) -> str:
    """The kind of the intents that are for one listener, a rule being one of the tenant's."""
    return RULES if listener.startswith("rule:") else LISTENER + listener


def is_told(kind: str) -> str:
    """Whether the kind that this SQL stands for is a listener's, as SQL: the broker can tell it of its facts."""
    return f"({kind} = '{RULES}' OR starts_with({kind}, '{LISTENER}'))"


def tells(kind: str) -> bool:
    """Whether an intent of this kind finds out whom to tell of its fact."""
    return kind in (RULES, PREPARE) or kind.startswith(LISTENER)
