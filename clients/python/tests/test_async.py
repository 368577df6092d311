"""The client to be awaited."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from conftest import INVOICE, Server
from pydantic import BaseModel

from formwork import AsyncClient, ExtractionFailed, NotFound

MODEL = "extractive@formwork"


class Bill(BaseModel):
    vendor: str
    total: float


def test_the_operations_can_be_awaited(server: Server, invoice: Path) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, server.key) as client:
            assert server.key not in repr(client)
            result = await client.extract(Bill, files=[invoice])
            assert (result.value.vendor, result.value.total) == ("Harbour Works", 12.5)
            groups: list[list[Any]] = [[("a.txt", INVOICE)], [999_999]]
            first, second = [item async for item in client.extract_many(Bill, groups)]
            assert first.value == result.value and isinstance(second.error, ExtractionFailed)
            with pytest.raises(ExtractionFailed):
                await client.extract(Bill, files=[999_999])

            form = await client.forms.create("Bill", Bill)
            assert form["form_id"] in [item["form_id"] async for item in client.forms.list()]
            await client.agents.create("async-talk", form_id=form["form_id"])
            conversation = client.chat("async-talk")
            await conversation.send("The total is 7.25")
            assert (await conversation.send("The vendor is North Pier"))["form"]["values"]["total"] == 7.25

            (record,) = await client.files.upload(("b.txt", "text"))
            assert await client.files.download(record) == b"text"
            await client.files.delete(record["id"])
            with pytest.raises(NotFound):
                await client.files.get(record["id"])
            names = [event.name async for event in client.runs.events(await _agent(client, result.sid), result.sid)]
            assert names[-1] == "end"

    asyncio.run(main())


async def _agent(client: AsyncClient, sid: int) -> str:
    async for agent in client.agents.list():
        async for run in client.runs.list(agent["namespace"]):
            if run["sid"] == sid:
                return str(agent["namespace"])
    raise AssertionError("no agent has the run")


def test_a_stream_is_closed_when_its_block_is_left(server: Server, invoice: Path) -> None:
    async def main() -> None:
        async with AsyncClient(server.url, server.key) as client:
            answer = await client.generate("What is the total?", model=MODEL, files=[invoice])
            (record,) = await client.files.upload(invoice)
            urls = [str(record["id"])]
            async with client.generate_stream("What is the total?", model=MODEL, urls=urls) as stream:
                async for event in stream:
                    assert answer["text"].startswith(event.text)
                    assert _open_connections(client) == 1
                    break
            assert _open_connections(client) == 0

    asyncio.run(main())


def _open_connections(client: AsyncClient) -> int:
    pool = client._http._transport._pool  # type: ignore[attr-defined]
    return sum(not connection.is_idle() and not connection.is_closed() for connection in pool.connections)
