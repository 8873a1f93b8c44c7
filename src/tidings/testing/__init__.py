"""For your own tests, without a worker: run what is due, and look what was emitted and who was told.

The plain names are called, those with an `a` are awaited, as everywhere in Tidings::

    def test_the_owner_hears_of_a_paid_order(session, database_url):
        add_person(database_url, "The owner", external_id="owner", email="owner@example.com")
        pay(session, order=7)
        assert_emitted(session, "order.paid", {"order": 7})
        session.commit()
        drain(database_url, myapp.listeners)
        assert_told(database_url, "owner", channel="email", title="Order 7")
"""

from __future__ import annotations

from tidings.testing.declared import Declaring
from tidings.testing.draining import adrain, adrain_outbox, drain, drain_outbox
from tidings.testing.emitted import aassert_emitted, assert_emitted
from tidings.testing.expecting import aassert_told, assert_told
from tidings.testing.told import Told, atold, told
from tidings.testing.world import aadd_person, aadd_rule, add_person, add_rule

__all__ = [
    "Declaring",
    "Told",
    "aadd_person",
    "aadd_rule",
    "aassert_emitted",
    "aassert_told",
    "add_person",
    "add_rule",
    "adrain",
    "adrain_outbox",
    "assert_emitted",
    "assert_told",
    "atold",
    "drain",
    "drain_outbox",
    "told",
]
