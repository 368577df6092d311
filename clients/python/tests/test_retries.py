"""Repetition of requests, through a proxy that fails."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

import pytest
from conftest import Server

from formwork import Client, Unavailable, _requests


# Headers that are not passed on; the content is passed on uncompressed.
PER_HOP = ("host", "accept-encoding")


class Proxy(ThreadingHTTPServer):
    """Passes requests to the server. For each one it takes a failure off the list: `refuse` answers 503 and does not
    pass it on, `late` too and names a wait, `drop` closes the connection after the server has answered."""

    daemon_threads = True

    def __init__(self, server: Server, failures: list[str]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.target = urlsplit(server.url).netloc
        self.failures = failures
        self.requests: list[tuple[str, str | None]] = []
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Proxy
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.requests.append((self.path, self.headers.get("Idempotency-Key")))
        failure = self.server.failures.pop(0) if self.server.failures else ""
        if failure in ("refuse", "late"):
            self._answer(503, b'{"code":"saturated","message":"busy"}', "3600" if failure == "late" else "0")
            return
        connection = http.client.HTTPConnection(self.server.target)
        headers = {name: value for name, value in self.headers.items() if name.lower() not in PER_HOP}
        connection.request(self.command, self.path, body, headers)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        self.server.statuses.append(response.status)
        if failure == "drop":
            self.close_connection = True
            return
        self._answer(response.status, content, None)

    do_GET = do_PUT = do_DELETE = do_POST

    def _answer(self, status: int, content: bytes, wait: str | None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if wait is not None:
            self.send_header("Retry-After", wait)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    proxy = Proxy(server, [])
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    yield proxy
    proxy.shutdown()
    proxy.server_close()


SCHEMA = {"type": "object", "properties": {"vendor": {"type": "string"}}}


def test_a_refusal_and_a_lost_answer_have_one_effect(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["refuse", "drop"]
    with Client(proxy.url, server.key) as client:
        json = {"title": "Sent three times", "schema": {"vendor": {"type": "string"}}}
        form = client.request("POST", "/v1/form", json=json)
        keys = {key for _, key in proxy.requests}
        assert len(proxy.requests) == 3 and len(keys) == 1 and None not in keys
        # The server has got it twice and has one form.
        assert proxy.statuses == [200, 200]
        assert [f["form_id"] for f in client.forms.list(title="Sent three times")] == [form["form_id"]]


def test_an_extraction_survives_failures_and_starts_one_run(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["drop", ""] * 5 + ["refuse"]
    with Client(proxy.url, server.key) as client:
        schema = {"title": "Survivor", **SCHEMA}
        result = client.extract(schema, files=[("a.txt", "Vendor: Harbour Works\n")])
        assert result.value == {"vendor": "Harbour Works"}
        assert proxy.failures == []
        (form,) = client.forms.list(title="Survivor")
        (agent,) = [agent["namespace"] for agent in client.agents.list() if agent["form_id"] == form["form_id"]]
        assert len(list(client.runs.list(agent))) == 1


def test_attempts_end(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["refuse"] * 9
    with Client(proxy.url, server.key) as client, pytest.raises(Unavailable) as raised:
        client.request("GET", "/v1/form")
    assert raised.value.code == "saturated"
    assert len(proxy.requests) == 1 + _requests.RETRIES


def test_a_wait_that_is_too_long_is_reported(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["late"]
    with Client(proxy.url, server.key) as client, pytest.raises(Unavailable) as raised:
        client.request("GET", "/v1/form")
    assert raised.value.retry_after == 3600
    assert len(proxy.requests) == 1


def test_a_key_that_may_have_been_made_is_not_made_twice(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["drop"]
    with Client(proxy.url, server.key) as client, pytest.raises(Unavailable, match="unreachable"):
        client.request("POST", "/v1/keys", json={"name": "once", "scope": "read"})
    assert len(proxy.requests) == 1


def test_a_stream_begins_after_a_refusal(server: Server, proxy: Proxy) -> None:
    proxy.failures = ["refuse"]
    with Client(proxy.url, server.key) as client:
        events = list(client.generate_stream("When?", model="extractive@formwork"))
    assert events[-1].name == "done"
    assert len(proxy.requests) == 2
