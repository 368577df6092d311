"""Errors. None of them holds the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FieldError:
    """A broken rule. `path` is a JSON pointer, `?name` for a query parameter or `{name}` for a path segment."""

    path: str
    message: str


class FormworkError(Exception):
    """A request that failed.

    `code` is stable (docs/errors.md); `status` is the HTTP status, or None where there was no response;
    `request_id` finds the cause in the server's log; `retry_after` is in seconds.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "failed",
        status: int | None = None,
        errors: list[FieldError] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.errors = errors or []
        self.request_id = request_id
        self.retry_after = retry_after

    def __str__(self) -> str:
        lines = [f"{self.message} ({self.code})"]
        lines += [f"  {error.path or '/'}: {error.message}" for error in self.errors]
        if self.request_id:
            lines.append(f"  request {self.request_id}")
        return "\n".join(lines)


class InvalidRequest(FormworkError):
    """400, 413, 415 or 422: the request must change."""


class Unauthorized(FormworkError):
    """401: the key is missing or not valid."""


class Forbidden(FormworkError):
    """403: the key may not do this."""


class NotFound(FormworkError):
    """404: it does not exist in this workspace."""


class Conflict(FormworkError):
    """409: the request conflicts with stored state."""


class RateLimited(FormworkError):
    """429: a limit of the key is reached."""


class Unavailable(FormworkError):
    """No response, or 5xx: the server or a provider failed."""


class ExtractionFailed(FormworkError):
    """A group of documents without a record. `kind` is the class of the failure, such as `fetch` or `parse`."""

    def __init__(self, message: str, *, code: str, kind: str) -> None:
        super().__init__(message, code=code)
        self.kind = kind


class RecordInvalid(FormworkError):
    """A record that does not fit the model, such as one without a required value. `record` has its values."""

    def __init__(self, errors: list[FieldError], record: dict[str, Any]) -> None:
        super().__init__("the record does not fit the model", code="record_invalid", errors=errors)
        self.record = record


_BY_STATUS: dict[int, type[FormworkError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
}


def error_of(status: int, headers: Mapping[str, str], body: object) -> FormworkError:
    """The error of a response. `body` is its decoded JSON, or None."""
    fields: dict[str, Any] = body if isinstance(body, dict) else {}
    kind = _BY_STATUS.get(status, Unavailable if status >= 500 else InvalidRequest)
    listed = fields.get("errors")
    rules = [error for error in listed if isinstance(error, dict)] if isinstance(listed, list) else []
    return kind(
        str(fields.get("message") or f"the server answered with status {status}"),
        code=str(fields.get("code") or f"status_{status}"),
        status=status,
        errors=[FieldError(str(rule.get("path", "")), str(rule.get("message", ""))) for rule in rules],
        request_id=headers.get("x-request-id"),
        retry_after=_seconds(headers.get("retry-after")),
    )


def _seconds(text: str | None) -> float | None:
    try:
        return max(0.0, float(text)) if text is not None else None
    except ValueError:
        return None
