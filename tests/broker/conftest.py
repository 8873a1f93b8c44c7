"""Workers with a broker and without one, and commands that know of it."""

from __future__ import annotations

import pytest

from tests.broker.stage import with_broker, working_settings
from tests.cli.conftest import bare, tidings
from tests.support.pipeline import sending_settings
from tidings.kit.settings import Settings

__all__ = ["bare", "tidings"]


@pytest.fixture
def settings(database_url: str) -> Settings:
    """For a worker that sends to the sandbox, and knows of no broker."""
    return sending_settings(database_url)


@pytest.fixture(params=["without RabbitMQ", "with RabbitMQ"])
def either_way(settings: Settings, request: pytest.FixtureRequest) -> Settings:
    """Runs the test twice: for a worker alone, and for one whose work goes through a broker."""
    if request.param == "without RabbitMQ":
        return working_settings(settings)
    return with_broker(settings, request.getfixturevalue("broker_url"))


@pytest.fixture
def set_broker(broker_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The settings of every command name this broker."""
    monkeypatch.setenv("TIDINGS_BROKER_URL", broker_url)
    return broker_url
