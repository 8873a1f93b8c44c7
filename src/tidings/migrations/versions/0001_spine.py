"""Tenants, the journal, the outbox, and who may do what.

Revision ID: 0001
"""

from tidings.migrations.scripts import run_scripts

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_scripts(revision)
