"""OpenAI's client and agents in Python, LangChain, Instructor and LlamaIndex against `/openai/v1`, and Anthropic's client
against `/anthropic/v1`."""

import asyncio
import os

import agents
import anthropic
import instructor
import openai
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

BASE = os.environ["FORMWORK_URL"] + "/openai/v1"
KEY = os.environ["FORMWORK_KEY"]
MODEL = "lab/chat@formwork"
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How many crates?"}]
TEXT = "Twelve crates."


COUNT = {
    "name": "count",
    "description": "Counts what is on the pier.",
    "parameters": {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]},
}
# A picture of one pixel.
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
)


class Order(BaseModel):
    total: float


def count(what: str) -> str:
    """Counts what is on the pier."""
    assert what == "crates", what
    return "12"


def official():
    client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    names = [model.id for model in client.models.list()]
    assert MODEL in names and "extractive@formwork" in names, names
    assert client.models.retrieve(MODEL).id == MODEL
    whole = client.chat.completions.create(model=MODEL, messages=ASKED, max_tokens=50)
    assert whole.choices[0].message.content == TEXT and whole.usage.total_tokens == 18, whole
    chunks = list(
        client.chat.completions.create(
            model=MODEL, messages=ASKED, stream=True, stream_options={"include_usage": True}
        )
    )
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == TEXT
    assert chunks[-1].usage.total_tokens == 18, chunks[-1]
    parsed = client.chat.completions.parse(model=MODEL, messages=ASKED, response_format=Order)
    assert parsed.choices[0].message.parsed == Order(total=12), parsed
    vectors = client.embeddings.create(model="lab/text-embedding@formwork", input=["a", "b"])
    assert [vector.embedding for vector in vectors.data] == [[1.0, 0.0], [1.0, 0.0]], vectors
    for call, kind, code in [
        (lambda: client.chat.completions.create(model="none@openai", messages=ASKED), openai.APIError, None),
        (lambda: client.chat.completions.create(model=MODEL, messages=[]), openai.BadRequestError, "validation_failed"),
        (lambda: client.models.retrieve("none"), openai.NotFoundError, "not_found"),
        (lambda: client.with_options(api_key="fw_wrong").models.list(), openai.AuthenticationError, "invalid_key"),
    ]:
        try:
            call()
        except kind as error:
            assert code is None or error.code == code, error
        else:
            raise AssertionError(f"{kind.__name__} was expected")


def official_tools():
    client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    tools = [{"type": "function", "function": COUNT}]
    messages = list(ASKED)
    first = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0]
    assert first.finish_reason == "tool_calls" and first.message.content is None, first
    [call] = first.message.tool_calls
    assert (call.function.name, call.function.arguments) == ("count", '{"what":"crates"}'), call
    messages += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "12"}]
    last = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0]
    assert last.message.content == TEXT, last
    with client.chat.completions.stream(model=MODEL, messages=ASKED, tools=tools) as stream:
        for _ in stream:
            pass
        [call] = stream.get_final_completion().choices[0].message.tool_calls
    assert call.function.arguments == '{"what":"crates"}', call
    content = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": PIXEL}}]
    seen = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])
    assert seen.choices[0].message.content == "A picture.", seen


def responses():
    client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    whole = client.responses.create(model=MODEL, input="How many crates?", instructions="Be brief.")
    assert whole.output_text == TEXT and whole.usage.total_tokens == 18 and whole.status == "completed", whole
    with client.responses.stream(model=MODEL, input="How many crates?") as stream:
        pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
        assert "".join(pieces) == TEXT == stream.get_final_response().output_text
    parsed = client.responses.parse(model=MODEL, input="How many crates?", text_format=Order)
    assert parsed.output_parsed == Order(total=12), parsed
    tools = [{"type": "function", **COUNT}]
    asked = [{"role": "user", "content": "How many crates?"}]
    first = client.responses.create(model=MODEL, input=asked, tools=tools)
    [call] = first.output
    assert call.type == "function_call" and call.arguments == '{"what":"crates"}', first
    asked += [call, {"type": "function_call_output", "call_id": call.call_id, "output": "12"}]
    assert client.responses.create(model=MODEL, input=asked, tools=tools).output_text == TEXT
    with client.responses.stream(model=MODEL, input="How many crates?", tools=tools) as stream:
        for _ in stream:
            pass
        [call] = stream.get_final_response().output
    assert call.arguments == '{"what":"crates"}', call
    content = [{"type": "input_text", "text": "What is it?"}, {"type": "input_image", "image_url": PIXEL}]
    seen = client.responses.create(model=MODEL, input=[{"role": "user", "content": content}])
    assert seen.output_text == "A picture.", seen
    try:
        client.responses.create(model=MODEL, input="x", previous_response_id="resp_1")
    except openai.BadRequestError as error:
        assert error.param == "previous_response_id", error
    else:
        raise AssertionError("a stored response was expected to be refused")


def files():
    client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    made = [client.files.create(file=(f"{name}.txt", b"Twelve crates."), purpose="user_data") for name in "abc"]
    assert made[0].bytes == 14 and made[0].filename == "a.txt", made
    listed = [file.id for file in client.files.list(limit=2)]
    assert listed[:3] == [file.id for file in reversed(made)], listed
    assert client.files.content(made[1].id).read() == b"Twelve crates."
    content = [{"type": "input_text", "text": "How many crates?"}, {"type": "input_file", "file_id": made[1].id}]
    asked = client.responses.create(model="extractive@formwork", input=[{"role": "user", "content": content}])
    assert "Twelve crates" in asked.output_text, asked
    [cited, *_] = asked.output[0].content[0].annotations
    assert cited.type == "file_citation" and cited.filename == "b.txt", cited
    for file in made:
        assert client.files.delete(file.id).deleted
    try:
        client.files.retrieve(made[0].id)
    except openai.NotFoundError as error:
        assert error.code == "file_not_found", error
    else:
        raise AssertionError("a deleted file was found")


def vector_stores():
    client = openai.OpenAI(base_url=BASE, api_key=KEY, max_retries=0)
    file = client.files.create(file=("lease.txt", b"The lease of berth 4 ends in 2031."), purpose="user_data")
    store = client.vector_stores.create(name="Leases")
    added = client.vector_stores.files.create_and_poll(file.id, vector_store_id=store.id, poll_interval_ms=100)
    assert added.status == "completed" and added.id == file.id, added
    assert [known.id for known in client.vector_stores.files.list(store.id)] == [file.id]
    assert store.id in [known.id for known in client.vector_stores.list()]
    assert client.vector_stores.retrieve(store.id).file_counts.completed == 1
    [found, *_] = client.vector_stores.search(store.id, query="When does the lease end?")
    assert found.filename == "lease.txt" and "2031" in found.content[0].text, found
    asked = client.responses.create(
        model="extractive@formwork",
        input="When does the lease of berth 4 end?",
        tools=[{"type": "file_search", "vector_store_ids": [store.id]}],
    )
    assert "2031" in asked.output_text and asked.output[0].content[0].annotations, asked
    assert client.vector_stores.files.delete(file.id, vector_store_id=store.id).deleted
    assert client.vector_stores.delete(store.id).deleted and client.files.delete(file.id).deleted


def with_agents():
    client = openai.AsyncOpenAI(base_url=BASE, api_key=KEY)
    agents.set_tracing_disabled(True)
    for kind in [agents.OpenAIResponsesModel, agents.OpenAIChatCompletionsModel]:
        agent = agents.Agent(
            name="Pilot", model=kind(model=MODEL, openai_client=client), tools=[agents.function_tool(count)]
        )
        result = agents.Runner.run_sync(agent, "How many crates?")
        assert result.final_output == TEXT and len(result.raw_responses) == 2, result


async def official_async():
    async with openai.AsyncOpenAI(base_url=BASE, api_key=KEY) as client:
        stream = await client.chat.completions.create(model=MODEL, messages=ASKED, stream=True)
        async for _ in stream:
            break
        await stream.close()
        whole = await client.chat.completions.create(model=MODEL, messages=ASKED)
        assert whole.choices[0].message.content == TEXT


def langchain():
    model = ChatOpenAI(base_url=BASE, api_key=KEY, model=MODEL)
    assert model.invoke("How many crates?").content == TEXT
    assert "".join(piece.content for piece in model.stream("How many crates?")) == TEXT
    order = model.with_structured_output(Order, method="json_schema").invoke("How many crates?")
    assert order == Order(total=12), order
    embeddings = OpenAIEmbeddings(
        base_url=BASE, api_key=KEY, model="lab/text-embedding@formwork", check_embedding_ctx_length=False
    )
    assert embeddings.embed_documents(["a"]) == [[1.0, 0.0]]


def langchain_tools():
    for with_responses in [False, True]:
        model = ChatOpenAI(base_url=BASE, api_key=KEY, model=MODEL, use_responses_api=with_responses)
        model = model.bind_tools([tool(count)])
        asked = [("user", "How many crates?")]
        first = model.invoke(asked)
        [call] = first.tool_calls
        assert (call["name"], call["args"]) == ("count", {"what": "crates"}), first
        last = model.invoke([*asked, first, tool(count).invoke(call)])
        assert last.text == TEXT, last
        pieces = None
        for piece in model.stream(asked):
            pieces = piece if pieces is None else pieces + piece
        assert pieces.tool_calls[0]["args"] == {"what": "crates"}, pieces


def with_instructor():
    for mode in [instructor.Mode.JSON_SCHEMA, instructor.Mode.TOOLS]:
        client = instructor.from_openai(openai.OpenAI(base_url=BASE, api_key=KEY), mode=mode)
        order = client.chat.completions.create(model=MODEL, messages=ASKED, response_model=Order)
        assert order.total == 12, order


def llama_index():
    model = OpenAILike(api_base=BASE, api_key=KEY, model=MODEL, is_chat_model=True)
    assert model.complete("How many crates?").text == TEXT
    assert list(model.stream_complete("How many crates?"))[-1].text == TEXT


def anthropic_messages():
    client = anthropic.Anthropic(base_url=os.environ["FORMWORK_URL"] + "/anthropic", api_key=KEY, max_retries=0)
    asked = [{"role": "user", "content": "How many crates?"}]
    common = {"model": MODEL, "max_tokens": 50, "system": "Be brief."}
    whole = client.messages.create(messages=asked, **common)
    assert whole.content[0].text == TEXT and whole.stop_reason == "end_turn", whole
    assert (whole.usage.input_tokens, whole.usage.output_tokens) == (11, 7), whole
    with client.messages.stream(messages=asked, **common) as stream:
        assert "".join(stream.text_stream) == TEXT
        assert stream.get_final_message().usage.output_tokens == 7
    tools = [{"name": "count", "description": COUNT["description"], "input_schema": COUNT["parameters"]}]
    first = client.messages.create(messages=asked, tools=tools, **common)
    [call] = [block for block in first.content if block.type == "tool_use"]
    assert call.input == {"what": "crates"} and first.stop_reason == "tool_use", first
    with client.messages.stream(messages=asked, tools=tools, **common) as stream:
        [streamed] = [block for block in stream.get_final_message().content if block.type == "tool_use"]
    assert streamed.input == call.input and streamed.id == call.id, streamed
    result = {"type": "tool_result", "tool_use_id": call.id, "content": count(**call.input)}
    asked += [{"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
    assert client.messages.create(messages=asked, tools=tools, **common).content[0].text == TEXT
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL.split(",")[1]}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "What is it?"}]
    seen = client.messages.create(messages=[{"role": "user", "content": content}], **common)
    assert seen.content[0].text == "A picture.", seen
    counted = client.messages.count_tokens(model=MODEL, messages=asked[:1], system="Be brief.")
    assert 3 <= counted.input_tokens <= 20, counted
    source = {"type": "text", "media_type": "text/plain", "data": "Twelve crates are on the pier."}
    content = [{"type": "document", "source": source}, {"type": "text", "text": "How many crates are on the pier?"}]
    read = client.messages.create(
        model="extractive@formwork", max_tokens=50, messages=[{"role": "user", "content": content}]
    )
    assert "Twelve crates" in read.content[0].text, read
    for call, kind in [
        (lambda: client.messages.create(messages=[], **common), anthropic.BadRequestError),
        (lambda: client.with_options(api_key="fw_wrong").messages.create(messages=asked[:1], **common), anthropic.AuthenticationError),
        (lambda: client.messages.create(model="agent:none", max_tokens=5, messages=asked[:1]), anthropic.NotFoundError),
    ]:
        try:
            call()
        except kind as error:
            assert error.body["type"] == "error" and error.body["error"]["message"], error.body
        else:
            raise AssertionError(f"{kind.__name__} was expected")


for name, job in [
    ("anthropic (Python)", anthropic_messages),
    ("openai (Python)", official),
    ("openai (Python), tools and pictures", official_tools),
    ("openai (Python), responses", responses),
    ("openai (Python), files", files),
    ("openai (Python), vector stores", vector_stores),
    ("OpenAI Agents", with_agents),
    ("openai (Python, asyncio)", lambda: asyncio.run(official_async())),
    ("LangChain", langchain),
    ("LangChain, tools", langchain_tools),
    ("Instructor", with_instructor),
    ("LlamaIndex", llama_index),
]:
    job()
    print(f"{name}: passed")
