"""From a template's source to its text: compiled once, rendered within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import TracebackType
from typing import Any

from jinja2 import Template, TemplateSyntaxError, nodes

from tidings.spine.notify.templates.budget import Budget, Limits
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.filters import equip
from tidings.spine.notify.templates.language import Known, Objection, objections
from tidings.spine.notify.templates.places import Place
from tidings.spine.notify.templates.sandbox import RunContext, Sandbox
from tidings.spine.notify.templates.weaving import woven

_CODE = "<template>"


@dataclass(frozen=True)
class Compiler:
    """Compiled templates of one kind (plain or markup), the most recently used kept."""

    markup: bool
    limits: Limits = field(default_factory=Limits)
    kept: int = 256

    def __post_init__(self) -> None:
        environment = Sandbox(self.limits, markup=self.markup)
        equip(environment)
        object.__setattr__(self, "_environment", environment)
        object.__setattr__(self, "_compiled", lru_cache(self.kept)(self._compile))

    _environment: Sandbox = field(init=False, repr=False, compare=False)
    _compiled: Any = field(init=False, repr=False, compare=False)

    def render(self, source: str, values: Mapping[str, Any], place: Place) -> str:
        """The text that comes out; a `TemplateError` for everything else that can."""
        template: Template = self._compiled(source)
        try:
            return self._run(template, values, place)
        except Exception as error:
            raise _translated(error, template) from error

    def parse(self, source: str) -> nodes.Template:
        """The tree of a source that may be compiled."""
        if len(source) > self.limits.source:
            raise TemplateError(f"is longer than {self.limits.source:,} characters")
        try:
            return self._environment.parse(source)
        except TemplateSyntaxError as error:
            raise TemplateError(error.message or "cannot be read", line=error.lineno) from error
        except Exception as error:  # the parser recurses, and its numbers are Python's
            raise TemplateError("cannot be read: nested too deeply, or a number too long") from error

    def objections(self, tree: nodes.Template) -> list[Objection]:
        known = Known(self._environment.filters, self._environment.tests)
        return sorted(objections(tree, known, self.limits), key=lambda objection: objection.line)

    def compile(self, source: str) -> None:
        """Raises what keeps the source from being compiled."""
        self._compiled(source)

    def _compile(self, source: str) -> Template:
        tree = self.parse(source)
        for objection in self.objections(tree):
            raise TemplateError(objection.message, line=objection.line)
        try:
            code = self._environment.compile(woven(tree), filename=_CODE)
        except TemplateSyntaxError as error:
            raise TemplateError(error.message or "cannot be compiled", line=error.lineno) from error
        except Exception as error:  # Python's own limits, such as 20 loops within each other
            raise TemplateError("is nested too deeply") from error
        return Template.from_code(self._environment, code, self._environment.globals)

    def _run(self, template: Template, values: Mapping[str, Any], place: Place) -> str:
        context = template.new_context(dict(values))
        assert isinstance(context, RunContext)
        context.budget, context.place = Budget(self.limits), place
        pieces: list[str] = []
        size = 0
        for piece in template.root_render_func(context):
            size += len(piece)
            context.budget.fits(size)
            pieces.append(piece)
        return "".join(pieces)


def _translated(error: Exception, template: Template) -> TemplateError:
    line = _line(error.__traceback__, template)
    match error:
        case TemplateError():
            return TemplateError(error.plain, line=error.line or line)
        case RecursionError() | MemoryError():
            return TemplateError("is nested too deeply", line=line)
        case ZeroDivisionError():
            return TemplateError("divides by zero", line=line)
    return TemplateError(str(error)[:300] or type(error).__name__, line=line)


def _line(trace: TracebackType | None, template: Template) -> int | None:
    """The line of the template that was being rendered when it failed."""
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _CODE:
            line = template.get_corresponding_lineno(trace.tb_lineno)
        trace = trace.tb_next
    return line
