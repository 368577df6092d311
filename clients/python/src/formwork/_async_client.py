"""The client to be awaited. It has the operations of `Client`."""

from __future__ import annotations

import builtins
import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar, overload

import httpx
from pydantic import BaseModel

from . import _operations as operations
from ._bodies import chat_body, generate_body
from ._errors import ExtractionFailed
from ._events import AsyncStream
from ._extraction import Extraction, Pages, Plan
from ._operations import Document, Json, segment
from ._requests import RETRIES, Call, Reply, Settings, Steps, Wait, arguments, failure_of, helps, pause
from ._requests import prepared
from ._schema import json_schema

Model = TypeVar("Model", bound=BaseModel)
Result = TypeVar("Result")
Progress = Callable[[Json], object]


class AsyncClient:
    """A client of a server. `url` and `key` default to FORMWORK_URL and FORMWORK_KEY, `timeout` is in seconds.

    Close it, or use it as an asynchronous context manager.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, timeout: float = 300.0) -> None:
        self._settings = Settings.of(url, key)
        # Redirects are not followed, so that the key goes to this server only.
        self._http = httpx.AsyncClient(base_url=self._settings.url, headers=self._settings.headers(), timeout=timeout)
        self.files = AsyncFiles(self)
        self.forms = AsyncForms(self)
        self.agents = AsyncAgents(self)
        self.runs = AsyncRuns(self)
        self.reviews = AsyncReviews(self)

    def __repr__(self) -> str:
        return f"AsyncClient(url={self._settings.url!r})"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    @overload
    async def extract(self, schema: type[Model], files: Sequence[Document], **options: Any) -> Extraction[Model]: ...

    @overload
    async def extract(self, schema: Json, files: Sequence[Document], **options: Any) -> Extraction[Json]: ...

    async def extract(self, schema: type[BaseModel] | Json, files: Sequence[Document], **options: Any) -> Extraction[Any]:
        """The record of one group of documents, with its evidence. Options are those of `extract_many`.

        Raises ExtractionFailed where there is no record; `value` raises RecordInvalid where it does not fit.
        """
        (item,) = [item async for item in self.extract_many(schema, [files], **options)]
        if isinstance(item.error, ExtractionFailed):
            raise item.error
        return item

    async def extract_many(
        self,
        schema: type[BaseModel] | Json,
        groups: Iterable[Sequence[Document]],
        *,
        on_progress: Progress | None = None,
        agent: str | None = None,
        instructions: str | None = None,
        model: str | None = None,
        fresh: bool = False,
        partial: bool = False,
        run: Json | None = None,
    ) -> AsyncIterator[Extraction[Any]]:
        """The outcomes of many groups in one run, in their order: each has a `value` or an `error`.

        `agent` names an existing agent with this form; else one is made, and found again for the same schema,
        `instructions` and `model`. `fresh` ignores stored results, `partial` leaves unreadable documents out. `run` has
        other options of a run: `effort`, `timeout`, `budget`, `labels`.
        """
        plan = await self._run(Plan.of(schema, agent, instructions, model))
        started = await self._run(plan.start(groups, run or {}, fresh=fresh, partial=partial))
        await self._run(plan.finish(started["sid"], on_progress))
        pages = Pages(plan, started["sid"])
        while outcomes := await self._run(pages.next()):
            for outcome in outcomes:
                yield outcome

    def chat(self, agent: str, session_id: str | None = None) -> AsyncConversation:
        """A conversation with an agent, a new one without `session_id`."""
        return AsyncConversation(self, agent, session_id)

    async def generate(self, prompt: str, *, model: str, **options: Any) -> Json:
        """An answer of a model. Options are the keys of the body of POST /v2/generate; `files` are documents."""
        body = await self._run(generate_body(prompt, model, options))
        return await self.request("POST", "/v2/generate", json=body)  # type: ignore[no-any-return]

    def generate_stream(self, prompt: str, *, model: str, **options: Any) -> AsyncStream:
        """As `generate`: events `delta` with pieces of the text, then `done` with the whole answer."""
        return AsyncStream(lambda: self._open_generation(prompt, model, options))

    async def search(self, knowledge_base: str, query: str, **options: Any) -> list[Json]:
        """The best passages of a knowledge base. Options: `limit`, `mode`, `filter`, `minScore` and others."""
        path = f"/v1/knowledgebase/{segment(knowledge_base)}/search"
        answer = await self.request("POST", path, json={"query": query, **options})
        return answer["results"]  # type: ignore[no-any-return]

    async def request(self, method: str, path: str, **parts: Any) -> Any:
        """Any other operation: the JSON of its answer, or its bytes where it is no JSON. `parts`: `json`, `params`, `headers`, `files`."""
        return await self._run(operations.call(method, path, **parts))

    def stream(self, method: str, path: str, **parts: Any) -> AsyncStream:
        """Any operation that answers with events."""
        return AsyncStream(lambda: self._open(Call(method, path, **parts)))

    async def pages(self, path: str, **params: Any) -> AsyncIterator[Json]:
        """The items of a list, page by page."""
        cursor = ""
        while True:
            items, cursor = await self._run(operations.page(path, cursor, **params))
            for item in items:
                yield item
            if not cursor:
                return

    @asynccontextmanager
    async def _open_generation(self, prompt: str, model: str, options: Json) -> AsyncGenerator[httpx.Response, None]:
        body = await self._run(generate_body(prompt, model, {**options, "stream": True}))
        async with self._open(Call("POST", "/v2/generate", json=body)) as response:
            yield response

    async def _run(self, steps: Steps[Result]) -> Result:
        """Does what the steps of an operation ask for."""
        answer: Reply | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = None
            if isinstance(step, Wait):
                await asyncio.sleep(step.seconds)
            else:
                answer = await self._once(step)

    async def _once(self, call: Call) -> Reply:
        try:
            return Reply(await self._http.request(**arguments(call)))
        except httpx.TransportError as failure:
            return Reply(failure=failure)

    @asynccontextmanager
    async def _open(self, call: Call) -> AsyncGenerator[httpx.Response, None]:
        """The response of a call whose body is still to be read."""
        call = prepared(call)
        for attempt in range(RETRIES + 1):
            reply = await self._begin(call)
            if reply.response is not None and reply.response.status_code < 400:
                try:
                    yield reply.response
                finally:
                    await reply.response.aclose()
                return
            error = failure_of(reply)
            if attempt == RETRIES or not helps(call, reply, error, attempt):
                raise error
            await asyncio.sleep(pause(attempt, error.retry_after))

    async def _begin(self, call: Call) -> Reply:
        try:
            response = await self._http.send(self._http.build_request(**arguments(call)), stream=True)
            if response.status_code >= 400:
                await response.aread()
                await response.aclose()
            return Reply(response)
        except httpx.TransportError as failure:
            return Reply(failure=failure)


class AsyncConversation:
    """A conversation with an agent. `session_id` is known after the first message."""

    def __init__(self, client: AsyncClient, agent: str, session_id: str | None) -> None:
        self._client, self._path = client, f"/v1/agent/{segment(agent)}/chat"
        self.session_id = session_id

    async def send(self, message: str, **options: Any) -> Json:
        """Sends a message. The answer has `text`, and with a form `form`; options are the keys of its body."""
        body = await self._client._run(chat_body(message, self.session_id, options))
        answer: Json = await self._client.request("POST", self._path, json=body)
        self.session_id = answer["session_id"]
        return answer


class AsyncFiles:
    """Stored files."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def upload(self, *files: Document) -> list[Json]:
        """Stores files: paths, or names with their content."""
        return await self._client._run(operations.upload(files))

    def list(self) -> AsyncIterator[Json]:
        return self._client.pages("/v1/files")

    async def get(self, file_id: int) -> Json:
        return await self._client.request("GET", f"/v1/files/{segment(file_id)}")  # type: ignore[no-any-return]

    async def download(self, file: int | Json) -> bytes:
        """The content of a file, given by its id or its record."""
        return await self._client._run(operations.download(file))

    async def delete(self, file_id: int) -> None:
        await self._client.request("DELETE", f"/v1/files/{segment(file_id)}")


class AsyncForms:
    """Forms."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def create(self, title: str, schema: type[BaseModel] | Json) -> Json:
        """A form of a Pydantic model or a JSON Schema. Its record has `warnings` where it says less than the schema."""
        return await self._client._run(operations.create_form(title, json_schema(schema)))

    def list(self, *, title: str | None = None) -> AsyncIterator[Json]:
        return self._client.pages("/v1/form", title=title)

    async def get(self, form_id: str) -> Json:
        return await self._client.request("GET", f"/v1/form/{segment(form_id)}")  # type: ignore[no-any-return]

    async def delete(self, form_id: str) -> None:
        await self._client.request("DELETE", f"/v1/form/{segment(form_id)}")

    def versions(self, form_id: str) -> AsyncIterator[Json]:
        """Its versions, newest first."""
        return self._client.pages(f"/v1/form/{segment(form_id)}/versions")

    async def publish(self, form_id: str, version: int, **gate: Any) -> Json:
        """Puts a version in force. Keys of `gate` are `evaluation`, `base` and `minimum`: only if it is not worse."""
        path = f"/v1/form/{segment(form_id)}/versions/{segment(version)}/publish"
        return await self._client.request("POST", path, json=gate)  # type: ignore[no-any-return]


class AsyncAgents:
    """Agents."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def create(self, namespace: str, **settings: Any) -> Json:
        """An agent. Settings: `form_id`, `name`, `description`, `instructions`, `modelId`, `knowledge`."""
        body = {"namespace": namespace, **settings}
        return await self._client.request("POST", "/v1/agent", json=body)  # type: ignore[no-any-return]

    def list(self) -> AsyncIterator[Json]:
        return self._client.pages("/v1/agent")

    async def get(self, namespace: str) -> Json:
        return await self._client.request("GET", f"/v1/agent/{segment(namespace)}")  # type: ignore[no-any-return]

    async def update(self, namespace: str, **settings: Any) -> Json:
        return await self._client.request("PUT", f"/v1/agent/{segment(namespace)}", json=settings)  # type: ignore[no-any-return]

    async def delete(self, namespace: str) -> None:
        await self._client.request("DELETE", f"/v1/agent/{segment(namespace)}")


class AsyncRuns:
    """Batch runs of agents."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def list(self, agent: str) -> AsyncIterator[Json]:
        return self._client.pages(operations.runs_path(agent))

    async def get(self, agent: str, sid: int) -> Json:
        return await self._client.request("GET", operations.runs_path(agent, sid))  # type: ignore[no-any-return]

    async def wait(self, agent: str, sid: int, on_progress: Progress | None = None) -> Json:
        """Waits until a run is over."""
        return await self._client._run(operations.wait_run(agent, sid, on_progress))

    def events(self, agent: str, sid: int) -> AsyncStream:
        """Follows a run: events `progress`, `group` and at last `end`."""
        return self._client.stream("GET", f"{operations.runs_path(agent, sid)}/events")

    async def cancel(self, agent: str, sid: int) -> Json:
        return await self._client.request("DELETE", operations.runs_path(agent, sid))  # type: ignore[no-any-return]

    async def retry(self, agent: str, sid: int) -> Json:
        """Requeues the failed groups of a run."""
        return await self._client.request("POST", f"{operations.runs_path(agent, sid)}/retry")  # type: ignore[no-any-return]


class AsyncReviews:
    """Values that people review."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    def list(self, **conditions: Any) -> AsyncIterator[Json]:
        """The queue, newest first. Conditions: `namespace`, `sid`, `state`, `reason`, `field`, `assignee`, `order`."""
        return self._client.pages("/v1/reviews", **conditions)

    async def get(self, review_id: str) -> Json:
        """A review with its evidence, other candidates and history."""
        return await self._client.request("GET", f"/v1/reviews/{segment(review_id)}")  # type: ignore[no-any-return]

    async def queue(self, agent: str, sid: int, **rules: Any) -> int:
        """Queues values of a run that is over, by the rules of the agent or by these. Returns how many."""
        body = {"namespace": agent, "sid": sid, **({"review": rules} if rules else {})}
        return (await self._client.request("POST", "/v1/reviews", json=body))["queued"]  # type: ignore[no-any-return]

    async def decide(self, *decisions: Json) -> builtins.list[Json]:
        """Decides, all or none: each has `review_id`, `action`, and `value`, `evidence`, `note` or `revision`."""
        answer = await self._client.request("POST", "/v1/reviews/decisions", json={"decisions": decisions})
        return answer["reviews"]  # type: ignore[no-any-return]

    async def accept(self, review_id: str, **keys: Any) -> Json:
        """The value is right."""
        return (await self.decide({"review_id": review_id, "action": "accept", **keys}))[0]

    async def correct(self, review_id: str, value: Any, *, quote: str | None = None, **keys: Any) -> Json:
        """The right value, and the text of the documents that states it."""
        evidence = {} if quote is None else {"evidence": {"quote": quote}}
        decision = {"review_id": review_id, "action": "correct", "value": value, **evidence, **keys}
        return (await self.decide(decision))[0]

    async def not_stated(self, review_id: str, **keys: Any) -> Json:
        """The documents do not state the value."""
        return (await self.decide({"review_id": review_id, "action": "not_stated", **keys}))[0]
