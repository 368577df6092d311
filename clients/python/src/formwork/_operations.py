"""The operations of the client as steps, shared by both clients."""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, urlsplit

import httpx

from ._errors import ExtractionFailed, FormworkError, Unavailable
from ._requests import Call, Steps, Wait, decoded, send

Json: TypeAlias = dict[str, Any]
# A path or a web URL, the id of a stored file, or the name and the content of a file.
Document: TypeAlias = "str | os.PathLike[str] | int | tuple[str, bytes | str]"

# Pauses between two looks at a run in seconds.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
_PAGE = 100
# Bounds of one upload, in files and bytes.
_FILES, _BYTES = 20, 32 * 2**20


def call(method: str, path: str, **parts: Any) -> Steps[Any]:
    """The JSON of an answer, the bytes of one that is no JSON, or None of an empty one."""
    response: httpx.Response = yield from send(Call(method, path, **parts))
    if not response.content:
        return None
    if "json" not in response.headers.get("content-type", ""):
        return response.content
    answer = decoded(response)
    if answer is None and response.content.strip() != b"null":
        raise Unavailable("the answer is not JSON", code="malformed_answer", status=response.status_code)
    return answer


def segment(name: object) -> str:
    """A value as one segment of a path."""
    return quote(str(name), safe="")


def page(path: str, cursor: str, **params: Any) -> Steps[tuple[list[Json], str]]:
    """A page of a list, and the cursor of the next one or an empty text."""
    answer = yield from call("GET", path, params={"limit": _PAGE, "cursor": cursor or None, **params})
    (items,) = [value for value in answer.values() if isinstance(value, list)]
    return items, str(answer["meta"]["next_cursor"])


def upload(files: Sequence[Document]) -> Steps[list[Json]]:
    """Stores files and returns their records in the same order."""
    parts = [("files", content(file)) for file in files]
    records: list[Json] = []
    for batch in _batches(parts):
        records += yield from call("POST", "/v1/files", files=batch)
    return records


def content(file: Document) -> tuple[str, bytes]:
    """Name and content of a document that is not stored yet."""
    if isinstance(file, tuple):
        name, data = file
        return name, data.encode() if isinstance(data, str) else data
    if isinstance(file, int):
        raise TypeError("a file id names a stored file; give a path, or a name with the content")
    path = Path(file)
    return path.name, path.read_bytes()


def download(file: int | Json) -> Steps[bytes]:
    """The content of a stored file."""
    record = file if isinstance(file, dict) and "url" in file else None
    if record is None:
        number = file["id"] if isinstance(file, dict) else file
        record = yield from call("GET", f"/v1/files/{segment(number)}")
    parts = urlsplit(record["url"])
    # The path alone: the key goes to no other server than the client's own.
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    response: httpx.Response = yield from send(Call("GET", path))
    return response.content


def documents(groups: Iterable[Sequence[Document]]) -> Steps[list[list[Json]]]:
    """The groups as the interface takes them; uploads what is not stored yet."""
    listed = [list(group) for group in groups]
    new = [file for group in listed for file in group if not _is_stored(file)]
    records = iter((yield from upload(new)) if new else [])
    return [
        [{"url": str(file) if _is_stored(file) else str(next(records)["id"])} for file in group] for group in listed
    ]


def converted(schema: Json) -> Steps[tuple[Json, list[Json]]]:
    """The field definitions that a form has for a JSON Schema, and what it does not keep."""
    answer = yield from call("POST", "/v1/utilities/schema_converter", json={"schema": schema})
    return answer["schema"], answer["warnings"]


def create_form(title: str, schema: Json) -> Steps[Json]:
    """A form of a JSON Schema. Its record has `warnings` where it says less than the schema."""
    fields, warnings = yield from converted(schema)
    form = yield from call("POST", "/v1/form", json={"title": title, "schema": fields})
    return {**form, "warnings": warnings}


def ensure_agent(namespace: str, title: str, schema: Json, settings: Json) -> Steps[None]:
    """Creates an agent with a form unless the agent exists."""
    path = f"/v1/agent/{segment(namespace)}"
    try:
        yield from call("GET", path)
        return
    except FormworkError as error:
        if error.code != "agent_not_found":
            raise
    form = yield from call("POST", "/v1/form", json={"title": title, "schema": schema})
    body = {"namespace": namespace, "form_id": form["form_id"], **settings}
    try:
        yield from call("POST", "/v1/agent", json=body)
    except FormworkError as error:
        # The agent may exist and use the form.
        if error.status is None or error.status >= 500:
            raise
        # Another client was faster; its agent is equal.
        yield from call("DELETE", f"/v1/form/{segment(form['form_id'])}")
        if error.code != "namespace_taken":
            raise


def runs_path(namespace: str, sid: int | None = None) -> str:
    path = f"/v1/agent/{segment(namespace)}/workflow/delta/runs"
    return path if sid is None else f"{path}/{segment(sid)}"


def start_run(namespace: str, groups: list[list[Json]], options: Json) -> Steps[Json]:
    labels = options.get("labels")
    joined = {"labels": ",".join(labels)} if isinstance(labels, (list, tuple)) else {}
    params = {"async": True, "evidence": True, **options, **joined}
    path = f"/v1/agent/{segment(namespace)}/workflow/delta"
    run: Json = yield from call("POST", path, json=groups, params=params)
    return run


def wait_run(namespace: str, sid: int, on_progress: Callable[[Json], object] | None) -> Steps[Json]:
    """Waits until a run is over. `on_progress` gets the run whenever its progress has changed."""
    pause, last = _FIRST_PAUSE, None
    while True:
        run: Json = yield from call("GET", runs_path(namespace, sid), params={"limit": 1})
        if on_progress is not None and run["progress"] != last:
            on_progress({key: value for key, value in run.items() if key not in ("groups", "meta")})
        last = run["progress"]
        if run["state"] != "running":
            return run
        yield Wait(pause)
        pause = min(_LONGEST_PAUSE, pause * 1.5)


def group_page(namespace: str, sid: int, number: int) -> Steps[list[Json]]:
    """A page of the groups of a run, in their order; empty after the last one."""
    answer = yield from call("GET", runs_path(namespace, sid), params={"limit": _PAGE, "page": number})
    groups: list[Json] = answer["groups"] if answer["meta"]["current_page"] == number else []
    return groups


def response_page(namespace: str, sid: int, number: int) -> Steps[list[Json]]:
    """A page of the stored responses of a run: those of its succeeded groups, in their order."""
    params = {"sid": sid, "evidence": True, "meta": True, "limit": _PAGE, "page": number}
    answer: list[Json] = yield from call("GET", f"/v1/agent/{segment(namespace)}/workflow/delta", params=params)
    return answer


def group_error(group: Json) -> ExtractionFailed:
    """The error of a group without a record."""
    error = group.get("error") or {}
    message = str(error.get("message") or f"the group is {group['state']}")
    return ExtractionFailed(message, code=str(error.get("code") or "failed"), kind=str(error.get("class") or "internal"))


def _is_stored(file: Document) -> bool:
    return isinstance(file, int) or (isinstance(file, str) and file.startswith(("http://", "https://")))


def _batches(parts: list[tuple[str, tuple[str, bytes]]]) -> Iterable[list[Any]]:
    """Parts of multipart bodies: name, content and type of files."""
    batch: list[Any] = []
    size = 0
    for part, (name, data) in parts:
        if batch and (len(batch) == _FILES or size + len(data) > _BYTES):
            yield batch
            batch, size = [], 0
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        batch.append((part, (name, data, kind)))
        size += len(data)
    if batch:
        yield batch
