"""What is wrong with a template, told when it is saved rather than when it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import meta, nodes

from tidings.kit.errors import Fault
from tidings.spine.notify.templates import mjml
from tidings.spine.notify.templates.channels import CHANNELS, shape_of
from tidings.spine.notify.templates.compiling import Compiler
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.language import FUNCTIONS
from tidings.spine.notify.templates.rendering import Renderer
from tidings.spine.notify.templates.sources import NAMES, PERSONAL, Source

_SAMPLE = "sample"


@dataclass(frozen=True, slots=True)
class Checker:
    """Checks with the very compilers that will render."""

    renderer: Renderer

    def faults(self, source: Source, channel: str) -> list[Fault]:
        """Everything that is wrong, part by part; empty if the template may be saved."""
        if channel not in CHANNELS:
            return [Fault("channel", f"must be one of {', '.join(CHANNELS)}")]
        found = list(_missing(source, channel))
        for part, text in source.parts():
            found += [Fault(part, message) for message in self._messages(part, text)]
        return found

    def uses_person(self, source: Source) -> bool:
        """Whether the result differs from person to person, other than by their language and timezone.

        Where it does not, one rendering serves everybody with the same language and timezone.
        """
        return any(self._names(part, text) & PERSONAL for part, text in source.parts())

    def _names(self, part: str, text: str) -> set[str]:
        """Every name that is read anywhere, so that one set under the same name counts too: rather once too often."""
        tree = self.renderer.compiler(part).parse(text)
        return {node.name for node in _all(tree) if isinstance(node, nodes.Name)}

    def _messages(self, part: str, text: str) -> Iterator[str]:
        compiler = self.renderer.compiler(part)
        try:
            tree = compiler.parse(text)
            objections = compiler.objections(tree)
            yield from (f"line {each.line}: {each.message}" for each in objections)
            if not objections:
                yield from _deeper(compiler, part, text, tree)
        except TemplateError as error:
            yield error.detail


def _deeper(compiler: Compiler, part: str, text: str, tree: nodes.Template) -> Iterator[str]:
    """What can be told of a template that uses nothing forbidden."""
    for name in sorted(meta.find_undeclared_variables(tree) - NAMES - FUNCTIONS):
        yield f"there is no {name!r}: a template knows {', '.join(sorted(NAMES))}"
    if part == "markup":
        yield from dict.fromkeys(_markup_messages(tree))
    compiler.compile(text)


def _markup_messages(tree: nodes.Template) -> Iterator[str]:
    """Checked as if every condition held, and as if none did."""
    for holds in (True, False):
        try:
            mjml.to_html("".join(_sampled(tree.body, holds)))
        except TemplateError as error:
            yield error.detail


def _sampled(body: list[nodes.Node], holds: bool) -> Iterator[str]:
    """What the template's own text comes to, with a sample for each value."""
    for node in body:
        match node:
            case nodes.Output():
                for child in node.nodes:
                    yield child.data if isinstance(child, nodes.TemplateData) else _SAMPLE
            case nodes.If() | nodes.For():
                yield from _sampled(node.body if holds else node.else_, holds)
            case nodes.With() | nodes.FilterBlock():
                yield from _sampled(node.body, holds)


def _missing(source: Source, channel: str) -> Iterator[Fault]:
    shape = shape_of(channel)
    if shape.markup and not (source.subject or "").strip():
        yield Fault("subject", "is missing: a mail needs one")
    if shape.markup and not (source.text or "").strip() and not (source.markup or "").strip():
        yield Fault("markup", "is missing: a mail needs markup or text")
    if not shape.markup and not (source.text or "").strip():
        yield Fault("text", "is missing")
    if not shape.markup and source.markup is not None:
        yield Fault("markup", "is for mails only")


def _all(tree: nodes.Template) -> Iterator[nodes.Node]:
    todo: list[nodes.Node] = [tree]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(node.iter_child_nodes())
