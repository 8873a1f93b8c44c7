"""Ports that stay the same for as long as they can."""

from __future__ import annotations

import socket
from pathlib import Path

from tidings.embedded.ports import LOOPBACK, free_port, is_free, remembered_ports

NAMES = ("postgres", "temporal")


def test_each_name_gets_a_port_of_its_own_and_keeps_it(tmp_path: Path) -> None:
    first = remembered_ports(tmp_path / "ports.json", NAMES)
    assert len(set(first.values())) == 2
    assert remembered_ports(tmp_path / "ports.json", NAMES) == first


def test_a_port_that_another_took_meanwhile_is_replaced(tmp_path: Path) -> None:
    first = remembered_ports(tmp_path / "ports.json", NAMES)
    with socket.create_server((LOOPBACK, first["postgres"])):
        second = remembered_ports(tmp_path / "ports.json", NAMES)
    assert second["postgres"] != first["postgres"]
    assert second["temporal"] == first["temporal"]


def test_a_memory_that_cannot_be_read_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "ports.json").write_text("{half")
    assert set(remembered_ports(tmp_path / "ports.json", NAMES)) == set(NAMES)


def test_a_port_is_free_until_somebody_listens() -> None:
    port = free_port()
    assert is_free(port)
    with socket.create_server((LOOPBACK, port)):
        assert not is_free(port)
