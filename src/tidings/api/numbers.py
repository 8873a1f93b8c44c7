"""Ids that are numbers, in addresses: only what PostgreSQL has an id for is an address here."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Path
from pydantic import BeforeValidator, Field
from starlette.convertors import Convertor, register_url_convertor

_LARGEST = 10**18 - 1
_LARGEST_ID = 2**63 - 1


class _Number(Convertor[int]):
    regex = "[0-9]{1,18}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", _Number())


def number(alias: str) -> Any:
    """A number in an address, by the name that it has there."""
    return Path(alias=alias, ge=0, le=_LARGEST)


def whole(value: Any) -> Any:
    """JSON knows one kind of number: 60.0 is 60."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


NumberId = Annotated[int, Field(ge=1, le=_LARGEST_ID), BeforeValidator(whole)]
"""An id that is a number, in a body."""
