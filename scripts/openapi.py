"""Prints the OpenAPI document, from which the UI's types are made. Needs no database."""

from __future__ import annotations

import json
import os

os.environ.update(TIDINGS_MASTER_KEY="A" * 43, TIDINGS_DATABASE_URL="postgresql://localhost/tidings")

from tidings.api.application import create_api
from tidings.kit.settings import Settings

if __name__ == "__main__":
    print(json.dumps(create_api(Settings()).openapi(), indent=1, sort_keys=True))
