"""Bodies of requests that may name documents."""

from __future__ import annotations

from typing import Any

from ._operations import Json, documents
from ._requests import Steps


def generate_body(prompt: str, model: str, options: Json) -> Steps[Json]:
    """The body of POST /v2/generate."""
    return (yield from _with_urls({"modelId": model, "prompt": prompt}, options))


def chat_body(message: str, session_id: str | None, options: Json) -> Steps[Json]:
    """The body of a message."""
    body: dict[str, Any] = {"message": message}
    if session_id is not None:
        body["session_id"] = session_id
    return (yield from _with_urls(body, options))


def _with_urls(body: Json, options: Json) -> Steps[Json]:
    """Uploads the documents of the option `files` and names them in `urls`."""
    options = dict(options)
    files = options.pop("files", None)
    if files:
        (group,) = yield from documents([files])
        options["urls"] = [*options.get("urls", []), *(document["url"] for document in group)]
    return {**body, **options}
