"""Conversion of Pydantic models and JSON Schema to the field definitions of a form."""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from ._errors import SchemaError

Json: TypeAlias = dict[str, Any]
Model = TypeVar("Model", bound=BaseModel)

# Levels of nesting that are followed; a form has fewer.
_DEPTH = 16
_TYPES_OF_FORMATS = {"date": "date", "email": "email"}
_FORMATS = {"date-time", "time", "uri", "url"}
_KEPT = {
    "string": ("pattern", "minLength", "maxLength"),
    "number": ("minimum", "maximum"),
    "integer": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
}
# Rules that no form has. A Pydantic model checks them itself; a plain schema cannot.
_ONLY_MODELS = ("exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems")
_NOT_KEPT = ("prefixItems", "patternProperties", "not", "if", "then", "else", "dependentRequired", "contains")


def form_schema(schema: type[BaseModel] | Json) -> Json:
    """The field definitions of a model or of a JSON Schema of an object.

    Raises SchemaError with the place of a part that a form cannot express.
    """
    root = json_schema(schema)
    conversion = _Conversion(root, checked=not isinstance(schema, dict))
    node, _ = conversion.resolve(root, "")
    if node.get("type", "object") != "object":
        raise SchemaError("", "a form needs an object with named fields")
    return conversion.fields(node, "", 0)


def json_schema(schema: type[BaseModel] | Json) -> Json:
    """The JSON Schema of a model; a JSON Schema itself."""
    return schema if isinstance(schema, dict) else schema.model_json_schema(schema_generator=_Generator)


class _Generator(GenerateJsonSchema):
    """A Decimal is a number, not also its text: records have the number."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        bounds: Json = {key: float(value) for key, value in schema.items() if key in ("gt", "ge", "lt", "le")}  # type: ignore[arg-type]
        return self.float_schema(core_schema.float_schema(**bounds))


class _Conversion:
    def __init__(self, root: Json, *, checked: bool) -> None:
        self.root = root
        self.checked = checked

    def fields(self, node: Json, path: str, depth: int) -> Json:
        """The definitions of an object's properties."""
        properties = node.get("properties")
        if not isinstance(properties, dict) or not properties:
            raise SchemaError(path, "an object needs named properties; a map of any keys cannot be a field")
        required = node.get("required", [])
        definitions: Json = {}
        for order, (name, part) in enumerate(properties.items(), 1):
            definition, nullable = self.definition(part, f"{path}/{name}", depth + 1)
            definition["order"] = order
            if name in required and not nullable:
                definition["required"] = True
            definitions[name] = definition
        return definitions

    def definition(self, part: object, path: str, depth: int) -> tuple[Json, bool]:
        """A definition, and whether the value may be null."""
        if depth > _DEPTH:
            raise SchemaError(path, "the schema is recursive or nested too deep")
        node, nullable = self.resolve(part, path)
        self._refuse(node, path)
        options = [option for option in node.get("enum", []) if option is not None]
        nullable = nullable or len(options) < len(node.get("enum", []))
        kind = _kind(node, options, path)
        definition: Json = {"type": kind}
        if kind == "object":
            definition["properties"] = self.fields(node, path, depth)
        elif kind == "array":
            if "items" not in node:
                raise SchemaError(path, "a list needs the type of its entries")
            definition["items"], _ = self.definition(node["items"], f"{path}/items", depth + 1)
        elif kind == "string" and "format" in node:
            self._format(node["format"], definition, path)
        if options:
            if kind == "boolean":
                raise SchemaError(path, "a boolean has no options")
            definition["enum"] = [str(option) for option in options]
        self._rules(node, definition)
        return definition, nullable

    def resolve(self, part: object, path: str) -> tuple[Json, bool]:
        """A schema with its references, single `allOf` and null alternatives resolved, and whether it has a null."""
        nullable = False
        for _ in range(_DEPTH):
            if not isinstance(part, dict):
                raise SchemaError(path, "a field needs a type")
            rest = {key: value for key, value in part.items() if key not in ("$ref", "allOf", "anyOf", "oneOf")}
            if "$ref" in part:
                part = {**self._target(part["$ref"], path), **rest}
            elif "allOf" in part:
                part = {**_single(part["allOf"], "allOf", path), **rest}
            elif "anyOf" in part or "oneOf" in part:
                alternatives = [item for key in ("anyOf", "oneOf") for item in part.get(key, [])]
                kept = [item for item in alternatives if item != {"type": "null"}]
                nullable = nullable or len(kept) < len(alternatives)
                part = {**_single(kept, "a union of types", path), **rest}
            else:
                kinds = part.get("type")
                if isinstance(kinds, list):
                    nullable = nullable or "null" in kinds
                    named = [{"type": kind} for kind in kinds if kind != "null"]
                    part = {**part, **_single(named, "a union of types", path)}
                return ({**part, "enum": [part["const"]]} if "const" in part else part), nullable
        raise SchemaError(path, "a reference leads to itself")

    def _target(self, reference: object, path: str) -> Json:
        node: Any = self.root
        name = str(reference)
        if not name.startswith("#"):
            raise SchemaError(path, f"the reference '{name}' leads out of the schema")
        for step in name[1:].split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            node = node.get(step) if isinstance(node, dict) else None
        if not isinstance(node, dict):
            raise SchemaError(path, f"the reference '{name}' leads nowhere")
        return node

    def _refuse(self, node: Json, path: str) -> None:
        refused = _NOT_KEPT if self.checked else (*_NOT_KEPT, *_ONLY_MODELS)
        for key in refused:
            if key in node:
                raise SchemaError(path, f"a form has no rule '{key}'")
        if not self.checked and _looks_around(node):
            raise SchemaError(path, "a pattern of a form has no look-around")

    def _format(self, form: object, definition: Json, path: str) -> None:
        if form in _TYPES_OF_FORMATS:
            definition["type"] = _TYPES_OF_FORMATS[str(form)]
        elif form in _FORMATS:
            definition["format"] = form
        elif not self.checked or form in ("duration", "binary", "base64url", "password"):
            raise SchemaError(path, f"a form does not check the format '{form}'")

    def _rules(self, node: Json, definition: Json) -> None:
        for key in _KEPT.get(str(node["type"]) if "type" in node else definition["type"], ()):
            if key in node and not (key == "pattern" and _looks_around(node)):
                definition[key] = node[key]
        # Weaker than the model, which checks the values itself.
        for key, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if key in node:
                definition[bound] = node[key]
        if isinstance(node.get("description"), str):
            definition["description"] = node["description"]
        if isinstance(node.get("examples"), list):
            definition["examples"] = node["examples"]


def _looks_around(node: Json) -> bool:
    return any(mark in str(node.get("pattern", "")) for mark in ("(?=", "(?!", "(?<=", "(?<!"))


def _single(parts: object, what: str, path: str) -> Json:
    if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], dict):
        raise SchemaError(path, f"{what} cannot be a field; give it one type")
    return parts[0]


def _kind(node: Json, options: list[Any], path: str) -> str:
    kind = node.get("type")
    if kind is None and options:
        kinds = {type(option) for option in options}
        names = {str: "string", int: "integer", float: "number", bool: "boolean"}
        kind = names.get(kinds.pop()) if len(kinds) == 1 else None
        if kind is None:
            raise SchemaError(path, "the options must have one type")
    if kind is None and "properties" in node:
        kind = "object"
    if kind not in ("string", "number", "integer", "boolean", "array", "object"):
        raise SchemaError(path, "a field needs a type that a form has")
    return str(kind)


def fitted(record: Any, schema: Json, root: Json) -> Any:
    """A record for a model: nulls give way to defaults, and a list that must be one is empty instead of null."""
    conversion = _Conversion(root, checked=True)

    def fit(value: Any, part: object) -> Any:
        node, nullable = conversion.resolve(part, "")
        if value is None and node.get("type") == "array" and not nullable:
            return []
        if isinstance(value, list):
            return [fit(entry, node["items"]) for entry in value]
        if isinstance(value, dict):
            parts, required = node["properties"], node.get("required", [])
            known = {name: entry for name, entry in value.items() if name in parts}
            return {
                name: fit(entry, parts[name])
                for name, entry in known.items()
                if entry is not None or name in required
            }
        return value

    return fit(record, schema)
