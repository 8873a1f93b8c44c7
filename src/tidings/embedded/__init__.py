"""PostgreSQL and Temporal from wheels, and the whole of Tidings as one supervised process tree."""

from tidings.embedded.errors import AlreadyRunning, ChildFailed
from tidings.embedded.info import StackInfo, find_stack
from tidings.embedded.stack import run_stack

__all__ = ["AlreadyRunning", "ChildFailed", "StackInfo", "find_stack", "run_stack"]
