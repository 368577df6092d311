"""An agent with a form as the official A2A client and the types of AG-UI see it."""

import asyncio
import os

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import CancelTaskRequest, GetTaskRequest, ListTasksRequest, Message, Part, Role, SendMessageRequest, TaskState
from ag_ui.core import Event, RunAgentInput, UserMessage
from google.protobuf.json_format import MessageToDict
from pydantic import TypeAdapter

URL, KEY = os.environ["FORMWORK_URL"], os.environ["FORMWORK_KEY"]
HEADERS = {"Authorization": f"Bearer {KEY}"}


def made(http):
    fields = {
        "crates": {"type": "integer", "order": 1, "required": True, "description": "Number of crates"},
        "port": {"type": "string", "order": 2, "required": True, "description": "Port of delivery"},
    }
    form = http.post(f"{URL}/v1/form", json={"title": "Order", "schema": fields}).raise_for_status().json()
    agent = {"namespace": "kit-python", "form_id": form["form_id"]}
    http.post(f"{URL}/v1/agent", json=agent).raise_for_status()


def said(text, **place):
    parts = [Part(text=text)]
    return SendMessageRequest(message=Message(role=Role.ROLE_USER, message_id=text, parts=parts, **place))


async def a2a(streaming):
    async with httpx.AsyncClient(headers=HEADERS, timeout=60) as http:
        base = f"{URL}/v1/agent/kit-python/a2a"
        card = await A2ACardResolver(http, base).get_agent_card()
        assert card.skills[0].id == "fill_form", card
        client = ClientFactory(ClientConfig(httpx_client=http, streaming=streaming)).create(card)

        async def send(request):
            return [answer async for answer in client.send_message(request)]

        first = await send(said("12 crates, please"))
        last = first[-1]
        status = last.status_update.status if streaming else last.task.status
        task = last.status_update.task_id if streaming else last.task.id
        assert status.state == TaskState.TASK_STATE_INPUT_REQUIRED, first
        assert "port" in status.message.parts[0].text, status
        await send(said("Hull", task_id=task))
        done = await send(said("yes", task_id=task))
        if streaming:
            artifact = next(one.artifact_update.artifact for one in done if one.HasField("artifact_update"))
            assert done[-1].status_update.status.state == TaskState.TASK_STATE_COMPLETED, done
        else:
            artifact = done[-1].task.artifacts[0]
        record = MessageToDict(artifact.parts[0].data)
        assert record == {"crates": 12, "port": "Hull"}, record
        read = await client.get_task(GetTaskRequest(id=task))
        assert read.status.state == TaskState.TASK_STATE_COMPLETED and len(read.history) == 6, read
        try:
            await send(said("Oslo", task_id=task))
            raise SystemExit("a task that has ended took a message")
        except Exception as error:
            assert type(error).__name__ == "UnsupportedOperationError", repr(error)
        other = await send(said("3 crates"))
        other = other[-1].status_update.task_id if streaming else other[-1].task.id
        listed = await client.list_tasks(ListTasksRequest(page_size=1))
        assert listed.tasks[0].id == other and listed.total_size >= 2, listed
        cancelled = await client.cancel_task(CancelTaskRequest(id=other))
        assert cancelled.status.state == TaskState.TASK_STATE_CANCELED, cancelled


def ag_ui(http):
    event = TypeAdapter(Event)
    message = UserMessage(id="1", content="12 crates, please")
    run = RunAgentInput(
        thread_id="kit", run_id="r", state={}, messages=[message], tools=[], context=[], forwarded_props={}
    )
    body = run.model_dump(by_alias=True, mode="json")
    answer = http.post(f"{URL}/v1/agent/kit-python/ag-ui", json=body).raise_for_status()
    lines = [line[6:] for line in answer.text.split("\n\n") if line.startswith("data: ")]
    types = [event.validate_json(line).type.value for line in lines]
    assert types[0] == "RUN_STARTED" and types[-1] == "RUN_FINISHED" and "STATE_DELTA" in types, types


with httpx.Client(headers=HEADERS, timeout=60) as http:
    made(http)
    ag_ui(http)
for streaming in [False, True]:
    asyncio.run(a2a(streaming))
print("the A2A client in Python and the types of AG-UI: passed")
