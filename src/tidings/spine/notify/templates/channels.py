"""What each channel takes: whether there is a title, and how much text."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.spine.notify.templates.errors import TemplateError


@dataclass(frozen=True, slots=True)
class Shape:
    """Longest title (none where there is no such thing) and text, in characters; and which parts must be there."""

    subject: int | None
    text: int
    markup: bool = False


_SHAPES = {
    "email": Shape(subject=300, text=256 * 1024, markup=True),
    "sms": Shape(subject=None, text=1_600),
    "whatsapp": Shape(subject=60, text=1_600),
    "push": Shape(subject=200, text=2_000),
    "slack": Shape(subject=150, text=3_000),
    "websocket": Shape(subject=300, text=4_000),
    "webhook": Shape(subject=300, text=16_000),
    "apprise": Shape(subject=250, text=4_000),
}
CHANNELS = tuple(_SHAPES)


def shape_of(channel: str) -> Shape:
    shape = _SHAPES.get(channel)
    if shape is None:
        raise TemplateError(f"there is no channel {channel!r}")
    return shape
