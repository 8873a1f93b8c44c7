"""Which Apprise URLs may be used, and how they are shown."""

from __future__ import annotations

import pytest

from tidings.kit.settings import NetworkSettings
from tidings.spine.channels.apprise_schemes import SCHEMES, Kind
from tidings.spine.channels.apprise_sending import loaded, service_of
from tidings.spine.channels.apprise_urls import AppriseUrl, checked_apprise_url, checked_apprise_urls, shown
from tidings.spine.channels.network import Network, open_network
from tidings.spine.channels.port import Rejected

DANGEROUS = {
    "attach", "cto", "file_url", "keyfile", "password", "pass", "pgp", "pgpprv", "pgppub", "port", "redirect",
    "retry", "rto", "store", "template", "user", "verify", "wait", "webhook", "wkd",
}  # fmt: skip


@pytest.fixture
def guard() -> Network:
    return open_network(NetworkSettings())


ALLOWED = [
    "json://hooks.example.com",
    "JSONS://user:pass@hooks.example.com:8443/a/b?method=PUT&+X-Token=abc&:subject=title&-q=1",
    "ntfys://ntfy.example.com/topic?priority=high",
    "ntfy://a-topic-of-ours",
    "gotifys://gotify.example.com/Abcdefghijklmno",
    "mmosts://chat.example.com/abcdefghijklmnopqrstuvwx",
    "rockets://user:pass@chat.example.com/#general",
    "mailtos://user:pass@example.com:587?to=a@example.org&smtp=smtp.example.com",
    "discord://123456789012345678/abcdefghijklmnopqrstuvwxyz?tts=no",
    "tgram://123456789:abcdefghijklmnopqrstuvwxyz123456789/12315544",
    "pover://uuuuuuuuuuuuuuuuuuuuuuuuuuuuuu@aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?priority=high",
    "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/#general",
    "json://[2606:4700::1111]/x",
]


@pytest.mark.parametrize("url", ALLOWED)
def test_what_is_listed_is_allowed_and_apprise_can_read_it(url: str, guard: Network) -> None:
    checked = checked_apprise_url(url, guard)
    assert isinstance(checked, AppriseUrl)
    service = service_of(checked, 5)
    assert service is not None
    assert service.redirects is False
    assert service.verify_certificate is True


REFUSED = [
    "",
    "json",
    "json://",
    "http://example.com",
    "https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",
    "syslog://",
    "syslog://localhost",
    "rsyslog://example.com",
    "dbus://",
    "file:///etc/passwd",
    "exec://example.com",
    "matrix://user:pass@example.com/#room",
    "mqtt://example.com/topic",
    "fcm://project@key/token?keyfile=/etc/passwd",
    "discord://123456789012345678/abcdefghijklmnopqrstuvwxyz?template=/etc/passwd",
    "json://example.com?redirect=yes",
    "json://example.com?REDIRECT=yes",
    "json://example.com?%72edirect=yes",
    "json://example.com?method=POST;redirect=yes",
    "json://example.com?verify=no",
    "json://example.com?rto=3600",
    "json://example.com?cto=3600",
    "json://example.com?retry=9",
    "json://example.com?port=22",
    "json://example.com?user=me",
    "json://example.com?+Host=internal.example.com",
    "json://example.com?+transfer-encoding=chunked",
    "json://example.com?+X-A%0D%0AX-B=1",
    "json://example.com?+X-A=1%0D%0AX-B:2",
    "json://example.com?=",
    "gotify://example.com/token?+X-Token=abc",
    "json://example.com\\@127.0.0.1/",
    "json://a@b@127.0.0.1/",
    "json://exa mple.com/",
    "json://example.com:22/",
    "json://example.com:99999/",
    "json://example.com:8080:80/",
    "json://127.0.0.1/",
    "json://127.0.0.1:8080/",
    "json://user:pass@127.0.0.1/",
    "json://[::1]/",
    "json://[::ffff:127.0.0.1]/",
    "json://169.254.169.254/latest/meta-data",
    "json://10.0.0.1/",
    "json://%31%32%37.0.0.1/",
    "mailto://user:pass@example.com?smtp=127.0.0.1",
    "mailto://user:pass@example.com?SMTP=10.0.0.1",
    "mailto://user:pass@example.com?to=a@example.org&smtp=%31%32%37.0.0.1",
    "mailto://user:pass@example.com?pgppub=/etc/passwd",
    "mailto://user:pass@example.com:6379",
    "mailto://user:pass@example.com?name=x%0D%0ABcc:b@example.org",
    "mailto://user:pass@example.com?name==%3Futf-8%3Fq%3Fhi=0D=0ABcc=3A_x=40y%3F=",
    "json://example.com/" + "a" * 3_000,
]


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_not_listed_or_not_public_is_refused(url: str, guard: Network) -> None:
    assert isinstance(checked_apprise_url(url, guard), Rejected)


def test_an_address_is_one_to_ten_urls_all_of_which_are_allowed(guard: Network) -> None:
    good = "json://example.com"
    several = checked_apprise_urls(f"{good}/1 \n{good}/2", guard)
    assert isinstance(several, tuple)
    assert [each.text for each in several] == [f"{good}/1", f"{good}/2"]
    assert isinstance(checked_apprise_urls(f"{good} file:///tmp/x", guard), Rejected)
    assert isinstance(checked_apprise_urls("", guard), Rejected)
    assert isinstance(checked_apprise_urls(" ".join([good] * 11), guard), Rejected)


def test_a_comma_does_not_make_two_urls_of_one(guard: Network) -> None:
    checked = checked_apprise_url("json://example.com/a,file:///tmp/x", guard)
    assert isinstance(checked, AppriseUrl)
    service = service_of(checked, 5)
    assert service.schemas() == {"json", "jsons"}


@pytest.mark.parametrize(
    ("url", "as_shown"),
    [
        ("json://user:canary@hooks.example.com:8443/canary?+X-Token=canary", "json://hooks.example.com/…"),
        ("tgram://123456789:canary/12315544", "tgram://…"),
        ("discord://canary/canary", "discord://…"),
        ("ntfy://canary", "ntfy://…"),
        ("mailto://user:canary@example.com?to=canary@example.org", "mailto://example.com/…"),
        ("syslog://canary", "…"),
        ("canary", "…"),
        ("json://a.example.com/canary slack://canary/canary", "json://a.example.com/… slack://…"),
    ],
)
def test_a_url_is_shown_without_its_secrets(url: str, as_shown: str, guard: Network) -> None:
    assert shown(url) == as_shown
    checked = checked_apprise_url(url, guard)
    assert "canary" not in repr(checked)


def test_no_listed_parameter_is_dangerous_and_every_scheme_is_one_of_apprises() -> None:
    from apprise.manager_plugins import NotificationManager

    loaded()
    plugins = NotificationManager()  # type: ignore[no-untyped-call]
    for name, scheme in SCHEMES.items():
        plugin = plugins[name]
        assert not scheme.parameters & DANGEROUS, name
        assert scheme.parameters <= set(plugin.template_args), name
        assert not scheme.free or {each["prefix"] for each in plugin.template_kwargs.values()} == set("+-:")
        assert "__del__" not in vars(plugin), f"{name} would connect when Python tidies up"


def test_servers_named_by_users_are_known_to_be_such() -> None:
    """A plugin that connects to a host of the URL's must not pass for one with a place of its own."""
    from apprise.manager_plugins import NotificationManager

    loaded()
    plugins = NotificationManager()  # type: ignore[no-untyped-call]
    named = {name for name in SCHEMES if "host" in plugins[name].template_tokens}
    assert {name for name, scheme in SCHEMES.items() if scheme.kind is not Kind.SERVICE} == named
