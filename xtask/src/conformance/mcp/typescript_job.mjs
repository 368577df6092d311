// Works with a server by the official clients in TypeScript, of both generations.
import assert from "node:assert";
import * as current from "@modelcontextprotocol/client";
import { StdioClientTransport as CurrentStdio } from "@modelcontextprotocol/client/stdio";
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as EarlierStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as EarlierHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { FORMWORK_URL: url, FORMWORK_KEY: key, FORMWORK_PROGRAM: program, FORMWORK_DOCUMENT: text } = process.env;
const headers = { Authorization: `Bearer ${key}` };
const info = { name: "job", version: "1.0.0" };

async function rest(path, body) {
  const request = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return (await fetch(url + path, request)).json();
}

const schema = { vendor: { type: "string" }, total: { type: "number" } };
const { form_id: form } = await rest("/v1/form", { title: "Invoice", schema });
await rest("/v1/agent", { namespace: "typescript", form_id: form });
const { id: file } = await upload();

async function upload() {
  const body = new FormData();
  body.append("files", new Blob([text]), "a.txt");
  return (await (await fetch(`${url}/v1/files`, { method: "POST", headers, body })).json())[0];
}

async function mainJob(client) {
  // The client checks results against the schemas in this list.
  const { tools } = await client.listTools();
  assert(tools.some((tool) => tool.name === "extract_record"));
  const found = await client.callTool({ name: "extract_record", arguments: { form_id: form, urls: [String(file)] } });
  assert.deepEqual(found.structuredContent.record, { vendor: "Harbour Works", total: 12.5 });
  for (const [name, args] of [
    ["list_forms", {}],
    ["get_form", { form_id: form }],
    ["list_agents", {}],
    ["list_files", {}],
    ["list_knowledge_bases", {}],
    ["parse_documents", { urls: [String(file)] }],
    ["extract_key_values", { urls: [String(file)] }],
    ["create_note", { content: "seen", role: "user", resource: "agent", resource_id: "typescript" }],
    ["list_notes", { resource: "agent", resource_id: "typescript" }],
    ["chat", { namespace: "typescript", message: "hello" }],
  ]) {
    const result = await client.callTool({ name, arguments: args });
    assert(!result.isError && result.structuredContent, JSON.stringify(result));
  }
  const steps = [];
  const run = { namespace: "typescript", files: [[{ url: file }]], wait: true };
  const ran = await client.callTool({ name: "start_run", arguments: run }, ...progress(client, steps));
  assert.equal(ran.structuredContent.run.state, "succeeded");
  assert(steps.length > 0);
  if (client instanceof EarlierClient) await taskJob(client);
  const { contents } = await client.readResource({ uri: `formwork://files/${file}` });
  assert.equal(contents[0].text, text);
  const prompt = await client.getPrompt({ name: "extract_with_form", arguments: { form_id: form, document: "1" } });
  assert(prompt.messages[0].content.text.includes(form));
  const argument = { name: "form_id", value: "form_" };
  const { completion } = await client.complete({ ref: { type: "ref/prompt", name: "extract_with_form" }, argument });
  assert(completion.values.includes(form));
  await client.close();
}

/** A run as a task, which the earlier client asks for where the list of tools says so. */
async function taskJob(client) {
  const run = { namespace: "typescript", files: [[{ url: file }], [{ url: file }]] };
  const told = [];
  for await (const message of client.experimental.tasks.callToolStream({ name: "start_run", arguments: run })) {
    told.push(message);
  }
  assert.equal(told[0].type, "taskCreated");
  const last = told.at(-1);
  assert.equal(last.type, "result", JSON.stringify(last));
  assert.equal(last.result.structuredContent.run.state, "succeeded");
  const { taskId } = told[0].task;
  const { tasks } = await client.experimental.tasks.listTasks();
  assert(tasks.some((task) => task.taskId === taskId));
  assert.equal((await client.experimental.tasks.getTask(taskId)).status, "completed");
  await assert.rejects(client.experimental.tasks.cancelTask(taskId));
}

/** Options of a call with progress; the earlier client has a schema before them. */
function progress(client, steps) {
  const options = { onprogress: (step) => steps.push(step) };
  return client instanceof EarlierClient ? [undefined, options] : [options];
}

const stdio = { command: program, args: ["mcp", "--url", url], env: { FORMWORK_KEY: key } };
const endpoint = new URL(`${url}/mcp`);
const clients = [
  ["sdk, HTTP", new EarlierClient(info), new EarlierHttp(endpoint, { requestInit: { headers } })],
  ["sdk, stdio", new EarlierClient(info), new EarlierStdio(stdio)],
];
for (const mode of ["legacy", "auto"]) {
  const make = () => new current.Client(info, { versionNegotiation: { mode } });
  clients.push([`client, ${mode}, HTTP`, make(), new current.StreamableHTTPClientTransport(endpoint, { requestInit: { headers } })]);
  clients.push([`client, ${mode}, stdio`, make(), new CurrentStdio(stdio)]);
}
for (const [name, client, transport] of clients) {
  await client.connect(transport);
  await mainJob(client);
  console.log(`${name}: ok`);
}
