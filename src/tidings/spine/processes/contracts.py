"""What a workflow sees of an activity: its name, its types, and how patient to be with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

A = TypeVar("A")
R = TypeVar("R")


class Document(BaseModel):
    """What travels between a process, its activities and those who tell it things; as JSON, in camelCase."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True, extra="ignore")


@dataclass(frozen=True)
class Contract(Generic[A, R]):
    """An activity. Its argument may come twice: what it does with it is idempotent."""

    name: str
    takes: type[A]
    returns: type[R]


class Patience(Document):
    """`attempts` counts answers; what is away is tried until the deadline. Comes with a workflow's input: a replay
    must find what it was. `one_attempt` is also how long it takes until a step whose worker died is tried again; where
    that would be long, the step says with every `beat` that it is being worked on, and is tried again two beats after
    the last. A step with a beat that has begun is finished, also where the process is cancelled meanwhile."""

    attempts: int
    first_wait: timedelta
    longest_wait: timedelta
    deadline: timedelta
    one_attempt: timedelta = timedelta(seconds=30)
    factor: float = 2.0
    beat: timedelta | None = None


NOTIFICATIONS = Patience(
    attempts=3,
    first_wait=timedelta(seconds=1),
    longest_wait=timedelta(seconds=10),
    deadline=timedelta(days=1),
    one_attempt=timedelta(seconds=10),
)
OTHER_WORK = Patience(
    attempts=2,
    first_wait=timedelta(seconds=2),
    longest_wait=timedelta(seconds=30),
    deadline=timedelta(days=7),
)
