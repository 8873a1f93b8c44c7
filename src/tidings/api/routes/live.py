"""`/v1/ws`: the live inbox."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from tidings.api.live.service import Live

router = APIRouter()


async def open_socket(websocket: WebSocket) -> None:
    live: Live = websocket.app.state.live
    await live.serve(websocket)


router.routes.append(WebSocketRoute("/v1/ws", open_socket))
