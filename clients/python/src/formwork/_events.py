"""Server-sent events. A stream is closed when its loop or its `with` block is left."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol

import httpx

from ._errors import FormworkError, Unavailable

# The longest line of an event in characters: a whole answer with its context.
_LONGEST = 64 * 2**20


@dataclass(frozen=True)
class Event:
    """An event: `name`, such as `delta`, `done` or `group`, and its JSON."""

    name: str
    data: Any
    id: str | None = None

    @property
    def text(self) -> str:
        """The piece of text of a `delta`; empty for others."""
        return str(self.data.get("text", "")) if self.name == "delta" and isinstance(self.data, dict) else ""


class Parser:
    """Makes events of lines. Raises the error that an `error` event carries."""

    def __init__(self) -> None:
        self.name = "message"
        self.id: str | None = None
        self.data: list[str] = []

    def feed(self, line: str) -> Event | None:
        """The event that the line completes."""
        if len(line) > _LONGEST:
            raise Unavailable("an event is too long", code="event_too_long")
        if line:
            key, _, value = line.partition(":")
            self._set(key, value.removeprefix(" "))
            return None
        event = Event(self.name, json.loads("\n".join(self.data)), self.id) if self.data else None
        self.name, self.data = "message", []
        if event is not None and event.name == "error":
            raise _failure(event.data)
        return event

    def _set(self, key: str, value: str) -> None:
        if key == "event":
            self.name = value
        elif key == "data":
            self.data.append(value)
        elif key == "id":
            self.id = value


def _failure(data: Any) -> FormworkError:
    fields = data if isinstance(data, dict) else {}
    fields = fields["error"] if isinstance(fields.get("error"), dict) else fields
    message = str(fields.get("message") or "the stream ended with an error")
    return Unavailable(message, code=str(fields.get("code") or "failed"))


_ENDS = ("done", "end")


class OpenSync(Protocol):
    def __call__(self) -> AbstractContextManager[httpx.Response]: ...


class OpenAsync(Protocol):
    def __call__(self) -> AbstractAsyncContextManager[httpx.Response]: ...


class Stream:
    """Events of one response, to be read once."""

    def __init__(self, open_response: OpenSync) -> None:
        self._events = self._read(open_response)

    def __iter__(self) -> Iterator[Event]:
        try:
            yield from self._events
        finally:
            self._events.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._events.close()

    @staticmethod
    def _read(open_response: OpenSync) -> Generator[Event, None, None]:
        with open_response() as response:
            parser = Parser()
            try:
                for line in response.iter_lines():
                    event = parser.feed(line)
                    if event is not None:
                        yield event
                        if event.name in _ENDS:
                            return
            except httpx.TransportError as failure:
                raise _broken(failure) from None
            raise _broken(None)


class AsyncStream:
    """As Stream. Leaving a bare loop closes it soon; leaving `async with` closes it at once."""

    def __init__(self, open_response: OpenAsync) -> None:
        self._events = self._read(open_response)

    def __aiter__(self) -> AsyncIterator[Event]:
        return self._events

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._events.aclose()

    @staticmethod
    async def _read(open_response: OpenAsync) -> AsyncGenerator[Event, None]:
        async with open_response() as response:
            parser = Parser()
            try:
                async for line in response.aiter_lines():
                    event = parser.feed(line)
                    if event is not None:
                        yield event
                        if event.name in _ENDS:
                            return
            except httpx.TransportError as failure:
                raise _broken(failure) from None
            raise _broken(None)


def _broken(failure: Exception | None) -> Unavailable:
    reason = type(failure).__name__ if failure else "it ended without its last event"
    return Unavailable(f"the stream broke: {reason}", code="stream_broken")
