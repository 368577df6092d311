"""Extraction: from documents and a schema to records with evidence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from . import _operations as operations
from ._errors import ExtractionFailed, FieldError, RecordInvalid
from ._operations import Document, Json
from ._requests import Steps
from ._schema import fitted, json_schema

Value = TypeVar("Value")


@dataclass(frozen=True)
class Evidence:
    """Where a value stands. `page` counts from 1; `start` and `end` are offsets in the text of the document;
    `confidence` is the probability that the value is right."""

    document: str
    file: str
    quote: str
    page: int | None
    start: int | None
    end: int | None
    support: str
    confidence: float | None
    accepted: bool
    fields: Json = field(repr=False)


@dataclass(frozen=True)
class Extraction(Generic[Value]):
    """The outcome of one group of documents.

    `record` has the values as the server gave them, `evidence` where each stands (JSON pointer of the value).
    `error` is set where there is no record, or where it does not fit the model.
    """

    group: int
    documents: list[str]
    record: Json
    evidence: dict[str, Evidence]
    warnings: list[Json]
    error: ExtractionFailed | RecordInvalid | None
    sid: int
    _value: Value | None = field(default=None, repr=False)

    @property
    def value(self) -> Value:
        """The record as the model. Raises `error`."""
        if self.error is not None:
            raise self.error
        return self._value  # type: ignore[return-value]


@dataclass(frozen=True)
class Plan:
    """What is extracted: a schema, and the agent that has it as its form."""

    schema: type[BaseModel] | Json
    namespace: str
    fields: Json
    settings: Json
    owns_agent: bool
    warnings: list[Json]

    @classmethod
    def of(
        cls, schema: type[BaseModel] | Json, agent: str | None, instructions: str | None, model: str | None
    ) -> Steps[Plan]:
        """An agent of the client is named by what defines it, so that the same schema finds it again."""
        settings = {"instructions": instructions, "modelId": model}
        settings = {key: value for key, value in settings.items() if value is not None}
        if agent is not None and settings:
            raise ValueError("an agent has its own instructions and model; give either `agent` or these")
        fields, warnings = yield from operations.converted(json_schema(schema))
        # Not sorted: the order of the fields is a part of the form.
        identity = json.dumps([_title(schema), fields, settings]).encode()
        name = agent or f"client-{hashlib.sha256(identity).hexdigest()[:24]}"
        return cls(schema, name, fields, settings, agent is None, warnings)

    def start(
        self, groups: Iterable[Sequence[Document]], options: Json, *, fresh: bool, partial: bool
    ) -> Steps[Json]:
        """Uploads the documents, makes the agent where it is missing, and starts a run."""
        listed = [list(group) for group in groups]
        if not listed or not all(listed):
            raise ValueError("each group needs a document")
        if self.owns_agent:
            yield from operations.ensure_agent(self.namespace, _title(self.schema), self.fields, self.settings)
        documents = yield from operations.documents(listed)
        options = {**options, "fresh": fresh or None, "partial": partial or None}
        return (yield from operations.start_run(self.namespace, documents, options))

    def finish(self, sid: int, on_progress: Callable[[Json], object] | None) -> Steps[Json]:
        return (yield from operations.wait_run(self.namespace, sid, on_progress))

    def outcome(self, sid: int, group: Json, response: Json | None) -> Extraction[Any]:
        """The outcome of a group, and of its stored response where it succeeded."""
        names = [str(document.get("url")) for document in group["documents"]]
        if response is None:
            return Extraction(group["group"], names, {}, {}, self.warnings, operations.group_error(group), sid)
        record = {name: response[name] for name in self.fields if name in response}
        meta = response[self._key("meta")]
        evidence = {path: _evidence(entry) for path, entry in response[self._key("evidence")].items()}
        value, error = self._value(record)
        return Extraction(
            group["group"], meta.get("files") or names, record, evidence, self.warnings + (meta.get("warnings") or []), error, sid, value
        )

    def _value(self, record: Json) -> tuple[Any, RecordInvalid | None]:
        if isinstance(self.schema, dict):
            return record, None
        root = json_schema(self.schema)
        try:
            return self.schema.model_validate(fitted(record, root, root)), None
        except ValidationError as error:
            rules = [FieldError("".join(f"/{step}" for step in item["loc"]), item["msg"]) for item in error.errors()]
            return None, RecordInvalid(rules, record)

    def _key(self, name: str) -> str:
        """A key of a stored response, which gives way to a field of the same name."""
        while name in self.fields:
            name = f"_{name}"
        return name


class Pages:
    """Joins the groups of a run with the stored responses of the succeeded ones."""

    def __init__(self, plan: Plan, sid: int) -> None:
        self.plan, self.sid = plan, sid
        self.groups_read = self.responses_read = 0
        self.responses: list[Json] = []

    def next(self) -> Steps[list[Extraction[Any]]]:
        """The outcomes of the next page of groups; empty after the last one."""
        self.groups_read += 1
        groups = yield from operations.group_page(self.plan.namespace, self.sid, self.groups_read)
        needed = sum(group["state"] == "succeeded" for group in groups)
        while len(self.responses) < needed:
            self.responses_read += 1
            read = yield from operations.response_page(self.plan.namespace, self.sid, self.responses_read)
            if not read:
                raise ExtractionFailed("a stored response was deleted meanwhile", code="failed", kind="internal")
            self.responses += read
        return list(self._outcomes(groups))

    def _outcomes(self, groups: list[Json]) -> Iterator[Extraction[Any]]:
        for group in groups:
            response = self.responses.pop(0) if group["state"] == "succeeded" else None
            yield self.plan.outcome(self.sid, group, response)


def _title(schema: type[BaseModel] | Json) -> str:
    title = schema.get("title") if isinstance(schema, dict) else schema.__name__
    return str(title or "Record")


def _evidence(entry: Json) -> Evidence:
    return Evidence(
        document=str(entry.get("document", "")),
        file=str(entry.get("file", "")),
        quote=str(entry.get("quote", "")),
        page=entry.get("page"),
        start=entry.get("start"),
        end=entry.get("end"),
        support=str(entry.get("support", "")),
        confidence=entry.get("confidence"),
        accepted=bool(entry.get("accepted")),
        fields=entry,
    )
