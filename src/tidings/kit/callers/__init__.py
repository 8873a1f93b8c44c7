"""Calling our SQL functions on connections that are the caller's own, whatever driver they are of.

No driver is imported here: who passes a connection has imported its driver.
"""

from tidings.kit.callers.asking import aask, ask
from tidings.kit.callers.calls import Call
from tidings.kit.callers.refusals import invalid, refusal_in

__all__ = ["Call", "aask", "ask", "invalid", "refusal_in"]
