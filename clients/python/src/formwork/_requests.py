"""Requests and their repetition, without input or output: generators yield what is to be done and get its result."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

import httpx

from ._errors import FormworkError, Unavailable, error_of

# Failed attempts that follow the first one, and the longest wait between two attempts in seconds.
RETRIES = 4
LONGEST_WAIT = 30.0
_RETRIED = (429, 502, 503, 504)
# Failures of a provider that another attempt meets again.
_LASTING = {"provider_auth", "provider_billing", "provider_invalid_request", "context_too_long", "model_refused"}
# Operations on these paths take no Idempotency-Key: a request that may have arrived is not sent again.
_WITHOUT_KEY = (
    *("/v1/keys", "/v1/members", "/v1/workspaces", "/v1/sign_in", "/v1/public/chat", "/mcp"),
    *("/openai/v1/embeddings", "/openai/v1/images", "/openai/v1/audio"),
)
_ENDINGS_WITHOUT_KEY = ("/a2a", "/ag-ui", "/test", "/replay")


@dataclass(frozen=True)
class Call:
    """A request. `files` are parts of a multipart body: name of the part, then name, content and type of the file."""

    method: str
    path: str
    json: Any = None
    params: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    files: list[Any] | None = None


@dataclass(frozen=True)
class Wait:
    """A pause in seconds."""

    seconds: float


@dataclass(frozen=True)
class Reply:
    """A response, or the reason why there is none."""

    response: httpx.Response | None = None
    failure: httpx.TransportError | None = None


Result = TypeVar("Result")
# What a driver does for an operation: sends a call once, or waits.
Steps: TypeAlias = Generator["Call | Wait", Any, Result]


def send(call: Call) -> Steps[httpx.Response]:
    """Sends a call until it succeeds, fails for good or has been tried often enough."""
    call = prepared(call)
    for attempt in range(RETRIES + 1):
        reply: Reply = yield call
        if reply.response is not None and reply.response.status_code < 400:
            return reply.response
        error = failure_of(reply)
        if attempt == RETRIES or not helps(call, reply, error, attempt):
            raise error
        yield Wait(pause(attempt, error.retry_after))
    raise AssertionError("the last attempt returns or raises")


def prepared(call: Call) -> Call:
    """The call with an Idempotency-Key, so that a repetition has no second effect."""
    if call.method != "POST" or "Idempotency-Key" in call.headers:
        return call
    headers = {"Idempotency-Key": uuid.uuid4().hex, **call.headers}
    return Call(call.method, call.path, call.json, call.params, headers, call.files)


def failure_of(reply: Reply) -> FormworkError:
    """The error of a reply that is no success. It has no cause, because causes hold the request with its key."""
    if reply.response is None:
        reason = type(reply.failure).__name__
        return Unavailable(f"the server cannot be reached: {reason}: {reply.failure}", code="unreachable")
    return error_of(reply.response.status_code, reply.response.headers, decoded(reply.response))


def decoded(response: httpx.Response) -> Any:
    """The JSON of a response, or None."""
    try:
        return json.loads(response.content)
    except ValueError:
        return None


def pause(attempt: int, named: float | None) -> float:
    """The pause before the next attempt in seconds: the server's, or one that doubles."""
    return named if named is not None else min(LONGEST_WAIT, 0.25 * 2**attempt) * random.uniform(0.5, 1.0)


def helps(call: Call, reply: Reply, error: FormworkError, attempt: int) -> bool:
    """Whether another attempt may succeed, without a second effect."""
    once = call.method == "POST" and (
        call.path.startswith(_WITHOUT_KEY) or call.path.endswith(_ENDINGS_WITHOUT_KEY)
    )
    if reply.response is None:
        unsent = isinstance(reply.failure, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        return unsent or not once
    # A gateway answers so for a request that the server may have carried out.
    if once and error.status in (502, 504):
        return False
    if attempt > 0 and error.code == "request_still_running":
        return True
    in_time = error.retry_after is None or error.retry_after <= LONGEST_WAIT
    return error.status in _RETRIED and in_time and error.code not in _LASTING


@dataclass(frozen=True, repr=False)
class Settings:
    """Address and key of a server. The key is in no text of this value."""

    url: str
    key: str

    def __repr__(self) -> str:
        return f"Settings(url={self.url!r})"

    @classmethod
    def of(cls, url: str | None, key: str | None) -> Settings:
        """Those that are given, or of FORMWORK_URL and FORMWORK_KEY."""
        url = url or os.environ.get("FORMWORK_URL") or "http://127.0.0.1:8080"
        key = key or os.environ.get("FORMWORK_KEY")
        if not key:
            raise ValueError("no API key: give `key`, or set FORMWORK_KEY")
        return cls(url.rstrip("/"), key.strip())

    def headers(self) -> dict[str, str]:
        return {"X-Service-Key": self.key, "User-Agent": "formwork-python"}


def arguments(call: Call) -> dict[str, Any]:
    """The arguments of httpx for a call."""
    params = {name: _text(value) for name, value in call.params.items() if value is not None}
    return {
        "method": call.method,
        "url": call.path,
        "params": params or None,
        "headers": dict(call.headers),
        "json": call.json,
        "files": call.files,
    }


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)
