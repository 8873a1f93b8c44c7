"""${message}

Revision ID: ${up_revision}
Revises: ${down_revision | comma,n}
"""

from tidings.migrations.scripts import run_scripts

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    run_scripts(revision)
