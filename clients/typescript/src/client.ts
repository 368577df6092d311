/** The client. */

import { type Event, follow } from "./events.js";
import { FormworkError, Unavailable } from "./errors.js";
import { type ExtractOptions, type Extraction, extractGroups, waitForRun } from "./extraction.js";
import { type Call, type Json, Transport, segment } from "./requests.js";
import { type Schema, jsonSchema } from "./schema.js";

/** A path or a web URL, the id of a stored file, a file of a page, or a name with the content. */
export type Document = string | number | File | { name: string; content: string | Uint8Array };

export interface ClientOptions {
  /** Default: FORMWORK_KEY. */
  key?: string;
  /** Milliseconds for a request. */
  timeout?: number;
}

const PAGE = 100;
/** Files of one upload. */
const FILES = 20;

/** A client of a server; `url` defaults to FORMWORK_URL. */
export class Client {
  readonly #transport: Transport;
  readonly files = new Files(this);
  readonly forms = new Forms(this);
  readonly agents = new Agents(this);
  readonly runs = new Runs(this);
  readonly reviews = new Reviews(this);

  constructor(url?: string, options: ClientOptions = {}) {
    // A page has no environment.
    const environment = globalThis.process?.env ?? {};
    const address = url ?? environment["FORMWORK_URL"] ?? "http://127.0.0.1:8080";
    const key = options.key ?? environment["FORMWORK_KEY"];
    if (!key) throw new Error("no API key: give `key`, or set FORMWORK_KEY");
    this.#transport = new Transport(address.replace(/\/+$/, ""), key.trim(), options.timeout ?? 300_000);
  }

  /** The record of one group of documents, with its evidence. Throws ExtractionFailed where there is none. */
  async extract<T = Json>(
    schema: Schema<T>,
    files: Document[],
    options: ExtractOptions = {},
  ): Promise<Extraction<T> & { value: T }> {
    for await (const item of this.extractMany<T>(schema, [files], options)) {
      if (item.error) throw item.error;
      return item as Extraction<T> & { value: T };
    }
    throw new Unavailable("the run has no group", { code: "malformed_answer" });
  }

  /** The outcomes of many groups in one run, in their order: each has a `value` or an `error`. */
  extractMany<T = Json>(
    schema: Schema<T>,
    groups: Document[][],
    options: ExtractOptions = {},
  ): AsyncGenerator<Extraction<T>, void, undefined> {
    return extractGroups<T>(this, schema, groups, options);
  }

  /** A conversation with an agent, a new one without a session. */
  chat(agent: string, sessionId?: string): Conversation {
    return new Conversation(this, agent, sessionId);
  }

  /** An answer of a model. Options are the keys of the body of POST /v2/generate; `files` are documents, and `signal`
   *  cancels the call. */
  async generate(prompt: string, options: { model: string; files?: Document[]; signal?: AbortSignal } & Json): Promise<Json> {
    const json = await this.#generation(prompt, options);
    return this.request("POST", "/v2/generate", { json, signal: options["signal"] });
  }

  /** As `generate`: events `delta` with pieces of the text, then `done` with the whole answer. */
  generateStream(prompt: string, options: { model: string; files?: Document[] } & Json): AsyncGenerator<Event> {
    const call = async () => ({ json: { ...(await this.#generation(prompt, options)), stream: true } });
    return follow(this.#transport, "POST", "/v2/generate", call);
  }

  /** The best passages of a knowledge base. Options: `limit`, `mode`, `filter` and others. */
  async search(knowledgeBase: string, query: string, options: Json = {}): Promise<Json[]> {
    const path = `/v1/knowledgebase/${segment(knowledgeBase)}/search`;
    return (await this.request("POST", path, { json: { query, ...options } })).results;
  }

  /** Any other operation: the JSON of its answer, or its bytes where it is no JSON. */
  async request(method: string, path: string, call: Call = {}): Promise<any> {
    const response = await this.#transport.send(method, path, call);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === 0) return undefined;
    if (!(response.headers.get("content-type") ?? "").includes("json")) return bytes;
    try {
      return JSON.parse(new TextDecoder().decode(bytes));
    } catch {
      throw new Unavailable("the answer is not JSON", { code: "malformed_answer", status: response.status });
    }
  }

  /** Any operation that answers with events. */
  stream(method: string, path: string, call: Call = {}): AsyncGenerator<Event> {
    return follow(this.#transport, method, path, async () => call);
  }

  /** The items of a list, page by page. */
  async *pages(path: string, params: Call["params"] = {}): AsyncGenerator<Json, void, undefined> {
    let cursor: string | undefined;
    do {
      const answer: Json = await this.request("GET", path, { params: { limit: PAGE, cursor, ...params } });
      yield* Object.values(answer).find((value) => Array.isArray(value)) as Json[];
      cursor = answer["meta"].next_cursor;
    } while (cursor);
  }

  /** The content of a path of this server. */
  async content(path: string): Promise<Uint8Array> {
    return new Uint8Array(await (await this.#transport.send("GET", path, {})).arrayBuffer());
  }

  /** What requests call documents: ids and URLs. Uploads what is not stored yet. */
  async references(documents: Document[]): Promise<string[]> {
    const isNew = (item: Document) => typeof item !== "number" && !(typeof item === "string" && /^https?:/.test(item));
    const stored = await this.files.upload(...documents.filter(isNew));
    return documents.map((item) => String(isNew(item) ? stored.shift()?.["id"] : item));
  }

  async #generation(prompt: string, { model, files = [], urls = [], signal: _, ...rest }: Json): Promise<Json> {
    return { modelId: model, prompt, urls: [...urls, ...(await this.references(files))], ...rest };
  }
}

/** A conversation with an agent. `sessionId` is known after the first message. */
export class Conversation {
  constructor(
    private readonly client: Client,
    private readonly agent: string,
    public sessionId: string | undefined,
  ) {}

  /** Sends a message. The answer has `text`, and with a form `form`; options are the keys of its body. */
  async send(message: string, options: { files?: Document[]; signal?: AbortSignal } & Json = {}): Promise<Json> {
    const { files = [], urls = [], signal, ...rest } = options;
    const references = [...urls, ...(await this.client.references(files))];
    const json = { message, session_id: this.sessionId, urls: references, ...rest };
    const answer = await this.client.request("POST", `/v1/agent/${segment(this.agent)}/chat`, { json, signal });
    this.sessionId = answer.session_id;
    return answer;
  }
}

class Files {
  constructor(private readonly client: Client) {}

  /** Stores files: paths, or names with their content. The records have the same order. */
  async upload(...files: Document[]): Promise<Json[]> {
    const records: Json[] = [];
    for (let start = 0; start < files.length; start += FILES) {
      const form = new FormData();
      for (const file of files.slice(start, start + FILES)) {
        const { name, content } = await loaded(file);
        form.append("files", content, name);
      }
      records.push(...(await this.client.request("POST", "/v1/files", { form })));
    }
    return records;
  }

  list = () => this.client.pages("/v1/files");
  get = (id: number): Promise<Json> => this.client.request("GET", `/v1/files/${segment(id)}`);
  delete = (id: number): Promise<void> => this.client.request("DELETE", `/v1/files/${segment(id)}`);

  /** The content of a file. */
  async download(id: number): Promise<Uint8Array> {
    // The path alone: the key goes to no other server than the client's own.
    const { pathname, search } = new URL((await this.get(id))["url"]);
    return this.client.content(pathname + search);
  }
}

async function loaded(file: Document): Promise<{ name: string; content: Blob }> {
  if (file instanceof File) return { name: file.name, content: file };
  if (typeof file === "object") return { name: file.name, content: new Blob([file.content as string]) };
  if (typeof file === "number") throw new FormworkError("a file id names a stored file", { code: "not_a_file" });
  const [{ readFile }, { basename }] = [await import("node:fs/promises"), await import("node:path")];
  return { name: basename(file), content: new Blob([new Uint8Array(await readFile(file))]) };
}

class Forms {
  constructor(private readonly client: Client) {}

  /** A form of a schema. The record has `warnings` where the form says less than the schema. */
  async create(title: string, schema: Schema<unknown>): Promise<Json> {
    const json = { schema: jsonSchema(schema) };
    const converted = await this.client.request("POST", "/v1/utilities/schema_converter", { json });
    const form = await this.client.request("POST", "/v1/form", { json: { title, schema: converted.schema } });
    return { ...form, warnings: converted.warnings };
  }
  list = (params: { title?: string } = {}) => this.client.pages("/v1/form", params);
  get = (id: string): Promise<Json> => this.client.request("GET", `/v1/form/${segment(id)}`);
  delete = (id: string): Promise<void> => this.client.request("DELETE", `/v1/form/${segment(id)}`);
  /** Its versions, newest first. */
  versions = (id: string) => this.client.pages(`/v1/form/${segment(id)}/versions`);
  /** Puts a version in force. With `evaluation`, `base` or `minimum` in `gate` only if it is not worse. */
  publish = (id: string, version: number, gate: Json = {}): Promise<Json> =>
    this.client.request("POST", `/v1/form/${segment(id)}/versions/${segment(version)}/publish`, { json: gate });
}

class Agents {
  constructor(private readonly client: Client) {}

  /** An agent. Settings: `form_id`, `name`, `description`, `instructions`, `modelId`, `knowledge`. */
  create = (namespace: string, settings: Json = {}): Promise<Json> =>
    this.client.request("POST", "/v1/agent", { json: { namespace, ...settings } });
  list = () => this.client.pages("/v1/agent");
  get = (namespace: string): Promise<Json> => this.client.request("GET", `/v1/agent/${segment(namespace)}`);
  delete = (namespace: string): Promise<void> => this.client.request("DELETE", `/v1/agent/${segment(namespace)}`);
}

class Runs {
  constructor(private readonly client: Client) {}

  #path = (agent: string, sid: number) => `/v1/agent/${segment(agent)}/workflow/delta/runs/${segment(sid)}`;

  list = (agent: string) => this.client.pages(`/v1/agent/${segment(agent)}/workflow/delta/runs`);
  get = (agent: string, sid: number): Promise<Json> => this.client.request("GET", this.#path(agent, sid));
  /** Waits until a run is over. */
  wait = (agent: string, sid: number, onProgress?: (run: Json) => void, signal?: AbortSignal): Promise<Json> =>
    waitForRun(this.client, this.#path(agent, sid), onProgress, signal);
  /** Follows a run: events `progress`, `group` and at last `end`. */
  events = (agent: string, sid: number) => this.client.stream("GET", `${this.#path(agent, sid)}/events`);
  cancel = (agent: string, sid: number): Promise<Json> => this.client.request("DELETE", this.#path(agent, sid));
  /** Requeues the failed groups of a run. */
  retry = (agent: string, sid: number): Promise<Json> =>
    this.client.request("POST", `${this.#path(agent, sid)}/retry`);
}

/** What is decided about a reviewed value. */
export type Decision = {
  review_id: string;
  action: "accept" | "correct" | "not_stated" | "reopen" | "assign";
  value?: unknown;
  /** The text of the documents that states a corrected value. */
  evidence?: { quote: string; document?: string; page?: number };
  assignee?: string | null;
  note?: string;
  revision?: number;
};

class Reviews {
  constructor(private readonly client: Client) {}

  /** The queue, newest first. Conditions: `namespace`, `sid`, `state`, `reason`, `field`, `assignee`, `order`. */
  list = (conditions: Call["params"] = {}) => this.client.pages("/v1/reviews", conditions);
  /** A review with its evidence, other candidates and history. */
  get = (id: string): Promise<Json> => this.client.request("GET", `/v1/reviews/${segment(id)}`);

  /** Queues values of a run that is over, by the rules of the agent or by these. Returns how many. */
  async queue(agent: string, sid: number, rules?: Json): Promise<number> {
    const json = { namespace: agent, sid, review: rules };
    return (await this.client.request("POST", "/v1/reviews", { json })).queued;
  }

  /** Decides, all or none. Returns the reviews in the order of the decisions. */
  async decide(...decisions: Decision[]): Promise<Json[]> {
    return (await this.client.request("POST", "/v1/reviews/decisions", { json: { decisions } })).reviews;
  }
}
