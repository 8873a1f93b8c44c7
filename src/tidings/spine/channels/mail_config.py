"""What every provider of mail is told: who it is from."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from tidings.spine.channels.mail_headers import Mailbox, mailbox
from tidings.spine.channels.port import Rejected
from tidings.spine.channels.registry import Config


def _one_address(value: str) -> str:
    if isinstance(mailbox(value), Rejected):
        raise ValueError("must be one mail address")
    return value


class MailConfig(Config):
    from_address: Annotated[str, AfterValidator(_one_address)] = Field(description="who mails are from")
    from_name: str | None = Field(None, max_length=200, description="the name beside it")

    @property
    def sender(self) -> Mailbox:
        found = mailbox(self.from_address, self.from_name)
        assert isinstance(found, Mailbox)  # validated above
        return found
