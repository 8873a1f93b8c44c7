"""Templates that try to run for ever, to fill the memory, or to break the compiler: each ends in a `TemplateError`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from tidings.spine.notify.templates.budget import Budget, Limits
from tidings.spine.notify.templates.errors import TemplateError
from tidings.spine.notify.templates.rendering import Renderer


def growing(start: str, step: str) -> str:
    """A template that makes something of itself, again and again."""
    return (
        f"{{% set big = 'x' * 200000 %}}{{% set ns = namespace(v={start}) %}}"
        f"{{% for i in range(9999) %}}{{% set ns.v = {step} %}}{{% endfor %}}"
    )


ENDLESS = {
    "a giant range": "{% for i in range(10000000000) %}{% endfor %}",
    "a giant range backwards": "{% for i in range(0, -10000000000, -1) %}{% endfor %}",
    "a giant range by a power": "{% for i in range(10**9) %}{% endfor %}",
    "a range that is listed": "{{ range(1000000000) | list | length }}",
    "loops within loops": "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
    "loops over what is given": "{% for a in many %}{% for b in many %}{{ b }}{% endfor %}{% endfor %}",
    "a loop whose condition works": "{% for a in many %}{% for b in many if b == a %}{% endfor %}{% endfor %}",
    "a loop with a long body": "{% for a in range(9999) %}" + "{% set x = 1 + a %}" * 500 + "{% endfor %}",
    "a sort in a loop": "{% for a in many %}{% set x = many | sort | reverse | unique | list %}{% endfor %}",
    "a comparison in a loop": "{% for a in range(9999) %}{% set x = many == more %}{% endfor %}",
    "map in a loop": "{% for a in many %}{{ many | map('string') | join }}{% endfor %}",
    "a recursive loop": "{% for a in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "a macro that calls itself": "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "a block that calls itself": "{% block b %}{{ self.b() }}{% endblock %}",
    "stripping many letters": "{{ ('a' * 200000).strip('b' * 200000 ~ 'a') }}",
    "trimming many letters": "{{ ('a' * 200000) | trim('b' * 200000 ~ 'a') }}",
    "sorting by a long path": "{{ many | sort(attribute='a' + '.a' * 20000) | first }}",
    "a budget refilled": "{% set x = [1] | map(' counted', -1000000000) | list %}"
    "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
}
LARGE = {
    "a text times a number": "{{ 'x' * 200000000 }}",
    "a text times a number, in pieces": "{{ 'x' * 9999 * 9999 * 9999 }}",
    "a number times a text": "{{ 200000000 * 'x' }}",
    "a padded text": "{{ 'a' | center(1000000000) }}",
    "a padded text by method": "{{ 'a'.ljust(1000000000) }}{{ 'a'.zfill(1000000000) }}",
    "an indent": "{{ 'a' | indent(1000000000, true) }}",
    "a format": "{{ '%1000000000d' % 1 }}",
    "a format by filter": "{{ '%1000000000d' | format(1) }}",
    "a format by method": "{{ '{:1000000000}'.format(1) }}",
    "tabs": "{{ '\t'.expandtabs(1000000000) }}",
    "a batch filled up": "{{ [1] | batch(1000000000, 0) | list }}",
    "slices": "{{ [1] | slice(1000000000) | list }}",
    "a join with a long separator": "{{ range(9999) | join('x' * 200000) }}",
    "a replacement of nothing": "{{ ('x' * 200000) | replace('', 'y' * 200000) }}",
    "a list of long texts": "{% set b = 'x' * 200000 %}{{ range(9999) | map('replace', '1', b) | list | length }}",
    "doubling by ~": growing("'xx'", "ns.v ~ ns.v"),
    "doubling by +": growing("'xx'", "ns.v + ns.v"),
    "doubling by join": growing("'xx'", "[ns.v, ns.v] | join"),
    "doubling by replace": growing("'xx'", "ns.v | replace('x', 'xx')"),
    "doubling a list": growing("[1]", "ns.v + ns.v"),
    "a list of itself": growing("[1]", "[ns.v, ns.v]"),
    "a tuple of itself": growing("1", "(ns.v, ns.v)"),
    "a dictionary of itself": growing("1", "{'a': ns.v, 'b': ns.v}"),
    "doubling in a block": growing("'xx'", "ns.v")
    + "{% set x %}{% for i in range(9999) %}{{ big }}{% endfor %}{% endset %}",
    "long text in a loop": "{% for i in range(9999) %}" + "y" * 5000 + "{% endfor %}",
    "long text in a loop in a block": "{% set x %}{% for i in range(9999) %}" + "y" * 5000 + "{% endfor %}{% endset %}",
    "escaped text, kept": "{% for i in range(9999) %}{% set x = ('&' * 200000) | e %}{% endfor %}",
    "a filter block": "{% filter upper %}{% for i in range(9999) %}" + "y" * 5000 + "{% endfor %}{% endfilter %}",
    "powers": "{{ 9 ** 9 ** 9 }}",
    "squaring": growing("9", "ns.v * ns.v"),
    "a power hidden in round": "{{ 1.5 | round(1000000000, 'ceil') }}",
    "a number from many digits": "{{ ('f' * 200000) | int(0, 16) * 1 }}",
    "a short number that prints long": "{{ '1e999999999' | number }}",
    "a short amount that prints long": "{{ '1e999999999' | money('EUR') }}",
    "a sum of lists": "{{ [[1]] | sum(start=[]) }}",
    "a format hidden in a test": "{{ '%999999999d' is even }}",
    "a format hidden in another test": "{{ '%999999999d' is divisibleby(3) }}",
    "a format hidden in select": "{{ ['%999999999d'] | select('odd') | list | length }}",
    "a product hidden in round": "{{ 'x' | round(15, 'floor') }}",
    "filler text": "{{ lipsum(100000) }}",
    "a date pattern": "{{ '2026-01-01' | date('y' * 200000) }}",
    "decimals": "{{ 1 | number(1000000000) }}",
}
DEEP = {
    "brackets": "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "lists": "{{ " + "[" * 5000 + "]" * 5000 + " }}",
    "a long sum": "{{ " + "1+" * 20000 + "1 }}",
    "a long path": "{{ data" + ".a" * 20000 + " }}",
    "many filters": "{{ 1" + "|abs" * 10000 + " }}",
    "many nots": "{{ " + "not " * 10000 + "1 }}",
    "many minuses": "{{ " + "-" * 10000 + "1 }}",
    "many conditions": "{% if data %}" * 2000 + "{% endif %}" * 2000,
    "many loops": "{% for a in many %}" * 50 + "{% endfor %}" * 50,
    "many alternatives": "{% if data %}" + "{% elif data %}" * 3000 + "{% endif %}",
    "many ternaries": "{{ " + "1 if 1 else " * 3000 + "1 }}",
    "a long number": "{{ " + "9" * 20000 + " }}",
    "many prints": "{{ 1 }}" * 9000,
    "a long source": "x" * 70_000,
    "open ends": "{{ " * 20000,
    "open brackets": "{{ " + "{" * 20000,
    "dashes": "{%-" * 20000,
}


def refusal(renderer: Renderer, template: str) -> TemplateError:
    many = list(range(2000))
    with pytest.raises(TemplateError) as refused:
        renderer.text(template, {"many": many, "more": [*many[:-1], -1], "data": {}})
    return refused.value


@pytest.mark.parametrize("template", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_would_not_end_is_stopped(renderer: Renderer, template: str) -> None:
    assert refusal(renderer, template).status == 422


def test_a_test_of_numbers_is_not_asked_of_a_text(renderer: Renderer) -> None:
    assert "even is asked of numbers" in refusal(renderer, "{{ '%999999999d' is even }}").detail


@pytest.mark.parametrize("template", LARGE.values(), ids=LARGE.keys())
def test_what_would_fill_the_memory_is_stopped(renderer: Renderer, template: str) -> None:
    assert refusal(renderer, template).status == 422


@pytest.mark.parametrize("template", DEEP.values(), ids=DEEP.keys())
def test_what_would_break_the_compiler_is_refused(renderer: Renderer, template: str) -> None:
    assert refusal(renderer, template).status == 422


def test_the_same_limits_hold_for_markup(renderer: Renderer) -> None:
    with pytest.raises(TemplateError, match="more than"):
        renderer.piece("markup", "{{ '&' * 250000 }}", {}, renderer.place("en", "UTC"))


def test_a_long_list_is_within_the_limits(renderer: Renderer, context: dict[str, Any]) -> None:
    context["data"]["items"] = [{"name": f"item {number}", "price": number} for number in range(2000)]
    template = "{% for item in data.items %}{{ loop.index }}. {{ item.name }}: {{ item.price | number }}\n{% endfor %}"
    assert renderer.text(template, context).count("\n") == 1999


def test_the_deadline_stands_behind_the_count() -> None:
    times = iter([0.0, 0.5, 1.5])
    budget = Budget(Limits(deadline=timedelta(seconds=1)), clock=lambda: next(times))
    budget.spend(1)
    with pytest.raises(TemplateError, match="longer than 1 s"):
        budget.spend(1)


def test_nothing_given_back_to_a_budget_counts() -> None:
    budget = Budget(Limits(steps=10))
    budget.spend(-9)
    with pytest.raises(TemplateError, match="10 steps"):
        budget.spend(-9)


def test_an_error_says_which_line(renderer: Renderer) -> None:
    error = refusal(renderer, "one\ntwo\n{{ 'x' * 900000 }}")
    assert error.line == 3
    assert error.detail.startswith("line 3: makes a text of more than")
