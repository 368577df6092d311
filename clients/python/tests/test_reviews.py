"""Reviews, options of runs and versions of forms against the server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conftest import Server

from formwork import AsyncClient, Client, InvalidRequest

SCHEMA = {"type": "object", "properties": {"vendor": {"type": "string"}, "total": {"type": "number"}}}


def _reviewed(client: Client, invoice: Path, agent: str) -> int:
    """The number of a run all of whose values are queued."""
    form = client.forms.create("Invoice", SCHEMA)
    client.agents.create(agent, form_id=form["form_id"], review={"threshold": 1})
    result = client.extract(SCHEMA, [invoice], agent=agent, run={"labels": ["march", "first"], "timeout": 30})
    (run,) = client.runs.list(agent)
    assert run["labels"] == ["march", "first"]
    return result.sid


def test_values_are_reviewed(client: Client, invoice: Path) -> None:
    sid = _reviewed(client, invoice, "reviewed")
    reviews = {review["path"]: review for review in client.reviews.list(namespace="reviewed", sid=sid)}
    assert set(reviews) == {"/vendor", "/total"}
    total = reviews["/total"]
    assert client.reviews.get(total["id"])["evidence"]["quote"] == "12.50"
    corrected = client.reviews.correct(total["id"], 12.5, quote="12.50", note="read once more")
    assert (corrected["state"], corrected["value"]) == ("corrected", 12.5)
    assert client.reviews.accept(reviews["/vendor"]["id"])["state"] == "accepted"
    assert client.reviews.not_stated(reviews["/vendor"]["id"])["value"] is None
    with pytest.raises(InvalidRequest) as raised:
        client.reviews.correct(total["id"], 7, quote="stands nowhere")
    assert raised.value.errors[0].path == "/decisions/0/evidence/quote"
    assert client.reviews.queue("reviewed", sid, threshold=1) == 0


def test_a_version_is_published(client: Client) -> None:
    form = client.forms.create("Invoice", SCHEMA)
    fields = {**form["schema"], "day": {"type": "date"}}
    path = f"/v1/form/{form['form_id']}"
    client.request("PUT", path, json={"schema": fields, "draft": True})
    states = {version["version"]: version["state"] for version in client.forms.versions(form["form_id"])}
    assert states == {1: "published", 2: "draft"}
    assert client.forms.publish(form["form_id"], 2)["schema"] == fields


def test_the_asynchronous_client_reviews_too(server: Server, client: Client, invoice: Path) -> None:
    sid = _reviewed(client, invoice, "awaited")

    async def decided() -> list[str]:
        async with AsyncClient(server.url, server.key) as awaited:
            found = [review async for review in awaited.reviews.list(namespace="awaited", sid=sid)]
            reviews = await awaited.reviews.decide(*({"review_id": one["id"], "action": "accept"} for one in found))
            return [review["state"] for review in reviews]

    assert asyncio.run(decided()) == ["accepted", "accepted"]
