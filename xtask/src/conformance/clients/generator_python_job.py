"""The main job with the client of openapi-generator's generator `python`."""

import os

from generator_python import (
    AgentsApi,
    ApiClient,
    ArrayField,
    BooleanField,
    Configuration,
    CreateAgent,
    CreateForm,
    DateField,
    DeltaBody,
    DeltaDocument,
    DeltaDocumentUrl,
    DeltaGroups,
    FieldDefinition,
    FilesApi,
    FormsApi,
    NumberField,
    ObjectField,
    TextField,
)

client = ApiClient(
    Configuration(os.environ["FORMWORK_URL"], access_token=os.environ["FORMWORK_KEY"])
)
forms, files, agents = FormsApi(client), FilesApi(client), AgentsApi(client)


def fields(**named):
    return {name: FieldDefinition(field) for name, field in named.items()}


line = ObjectField(type="object", properties=fields(article=TextField(type="string")))
schema = fields(
    vendor=TextField(type="string", description="Company that issued the invoice", required=True),
    total=NumberField(type="number", minimum=0.0),
    currency=TextField(type="string", enum=["EUR", "GBP"]),
    issued=DateField(type="date"),
    paid=BooleanField(type="boolean"),
    lines=ArrayField(type="array", items=FieldDefinition(line)),
)
form = forms.create_form(CreateForm(title="Invoice", var_schema=schema))
(file,) = files.upload_files([("invoice.txt", os.environ["FORMWORK_DOCUMENT"].encode())])
agent = agents.create_agent(CreateAgent(namespace="generator-python", form_id=form.form_id))
groups = DeltaGroups(files=[[DeltaDocument(url=DeltaDocumentUrl(file.id))]])
run = agents.run_delta(agent.namespace, DeltaBody(groups))
(record,) = run.results
assert (record["vendor"], record["total"]) == ("Harbour Works", 12.5), record
assert record["issued"] == "2026-03-14", record
assert form.form_id in [item.form_id for item in forms.list_forms().forms]
