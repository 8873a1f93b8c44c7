"""What is put into a template before it is compiled: a count in every loop, a check where a value could grow unseen."""

from __future__ import annotations

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from tidings.spine.notify.templates.budget import LETTERS

# Filters that only `woven` writes. No template can: their names are no names in its language.
COUNTED, JOINED, FLAT, WEIGHED = " counted", " joined", " flat", " weighed"


def woven(tree: nodes.Template) -> nodes.Template:
    """The tree with a count in every loop, and a check wherever a value could grow out of sight of the sandbox."""
    environment = tree.environment
    assert environment is not None
    _Weaver().visit(tree)
    tree.set_environment(environment)
    return tree


def weight(node: nodes.Node) -> int:
    """How many steps it is to execute everything under a node once."""
    total = 1
    todo = [node]
    while todo:
        each = todo.pop()
        total += 1 + (len(each.data) // LETTERS if isinstance(each, nodes.TemplateData) else 0)
        todo.extend(each.iter_child_nodes())
    return total


class _Weaver(NodeTransformer):
    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - the visitor's naming
        steps = weight(node)
        self.generic_visit(node)
        assert isinstance(node.iter, nodes.Expr)
        node.iter = _through(COUNTED, node.iter, nodes.Const(steps, lineno=node.lineno))
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(JOINED, nodes.List(node.nodes, lineno=node.lineno))

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        node.expr = _through(WEIGHED, node.expr)
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(FLAT, node)

    def visit_Dict(self, node: nodes.Dict) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(FLAT, node)

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _through(FLAT, node) if node.ctx == "load" else node


def _through(name: str, value: nodes.Expr, *arguments: nodes.Expr) -> nodes.Filter:
    return nodes.Filter(value, name, list(arguments), [], None, None, lineno=value.lineno)
