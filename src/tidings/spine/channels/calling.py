"""Whether a URL of somebody's may be called at all: asked when it is saved, so that whoever saves it hears why not.

No name is looked up for it: what a name leads to may change, and is judged whenever something is sent.
"""

from __future__ import annotations

from dataclasses import dataclass

from tidings.spine.channels.apprise_urls import checked_apprise_url
from tidings.spine.channels.network import Network
from tidings.spine.channels.port import Channel, Rejected


@dataclass(frozen=True)
class Calling:
    network: Network

    def refused(self, kind: str, url: str) -> str | None:
        """Why nothing would ever be sent there, in words for whoever saves it; None where it may be."""
        if kind == Channel.APPRISE:
            judged = checked_apprise_url(url, self.network)
            return judged.reason if isinstance(judged, Rejected) else None
        place = self.network.checked_url(url)
        return place.reason if isinstance(place, Rejected) else None
