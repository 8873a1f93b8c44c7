"""The limit for taking facts over HTTP: FastAPI and one INSERT, nothing else. `python -m bench.plain_api PORT`."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import orjson
import uvicorn
from fastapi import FastAPI, Request
from pydantic import BaseModel

URL_VARIABLE = "BENCH_DATABASE_URL"
TABLE = "CREATE TABLE plain (id uuid PRIMARY KEY DEFAULT uuidv7(), type text NOT NULL, data jsonb NOT NULL)"
_INSERT = "INSERT INTO plain (type, data) VALUES ($1, $2::text::jsonb) RETURNING id"


class Fact(BaseModel):
    type: str
    data: dict[str, Any]


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    async with asyncpg.create_pool(os.environ[URL_VARIABLE], min_size=10, max_size=10) as pool:
        app.state.pool = pool
        yield


app = FastAPI(lifespan=_lifespan)


@app.post("/v1/facts", status_code=201)
async def post(fact: Fact, request: Request) -> dict[str, str]:
    return {"id": str(await request.app.state.pool.fetchval(_INSERT, fact.type, orjson.dumps(fact.data).decode()))}


@app.get("/readyz")
async def ready() -> dict[str, str]:
    return {"status": "ready"}


if __name__ == "__main__":
    uvicorn.run(app, port=int(sys.argv[1]), loop="uvloop", http="httptools", access_log=False, log_level="warning")
