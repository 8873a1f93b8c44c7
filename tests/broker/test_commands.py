"""`tidings broker`, and what the doctor says of it."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.broker.listening import NAMES
from tests.broker.outside import channel_to
from tests.broker.stage import LISTENING
from tests.cli.conftest import Tidings
from tests.support.rabbitmq import PASSWORD, RabbitMQ

QUEUE = f"tidings.listener.{NAMES[0]}"


def test_declaring_makes_exchanges_and_a_queue_for_each_listener_the_rules_and_each_channel(
    tidings: Tidings, set_broker: str
) -> None:
    declared = tidings("broker", "declare", "--load", LISTENING, "--json")
    assert declared.code == 0, declared.err
    assert {QUEUE, "tidings.rules", "tidings.send.email"} <= set(declared.data["queues"])
    with channel_to(set_broker) as channel:
        channel.exchange_declare("event-stream", "topic", durable=True)
        channel.exchange_declare("notification-channel-send", "direct", durable=True)
        for queue in declared.data["queues"]:
            channel.queue_declare(queue, durable=True)  # fails where it is not there as it should be
        channel.basic_publish("event-stream", "parcel.sent", b"{}")
        channel.basic_publish("notification-channel-send", "email", b"{}")
    told = {queue["name"] for queue in _status(tidings)["queues"] if queue["messages"]}
    assert told == {*(f"tidings.listener.{name}" for name in NAMES), "tidings.send.email"}


def test_declaring_again_changes_nothing(tidings: Tidings, set_broker: str) -> None:
    first, second = tidings("broker", "declare"), tidings("broker", "declare")
    assert (first.code, second.code) == (0, 0)
    assert first.out == second.out


def test_a_queue_of_that_name_that_is_another_ones_is_said_in_a_line(tidings: Tidings, set_broker: str) -> None:
    with channel_to(set_broker) as channel:
        channel.queue_declare("tidings.rules", durable=False)
    declared = tidings("broker", "declare")
    assert declared.code == 1
    assert declared.err.count("\n") == 1
    assert "inequivalent arg 'durable' for queue 'tidings.rules'" in declared.err


def test_the_status_says_what_is_missing_and_what_is_not_published(
    tidings: Tidings, set_broker: str, database_url: str
) -> None:
    assert "tidings.rules" in tidings("broker", "status").out
    assert {queue["messages"] for queue in _status(tidings)["queues"]} == {None}
    tidings("broker", "declare", "--load", LISTENING)
    with psycopg.connect(database_url) as connection:
        connection.execute("SELECT tidings.emit('parcel.sent', '{}')")
    status = _status(tidings)
    assert status["unpublished"]["facts"] == 1
    assert {queue["messages"] for queue in status["queues"]} == {0}
    assert {queue["consumers"] for queue in status["queues"]} == {0}


def test_ending_the_stream_takes_back_what_waits_and_facts_cause_no_more(
    tidings: Tidings, set_broker: str, database_url: str
) -> None:
    tidings("broker", "declare")
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SELECT tidings.emit('parcel.sent', '{}')")
        assert tidings("broker", "end").code == 2
        ended = tidings("broker", "end", "--yes", "--json")
        assert ended.data == {"cancelled": 1}
        connection.execute("SELECT tidings.emit('parcel.sent', '{}')")
    assert _status(tidings)["unpublished"]["facts"] == 0


def test_without_a_broker_each_command_says_what_to_set(tidings: Tidings) -> None:
    for command in ("declare", "status"):
        refused = tidings("broker", command)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "TIDINGS_BROKER_URL" in refused.err


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("amqp://tidings:{password}@127.0.0.1:1/test", "it cannot be connected to"),
        ("amqp://tidings:{password}-wrong@127.0.0.1:{port}/test-0", "it does not let us in"),
        ("amqp://tidings:{password}@127.0.0.1:{port}/no-such-vhost", "it does not let us in"),
    ],
)
def test_what_is_wrong_with_it_is_said_and_the_password_is_not(
    tidings: Tidings, monkeypatch: pytest.MonkeyPatch, node: RabbitMQ, url: str, said: str
) -> None:
    monkeypatch.setenv("TIDINGS_BROKER_URL", url.format(password=PASSWORD, port=node.port))
    results = [tidings("broker", "status"), tidings("broker", "declare"), tidings("doctor")]
    assert [result.code for result in results] == [1, 1, 1]
    for result in results:
        assert said in result.out + result.err
        assert PASSWORD not in result.out + result.err


def test_the_doctor_says_where_it_answers(tidings: Tidings, set_broker: str, node: RabbitMQ) -> None:
    examined = tidings("doctor")
    assert f"ok     the broker answers on 127.0.0.1:{node.port}" in examined.out
    assert PASSWORD not in examined.out


@pytest.mark.parametrize("url", ["http://rabbitmq.example.com", "amqp:///vhost", "rabbitmq.example.com"])
def test_what_is_no_address_of_a_broker_is_refused(bare: Tidings, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("TIDINGS_BROKER_URL", url)
    refused = bare("worker")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "TIDINGS_BROKER_URL: must be an address such as amqp://user:password@" in refused.err


def _status(tidings: Tidings) -> dict[str, Any]:
    shown = tidings("broker", "status", "--load", LISTENING, "--json")
    assert shown.code == 0, shown.err
    data: dict[str, Any] = shown.data
    return data
