"""The intents that lead from a fact to its deliveries."""

PREPARE = "notice.prepare"
"""Who is to be told of a fact, and what."""
FAN_OUT = "notice.fan_out"
"""The next people of a notice's audience."""
