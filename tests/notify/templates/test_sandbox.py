"""What a template cannot reach, and what in its data is never taken for a template."""

from __future__ import annotations

from typing import Any

import pytest

from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer

WALKS = [
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ ''['__class__'] }}",
    "{{ ''['__cla' ~ 'ss__'] }}",
    "{{ '' | attr('__class__') }}",
    "{{ [''] | map(attribute='__class__') | join }}",
    "{{ [''] | map('attr', '__class__') | join }}",
    "{{ [''] | sort(attribute='__class__') | map('string') | join ~ [''][0].__class__ }}",
    "{{ [''] | join(attribute='__class__') }}",
    "{{ '{0.__class__}'.format(1) }}",
    "{{ '{0.__class__}' | format(1) }}",
    "{{ '{a.__class__}'.format_map(data) }}",
    "{{ ('{0.__class__}' | e).format(1) }}",
    "{{ 'a'.upper.__self__ }}",
    "{{ data.get.__self__ }}",
    "{{ data['get']['__self__'] }}",
    "{{ data.items.__func__ }}",
    "{{ data.pop('order') }}",
    "{{ data.update(x=1) }}",
    "{{ data.items.append(1) }}",
    "{{ data.items.clear() }}",
    "{{ range.__globals__ }}",
    "{{ range['__globals__'] }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ namespace().__class__ }}",
    "{{ namespace()['__class__'] }}",
    "{{ namespace()._Namespace__attrs }}",
    "{{ self }}",
    "{{ self._TemplateReference__context }}",
    "{{ self.__init__ }}",
    "{{ caller }}",
    "{{ context }}",
    "{{ environment }}",
    "{{ cycler.__init__ }}",
    "{{ joiner }}",
    "{{ lipsum.__globals__ }}",
    "{{ dict }}",
    "{% for a in [1] %}{{ loop._iterator }}{% endfor %}",
    "{% for a in [1] %}{{ loop['_iterable'] }}{% endfor %}",
    "{% for a in [1] %}{{ loop.__init__ }}{% endfor %}",
    "{% for a in [1] %}{{ loop.cycle.__func__ }}{% endfor %}",
    "{{ data.nothing.__class__ }}",
    "{{ (1).__class__ }}{{ (1).real }}",
    "{{ data.order.encode() }}",
    "{{ data.order.join(['a']) }}",
    "{% include '/etc/hostname' %}",
    "{% extends 'base' %}",
    "{% import 'other' as other %}",
    "{% from 'other' import other %}",
    "{% autoescape false %}{% endautoescape %}",
    "{{ data.order | safe }}",
    "{{ data | pprint }}",
    "{{ data | xmlattr }}",
    "{{ data }}",
    "{{ data.items }}",
    "{{ data.get }}",
    "{{ range(*data.items) }}",
    "{{ range(**data) }}",
]


@pytest.mark.parametrize("template", WALKS)
@pytest.mark.parametrize("part", ["text", "markup"])
def test_python_cannot_be_reached(renderer: Renderer, context: dict[str, Any], template: str, part: str) -> None:
    with pytest.raises(TemplateError):
        renderer.piece(part, template, context, renderer.place("en", "UTC"))


@pytest.mark.parametrize(
    "said", ["{{ 7 * 7 }}", "{% for a in [1] %}x{% endfor %}", "{# hidden #}", "{{ person.name", "{% raw %}", "${7*7}"]
)
def test_template_syntax_in_data_stays_literal(renderer: Renderer, context: dict[str, Any], said: str) -> None:
    context["data"]["order"] = context["person"]["name"] = said
    assert renderer.text("{{ data.order }}|{{ person.name }}", context) == f"{said}|{said}"
    assert renderer.text("{{ data['order'] ~ '' }}", context) == said


def test_a_name_with_script_is_escaped_in_markup_and_plain_in_text(renderer: Renderer, context: dict[str, Any]) -> None:
    context["person"]["name"] = "<script>alert('x')</script>"
    place = renderer.place("en", "UTC")
    assert "<script" not in renderer.piece(
        "markup", "<p title='{{ person.name }}'>{{ person.name }}</p>", context, place
    )
    assert renderer.text("{{ person.name }}", context) == "<script>alert('x')</script>"


@pytest.mark.parametrize(
    "template",
    [
        "{{ data.evil ~ 'x' }}",
        "{{ 'x' + data.evil }}",
        "{{ [data.evil] | join('<b>') }}",
        "{{ data.evil | upper }}",
        "{{ data.evil | replace('a', '<b>') }}",
        "{{ data.nothing | default(data.evil) }}",
        "{{ data.evil | truncate(20) }}",
        "{{ data.evil | paragraphs }}",
        "{{ ('<i>' | e) ~ data.evil }}",
        "{{ ('<i>' | e) + data.evil }}",
        "{{ ('a' | e) | replace('a', data.evil) }}",
        "{% set x %}{{ data.evil }}{% endset %}{{ x }}",
        "{% filter lower %}{{ data.evil }}{% endfilter %}",
        "{{ data | tojson }}",
        "{{ data.evil | tojson }}",
        "{{ data.evil | string }}",
        "{{ data.evil | e | e }}",
    ],
)
def test_no_way_of_printing_undoes_the_escaping(renderer: Renderer, template: str) -> None:
    values = {"data": {"evil": "<IMG SRC=x onerror=a>"}}
    assert "<img" not in renderer.piece("markup", template, values, renderer.place("en", "UTC")).lower()


def test_a_key_comes_before_a_method_of_the_same_name(renderer: Renderer, context: dict[str, Any]) -> None:
    assert renderer.text("{% for item in data.items %}{{ item.name }} {% endfor %}", context) == "chair table"
    assert renderer.text("{% for key, value in notice.items() %}{{ key }} {% endfor %}", context).startswith("title")


def test_what_is_missing_is_an_error_unless_asked_about(renderer: Renderer, context: dict[str, Any]) -> None:
    assert renderer.text("{{ data.a.b.c | default('none') }}{{ data.a.b is defined }}", context) == "nonefalse"
    with pytest.raises(TemplateError, match="no 'a' here"):
        renderer.text("{{ data.a.b.c }}", context)
    with pytest.raises(TemplateError, match="'nobody' is undefined"):
        renderer.text("{{ nobody.name }}", context)


@pytest.mark.parametrize(
    ("template", "text"),
    [
        (
            "{{ 7 // 2 }} {{ 7 % 2 }} {{ 1.5 * 2 }} {{ 'a' * 3 }} {{ 'a' + 'b' }} {{ -data.total }}",
            "3 1 3.0 aaa ab -1250.5",
        ),
        ("{{ data.items | sum(attribute='price') }}", "200"),
        ("{{ 4 is even }} {{ 4 is odd }} {{ 9 is divisibleby(3) }} {{ 2.567 | round(1) }}", "true false true 2.6"),
        (
            "{{ range(6) | select('odd') | join(' ') }} {{ 'Æ' is lower }} {{ data.x is none or true }}",
            "1 3 5 false true",
        ),
        ("{{ data.items | map(attribute='name') | join(', ') }}", "chair, table"),
        ("{{ data.items | selectattr('price', 'gt', 50) | map(attribute='name') | first }}", "table"),
        ("{% set ns = namespace(n=0) %}{% for i in range(4) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}", "6"),
        ("{{ 'yes' if data.total > 1000 else 'no' }}{{ ' in' if data.order in ['4711'] else '' }}", "yes in"),
        ("{{ {'paid': 'bezahlt'}['paid'] }} {{ true }} {{ none }}|", "bezahlt true |"),
        ("{% for i in data.items %}{{ loop.cycle('a', 'b') }}{{ loop.last }}{% endfor %}", "afalsebtrue"),
        ("{% for i in range(2) %}{% for j in range(2) %}{{ i }}{{ j }} {% endfor %}{% endfor %}", "00 01 10 11"),
        ("{{ data.order.startswith('47') }} {{ 'a b'.split()[1] }} {{ data.get('x', 'y') }}", "true b y"),
        ("{% for a, b in {'x': 1}.items() %}{{ a }}{{ b }}{% else %}none{% endfor %}", "x1"),
        ("{{ data.items | tojson }}", '[{"name": "chair", "price": 40}, {"name": "table", "price": 160}]'),
        ("{% with a = 1 %}{{ a }}{% endwith %}{% raw %}{{ a }}{% endraw %}", "1{{ a }}"),
    ],
)
def test_what_templates_are_for_works(renderer: Renderer, context: dict[str, Any], template: str, text: str) -> None:
    assert renderer.text(template, context) == text


@pytest.mark.parametrize(
    "template",
    [
        "{{ 1 / 0 }}",
        "{{ 'a' < 1 }}",
        "{{ none.x.y }}",
        "{{ 1[:2] }}",
        "{{ none[1:] }}",
        "{{ data.order | round }}",
        "{{ -'a' }}",
    ],
)
def test_whatever_goes_wrong_is_a_template_error(renderer: Renderer, context: dict[str, Any], template: str) -> None:
    with pytest.raises(TemplateError):
        renderer.text(template, context)
