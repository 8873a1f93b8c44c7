"""The adapters that the suite tries, one line each."""

from __future__ import annotations

from tests.channels.apprise_case import APPRISE
from tests.channels.behaviours import Case
from tests.channels.provider_cases import FCM, META, SLACK, TWILIO
from tests.channels.resend_case import RESEND
from tests.channels.smtp_case import SMTP
from tests.channels.webhook_case import WEBHOOK

CASES: tuple[Case, ...] = (
    SMTP,
    RESEND,
    WEBHOOK,
    TWILIO,
    META,
    FCM,
    SLACK,
    APPRISE,
)
