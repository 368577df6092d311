"""The main job with the client of openapi-python-client."""

import io
import os

from python_client import AuthenticatedClient
from python_client.api.agents import create_agent, run_delta
from python_client.api.files import upload_files
from python_client.api.forms import create_form, list_forms
from python_client.models import (
    ArrayField,
    BooleanField,
    CreateAgent,
    CreateForm,
    DateField,
    DeltaDocument,
    DeltaGroups,
    FileUpload,
    FormFields,
    NumberField,
    ObjectField,
    TextField,
)
from python_client.types import File

client = AuthenticatedClient(
    os.environ["FORMWORK_URL"],
    os.environ["FORMWORK_KEY"],
    raise_on_unexpected_status=True,
)


def fields(**named):
    form_fields = FormFields()
    form_fields.additional_properties = named
    return form_fields


line = ObjectField("object", properties=fields(article=TextField("string")))
schema = fields(
    vendor=TextField("string", description="Company that issued the invoice", required=True),
    total=NumberField("number", minimum=0.0),
    currency=TextField("string", enum=["EUR", "GBP"]),
    issued=DateField("date"),
    paid=BooleanField("boolean"),
    lines=ArrayField("array", items=line),
)
form = create_form.sync(client=client, body=CreateForm("Invoice", schema))
document = File(io.BytesIO(os.environ["FORMWORK_DOCUMENT"].encode()), "invoice.txt", "text/plain")
(file,) = upload_files.sync(client=client, body=FileUpload([document]))
agent = create_agent.sync(client=client, body=CreateAgent("python-client", form_id=form.form_id))
run = run_delta.sync(agent.namespace, client=client, body=DeltaGroups([[DeltaDocument(file.id)]]))
(record,) = run.results
assert (record["vendor"], record["total"]) == ("Harbour Works", 12.5), record
assert record["issued"] == "2026-03-14", record
assert form.form_id in [item.form_id for item in list_forms.sync(client=client).forms]
