"""An intent for each listener; matters and who settles them; the module `reservations`.

Revision ID: 0005
"""

from tidings.migrations.scripts import run_scripts

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_scripts(revision)
