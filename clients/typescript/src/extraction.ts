/** Extraction: from documents and a schema to records with evidence. */

import { ExtractionFailed, FormworkError, RecordInvalid } from "./errors.js";
import { type Call, type Json, sleep, segment } from "./requests.js";
import { type Schema, jsonSchema, read } from "./schema.js";
import type { Client, Document } from "./client.js";

/** Pauses between two looks at a run in seconds. */
const FIRST_PAUSE = 0.05;
const LONGEST_PAUSE = 2;
const PAGE = 100;

export interface ExtractOptions {
  /** An existing agent with this form; else one is made, and found again for the same schema and settings. */
  agent?: string;
  instructions?: string;
  model?: string;
  /** Ignores stored results. */
  fresh?: boolean;
  /** Leaves unreadable documents out. */
  partial?: boolean;
  /** Other options of the run: `effort`, `timeout`, `budget`, `labels`. */
  run?: Call["params"];
  /** Gets the run whenever its progress has changed. */
  onProgress?: (run: Json) => void;
  /** Stops waiting: the call throws the reason of the signal. A run that has started goes on. */
  signal?: AbortSignal;
}

/** Where a value stands; `page` counts from 1, `confidence` is the probability that the value is right. */
export interface Evidence {
  document: string;
  file: string;
  quote: string;
  page: number | null;
  start: number | null;
  end: number | null;
  support: string;
  confidence: number | null;
  accepted: boolean;
}

/** The outcome of one group of documents: either `value` or `error` is set. */
export interface Extraction<T> {
  group: number;
  documents: string[];
  value: T | undefined;
  /** The record as the server gave it. */
  record: Json;
  /** By the JSON pointer of the value. */
  evidence: Record<string, Evidence>;
  /** What was left out, of the schema as well. */
  warnings: Json[];
  error: ExtractionFailed | RecordInvalid | undefined;
  sid: number;
}

/** Runs groups of documents and yields their outcomes in order. */
export async function* extractGroups<T>(
  client: Client,
  schema: Schema<T>,
  groups: Document[][],
  options: ExtractOptions,
): AsyncGenerator<Extraction<T>, void, undefined> {
  if (groups.length === 0 || groups.some((group) => group.length === 0)) throw new Error("each group needs a document");
  const { signal } = options;
  const root = jsonSchema(schema);
  const json = { schema: root };
  const converted: Json = await client.request("POST", "/v1/utilities/schema_converter", { json, signal });
  const fields: Json = converted["schema"];
  const agent = options.agent ?? (await ensureAgent(client, root, fields, options));
  const documents: Json[][] = [];
  for (const group of groups) documents.push((await client.references(group)).map((url) => ({ url })));
  const path = `/v1/agent/${segment(agent)}/workflow/delta`;
  const params = { ...options.run, async: true, fresh: options.fresh, partial: options.partial };
  const { sid } = await client.request("POST", path, { json: documents, params, signal });
  await client.runs.wait(agent, sid, options.onProgress, signal);
  for await (const item of outcomes(client, path, sid, Object.keys(fields))) {
    const warnings = [...converted["warnings"], ...item.warnings];
    const value = item.error ? undefined : await read(schema, root, item.record);
    if (value instanceof RecordInvalid) yield { ...item, warnings, value: undefined, error: value };
    else yield { ...item, warnings, value };
  }
}

/** Waits until a run is over. */
export async function waitForRun(
  client: Client,
  path: string,
  onProgress?: (run: Json) => void,
  signal?: AbortSignal,
): Promise<Json> {
  let last: unknown;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, pause * 1.5)) {
    const { groups: _, meta: __, ...run } = await client.request("GET", path, { params: { limit: 1 }, signal });
    if (run["progress"] !== last) onProgress?.(run);
    last = run["progress"];
    if (run["state"] !== "running") return run;
    await sleep(pause);
    signal?.throwIfAborted();
  }
}

/** An agent that is named by what defines it, so that the same schema finds it again. */
async function ensureAgent(client: Client, schema: Json, fields: Json, options: ExtractOptions): Promise<string> {
  const title = String(schema["title"] ?? "Record");
  const settings = { instructions: options.instructions, modelId: options.model };
  const identity = new TextEncoder().encode(JSON.stringify([title, fields, settings]));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", identity));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const namespace = `client-${hash.slice(0, 24)}`;
  try {
    await client.agents.get(namespace);
    return namespace;
  } catch (error) {
    if (!(error instanceof FormworkError && error.code === "agent_not_found")) throw error;
  }
  const form = await client.request("POST", "/v1/form", { json: { title, schema: fields } });
  try {
    await client.agents.create(namespace, { form_id: form.form_id, ...settings });
  } catch (error) {
    // The agent may exist and use the form.
    if (error instanceof FormworkError && (error.status ?? 500) >= 500) throw error;
    // Another client was faster; its agent is equal.
    await client.forms.delete(form.form_id);
    if (!(error instanceof FormworkError && error.code === "namespace_taken")) throw error;
  }
  return namespace;
}

async function* outcomes(client: Client, path: string, sid: number, names: string[]) {
  const keys = { meta: responseKey("meta", names), evidence: responseKey("evidence", names) };
  const responses: Json[] = [];
  let read = 0;
  for (let page = 1; ; page++) {
    const answer = await client.request("GET", `${path}/runs/${sid}`, { params: { limit: PAGE, page } });
    if (answer.meta.current_page !== page || answer.groups.length === 0) return;
    for (const group of answer.groups as Json[]) {
      if (group["state"] === "succeeded" && responses.length === 0) {
        const params = { sid, evidence: true, meta: true, limit: PAGE, page: ++read };
        responses.push(...(await client.request("GET", path, { params })));
      }
      const response = group["state"] === "succeeded" ? responses.shift() : undefined;
      yield outcome(sid, group, response, names, keys);
    }
  }
}

function outcome(
  sid: number,
  group: Json,
  response: Json | undefined,
  names: string[],
  keys: { meta: string; evidence: string },
): Omit<Extraction<unknown>, "value"> {
  const documents: string[] = group["documents"].map((document: Json) => String(document["url"]));
  const base = { group: group["group"], documents, sid };
  if (response === undefined) {
    const { message, code, class: kind } = group["error"] ?? {};
    const error = new ExtractionFailed(message ?? `the group is ${group["state"]}`, code ?? "failed", kind ?? "internal");
    return { ...base, record: {}, evidence: {}, warnings: [], error };
  }
  const record: Json = Object.fromEntries(names.map((name) => [name, response[name] ?? null]));
  const meta = response[keys.meta];
  return { ...base, record, evidence: response[keys.evidence], warnings: meta.warnings ?? [], error: undefined };
}

/** A key of a stored response, which gives way to a field of the same name. */
function responseKey(name: string, names: string[]): string {
  return names.includes(name) ? responseKey(`_${name}`, names) : name;
}
