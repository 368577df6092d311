"""Conversion of schemas to field definitions."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, Optional

import pytest
from pydantic import BaseModel, Field

from formwork import Client, SchemaError, form_schema


class Size(Enum):
    SMALL = 1
    LARGE = 2


class Line(BaseModel):
    article: str
    price: Decimal | None = None


class Order(BaseModel):
    number: str = Field(pattern="^[A-Z]", max_length=12, description="Printed at the top")
    total: Decimal = Field(gt=0, le=1000)
    pieces: Optional[int] = None
    state: Literal["open", "paid"]
    size: Size
    issued: date
    sent: datetime | None = None
    at: time | None = None
    urgent: bool = False
    line: Line
    lines: list[Line] = Field(min_length=1)


def test_a_model_becomes_field_definitions() -> None:
    line = {
        "article": {"type": "string", "order": 1, "required": True},
        "price": {"type": "number", "order": 2},
    }
    assert form_schema(Order) == {
        "number": {
            "type": "string",
            "order": 1,
            "required": True,
            "pattern": "^[A-Z]",
            "maxLength": 12,
            "description": "Printed at the top",
        },
        "total": {"type": "number", "order": 2, "required": True, "minimum": 0, "maximum": 1000},
        "pieces": {"type": "integer", "order": 3},
        "state": {"type": "string", "enum": ["open", "paid"], "order": 4, "required": True},
        "size": {"type": "integer", "enum": ["1", "2"], "order": 5, "required": True},
        "issued": {"type": "date", "order": 6, "required": True},
        "sent": {"type": "string", "format": "date-time", "order": 7},
        "at": {"type": "string", "format": "time", "order": 8},
        "urgent": {"type": "boolean", "order": 9},
        "line": {"type": "object", "properties": line, "order": 10, "required": True},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": line},
            "minItems": 1,
            "order": 11,
            "required": True,
        },
    }


def test_the_server_accepts_the_definitions(client: Client) -> None:
    form = client.forms.create("Order", Order)
    assert client.forms.get(form["form_id"])["schema"] == form_schema(Order)


def test_a_json_schema_is_converted() -> None:
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["a", "b"],
        "properties": {
            "a": {"type": ["number", "null"], "maximum": 5},
            "b": {"oneOf": [{"$ref": "#/$defs/kind~1of"}, {"type": "null"}]},
            "c": {"const": "fixed"},
        },
        "$defs": {"kind/of": {"enum": ["x", "y", None]}},
    }
    assert form_schema(schema) == {
        "a": {"type": "number", "maximum": 5, "order": 1},
        "b": {"type": "string", "enum": ["x", "y"], "order": 2},
        "c": {"type": "string", "enum": ["fixed"], "order": 3},
    }


class Tree(BaseModel):
    children: list[Tree]


@pytest.mark.parametrize(
    ("part", "path"),
    [
        ({"type": ["string", "number"]}, "/a"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "/a"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "/a"),
        ({"type": "array"}, "/a"),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, "/a"),
        ({"type": "array", "items": {"properties": {"b": {}}}}, "/a/items/b"),
        ({"type": "number", "exclusiveMinimum": 0}, "/a"),
        ({"type": "string", "format": "duration"}, "/a"),
        ({"type": "string", "pattern": "a(?=b)"}, "/a"),
        ({"enum": [1, "x"]}, "/a"),
        ({"$ref": "#/$defs/none"}, "/a"),
        ({"$ref": "other.json"}, "/a"),
        ({"$ref": "#/properties/a"}, "/a"),
        (True, "/a"),
    ],
)
def test_what_cannot_be_kept_is_named(part: Any, path: str) -> None:
    with pytest.raises(SchemaError) as raised:
        form_schema({"type": "object", "properties": {"a": part}})
    assert raised.value.path == path


def test_a_recursive_model_is_rejected() -> None:
    with pytest.raises(SchemaError, match="recursive"):
        form_schema(Tree)
