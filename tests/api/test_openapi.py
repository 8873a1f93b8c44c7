"""The names of schemas in the OpenAPI document: each stands for one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fastapi import FastAPI
from pydantic import BaseModel

from tidings.api.openapi import describe
from tidings.api.routing import ROUTES


def models(base: type[BaseModel] = BaseModel) -> Iterator[type[BaseModel]]:
    """Every model that the API has, each once; a generic one stands for its variants."""
    for model in base.__subclasses__():
        if model.__module__.startswith("tidings.api") and "[" not in model.__name__:
            yield model
        yield from models(model)


def test_no_two_models_have_one_name_and_none_is_shown_under_another() -> None:
    """A body is described under its title, and what it is made of by the names of the classes."""
    found = set(models())
    assert found
    assert {name for name, count in Counter(model.__name__ for model in found).items() if count > 1} == set()
    titles = {model.__name__: model.model_json_schema().get("title", model.__name__) for model in found}
    assert {name: title for name, title in titles.items() if name != title} == {}


def test_a_schema_is_called_as_its_model_is() -> None:
    """FastAPI tells two of one name apart by their modules, which are nobody's business."""
    app = FastAPI(routes=[route for module in ROUTES for route in module.router.routes])
    names = set(describe(app)["components"]["schemas"])
    assert "NewRuleBody" in names
    assert {name for name in names if name.startswith("tidings__")} == set()
