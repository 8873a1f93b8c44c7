"""What the web UI asks for.

Revision ID: 0003
"""

from tidings.migrations.scripts import run_scripts

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_scripts(revision)
