/** The client against the server. */

import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { inspect } from "node:util";

import { z } from "zod";

import { Client, Conflict, ExtractionFailed, FormworkError, InvalidRequest, NotFound } from "../src/index.js";
import { RecordInvalid, Unauthorized } from "../src/index.js";
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

const ORDER = z.object({
  vendor: z.string().describe("Vendor"),
  total: z.number().nullable(),
  note: z.string().optional(),
  due: z.iso.date().optional(),
  lines: z.array(z.object({ item: z.string(), count: z.int().optional() })),
});

test("a schema of a library types the record, and says where it does not fit", async () => {
  const { value, record } = await client.extract(ORDER, [{ name: "a.txt", content: TEXT }]);
  // Typed: z.infer<typeof ORDER>.
  const total: number | null = value.total;
  assert.deepEqual([total, value], [12.5, { vendor: "Harbour Works", total: 12.5, lines: [] }]);
  assert.deepEqual(record, { vendor: "Harbour Works", total: 12.5, note: null, due: null, lines: null });
  const strict = z.object({ vendor: z.string(), total: z.number() });
  await assert.rejects(client.extract(strict, [{ name: "b.txt", content: "Vendor: North Pier\n" }]), (error) => {
    return error instanceof RecordInvalid && error.errors[0]?.path === "/total";
  });
});

test("what a form cannot say is a warning, and a schema that is none is refused", async () => {
  const schema = { type: "object", properties: { total: { type: "number", exclusiveMinimum: 0 }, tags: { type: "object" } } };
  const form = await client.forms.create("Limits", schema);
  assert.equal(form["schema"].total.minimum, 0);
  assert.equal(form["warnings"][0].path, "/schema/properties/total/exclusiveMinimum");
  const result = await client.extract(schema, [{ name: "a.txt", content: TEXT }]);
  assert.ok(result.warnings.some((warning) => warning["path"].endsWith("exclusiveMinimum")));
  await assert.rejects(client.forms.create("None", { type: "string" }), InvalidRequest);
});

test("a signal cancels a call and the wait for a run", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const waiting = new Client(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, { key: "fw_x" });
  const control = new AbortController();
  setTimeout(() => control.abort(new Error("enough")), 50);
  await assert.rejects(waiting.request("GET", "/v1/me", { signal: control.signal }), /enough/);
  await assert.rejects(waiting.extract(INVOICE, [1], { signal: control.signal }), /enough/);
  await assert.rejects(waiting.generate("x", { model: MODEL, signal: control.signal }), /enough/);
  silent.closeAllConnections();
  silent.close();
});

test("a record has its evidence, and the same schema finds its agent again", async () => {
  const result = await client.extract<Invoice>(INVOICE, [{ name: "a.txt", content: TEXT }]);
  assert.deepEqual(result.value, { vendor: "Harbour Works", total: 12.5 });
  assert.equal(result.evidence["/total"]?.quote, "12.50");
  const agents = await listed(client.agents.list());
  await client.extract<Invoice>(INVOICE, [{ name: "b.txt", content: TEXT }]);
  assert.deepEqual(await listed(client.agents.list()), agents);
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

test("values are reviewed, and runs have options", async () => {
  const form = await client.forms.create("Invoice", INVOICE);
  await client.agents.create("reviewed", { form_id: form["form_id"], review: { threshold: 1 } });
  const options = { agent: "reviewed", run: { labels: "march,first" } };
  const { sid } = await client.extract<Invoice>(INVOICE, [{ name: "a.txt", content: TEXT }], options);
  assert.deepEqual((await client.runs.get("reviewed", sid))["labels"], ["march", "first"]);
  const found = await listed(client.reviews.list({ namespace: "reviewed", sid }));
  assert.deepEqual(found.map((review) => review["path"]).sort(), ["/total", "/vendor"]);
  const total = found.find((review) => review["path"] === "/total");
  const decision = { review_id: total?.["id"], action: "correct" as const, value: 12.5, evidence: { quote: "12.50" } };
  assert.equal((await client.reviews.decide(decision))[0]?.["state"], "corrected");
  assert.equal((await client.reviews.get(total?.["id"]))["history"][0].evidence.quote, "12.50");
  await assert.rejects(client.reviews.decide({ ...decision, evidence: { quote: "nowhere" } }), InvalidRequest);
  assert.equal(await client.reviews.queue("reviewed", sid), 0);
  assert.equal((await listed(client.forms.versions(form["form_id"]))).length, 1);
  assert.equal((await client.forms.publish(form["form_id"], 1))["form_id"], form["form_id"]);
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
    const json = { title: "Sent three times", schema: { vendor: { type: "string" } } };
    const form = await new Client(url, { key: server.key }).request("POST", "/v1/form", { json });
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
