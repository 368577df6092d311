/** Conversion of JSON Schema to the field definitions of a form. */

import { SchemaError } from "./errors.js";
import type { Json } from "./requests.js";

/** Levels of nesting and of references that are followed. */
const DEPTH = 16;
const TYPES = ["string", "number", "integer", "boolean", "array", "object"];
const TYPES_OF_FORMATS: Record<string, string> = { date: "date", email: "email" };
const FORMATS = ["date-time", "time", "uri", "url"];
const KEPT = ["pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "description", "examples"];
const REFUSED = [
  ...["exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "prefixItems", "patternProperties", "not"],
  ...["if", "then", "else", "dependentRequired", "contains"],
];

/** The field definitions of a JSON Schema of an object. Throws SchemaError with the place of what cannot be kept. */
export function formSchema(schema: Json): Json {
  return fields(schema, resolve(schema, schema, "").node, "", 0);
}

function fields(root: Json, node: Json, path: string, depth: number): Json {
  const properties = Object.entries((node["properties"] ?? {}) as Json);
  if (properties.length === 0) throw new SchemaError(path, "an object needs named properties");
  const required: unknown[] = node["required"] ?? [];
  const named = properties.map(([name, part], index) => {
    const { definition: made, nullable } = definition(root, part, `${path}/${name}`, depth + 1);
    made["order"] = index + 1;
    if (required.includes(name) && !nullable) made["required"] = true;
    return [name, made];
  });
  return Object.fromEntries(named);
}

function definition(root: Json, part: unknown, path: string, depth: number): { definition: Json; nullable: boolean } {
  if (depth > DEPTH) throw new SchemaError(path, "the schema is recursive or nested too deep");
  const { node, nullable } = resolve(root, part, path);
  for (const key of REFUSED) if (key in node) throw new SchemaError(path, `a form has no rule '${key}'`);
  if (/\(\?(=|!|<=|<!)/.test(String(node["pattern"] ?? "")))
    throw new SchemaError(path, "a pattern of a form has no look-around");
  const all: unknown[] = node["enum"] ?? [];
  const options = all.filter((option) => option !== null);
  const type = typeOf(node, options, path);
  const made: Json = { type };
  if (type === "object") made["properties"] = fields(root, node, path, depth);
  if (type === "array") {
    if (!("items" in node)) throw new SchemaError(path, "a list needs the type of its entries");
    made["items"] = definition(root, node["items"], `${path}/items`, depth + 1).definition;
  }
  if (type === "string" && "format" in node) {
    const format = String(node["format"]);
    if (!(format in TYPES_OF_FORMATS) && !FORMATS.includes(format))
      throw new SchemaError(path, `a form does not check the format '${format}'`);
    if (format in TYPES_OF_FORMATS) made["type"] = TYPES_OF_FORMATS[format];
    else made["format"] = format;
  }
  if (options.length > 0) made["enum"] = options.map(String);
  for (const key of KEPT) if (key in node) made[key] = node[key];
  return { definition: made, nullable: nullable || options.length < all.length };
}

/** A schema with its references, single `allOf` and null alternatives resolved. */
function resolve(root: Json, start: unknown, path: string): { node: Json; nullable: boolean } {
  let part = start;
  let nullable = false;
  for (let step = 0; step < DEPTH; step++) {
    if (typeof part !== "object" || part === null) throw new SchemaError(path, "a field needs a type");
    const { $ref, allOf, anyOf, oneOf, ...rest } = part as Json;
    if ($ref !== undefined) part = { ...target(root, String($ref), path), ...rest };
    else if (allOf !== undefined) part = { ...single(allOf, path), ...rest };
    else if (anyOf !== undefined || oneOf !== undefined) {
      const alternatives: Json[] = [...(anyOf ?? []), ...(oneOf ?? [])];
      const kept = alternatives.filter((item) => item["type"] !== "null");
      nullable ||= kept.length < alternatives.length;
      part = { ...single(kept, path), ...rest };
    } else {
      const types = [rest["type"]].flat();
      nullable ||= types.includes("null");
      const kept = types.filter((type) => type !== "null");
      if (kept.length !== 1) throw new SchemaError(path, "a union of types cannot be a field; give it one type");
      return { node: { ...rest, type: kept[0], ...("const" in rest ? { enum: [rest["const"]] } : {}) }, nullable };
    }
  }
  throw new SchemaError(path, "a reference leads to itself");
}

function single(parts: unknown, path: string): Json {
  if (!Array.isArray(parts) || parts.length !== 1)
    throw new SchemaError(path, "a union of types cannot be a field; give it one type");
  return parts[0] as Json;
}

function target(root: Json, reference: string, path: string): Json {
  if (!reference.startsWith("#")) throw new SchemaError(path, `the reference '${reference}' leads out of the schema`);
  let node: any = root;
  for (const step of reference.slice(1).split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    node = typeof node === "object" && node !== null && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  if (typeof node !== "object" || node === null) throw new SchemaError(path, `the reference '${reference}' leads nowhere`);
  return node as Json;
}

function typeOf(node: Json, options: unknown[], path: string): string {
  const kinds = new Set(options.map((option) => typeof option));
  const type = node["type"] ?? (options.length > 0 && kinds.size === 1 ? [...kinds][0] : "properties" in node && "object");
  if (!TYPES.includes(type)) throw new SchemaError(path, "a field needs a type that a form has");
  if (type === "boolean" && options.length > 0) throw new SchemaError(path, "a boolean has no options");
  return String(type);
}
