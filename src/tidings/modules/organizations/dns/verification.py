"""What came of asking resolvers for a name, and when that is enough. Travels through processes and facts as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tidings.spine.processes.contracts import Document


class Answer(Document):
    """What one resolver said. A success has at least one address; all else has an error, in words."""

    server: str
    success: bool
    addresses: list[str]
    error: str | None = None


class Verification(Document):
    """Whether the world can see a name. `quorum` is how many resolvers can, of how many were asked."""

    verified: bool
    method: Literal["dns_quorum", "development"]
    quorum: str
    answers: list[Answer]
    addresses: list[str]


UNASKED = Verification(verified=True, method="development", quorum="0/0", answers=[], addresses=[])
"""Of a provider whose records nobody outside can see."""


def decided(answers: Sequence[Answer], quorum: int) -> Verification:
    """Verified, where `quorum` of the resolvers have an address for the name.

    Only that counts. That there is no such name, no address, a failure or silence may each be how a resolver that is
    behind, or away, looks: none of them outvotes those who can see the name, and none is an error. Which addresses
    they see need not agree: a proxied name has those of the proxy nearest to whoever asks. One resolver alone is not
    enough, as some answer to names that are not there with a page of their own.
    """
    seen = [answer for answer in answers if answer.success]
    return Verification(
        verified=len(seen) >= quorum,
        method="dns_quorum",
        quorum=f"{len(seen)}/{len(answers)}",
        answers=list(answers),
        addresses=sorted({address for answer in seen for address in answer.addresses}),
    )
