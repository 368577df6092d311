"""Works with a server by the official client in Python."""

import asyncio
import os

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult

URL, KEY = os.environ["FORMWORK_URL"], os.environ["FORMWORK_KEY"]
HEADERS = {"Authorization": f"Bearer {KEY}"}
FIELDS = {"vendor": {"type": "string"}, "total": {"type": "number"}}


def over_http(mode, **options):
    http = httpx2.AsyncClient(headers=HEADERS, timeout=60)
    return Client(streamable_http_client(f"{URL}/mcp", http_client=http), mode=mode, **options)


def over_stdio(mode, **options):
    program = StdioServerParameters(
        command=os.environ["FORMWORK_PROGRAM"], args=["mcp", "--url", URL], env={"FORMWORK_KEY": KEY}
    )
    return Client(program, mode=mode, **options)


async def main_job(client, form):
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"extract_record", "search_knowledge_base", "start_run"} <= tools, tools
    steps = []

    async def progress(done, total, message):
        steps.append((done, total, message))

    documents = [{"name": "a.txt", "text": os.environ["FORMWORK_DOCUMENT"]}]
    found = await client.call_tool(
        "extract_record", {"form_id": form, "documents": documents}, progress_callback=progress
    )
    record = found.structured_content["record"]
    assert not found.is_error and record == {"vendor": "Harbour Works", "total": 12.5}, found
    wrong = await client.call_tool("get_form", {"form_id": "unheard"})
    assert wrong.is_error and "form_not_found" in wrong.content[0].text, wrong
    page = await client.list_resources()
    assert any(form in str(resource.uri) for resource in page.resources), page
    content = (await client.read_resource(f"formwork://forms/{form}")).contents[0]
    assert "vendor" in content.text, content
    assert (await client.list_resource_templates()).resource_templates
    assert len((await client.list_prompts()).prompts) == 3
    prompt = await client.get_prompt("extract_with_form", {"form_id": form, "document": "1"})
    assert form in prompt.messages[0].content.text, prompt


async def fill(form):
    answers = []

    async def answer(context, params):
        return ElicitResult(action="accept", content={"answer": answers.pop()})

    for mode in ("legacy", "auto"):
        for connect in (over_http, over_stdio):
            answers = ["yes", "12.50", "Harbour Works"]
            async with connect(mode, elicitation_callback=answer) as client:
                filled = await client.call_tool("fill_form", {"namespace": "python", "message": "hello"})
                assert filled.structured_content["form"]["status"] == "submitted", filled
                assert not answers, answers


async def main():
    async with httpx2.AsyncClient(base_url=URL, headers=HEADERS) as rest:
        form = (await rest.post("/v1/form", json={"title": "Invoice", "schema": FIELDS})).json()["form_id"]
        await rest.post("/v1/agent", json={"namespace": "python", "form_id": form})
    for mode in ("legacy", "auto"):
        for connect in (over_http, over_stdio):
            async with connect(mode) as client:
                await main_job(client, form)
                print(f"mcp (Python), {connect.__name__}, {client.session.protocol_version}: ok")
    await fill(form)
    print("mcp (Python): a form is filled by questions to the user")


asyncio.run(main())
