"""Processes, and the module `events`.

Revision ID: 0004
"""

from tidings.migrations.scripts import run_scripts

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_scripts(revision)
