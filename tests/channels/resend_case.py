"""The case of mail through Resend."""

from __future__ import annotations

from tests.channels.http_cases import Replies, http_case
from tests.channels.servers.http_server import Reply
from tests.channels.smtp_case import MESSAGE
from tidings.spine.channels import resend
from tidings.spine.channels.port import Adapter
from tidings.spine.channels.registry import Outside


def resend_adapter(base_url: str, outside: Outside) -> Adapter:
    config = {"apiKey": "not a real one", "fromAddress": "news@example.org", "baseUrl": base_url}
    return resend.build(resend.ResendConfig.model_validate(config), outside)


RESEND = http_case(
    "resend",
    MESSAGE,
    resend_adapter,
    Replies(
        success=Reply(200, b'{"id": "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794"}'),
        credentials=Reply(403, b'{"name": "invalid_api_key", "message": "API key is invalid"}'),
        rejected=Reply(422, b'{"name": "validation_error", "message": "Invalid `to` field"}'),
    ),
    receipt="49a3999c-0ce1-4ea6-ab68-afcd6dc2e794",
    key_of=lambda request: request.headers["idempotency-key"],
)
