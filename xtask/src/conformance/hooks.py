"""What schemathesis has to know of this interface beside its description.

Some rules no schema can say: the server is right to refuse a request that breaks one, although the request
fits its schema. Such a refusal is dropped from the check `positive_data_acceptance` alone. Every other check of
the same request counts, and so does a refusal that names one more rule. Two more failures that are none stand
with their reasons in `filter_failure`.
"""

import base64
import os
import re

import schemathesis
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.openapi.checks import EnsureResourceAvailability, RejectedPositiveData

# Path and sentence of a broken rule.
RULES = [
    # Tools depend on the model and on each other, and messages on those before them.
    (r"/tools", r"'tools' is not supported: .* calls no tools"),
    (r"/tools/\d+/name", r"two tools must not have the same 'name'"),
    (r"/tools/\d+/parameters", r"'parameters' must be a JSON Schema of the type object"),
    (r"/toolChoice", r"'toolChoice' .*"),
    (r"/(m|toolM)essages/\d+/content", r"'content' must not be empty"),
    (r"/(m|toolM)essages/\d+/images", r"only messages of the user have 'images'"),
    (r"/(m|toolM)essages/\d+/toolCalls", r"only messages of the assistant have 'toolCalls'"),
    (r"/(m|toolM)essages/\d+/toolCalls/\d+/id", r"'id' must have .*"),
    (r"/(m|toolM)essages/\d+/toolCallId", r"'toolCallId' must be .*"),
    (r"/toolMessages/\d+/role", r".* must have the role .*"),
    (r"(/messages/\d+)?/images/\d+", r".*"),
    # Parts of messages, which the protocols of others describe.
    (r"/messages/\d+/content(/\d+)?(/source/value)?", r"'content' must be a text or a list .*|a part must be .*"),
    (r"/messages/\d+/content/\d+/source/value", "the content must be in Base64"),
    (r"/message", "the message must have a text, also beside documents"),
    # The owner of the key has no password.
    (r"/current_password", "'current_password' is not the password of the caller"),
    # One parameter needs another.
    (r"\?limit", "'page' needs 'limit'"),
    (r"\?sid", "'from' needs 'sid'"),
    # JSON Schema notes that a text is JSON, and does not ask for it.
    (r"/meta", "'meta' must be JSON text or an object: .*"),
    # A description in words has a letter of any alphabet, which patterns cannot say in every language.
    (r"/content", "'content' must describe the form in words"),
    # Patterns are of Rust's `regex`, a dialect that JSON Schema has no name for.
    (r".*/pattern", "'pattern' must be a regular expression without look-around and back-references"),
    # JSON Schema takes 5.0 for an integer; counts and ids are written without a fraction.
    (r"(/files)?/\d+/\d+/url", "'url' must be a string, or a file id"),
    (r".*/(min|max)(Length|Items)", r"'\w+' must be an integer from 0"),
    (r"/(maxTokens|maxContextTokens|topK|sid|form_version|group|evaluation|base)", r"'\w+' must be a whole number"),
    (r"/decisions/\d+/revision", r"'revision' must be a whole number"),
    (r"((/(knowledge|settings)/\d+)?/rerank)?/depth|/rerankDepth|/offset", r"'\w+' must be a whole number"),
    (r"(/(knowledge|settings)/\d+)?/(limit|neighbours|width|page)", r"'\w+' must be a whole number"),
    (r"/chunking/tokens|/chunks/\d+/page|/questions/\d+/expected/\d+/page", r"'\w+' must be a whole number"),
    # What a knowledge base can be searched by depends on its models.
    (r"(/(knowledge|settings)/\d+)?/mode", "the knowledge base has no embedding model, .*"),
    # What a decision may say depends on its review, the form of the run, and the other decisions.
    (r"/decisions/\d+(/(review_id|action|value|assignee|(member_)?evidence.*))?", r".*"),
    # A cursor is of the list in the order that it was made in.
    (r"\?cursor", "'cursor' is not a cursor of this list"),
    # What an agent, a draft and a publication may name depends on the form, its versions and evaluations.
    (r"/form_version", r"the form has no version \d+|'form_version' needs 'form_id'"),
    (r"/title", r"a draft has no 'title' of its own; .*"),
    (r"/(evaluation|base)", r".*"),
    (r"/(group|sid)", r"the group has no response|the run has another form|nobody has reviewed the group|\d+ values .*"),
    # Keys of objects: pointers, and fields that the form has.
    (r"/review/fields", r"a field in 'fields' must be a JSON pointer .*"),
    (r"/weights", r"the form has no field '.*"),
    (r"/groups/\d+/record", r"the form has no field '.*"),
    # Which forms an agent may name, and what of its documents has one, depends on forms and documents.
    (r"/forms/\d+/form_(id|version)", r"the agent names the form '.*' twice|the form has no version \d+|there is no form .*"),
    (r"(/files)?/\d+/\d+", r".*(fills none of the forms|form of the document is uncertain|have no content).*"),
    (r"\?(target|threshold|form_version)", r"with classification, .*|'threshold' needs 'classify'|'form_version' is for .*"),
    (r"\?(forms|modelId)", r"'forms' must have 1 to \d+ entries|'modelId' is for the classification to 'forms'"),
    (r"/evaluation_set", "the form has no evaluation set with this id"),
    # Which of several members a body has.
    (r"/modelId", "'modelId' is for the classification to 'forms'"),
    (r"", "the body must have either 'groups', or 'file', or 'namespace' and 'sid'"),
    # A file may be gone, or have no table.
    (r"/file", r".*"),
    # Which texts are URLs is for the server to tell.
    (r"/urls/\d+", "(each of 'urls'|'url') must be an http or https URL, an own file URL or a file id"),
    # Which hosts may be reached is for the server to tell.
    (r"/url", "'url' cannot be used: .*"),
    # Any of several is enough, and none of them is no body.
    (r"", "'(values|ids)' or 'delete_all' must be given"),
    (r"", "one of 'file_ids', 'urls', 'texts' and 'chunks' must have something in it"),
    # What is named may have been deleted by an earlier request.
    (r"/(urls|file_ids)/\d+|/file_id", "there is no (such file|file '.*')"),
    # Counted over body and query.
    (r"/(values|ids)", r"'\w+' must have 1 to \d+ ids"),
    # Whether there are headlines without terms is for the settings to tell.
    (r"\?search_terms", r"'search_terms' must have 1 to \d+ entries"),
    # One value is compared with another.
    (r".*/pages", r"'pages' has the range \d+-\d+, which ends before it begins.*"),
    (r".*/(maximum|maxLength|maxItems)", r"'\w+' must not be less than '\w+'"),
    (r".*/default", "'default' must be one of 'enum'"),
    (r".*/default", r"'default' must not be (below|above) '\w+'"),
    (r".*/default", "'default' must match 'pattern'"),
    (r".*/default/\d+", "an item of 'default' must be of the type of 'items'"),
    # Which other fields there are, of what types and with what options.
    (r".*/when/[^/]*", r"'when' must name fields that stand beside this one or at the top of the form(; did you mean '.*'\?)?"),
    (r".*/when/[^/]*", r"'when' must not name (the field itself|a field of the type \w+)"),
    (r".*/when/[^/]*(/\d+)?", r"a value of 'when' must be (of the field's type, \w+|one of the field's 'enum')"),
    (r".*/when", r"the conditions of .* must not depend on each other"),
    (r".*/when/[^/]*", "'when' must not name a computed field"),
    (r".*/items/when", "'when' does not go with 'items'"),
    # What an expression may name depends on the other fields.
    (r".*/(rules(/\d+(/check)?)?|computed)", r".*"),
    (r".*", "at least one field beside computed ones is needed"),
    # Which models have a price is for the settings to tell.
    (r"\?budget", r"the price of .* is not known, so that no budget can be kept"),
    # A record has the fields of its form, with values of their types.
    (r"/examples/\d+/record.*", r".*"),
    (r"\?from", r"'from' must (not be after 'to'|be at most \d+ days before the end), which is .*"),
    # How many events there were is for the server to tell.
    (r"\?after|Last-Event-ID", r"'\S+' must be the number of an event of this run, 0 to \d+"),
    # Shapes to which `format` comes only near: international names are taken, and the empty text.
    (r".*/default", "'default' must be of the type (email|date|url)"),
    (r".*/default", "'default' must be of the type (money|map)"),
    # Which codes ISO 4217 has.
    (r".*/currencies/\d+", "an entry of 'currencies' must be a code of ISO 4217, such as EUR"),
    (r".*/values/when", "'when' does not go with 'values'"),
    # A number that is written as a text.
    (r".*/enum/\d+", "an entry of 'enum' must be a (number|integer), written as a string"),
    # Whether a model must be named depends on the knowledge base.
    (
        r"(/(knowledge|settings)/\d+)?/rerank/model",
        "'rerank' must have a 'model', as the knowledge base has no reranking model",
    ),
    # Which of several members a question and a place have.
    (r"/questions/\d+", "a question .*"),
    (r"/questions/\d+/expected/\d+", "a place must have 'file', 'title' or 'text'"),
    # Filters within filters, which the description tells by their shape alone.
    (r"(/(knowledge|settings)/\d+)?/filter/(\$?(and|or)/\d+|\$?not)/.*", ".*"),
    # Which names are slips of others.
    (r".*", r"'.*' is not a key of a field; did you mean '\w+'\?"),
    # Names of fields with a `$`, which Python's pattern takes with a line end after them.
    (r"(/[a-z]+)*/filter/.*|/filter/.*|/facets/\d+", r"a name with '\$' must be one of .*"),
    (r".*/filter/.*", r"'\$created' and '\$updated' compare with times in RFC 3339.*"),
    # What a query is about, its syntax apart.
    (r"/query", "'query' must have words to look for, .*"),
    # One value beside another.
    (r"/offset", r"'offset' and 'limit' together are at most .*"),
    (r"/knowledge/\d+/id", "a knowledge base must not be named twice"),
    # Counted over all levels.
    (r".*/(items|properties)", r"fields may be nested \d+ levels deep at most"),
    (r".*", r"a form may have at most \d+ fields, nested ones included"),
    (r"((/(file_ids|urls|texts|chunks)/\d+)?/meta)", r"'meta' may be nested at most \d+ levels deep"),
    # What the clock says, and which of several entries have one id.
    (r"(/(file_ids|urls|texts|chunks)/\d+)?/expires", "'expires' must be in the future"),
    (r"/(file_ids|urls|texts)/\d+/externalId", "'externalId' must occur only once in a request"),
    (r"/chunks/\d+/externalId", "chunks with one 'externalId' must have one title, meta and expiry.*"),
    (r"/chunks/\d+/content", "the chunks of an 'externalId' must have text"),
    # Fields of multipart bodies are texts.
    (r"/meta", "'meta' must be a JSON object"),
    (r"/expires", "'expires' must be a time of RFC 3339, .*"),
    (r"/externalId", "'externalId' (needs an upload of one file|must have 1 to .*|may have at most .*)"),
]

# Codes of failures that are of no one place in the request.
CODES = [
    # The agent that is named was made without a form.
    "agent_without_form",
    # Nobody has taken over that session.
    "session_not_taken_over",
    # That agent has another form than the evaluation set.
    "agent_has_another_form",
]

# Names of lists, which their cursors carry, by operation.
LISTS = {
    "list_agents": "agents",
    "list_audit_events": "audit",
    "list_delta_runs": "runs",
    "list_evaluations": "evaluations",
    "list_evaluation_sets": "evaluation_sets",
    "list_files": "files",
    "list_forms": "forms",
    "list_form_versions": "versions",
    "list_knowledge_bases": "knowledgebases",
    "list_knowledge_files": "knowledge_files",
    "list_keys": "keys",
    "list_members": "members",
    "list_notes": "notes",
    "list_question_sets": "question_sets",
    "list_reviews": "reviews",
    "list_sessions": "sessions",
    "list_submissions": "submissions",
    "list_webhook_deliveries": "deliveries",
    "list_webhooks": "webhooks",
    "list_workspaces": "workspaces",
}

replayed = []


def narrow(schema, **rules):
    schema.clear()
    schema.update(rules)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Has values made that exist, where the description cannot tell which do."""
    schemas = raw_schema["components"]["schemas"]
    for name in ["CreateAgent", "UpdateAgent"]:
        agent = schemas[name]["properties"]
        # What an agent names must be there; knowledge bases there are none.
        narrow(agent["form_id"], enum=[os.environ["FORMWORK_FORM"], None])
        narrow(agent["modelId"], enum=["extractive@formwork", None])
        narrow(agent["knowledge"], enum=[[], None])
        narrow(agent["forms"], enum=[[], None])
        # Which servers of tools may be reached is for the server to tell.
        narrow(agent["tools"], enum=[[], None])
    for name in ["CreateKnowledgeBase", "UpdateKnowledgeBase"]:
        # There is no model that makes vectors, and none that reranks.
        narrow(schemas[name]["properties"]["embeddingModel"], enum=[None])
        narrow(schemas[name]["properties"]["rerankModel"], enum=[None])
    narrow(schemas["RerankOptions"]["properties"]["model"], enum=[None])
    generate = schemas["GenerateBody"]["properties"]
    narrow(generate["modelId"], enum=["extractive@formwork"])
    narrow(generate["fallbackModels"], enum=[[], ["extractive@formwork"], None])
    narrow(generate["knowledgeId"], enum=["", None])
    narrow(generate["knowledge"], enum=[[], None])
    narrow(schemas["ChatBody"]["properties"]["knowledge"], enum=[[], None])
    narrow(generate["urls"], enum=[[], [os.environ["FORMWORK_FILE"]], [int(os.environ["FORMWORK_FILE"])], None])
    for name in ["ClassifyDocuments", "SplitDocuments"]:
        narrow(schemas[name]["properties"]["modelId"], enum=["extractive@formwork", None])
    # Documents that cannot be read at all propose nothing.
    narrow(schemas["SampleDocuments"]["properties"]["urls"], enum=[[os.environ["FORMWORK_FILE"]]])
    # Which objects are schemas is for JSON Schema's own description to say.
    object_of = {"type": "object", "properties": {"total": {"anyOf": [{"type": "number"}, {"type": "null"}]}}}
    narrow(schemas["ConvertSchema"]["properties"]["schema"], enum=[object_of, {"type": "array", "items": object_of}])
    for form in generate["responseFormat"]["anyOf"]:
        # Which objects are schemas is for JSON Schema's own description to say.
        members = form.get("properties", {})
        for members in [members, members.get("json_schema", {}).get("properties", {})]:
            if "schema" in members:
                narrow(members["schema"], enum=[{"type": "object", "properties": {"total": {"type": "number"}}}])
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for parameter in operation["parameters"]:
                name = parameter["name"]
                if name == "cursor":
                    # The server takes none but those that it gave out. This is the one before all rows.
                    # Paths under /v1 that are also served without have the same lists.
                    before_all = f"{LISTS[operation['operationId'].removesuffix('_v1')]}:0:0".encode()
                    cursor = base64.urlsafe_b64encode(before_all).decode().rstrip("=")
                    narrow(parameter["schema"], type="string", enum=[cursor])
                elif name == "modelId":
                    narrow(parameter["schema"], type="string", enum=["extractive@formwork"])
                elif name == "key":
                    narrow(parameter["schema"], type="string", enum=[os.environ["FORMWORK_KEY_BEGINNING"]])
            for response in operation["responses"].values():
                for media in response.get("content", {}).values():
                    # schemathesis checks each event of a stream with the schema.
                    media["schema"] = media["schema"].get("x-event", media["schema"])


@schemathesis.hook
def after_call(context, case, response):
    """Remembers the answers that were given again under an `Idempotency-Key`."""
    if "idempotency-replayed" in response.headers:
        replayed.append(response.text)


def beyond_schemas(rule):
    return any(
        re.fullmatch(path, rule["path"], re.DOTALL) and re.fullmatch(message, rule["message"], re.DOTALL)
        for path, message in RULES
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if isinstance(failure, EnsureResourceAvailability):
        # The settings name what was there before the run, and not what the request before has made; and an
        # answer that is given again may name what was deleted since.
        named = [str(value) for value in (case.path_parameters or {}).values()]
        samples = os.environ["FORMWORK_SAMPLES"].split()
        again = any(f'"{name}"' in answer for name in named for answer in replayed)
        return not again and not any(name in samples for name in named)
    if isinstance(failure, AcceptedNegativeData) and case.media_type == "multipart/form-data":
        # A part has no type: a number arrives as a file with its digits.
        return not any(words in failure.message for words in ["violates `type`", "Incorrect type"])
    if case.operation.path.startswith(("/openai/", "/anthropic/")):
        # The bodies are those of others, described loosely, and the models of the examples are of vendors.
        refused = isinstance(failure, RejectedPositiveData)
        return not refused and "provider_not_configured" not in response.text
    if not isinstance(failure, RejectedPositiveData):
        return True
    refusal = response.json()
    rules = refusal.get("errors", [])
    return refusal["code"] not in CODES and not (rules and all(map(beyond_schemas, rules)))
