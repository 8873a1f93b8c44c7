"""Who runs PostgreSQL: it refuses to run as root, so root hands it to an unprivileged user."""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from tidings.kit.errors import Misconfigured


@dataclass(frozen=True)
class Runner:
    """An unprivileged user, without supplementary groups."""

    uid: int
    gid: int

    def can_enter(self, directory: Path) -> bool:
        """Whether this user can reach and read `directory`, by the modes of it and of all above it."""
        directory = directory.resolve()
        return self._may(directory, stat.S_IROTH | stat.S_IXOTH) and self.can_reach(directory)

    def can_reach(self, directory: Path) -> bool:
        """Whether this user can pass through `directory` and all above it."""
        directory = directory.resolve()
        return all(self._may(place, stat.S_IXOTH) for place in (directory, *directory.parents))

    def _may(self, place: Path, wanted: int) -> bool:
        found = place.stat()
        shift = 6 if found.st_uid == self.uid else 3 if found.st_gid == self.gid else 0
        return (found.st_mode >> shift) & wanted == wanted


def choose_runner(cluster: Path) -> Runner | None:
    """None to run as who we are; as root, the owner of the cluster there is, or else `nobody`."""
    if os.geteuid() != 0:
        return None
    if cluster.exists() and (owner := cluster.stat()).st_uid != 0:
        return Runner(owner.st_uid, owner.st_gid)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise Misconfigured("PostgreSQL does not run as root and there is no user `nobody`: use another user") from None
    return Runner(nobody.pw_uid, nobody.pw_gid)
