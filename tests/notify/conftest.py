"""Settings of a worker that sends to the sandbox."""

from __future__ import annotations

import pytest

from tests.support.pipeline import sending_settings
from tidings.kit.settings import Settings


@pytest.fixture
def sending(database_url: str) -> Settings:
    return sending_settings(database_url)
