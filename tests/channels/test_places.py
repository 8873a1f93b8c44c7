from __future__ import annotations

import pytest

from tidings.spine.channels.network import WEB
from tidings.spine.channels.places import Place, place_of
from tidings.spine.channels.port import Rejected


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://example.com", Place("https", "example.com", 443, "/")),
        ("HTTP://Example.COM:8080/a/b?c=d#e", Place("http", "example.com", 8080, "/a/b?c=d")),
        ("https://example.com/?next=http://127.0.0.1/", Place("https", "example.com", 443, "/?next=http://127.0.0.1/")),
        ("https://bücher.example/", Place("https", "xn--bcher-kva.example", 443, "/")),
        ("https://[2001:DB8:0::1]/", Place("https", "2001:db8::1", 443, "/")),
        ("http://１２７.0.0.1/", Place("http", "127.0.0.1", 80, "/")),
        ("https://example.com/@someone", Place("https", "example.com", 443, "/@someone")),
        ("https://example.com./", Place("https", "example.com", 443, "/")),
    ],
)
def test_a_url_is_taken_apart_once(url: str, place: Place) -> None:
    assert place_of(url, WEB) == place


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "//example.com/",
        "ftp://example.com/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "javascript:alert(1)",
        "unix:///run/docker.sock",
        "https:///path",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://example.com@127.0.0.1/",
        "https://127.0.0.1:80@example.com/",
        "https://example.com\\@127.0.0.1/",
        "https://127.0.0.1\\.example.com/",
        "https://exa mple.com/",
        "https://example.com/\r\nHost: internal",
        "https://example.com/\x00",
        "https://exam\u202eple.com/",
        "https://example.com\u200b/",
        "https://example.com:99999999/",
        "https://example.com:https/",
        "https://example.com:-1/",
        "https://example.com:/",
        "https://[::1]example.com/",
        "https://[::1%25lo]/",
        "https://[127.0.0.1]/",
        "https://[::1/",
        "https://%31%32%37.0.0.1/",
        "https://exa_mple..com/",
        "https://-/",
        "https://例え テスト/",
        "https://example.com/ü",
        "https://example.com/" + "a" * 3_000,
        "https://" + "a" * 254 + "/",
        "https://\ud800.example/",
    ],
)
def test_what_may_be_read_in_two_ways_is_refused(url: str) -> None:
    assert isinstance(place_of(url, WEB), Rejected)


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("https://example.com/", "example.com"),
        ("https://example.com:8443/", "example.com:8443"),
        ("http://example.com:443/", "example.com:443"),
        ("http://[2001:db8::1]:8080/", "[2001:db8::1]:8080"),
    ],
)
def test_the_host_header_names_the_port_where_it_is_not_the_usual_one(url: str, authority: str) -> None:
    place = place_of(url, WEB)
    assert isinstance(place, Place)
    assert place.authority == authority
