/** The schema of a form as the designer changes it. Fields are found by the path of keys that leads to them. */

import { isObject } from "../../pointer.ts";

export interface Definition {
  type?: string;
  order?: number;
  properties?: Schema;
  items?: Definition;
  values?: Definition;
  [key: string]: unknown;
}

export type Schema = Record<string, Definition>;

export const TYPES = [
  "string",
  "number",
  "integer",
  "boolean",
  "date",
  "email",
  "url",
  "money",
  "array",
  "object",
  "map",
  "union",
] as const;
export type Type = (typeof TYPES)[number];

/** The short sign of a type. */
export const SIGNS: Record<string, string> = {
  string: "Abc",
  number: "1.5",
  integer: "123",
  boolean: "y/n",
  date: "31",
  email: "@",
  url: "www",
  money: "€",
  array: "[ ]",
  object: "{ }",
  map: "a:b",
  union: "A|1",
};

/** A field in the list: keys from the schema to it, such as `["lines", "items", "properties", "amount"]`. */
export interface Listed {
  path: string[];
  name: string;
  definition: Definition;
  depth: number;
}

export function keyOf(path: string[]): string {
  return JSON.stringify(path);
}

export function pathOf(key: string): string[] {
  return JSON.parse(key) as string[];
}

/** Sibling names in the order in which they are asked for. */
export function ordered(schema: Schema): string[] {
  const rank = (name: string) =>
    typeof schema[name]?.order === "number" ? (schema[name]?.order as number) : Number.MAX_SAFE_INTEGER;
  return Object.keys(schema).sort((a, b) => rank(a) - rank(b));
}

/** The path of the fields within a field, if it can have some. */
export function innerPath(path: string[], definition: Definition): string[] | undefined {
  if (definition.type === "object") return [...path, "properties"];
  if (definition.type === "array" && definition.items?.type === "object")
    return [...path, "items", "properties"];
  return undefined;
}

/** All fields, each followed by those within it. */
export function listed(schema: Schema, path: string[] = [], depth = 0): Listed[] {
  return ordered(schema).flatMap((name) => {
    const definition = schema[name] ?? {};
    const own = [...path, name];
    const inner = innerPath(own, definition);
    const fields = inner ? get(definition, inner.slice(own.length)) : undefined;
    const below = inner && isObject(fields) ? listed(fields as Schema, inner, depth + 1) : [];
    return [{ path: own, name, definition, depth }, ...below];
  });
}

function get(value: unknown, path: string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

export function find(schema: Schema, path: string[]): Definition | undefined {
  const found = get(schema, path);
  return isObject(found) ? (found as Definition) : undefined;
}

/** The schema with another value at a path; `undefined` removes it. */
export function replace(schema: Schema, path: string[], value: unknown): Schema {
  return put(schema, path, value) as Schema;
}

function put(value: unknown, [name, ...rest]: string[], next: unknown): unknown {
  if (name === undefined) return next;
  const inner = isObject(value) ? value : {};
  if (rest.length === 0 && next === undefined) {
    const { [name]: _removed, ...others } = inner;
    return others;
  }
  return { ...inner, [name]: put(inner[name], rest, next) };
}

export function siblings(schema: Schema, path: string[]): Schema {
  return (path.length === 1 ? schema : (get(schema, path.slice(0, -1)) as Schema | undefined)) ?? {};
}

function withSiblings(schema: Schema, path: string[], next: Schema): Schema {
  return path.length === 1 ? next : replace(schema, path.slice(0, -1), next);
}

/** Another name, at the same place. Conditions of siblings that name it follow. */
export function rename(schema: Schema, path: string[], name: string): Schema {
  const old = path.at(-1) as string;
  const entries = Object.entries(siblings(schema, path)).map(([key, definition]): [string, Definition] => {
    const when = definition.when;
    const follows = isObject(when) && Object.hasOwn(when, old);
    const kept = follows
      ? {
          ...definition,
          when: Object.fromEntries(
            Object.entries(when).map(([field, value]) => [field === old ? name : field, value]),
          ),
        }
      : definition;
    return [key === old ? name : key, kept];
  });
  return withSiblings(schema, path, Object.fromEntries(entries));
}

/** Moves a field before or after a sibling. */
export function move(schema: Schema, path: string[], target: string, side: "before" | "after"): Schema {
  const all = siblings(schema, path);
  const name = path.at(-1) as string;
  const names = ordered(all).filter((other) => other !== name);
  const at = names.indexOf(target);
  if (at < 0 || target === name) return schema;
  names.splice(side === "before" ? at : at + 1, 0, name);
  const hasOrder = Object.values(all).some((definition) => definition.order !== undefined);
  const entries = names.map((key, index): [string, Definition] => {
    const definition = all[key] as Definition;
    return [key, hasOrder ? { ...definition, order: index + 1 } : definition];
  });
  return withSiblings(schema, path, Object.fromEntries(entries));
}

/** A name that no sibling has. */
export function freeName(fields: Schema, wanted: string): string {
  if (!Object.hasOwn(fields, wanted)) return wanted;
  let count = 2;
  while (Object.hasOwn(fields, `${wanted}_${count}`)) count++;
  return `${wanted}_${count}`;
}

/** The path that an error of the validator names, as far as there is a field. */
export function fieldOf(schema: Schema, pointer: string): string[] | undefined {
  const names = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (names[0] === "schema") names.shift();
  for (let length = names.length; length > 0; length--) {
    const path = names.slice(0, length);
    const before = path.at(-2);
    const isField = length === 1 || before === "properties";
    if (isField && find(schema, path)) return path;
  }
  return undefined;
}

export interface Change {
  path: string;
  kind: "added" | "removed" | "changed";
  keys: { name: string; before: unknown; after: unknown }[];
}

/** What differs between two schemas, field by field. */
export function difference(before: Schema, after: Schema): Change[] {
  const flat = (schema: Schema) =>
    new Map(
      listed(schema).map((field) => [
        field.path.filter((part) => part !== "properties" && part !== "items").join("."),
        field.definition,
      ]),
    );
  const [old, next] = [flat(before), flat(after)];
  const changes: Change[] = [];
  for (const path of new Set([...old.keys(), ...next.keys()])) {
    const [was, is] = [old.get(path), next.get(path)];
    if (!was || !is) {
      changes.push({ path, kind: is ? "added" : "removed", keys: [] });
      continue;
    }
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
      (name) => name !== "properties" && !(name === "items" && is.items?.type === "object"),
    );
    const keys = names
      .filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]))
      .map((name) => ({ name, before: was[name], after: is[name] }));
    if (keys.length > 0) changes.push({ path, kind: "changed", keys });
  }
  return changes;
}
