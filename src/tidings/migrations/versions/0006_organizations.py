"""Whole types that are reserved; the module `organizations` with its projections.

Revision ID: 0006
"""

from tidings.migrations.scripts import run_scripts

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    run_scripts(revision)
