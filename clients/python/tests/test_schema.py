"""Schemas become forms, and records become models."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Literal, Optional

import pytest
from pydantic import BaseModel, Field

from formwork import Client, InvalidRequest
from formwork._schema import fitted, json_schema


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


FIELDS = {
    "number": {"type": "string", "pattern": "^[A-Z]", "maxLength": 12, "description": "Printed at the top"},
    "total": {"type": "number", "minimum": 0, "maximum": 1000},
    "pieces": {"type": "integer"},
    "state": {"type": "string", "enum": ["open", "paid"]},
    "size": {"type": "integer", "enum": ["1", "2"]},
    "issued": {"type": "date"},
    "urgent": {"type": "boolean"},
}


def test_a_model_becomes_a_form_that_says_what_it_does_not_keep(client: Client) -> None:
    form = client.forms.create("Order", Order)
    fields = client.forms.get(form["form_id"])["schema"]
    assert list(fields) == list(Order.model_fields)
    for name, definition in FIELDS.items():
        assert definition.items() <= fields[name].items(), (name, fields[name])
    assert fields["lines"]["items"]["properties"]["price"]["type"] == "number"
    assert fields["line"]["properties"]["article"]["required"] is True
    assert any(warning["path"].endswith("exclusiveMinimum") for warning in form["warnings"])


def test_a_schema_that_is_none_of_a_form_is_refused(client: Client) -> None:
    for schema in [{"type": "string"}, {"$ref": "#/$defs/none"}]:
        with pytest.raises(InvalidRequest):
            client.forms.create("None", schema)


class Tree(BaseModel):
    name: str | None = None
    tags: list[str]
    rates: dict[str, float]
    note: str = "none"
    children: list[Tree] = []


def test_a_record_is_fitted_to_its_model() -> None:
    root = json_schema(Tree)
    record = {"name": None, "tags": None, "rates": [{"key": "eur", "value": 1.5}, {"key": None}], "note": None}
    tree = Tree.model_validate(fitted({**record, "other": 1, "children": [record]}, root, root))
    assert (tree.name, tree.tags, tree.rates, tree.note) == (None, [], {"eur": 1.5}, "none")
    assert tree.children[0].rates == {"eur": 1.5}
    assert fitted(None, {"type": ["array", "null"]}, {}) is None
    assert fitted({"a": [1]}, {"$ref": "#/$defs/a"}, {"$defs": {"a": {"$ref": "#/$defs/a"}}}) == {"a": [1]}


def test_a_map_is_read_as_a_list_and_typed_as_a_map(client: Client) -> None:
    class Fees(BaseModel):
        vendor: str
        fees: dict[str, float] = {}

    result = client.extract(Fees, [("a.txt", "Vendor: Harbour Works\n")])
    assert result.value.vendor == "Harbour Works"
    assert any("map" in warning["message"] for warning in result.warnings)
