/** Schemas: JSON Schema, or what carries one (Zod, Valibot, ArkType and others by Standard JSON Schema). */

import { RecordInvalid } from "./errors.js";
import type { Json } from "./requests.js";

/** Levels of nesting and of references that are followed. */
const DEPTH = 16;

/** A schema of a library that checks values and gives their JSON Schema (standardschema.dev). */
export interface StandardSchema<T> {
  readonly "~standard": {
    readonly jsonSchema: { readonly input: (options: { target: "draft-2020-12" }) => Record<string, unknown> };
    readonly validate: (value: unknown) => Validated<T> | Promise<Validated<T>>;
  };
}

type Validated<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<{ readonly message: string; readonly path?: ReadonlyArray<unknown> | undefined }> };

/** A JSON Schema of an object, or a schema of a library. */
export type Schema<T> = Json | StandardSchema<T>;

function isStandard<T>(schema: Schema<T>): schema is StandardSchema<T> {
  return "~standard" in schema;
}

/** The JSON Schema of a schema. */
export function jsonSchema<T>(schema: Schema<T>): Json {
  return isStandard(schema) ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) : schema;
}

/** A record as the schema's library reads it, or why it does not fit; a plain JSON Schema takes any record. */
export async function read<T>(schema: Schema<T>, root: Json, record: Json): Promise<T | RecordInvalid> {
  if (!isStandard(schema)) return record as T;
  const result = await schema["~standard"].validate(fitted(record, root, root, 0));
  if (result.issues === undefined) return result.value;
  return new RecordInvalid(result.issues.map(({ message, path = [] }) => ({ path: pointer(path), message })));
}

function pointer(path: ReadonlyArray<unknown>): string {
  const step = (part: any) => String(typeof part === "object" && part !== null ? part.key : part);
  return path.map((part) => `/${step(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A record for a library: what is not stated is absent where it may be, and a list that must be one is empty. */
function fitted(value: unknown, root: Json, part: unknown, depth: number): unknown {
  const node = resolved(root, part);
  if (value === null) return node["type"] === "array" ? [] : null;
  if (depth > DEPTH || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((entry) => fitted(entry, root, node["items"], depth + 1));
  const required: unknown[] = node["required"] ?? [];
  const kept = Object.entries(value as Json).filter(([name, entry]) => entry !== null || required.includes(name));
  const parts: Json = node["properties"] ?? {};
  return Object.fromEntries(kept.map(([name, entry]) => [name, fitted(entry, root, parts[name], depth + 1)]));
}

/** A schema behind its references, and the alternative that is not null. */
function resolved(root: Json, part: unknown): Json {
  let node = part as Json | undefined;
  for (let step = 0; step < DEPTH && typeof node === "object" && node !== null; step++) {
    const alternatives: Json[] = node["anyOf"] ?? node["oneOf"] ?? node["allOf"] ?? [];
    const kept = alternatives.filter((item) => item["type"] !== "null");
    if (typeof node["$ref"] === "string") node = target(root, node["$ref"]);
    else if (kept.length === 1) node = kept[0];
    else return node;
  }
  return {};
}

function target(root: Json, reference: string): Json | undefined {
  let node: any = root;
  for (const step of reference.replace(/^#/, "").split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    node = typeof node === "object" && node !== null && Object.hasOwn(node, name) ? node[name] : undefined;
  }
  return node;
}
