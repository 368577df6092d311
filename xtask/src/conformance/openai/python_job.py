"""The official client in Python, LangChain, Instructor and LlamaIndex against `/openai/v1`."""

import asyncio
import os

import instructor
import openai
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel

BASE = os.environ["FORMWORK_URL"] + "/openai/v1"
KEY = os.environ["FORMWORK_KEY"]
MODEL = "lab/chat@formwork"
ASKED = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How many crates?"}]
TEXT = "Twelve crates."


class Order(BaseModel):
    total: float


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


def with_instructor():
    client = instructor.from_openai(openai.OpenAI(base_url=BASE, api_key=KEY), mode=instructor.Mode.JSON_SCHEMA)
    order = client.chat.completions.create(model=MODEL, messages=ASKED, response_model=Order)
    assert order.total == 12, order


def llama_index():
    model = OpenAILike(api_base=BASE, api_key=KEY, model=MODEL, is_chat_model=True)
    assert model.complete("How many crates?").text == TEXT
    assert list(model.stream_complete("How many crates?"))[-1].text == TEXT


for name, job in [
    ("openai (Python)", official),
    ("openai (Python, asyncio)", lambda: asyncio.run(official_async())),
    ("LangChain", langchain),
    ("Instructor", with_instructor),
    ("LlamaIndex", llama_index),
]:
    job()
    print(f"{name}: passed")
