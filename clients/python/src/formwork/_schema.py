"""JSON Schema of Pydantic models, and records as a model reads them. The server makes forms of JSON Schema."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

Json: TypeAlias = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)

# Levels of references and alternatives that are followed.
_DEPTH = 16


def json_schema(schema: type[BaseModel] | Json) -> Json:
    """The JSON Schema of a model; a JSON Schema itself."""
    return schema if isinstance(schema, dict) else schema.model_json_schema(schema_generator=_Generator)


class _Generator(GenerateJsonSchema):
    """A Decimal is a number, not also its text: records have the number."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        bounds: Json = {key: float(value) for key, value in schema.items() if key in ("gt", "ge", "lt", "le")}  # type: ignore[arg-type]
        return self.float_schema(core_schema.float_schema(**bounds))


def fitted(value: Any, part: object, root: Json) -> Any:
    """A value for a model: nulls give way to defaults, a list that must be one is empty instead of null, and a map,
    which a form has as a list of keys and values, is a map again."""
    node, nullable = _resolved(part, root)
    properties = node.get("properties")
    is_map = properties is None and ("additionalProperties" in node or "patternProperties" in node)
    if value is None:
        if nullable:
            return None
        return {} if is_map else [] if node.get("type") == "array" else None
    if isinstance(value, list) and is_map:
        entries = [entry for entry in value if isinstance(entry, dict) and entry.get("key") is not None]
        kind = node.get("additionalProperties", {})
        return {str(entry["key"]): fitted(entry.get("value"), kind, root) for entry in entries}
    if isinstance(value, list):
        return [fitted(entry, node.get("items"), root) for entry in value]
    if isinstance(value, dict) and properties is not None:
        required = node.get("required", [])
        return {
            name: fitted(entry, properties[name], root)
            for name, entry in value.items()
            if name in properties and (entry is not None or name in required)
        }
    return value


def _resolved(part: object, root: Json) -> tuple[Json, bool]:
    """A schema behind its references and its one alternative that is not null, and whether it has a null."""
    nullable = False
    for _ in range(_DEPTH):
        if not isinstance(part, dict):
            return {}, nullable
        alternatives = [item for key in ("allOf", "anyOf", "oneOf") for item in part.get(key, [])]
        kept = [item for item in alternatives if item != {"type": "null"}]
        kinds = part.get("type")
        nullable = nullable or len(kept) < len(alternatives) or (isinstance(kinds, list) and "null" in kinds)
        if "$ref" in part:
            part = _target(str(part["$ref"]), root)
        elif len(kept) == 1:
            part = kept[0]
        elif isinstance(kinds, list):
            named = [kind for kind in kinds if kind != "null"]
            return {**part, "type": named[0] if len(named) == 1 else None}, nullable
        else:
            return part, nullable
    return {}, nullable


def _target(reference: str, root: Json) -> object:
    node: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        node = node.get(step) if isinstance(node, dict) else None
    return node
