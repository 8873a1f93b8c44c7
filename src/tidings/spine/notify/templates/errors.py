"""What a template can do wrong: one error, with the part and the line where they are known."""

from __future__ import annotations

from tidings.kit.errors import TidingsError


class TemplateError(TidingsError):
    """The template cannot be rendered."""

    status = 422
    slug = "template-error"

    def __init__(self, detail: str | None = None, *, part: str | None = None, line: int | None = None) -> None:
        super().__init__(_placed(detail, line), **{k: v for k, v in (("part", part), ("line", line)) if v is not None})
        self.plain = detail or type(self).title()
        self.part = part
        self.line = line

    @property
    def placed(self) -> str:
        """With the part that it is in: `body, line 2: there is no 'total' here`."""
        line = None if self.line is None else f"line {self.line}"
        place = ", ".join(each for each in (self.part, line) if each)
        return f"{place}: {self.plain}" if place else self.plain

    def within(self, part: str) -> TemplateError:
        """The same error, said of a part."""
        return TemplateError(self.plain, part=part, line=self.line)


def _placed(detail: str | None, line: int | None) -> str | None:
    return f"line {line}: {detail}" if detail and line is not None else detail
