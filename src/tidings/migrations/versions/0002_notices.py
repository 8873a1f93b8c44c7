"""People, rules, notices, notifications and deliveries.

Revision ID: 0002
"""

from tidings.migrations.scripts import run_scripts

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_scripts(revision)
