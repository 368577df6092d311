"""The client that blocks."""

from __future__ import annotations

import builtins
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar, overload

import httpx
from pydantic import BaseModel

from . import _operations as operations
from ._bodies import chat_body, generate_body
from ._errors import ExtractionFailed
from ._events import Stream
from ._extraction import Extraction, Pages, Plan
from ._operations import Document, Json, segment
from ._requests import RETRIES, Call, Reply, Settings, Steps, Wait, arguments, failure_of, helps, pause
from ._requests import prepared
from ._schema import json_schema

Model = TypeVar("Model", bound=BaseModel)
Result = TypeVar("Result")
Progress = Callable[[Json], object]


class Client:
    """A client of a server. `url` and `key` default to FORMWORK_URL and FORMWORK_KEY, `timeout` is in seconds.

    It may be used from several threads. Close it, or use it as a context manager.
    """

    def __init__(self, url: str | None = None, key: str | None = None, *, timeout: float = 300.0) -> None:
        self._settings = Settings.of(url, key)
        # Redirects are not followed, so that the key goes to this server only.
        self._http = httpx.Client(base_url=self._settings.url, headers=self._settings.headers(), timeout=timeout)
        self.files = Files(self)
        self.forms = Forms(self)
        self.agents = Agents(self)
        self.runs = Runs(self)
        self.reviews = Reviews(self)

    def __repr__(self) -> str:
        return f"Client(url={self._settings.url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    @overload
    def extract(self, schema: type[Model], files: Sequence[Document], **options: Any) -> Extraction[Model]: ...

    @overload
    def extract(self, schema: Json, files: Sequence[Document], **options: Any) -> Extraction[Json]: ...

    def extract(self, schema: type[BaseModel] | Json, files: Sequence[Document], **options: Any) -> Extraction[Any]:
        """The record of one group of documents, with its evidence. Options are those of `extract_many`.

        Raises ExtractionFailed where there is no record; `value` raises RecordInvalid where it does not fit.
        """
        (item,) = self.extract_many(schema, [files], **options)
        if isinstance(item.error, ExtractionFailed):
            raise item.error
        return item

    def extract_many(
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
    ) -> Iterator[Extraction[Any]]:
        """The outcomes of many groups in one run, in their order: each has a `value` or an `error`.

        `agent` names an existing agent with this form; else one is made, and found again for the same schema,
        `instructions` and `model`. `fresh` ignores stored results, `partial` leaves unreadable documents out. `run` has
        other options of a run: `effort`, `timeout`, `budget`, `labels`.
        """
        plan = self._run(Plan.of(schema, agent, instructions, model))
        started = self._run(plan.start(groups, run or {}, fresh=fresh, partial=partial))
        self._run(plan.finish(started["sid"], on_progress))
        pages = Pages(plan, started["sid"])
        while outcomes := self._run(pages.next()):
            yield from outcomes

    def chat(self, agent: str, session_id: str | None = None) -> Conversation:
        """A conversation with an agent, a new one without `session_id`."""
        return Conversation(self, agent, session_id)

    def generate(self, prompt: str, *, model: str, **options: Any) -> Json:
        """An answer of a model. Options are the keys of the body of POST /v2/generate; `files` are documents."""
        body = self._run(generate_body(prompt, model, options))
        return self.request("POST", "/v2/generate", json=body)  # type: ignore[no-any-return]

    def generate_stream(self, prompt: str, *, model: str, **options: Any) -> Stream:
        """As `generate`: events `delta` with pieces of the text, then `done` with the whole answer."""
        body = self._run(generate_body(prompt, model, {**options, "stream": True}))
        return self.stream("POST", "/v2/generate", json=body)

    def search(self, knowledge_base: str, query: str, **options: Any) -> list[Json]:
        """The best passages of a knowledge base. Options: `limit`, `mode`, `filter`, `minScore` and others."""
        path = f"/v1/knowledgebase/{segment(knowledge_base)}/search"
        answer = self.request("POST", path, json={"query": query, **options})
        return answer["results"]  # type: ignore[no-any-return]

    def request(self, method: str, path: str, **parts: Any) -> Any:
        """Any other operation: the JSON of its answer, or its bytes where it is no JSON. `parts`: `json`, `params`, `headers`, `files`."""
        return self._run(operations.call(method, path, **parts))

    def stream(self, method: str, path: str, **parts: Any) -> Stream:
        """Any operation that answers with events."""
        return Stream(lambda: self._open(Call(method, path, **parts)))

    def pages(self, path: str, **params: Any) -> Iterator[Json]:
        """The items of a list, page by page."""
        cursor = ""
        while True:
            items, cursor = self._run(operations.page(path, cursor, **params))
            yield from items
            if not cursor:
                return

    def _run(self, steps: Steps[Result]) -> Result:
        """Does what the steps of an operation ask for."""
        answer: Reply | None = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            answer = None
            if isinstance(step, Wait):
                time.sleep(step.seconds)
            else:
                answer = self._once(step)

    def _once(self, call: Call) -> Reply:
        try:
            return Reply(self._http.request(**arguments(call)))
        except httpx.TransportError as failure:
            return Reply(failure=failure)

    @contextmanager
    def _open(self, call: Call) -> Generator[httpx.Response, None, None]:
        """The response of a call whose body is still to be read."""
        call = prepared(call)
        for attempt in range(RETRIES + 1):
            reply = self._begin(call)
            if reply.response is not None and reply.response.status_code < 400:
                try:
                    yield reply.response
                finally:
                    reply.response.close()
                return
            error = failure_of(reply)
            if attempt == RETRIES or not helps(call, reply, error, attempt):
                raise error
            time.sleep(pause(attempt, error.retry_after))

    def _begin(self, call: Call) -> Reply:
        try:
            response = self._http.send(self._http.build_request(**arguments(call)), stream=True)
            if response.status_code >= 400:
                response.read()
                response.close()
            return Reply(response)
        except httpx.TransportError as failure:
            return Reply(failure=failure)


class Conversation:
    """A conversation with an agent. `session_id` is known after the first message."""

    def __init__(self, client: Client, agent: str, session_id: str | None) -> None:
        self._client, self._path = client, f"/v1/agent/{segment(agent)}/chat"
        self.session_id = session_id

    def send(self, message: str, **options: Any) -> Json:
        """Sends a message. The answer has `text`, and with a form `form`; options are the keys of its body."""
        body = self._client._run(chat_body(message, self.session_id, options))
        answer: Json = self._client.request("POST", self._path, json=body)
        self.session_id = answer["session_id"]
        return answer


class Files:
    """Stored files."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def upload(self, *files: Document) -> list[Json]:
        """Stores files: paths, or names with their content."""
        return self._client._run(operations.upload(files))

    def list(self) -> Iterator[Json]:
        return self._client.pages("/v1/files")

    def get(self, file_id: int) -> Json:
        return self._client.request("GET", f"/v1/files/{segment(file_id)}")  # type: ignore[no-any-return]

    def download(self, file: int | Json) -> bytes:
        """The content of a file, given by its id or its record."""
        return self._client._run(operations.download(file))

    def delete(self, file_id: int) -> None:
        self._client.request("DELETE", f"/v1/files/{segment(file_id)}")


class Forms:
    """Forms."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, title: str, schema: type[BaseModel] | Json) -> Json:
        """A form of a Pydantic model or a JSON Schema. Its record has `warnings` where it says less than the schema."""
        return self._client._run(operations.create_form(title, json_schema(schema)))

    def list(self, *, title: str | None = None) -> Iterator[Json]:
        return self._client.pages("/v1/form", title=title)

    def get(self, form_id: str) -> Json:
        return self._client.request("GET", f"/v1/form/{segment(form_id)}")  # type: ignore[no-any-return]

    def delete(self, form_id: str) -> None:
        self._client.request("DELETE", f"/v1/form/{segment(form_id)}")

    def versions(self, form_id: str) -> Iterator[Json]:
        """Its versions, newest first."""
        return self._client.pages(f"/v1/form/{segment(form_id)}/versions")

    def publish(self, form_id: str, version: int, **gate: Any) -> Json:
        """Puts a version in force. Keys of `gate` are `evaluation`, `base` and `minimum`: only if it is not worse."""
        path = f"/v1/form/{segment(form_id)}/versions/{segment(version)}/publish"
        return self._client.request("POST", path, json=gate)  # type: ignore[no-any-return]


class Agents:
    """Agents."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, namespace: str, **settings: Any) -> Json:
        """An agent. Settings: `form_id`, `name`, `description`, `instructions`, `modelId`, `knowledge`."""
        body = {"namespace": namespace, **settings}
        return self._client.request("POST", "/v1/agent", json=body)  # type: ignore[no-any-return]

    def list(self) -> Iterator[Json]:
        return self._client.pages("/v1/agent")

    def get(self, namespace: str) -> Json:
        return self._client.request("GET", f"/v1/agent/{segment(namespace)}")  # type: ignore[no-any-return]

    def update(self, namespace: str, **settings: Any) -> Json:
        return self._client.request("PUT", f"/v1/agent/{segment(namespace)}", json=settings)  # type: ignore[no-any-return]

    def delete(self, namespace: str) -> None:
        self._client.request("DELETE", f"/v1/agent/{segment(namespace)}")


class Runs:
    """Batch runs of agents."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self, agent: str) -> Iterator[Json]:
        return self._client.pages(operations.runs_path(agent))

    def get(self, agent: str, sid: int) -> Json:
        return self._client.request("GET", operations.runs_path(agent, sid))  # type: ignore[no-any-return]

    def wait(self, agent: str, sid: int, on_progress: Progress | None = None) -> Json:
        """Waits until a run is over."""
        return self._client._run(operations.wait_run(agent, sid, on_progress))

    def events(self, agent: str, sid: int) -> Stream:
        """Follows a run: events `progress`, `group` and at last `end`."""
        return self._client.stream("GET", f"{operations.runs_path(agent, sid)}/events")

    def cancel(self, agent: str, sid: int) -> Json:
        return self._client.request("DELETE", operations.runs_path(agent, sid))  # type: ignore[no-any-return]

    def retry(self, agent: str, sid: int) -> Json:
        """Requeues the failed groups of a run."""
        return self._client.request("POST", f"{operations.runs_path(agent, sid)}/retry")  # type: ignore[no-any-return]


class Reviews:
    """Values that people review."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def list(self, **conditions: Any) -> Iterator[Json]:
        """The queue, newest first. Conditions: `namespace`, `sid`, `state`, `reason`, `field`, `assignee`, `order`."""
        return self._client.pages("/v1/reviews", **conditions)

    def get(self, review_id: str) -> Json:
        """A review with its evidence, other candidates and history."""
        return self._client.request("GET", f"/v1/reviews/{segment(review_id)}")  # type: ignore[no-any-return]

    def queue(self, agent: str, sid: int, **rules: Any) -> int:
        """Queues values of a run that is over, by the rules of the agent or by these. Returns how many."""
        body = {"namespace": agent, "sid": sid, **({"review": rules} if rules else {})}
        return (self._client.request("POST", "/v1/reviews", json=body))["queued"]  # type: ignore[no-any-return]

    def decide(self, *decisions: Json) -> builtins.list[Json]:
        """Decides, all or none: each has `review_id`, `action`, and `value`, `evidence`, `note` or `revision`."""
        answer = self._client.request("POST", "/v1/reviews/decisions", json={"decisions": decisions})
        return answer["reviews"]  # type: ignore[no-any-return]

    def accept(self, review_id: str, **keys: Any) -> Json:
        """The value is right."""
        return (self.decide({"review_id": review_id, "action": "accept", **keys}))[0]

    def correct(self, review_id: str, value: Any, *, quote: str | None = None, **keys: Any) -> Json:
        """The right value, and the text of the documents that states it."""
        evidence = {} if quote is None else {"evidence": {"quote": quote}}
        decision = {"review_id": review_id, "action": "correct", "value": value, **evidence, **keys}
        return (self.decide(decision))[0]

    def not_stated(self, review_id: str, **keys: Any) -> Json:
        """The documents do not state the value."""
        return (self.decide({"review_id": review_id, "action": "not_stated", **keys}))[0]
