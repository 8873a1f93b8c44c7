"""The module `reports`: schedules, who they are mailed to, their runs.

Revision ID: 0007
"""

from tidings.migrations.scripts import run_scripts

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    run_scripts(revision)
