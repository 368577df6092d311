/** The client against the server. */

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { inspect } from "node:util";

import { Client, Conflict, ExtractionFailed, FormworkError, InvalidRequest, NotFound, SchemaError } from "../src/index.js";
import { Unauthorized, formSchema } from "../src/index.js";
import { type Server, start } from "./server.js";

const TEXT = "Vendor: Harbour Works\nTotal: 12.50\n";
const MODEL = "extractive@formwork";
const INVOICE = {
  title: "Invoice",
  type: "object",
  required: ["vendor"],
  properties: { vendor: { type: "string" }, total: { anyOf: [{ type: "number" }, { type: "null" }] } },
};
interface Invoice {
  vendor: string | null;
  total: number | null;
}

let server: Server;
let client: Client;

before(async () => {
  server = await start();
  client = new Client(server.url, { key: server.key });
});
after(() => server.stop());

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

test("a schema becomes field definitions, and what cannot be kept is named", () => {
  assert.deepEqual(formSchema(INVOICE), {
    vendor: { type: "string", order: 1, required: true },
    total: { type: "number", order: 2 },
  });
  const linked = {
    properties: { lines: { type: "array", items: { $ref: "#/$defs/line" } } },
    $defs: { line: { properties: { due: { type: "string", format: "date" }, kind: { enum: ["a", "b", null] } } } },
  };
  assert.deepEqual(formSchema(linked)["lines"].items.properties, {
    due: { type: "date", order: 1 },
    kind: { type: "string", enum: ["a", "b"], order: 2 },
  });
  const refused = (part: unknown, path: string) =>
    assert.throws(() => formSchema({ properties: { a: part } }), (e) => e instanceof SchemaError && e.path === path);
  refused({ type: ["string", "number"] }, "/a");
  refused({ type: "object", additionalProperties: {} }, "/a");
  refused({ type: "array", items: {} }, "/a/items");
  refused({ type: "number", exclusiveMinimum: 0 }, "/a");
  refused({ $ref: "#/properties/a" }, "/a");
});

test("a record has its evidence, and the same schema finds its agent again", async () => {
  const result = await client.extract<Invoice>(INVOICE, [{ name: "a.txt", content: TEXT }]);
  assert.deepEqual(result.value, { vendor: "Harbour Works", total: 12.5 });
  assert.equal(result.evidence["/total"]?.quote, "12.50");
  await client.extract<Invoice>(INVOICE, [{ name: "b.txt", content: TEXT }]);
  assert.equal((await listed(client.agents.list())).length, 1);
});

test("groups have outcomes in their order", async () => {
  const progress: number[] = [];
  const groups = [[{ name: "a.txt", content: TEXT }], [999_999], [{ name: "c.txt", content: "Vendor: North Pier\n" }]];
  const onProgress = (run: Record<string, any>) => void progress.push(run["progress"]);
  const items = await listed(client.extractMany<Invoice>(INVOICE, groups, { onProgress }));
  assert.deepEqual(items.map((item) => item.value?.vendor), ["Harbour Works", undefined, "North Pier"]);
  assert.ok(items[1]?.error instanceof ExtractionFailed && items[1].error.kind === "fetch");
  assert.equal(progress.at(-1), 1);
  await assert.rejects(client.extract(INVOICE, [999_999]), ExtractionFailed);
});

test("files, conversations and answers", async () => {
  const contents = Array.from({ length: 110 }, (_, n) => ({ name: `${n}.txt`, content: `File ${n}` }));
  const records = await client.files.upload(...contents);
  assert.equal(new TextDecoder().decode(await client.files.download(records[7]?.["id"])), "File 7");
  const ids = (await listed(client.files.list())).map((record) => record["id"]);
  assert.ok(records.every((record) => ids.includes(record["id"])));

  const form = await client.forms.create("Invoice", INVOICE);
  await client.agents.create("talk", { form_id: form["form_id"] });
  const conversation = client.chat("talk");
  await conversation.send("The total is 180.48");
  const answer = await conversation.send("The vendor is Harbour Works");
  assert.deepEqual(answer["form"].values, { vendor: "Harbour Works", total: 180.48 });

  const options = { model: MODEL, files: [{ name: "a.txt", content: TEXT }] };
  const whole = await client.generate("What is the total?", options);
  const events = await listed(client.generateStream("What is the total?", options));
  assert.equal(events.map((event) => event.text).join(""), whole["text"]);
  assert.equal(events.at(-1)?.data.text, whole["text"]);
});

test("errors are types without the key", async () => {
  await assert.rejects(client.forms.get("none"), NotFound);
  await assert.rejects(client.request("POST", "/v1/form", { json: { title: "x" } }), (error) => {
    return error instanceof InvalidRequest && error.code === "validation_failed" && error.requestId !== undefined;
  });
  await assert.rejects(client.agents.create("talk"), Conflict);
  const stranger = new Client(server.url, { key: "fw_secret_of_the_test" });
  const unreachable = new Client("http://127.0.0.1:1", { key: "fw_secret_of_the_test" });
  const texts = [inspect(stranger, { depth: 9, showHidden: true })];
  for (const [wrong, kind] of [[stranger, Unauthorized], [unreachable, FormworkError]] as const)
    await assert.rejects(wrong.forms.get("x"), (error) => {
      texts.push(inspect(error, { depth: 9, showHidden: true }));
      return error instanceof kind;
    });
  assert.ok(!texts.some((text) => text.includes("fw_secret_of_the_test")));
});

test("a refusal and a lost answer have one effect", async () => {
  const failures = ["refuse", "drop"];
  const keys: unknown[] = [];
  const proxy = createServer((incoming, outgoing) => {
    keys.push(incoming.headers["idempotency-key"]);
    const failure = failures.shift();
    if (failure === "refuse") return void outgoing.writeHead(503, { "Retry-After": "0" }).end("{}");
    const { method, headers, url } = incoming;
    const passed = request(server.url + url, { method: method ?? "GET", headers }, (response) => {
      // The server has answered; the client never learns it.
      if (failure === "drop") return void response.resume().on("end", () => outgoing.destroy());
      response.pipe(outgoing.writeHead(response.statusCode ?? 500, response.headers));
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  try {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const form = await new Client(url, { key: server.key }).forms.create("Sent three times", INVOICE);
    assert.equal(keys.length, 3);
    assert.ok(keys[0] !== undefined && new Set(keys).size === 1);
    const stored = await listed(client.forms.list({ title: "Sent three times" }));
    assert.deepEqual(stored.map((item) => item["form_id"]), [form["form_id"]]);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("a stream is closed when its loop is left", async () => {
  let closed = () => {};
  const end = new Promise<void>((done) => (closed = done));
  const endless = createServer((_, outgoing) => {
    outgoing.on("close", closed);
    outgoing.writeHead(200, { "Content-Type": "text/event-stream" }).write('event: delta\ndata: {"text":"a"}\n\n');
  });
  await new Promise<void>((done) => endless.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  for await (const event of new Client(url, { key: "fw_x" }).generateStream("x", { model: MODEL })) {
    assert.equal(event.text, "a");
    break;
  }
  await end;
  endless.close();
});
