"""Extraction against the server."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from conftest import INVOICE, Server
from pydantic import BaseModel

from formwork import Client, ExtractionFailed, RecordInvalid


class Line(BaseModel):
    article: str


class Invoice(BaseModel):
    vendor: str
    total: Decimal
    currency: str = "GBP"
    due_date: date | None
    lines: list[Line]


def test_the_first_example_of_the_readme(
    server: Server, invoice: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = Path(__file__).parent.parent.joinpath("README.md").read_text()
    example = readme.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(invoice.parent)
    monkeypatch.setenv("FORMWORK_URL", server.url)
    monkeypatch.setenv("FORMWORK_KEY", server.key)
    names: dict[str, Any] = {"__name__": "example"}
    # Not inherited: annotations as text would not be resolved.
    exec(compile(example, "README.md", "exec", dont_inherit=True), names)
    assert names["result"].value.vendor == "Harbour Works"
    assert names["result"].value.due_date == date(2026, 3, 14)
    assert capsys.readouterr().out.splitlines()[-1] == "12.50"


def test_a_model_gets_typed_values_with_evidence(client: Client, invoice: Path) -> None:
    result = client.extract(Invoice, files=[invoice])
    value = result.value
    assert (value.vendor, value.total, value.due_date) == ("Harbour Works", Decimal("12.5"), date(2026, 3, 14))
    assert value.lines == []
    found = result.evidence["/total"]
    assert found.document == "invoice.txt"
    assert found.start is not None and INVOICE[found.start : found.end] == found.quote == "12.50"
    assert result.warnings == []


def test_the_same_schema_finds_its_agent_again(client: Client, invoice: Path) -> None:
    first = client.extract(Invoice, files=[invoice])
    agents = [agent["namespace"] for agent in client.agents.list()]
    second = client.extract(Invoice, files=[("copy.txt", INVOICE)])
    assert second.sid > first.sid
    assert [agent["namespace"] for agent in client.agents.list()] == agents
    client.extract(Invoice, files=[invoice], instructions="Amounts are net.")
    assert len(list(client.agents.list())) == len(agents) + 1


def test_a_json_schema_gets_a_dict_and_fields_may_have_names_of_responses(client: Client) -> None:
    fields = {name: {"type": "string"} for name in ("meta", "sid", "evidence")}
    schema = {"title": "Names", "type": "object", "properties": fields}
    result = client.extract(schema, files=[("a.txt", "Meta: Lighthouse\nSid: 77x\nEvidence: Photograph\n")])
    assert result.value == {"meta": "Lighthouse", "sid": "77x", "evidence": "Photograph"}
    assert result.evidence["/meta"].quote == "Lighthouse"


def test_groups_have_outcomes_in_their_order(client: Client) -> None:
    (stored,) = client.files.upload(("b.txt", "Vendor: North Pier\nTotal: 7\n"))
    groups: list[list[Any]] = [[("a.txt", INVOICE)], [999_999], [stored["id"], ("c.txt", "Due date: 2026-01-02\n")]]
    states = []
    items = list(client.extract_many(Invoice, groups, on_progress=lambda run: states.append(run["progress"])))
    assert [item.group for item in items] == [0, 1, 2]
    assert items[0].value.vendor == "Harbour Works"
    assert isinstance(items[1].error, ExtractionFailed)
    assert (items[1].error.kind, items[1].error.code) == ("fetch", "file_not_found")
    assert (items[2].value.vendor, items[2].value.currency) == ("North Pier", "GBP")
    assert items[2].value.due_date == date(2026, 1, 2)
    assert states[-1] == 1.0 and states == sorted(states)


def test_more_groups_than_a_page(client: Client) -> None:
    documents = client.files.upload(*[(f"{n}.txt", f"Vendor: Harbour Works {n} Ltd\nTotal: {n + 1}.50\n") for n in range(130)])
    groups = [[record["id"]] for record in documents]
    groups.insert(40, [999_999])
    items = list(client.extract_many(Invoice, groups))
    assert items.pop(40).error is not None
    assert [item.value.vendor for item in items] == [f"Harbour Works {n} Ltd" for n in range(130)]


def test_a_record_that_does_not_fit_names_the_values(client: Client) -> None:
    result = client.extract(Invoice, files=[("a.txt", "Vendor: Harbour Works\n")])
    with pytest.raises(RecordInvalid) as raised:
        result.value
    assert [error.path for error in raised.value.errors] == ["/total"]
    assert result.record["vendor"] == "Harbour Works"


def test_a_group_without_a_record_raises(client: Client) -> None:
    with pytest.raises(ExtractionFailed, match="file_not_found"):
        client.extract(Invoice, files=[999_999])
