"""The part of Jinja that templates may use, checked before anything is compiled.

Only what is listed is allowed, so that a new feature of Jinja is refused until somebody has thought about it. There
are no macros, blocks, includes or recursive loops: what is left always moves forward, and only loops repeat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from jinja2 import nodes

from tidings.spine.notify.templates.budget import Limits

METHODS = {
    "text": frozenset({"upper", "lower", "title", "capitalize", "strip", "startswith", "endswith", "split"}),
    "mapping": frozenset({"items", "keys", "values", "get"}),
    "loop": frozenset({"cycle", "changed"}),
}
FUNCTIONS = frozenset({"range", "namespace"})
_CALLABLE = frozenset().union(*METHODS.values())
_SPECIAL = frozenset({"self", "super", "caller", "varargs", "kwargs"})
_STATEMENTS = (nodes.Template, nodes.Output, nodes.If, nodes.For, nodes.Assign, nodes.AssignBlock, nodes.With)
_VALUES = (nodes.TemplateData, nodes.Name, nodes.NSRef, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair)
_ACCESS = (nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Call, nodes.Keyword)
_OPERATIONS = (nodes.Filter, nodes.FilterBlock, nodes.Test, nodes.Compare, nodes.Operand, nodes.CondExpr, nodes.Concat)
_LOGIC = (nodes.Scope, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos)
_ARITHMETIC = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod)
_ALLOWED = frozenset(_STATEMENTS + _VALUES + _ACCESS + _OPERATIONS + _LOGIC + _ARITHMETIC)
_SAID = {nodes.CallBlock: "{% call %}", nodes.ScopedEvalContextModifier: "{% autoescape %}", nodes.Pow: "**"}


@dataclass(frozen=True, slots=True)
class Objection:
    """Something in a template that is not allowed, and the line it is on."""

    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Known:
    """The names of filters and tests that there are."""

    filters: Collection[str]
    tests: Collection[str]


def objections(tree: nodes.Template, known: Known, limits: Limits) -> Iterator[Objection]:
    """Everything that is not allowed. Walks without recursion: the tree may be as deep as its source is long."""
    todo: list[tuple[nodes.Node, int]] = [(tree, 0)]
    seen = 0
    while todo:
        node, depth = todo.pop()
        seen += 1
        if depth > limits.depth or seen > limits.nodes:
            yield Objection(node.lineno or 1, "is nested too deeply" if depth > limits.depth else "has too many parts")
            return
        message = _objection(node, known)
        if message is not None:
            yield Objection(node.lineno or 1, message)
        todo.extend((child, depth + 1) for child in node.iter_child_nodes())


def _objection(node: nodes.Node, known: Known) -> str | None:
    if type(node) not in _ALLOWED:
        return f"{_SAID.get(type(node), type(node).__name__.lower())} cannot be used in a template"
    match node:
        case nodes.Name(name=name) if name in _SPECIAL:
            return f"{name} cannot be used in a template"
        case nodes.Getattr(attr=name) if name.startswith("__"):
            return f"{name} cannot be reached from a template"
        case nodes.Filter(name=name) if name not in known.filters:
            return f"there is no filter named {name!r}"
        case nodes.Test(name=name) if name not in known.tests:
            return f"there is no test named {name!r}"
        case nodes.Getitem(node=nodes.Const(value=value), arg=nodes.Slice()) if not isinstance(value, str):
            return "only texts and lists have parts"
        case nodes.For(recursive=True):
            return "a loop cannot be recursive"
        case nodes.If(elif_=branches) if len(branches) > 50:
            return "has more than 50 elif"
        case nodes.Call() | nodes.Filter() | nodes.Test():
            return _objection_to_call(node)
    return None


def _objection_to_call(node: nodes.Call | nodes.Filter | nodes.Test) -> str | None:
    if node.dyn_args is not None or node.dyn_kwargs is not None:
        return "arguments cannot be unpacked in a template"
    if not isinstance(node, nodes.Call):
        return None
    match node.node:
        case nodes.Name(name=name) if name in FUNCTIONS:
            return None
        case nodes.Getattr(attr=name) if name in _CALLABLE:
            return None
        case nodes.Name(name=name) | nodes.Getattr(attr=name):
            return f"{name}() cannot be called in a template"
    return "this cannot be called in a template"
