"""Templates as they may be sent."""

from __future__ import annotations

import re
from typing import Annotated, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from fastapi import Path, Query
from pydantic import AfterValidator, Field

from tidings.api.bodies import Input
from tidings.api.bodies.rules import ChannelName, LevelName, Slug
from tidings.api.shapes import NO_NUL
from tidings.spine.notify import saying
from tidings.spine.notify.rules import fields, model
from tidings.spine.notify.templates.budget import Limits

_ZONE = r"^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*$"
LOCALE = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$"
_Source = Annotated[str, Field(max_length=Limits().source, pattern=NO_NUL)]


def spelt(locale: str | None) -> str:
    """One spelling for each language: `pt-BR`, `zh-Hant`. Empty for that of everybody."""
    language, *rest = (locale or "").split("-")
    return "-".join([language.lower(), *(_subtag(each) for each in rest)])


def _subtag(text: str) -> str:
    if re.fullmatch("[A-Za-z]{2}", text):
        return text.upper()
    return text.title() if re.fullmatch("[A-Za-z]{4}", text) else text.lower()


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ValueError, OSError, LookupError):
        raise ValueError("must be a timezone such as Europe/Rome") from None
    return name


NameInPath = Annotated[str, Path(pattern=fields.SLUG)]
ChannelInPath = Annotated[ChannelName, Path()]
LocaleInQuery = Annotated[
    str | None, Query(pattern=LOCALE, max_length=30, description="such as it or pt-BR; none: for everybody else")
]
VersionInQuery = Annotated[int | None, Query(ge=1, le=2**31 - 1, description="by default the one in use")]


class TemplateBody(Input):
    """A template: a mail needs a subject, and markup or text; everything else a text."""

    subject: _Source | None = Field(None, description="of a mail; a title, where the channel has one")
    markup: _Source | None = Field(None, description="MJML, for mails only")
    text: _Source | None = None


class NoticeBody(Input):
    title: Annotated[str, Field(max_length=model.LONGEST_TITLE, pattern=NO_NUL)] = "A sample title"
    body: Annotated[str, Field(max_length=model.LONGEST_BODY, pattern=NO_NUL)] = "This is what a notice may say."
    level: LevelName = "info"
    category: Slug = saying.CATEGORY


class PreviewBody(Input):
    """What to render. What is left out is the person's, the fact's, or a sample."""

    channel: ChannelName
    name: Slug = Field(saying.TEMPLATE, description="of the template that is saved")
    source: TemplateBody | None = Field(None, description="one that is not saved, in place of it")
    locale: Annotated[str, Field(pattern=LOCALE, max_length=30)] | None = None
    timezone: Annotated[str, Field(max_length=64, pattern=_ZONE), AfterValidator(_zone)] | None = Field(
        None, description="such as Europe/Rome"
    )
    fact_id: Annotated[UUID, Field(strict=False)] | None = None
    data: dict[str, Any] | None = Field(None, description="in place of the fact's")
    person_id: Annotated[UUID, Field(strict=False)] | None = None
    notice: NoticeBody = Field(default_factory=NoticeBody)
