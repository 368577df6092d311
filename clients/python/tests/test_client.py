"""The other operations against the server."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest
from conftest import INVOICE, Server

from formwork import Client, Conflict, FormworkError, InvalidRequest, NotFound, Unauthorized

MODEL = "extractive@formwork"
SCHEMA = {"type": "object", "properties": {"vendor": {"type": "string"}, "total": {"type": "number"}}}


def test_files_are_stored_listed_and_read(client: Client, invoice: Path) -> None:
    records = client.files.upload(invoice, *[(f"n{n}.bin", bytes([n])) for n in range(120)])
    assert client.files.download(records[0]) == INVOICE.encode()
    assert client.files.download(records[5]["id"]) == bytes([4])
    listed = {record["id"] for record in client.files.list()}
    assert {record["id"] for record in records} <= listed
    client.files.delete(records[7]["id"])
    with pytest.raises(NotFound):
        client.files.get(records[7]["id"])


def test_a_conversation_keeps_its_session(client: Client) -> None:
    form = client.forms.create("Invoice", SCHEMA)
    client.agents.create("talk", form_id=form["form_id"])
    conversation = client.chat("talk")
    conversation.send("The total is 180.48")
    assert len(list(client.pages("/v1/agent/talk/sessions"))) == 1
    answer = conversation.send("The vendor is Harbour Works")
    assert answer["form"]["values"] == {"vendor": "Harbour Works", "total": 180.48}
    assert answer["session_id"] == conversation.session_id
    client.request("DELETE", "/v1/agent/talk/sessions")
    assert list(client.pages("/v1/agent/talk/sessions")) == []
    with pytest.raises(Conflict) as raised:
        client.forms.delete(form["form_id"])
    assert raised.value.code == "form_in_use"


def test_answers_come_whole_and_in_pieces(client: Client, invoice: Path) -> None:
    question = "What is the total?"
    answer = client.generate(question, model=MODEL, files=[invoice])
    assert "12.50" in answer["text"] and answer["context"][0]["title"] == "invoice.txt"
    events = list(client.generate_stream(question, model=MODEL, files=[invoice]))
    assert "".join(event.text for event in events) == events[-1].data["text"] == answer["text"]


def test_a_stream_is_closed_when_its_loop_is_left(client: Client, invoice: Path) -> None:
    for _ in client.generate_stream("What is the total?", model=MODEL, files=[invoice]):
        assert _open_connections(client) == 1
        break
    assert _open_connections(client) == 0
    with client.generate_stream("What is the total?", model=MODEL, files=[invoice]) as stream:
        events = iter(stream)
        next(events)
        assert _open_connections(client) == 1
    assert _open_connections(client) == 0


def _open_connections(client: Client) -> int:
    """The connections of the pool that are in use."""
    pool = client._http._transport._pool  # type: ignore[attr-defined]
    return sum(not connection.is_idle() and not connection.is_closed() for connection in pool.connections)


def test_knowledge_is_searched(client: Client) -> None:
    base = client.request("POST", "/v1/knowledgebase", json={"name": "leases"})["knowledgeId"]
    texts = [{"title": "lease", "content": "The notice period is three months."}]
    added = client.request("POST", f"/v1/knowledgebase/{base}/files", json={"texts": texts})
    for event in client.stream("GET", f"/v1/knowledgebase/{base}/events"):
        if event.name == "item.ready":
            break
    assert len(added["files"]) == 1
    (result,) = client.search(base, "notice period", wait_for=True, limit=1)
    assert "three months" in result["text"]


def test_runs_are_followed(client: Client, invoice: Path) -> None:
    sid = client.extract(SCHEMA, files=[invoice]).sid
    (agent,) = [a["namespace"] for a in client.agents.list() if _has_run(client, a["namespace"], sid)]
    names = [event.name for event in client.runs.events(agent, sid)]
    assert names.count("group") == 1 and names[-1] == "end"
    assert client.runs.wait(agent, sid)["state"] == "succeeded"
    with pytest.raises(Conflict, match="run_over"):
        client.runs.cancel(agent, sid)


def _has_run(client: Client, agent: str, sid: int) -> bool:
    return sid in [run["sid"] for run in client.runs.list(agent)]


def test_errors_are_types_with_code_and_request(client: Client, server: Server) -> None:
    with pytest.raises(InvalidRequest) as invalid:
        client.request("POST", "/v1/form", json={"title": "x", "schema": {"total": {"type": "sum"}}})
    assert invalid.value.code == "validation_failed" and invalid.value.request_id
    assert invalid.value.errors[0].path.startswith("/schema/total")
    with pytest.raises(NotFound) as missing:
        client.forms.get("a/b?c")
    assert missing.value.code == "form_not_found"
    with Client(server.url, "fw_wrong") as stranger, pytest.raises(Unauthorized):
        list(stranger.forms.list())


def test_the_key_is_in_no_text(server: Server) -> None:
    key = "fw_secret_of_the_test"
    with Client(server.url, key) as client:
        texts = [repr(client), repr(client.files), repr(client._settings)]
        with pytest.raises(FormworkError) as refused:
            client.forms.get("x")
    with Client("http://127.0.0.1:1", key) as client, pytest.raises(FormworkError) as unreachable:
        client.request("GET", "/health")
    for error in (refused.value, unreachable.value):
        texts += ["".join(traceback.format_exception(error)), repr(error.__dict__)]
    assert not any(key in text for text in texts)


def test_a_key_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORMWORK_KEY", raising=False)
    with pytest.raises(ValueError, match="FORMWORK_KEY"):
        Client("http://127.0.0.1:1")
