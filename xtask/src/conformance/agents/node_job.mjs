// An agent with a form as the official clients of A2A and AG-UI see it.
import assert from "node:assert/strict";
import { ClientFactory, ClientFactoryOptions, createAuthenticatingFetchWithRetry, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import { HttpAgent } from "@ag-ui/client";

const { FORMWORK_URL: url, FORMWORK_KEY: key } = process.env;
const headers = { authorization: `Bearer ${key}` };

const post = async (path, body) => {
  const answer = await fetch(url + path, {
    method: "POST", body: JSON.stringify(body), headers: { ...headers, "content-type": "application/json" },
  });
  assert.ok(answer.ok, await answer.clone().text());
  return answer.json();
};

const fields = {
  crates: { type: "integer", order: 1, required: true, description: "Number of crates" },
  port: { type: "string", order: 2, required: true, description: "Port of delivery" },
};
const form = await post("/v1/form", { title: "Order", schema: fields });
await post("/v1/agent", { namespace: "kit-node", form_id: form.form_id });

const agent = new HttpAgent({ url: `${url}/v1/agent/kit-node/ag-ui`, headers, threadId: "kit-thread" });
const say = async (content) => {
  agent.addMessage({ id: content, role: "user", content });
  return agent.runAgent();
};
const { newMessages } = await say("12 crates, please");
assert.match(newMessages[0].content, /port/);
assert.deepEqual(agent.state.form.values, { crates: 12, port: null });
await say("Hull");
assert.deepEqual(agent.state.form.values, { crates: 12, port: "Hull" });
await say("yes");
assert.equal(agent.state.form.status, "submitted");
assert.equal(agent.messages.length, 6);
const again = new HttpAgent({ url: `${url}/v1/agent/kit-node/ag-ui`, headers, threadId: "kit-thread" });
await again.runAgent();
assert.equal(again.messages.length, 6);
assert.deepEqual(again.state.form.values, { crates: 12, port: "Hull" });
console.log("the AG-UI client: passed");

const authenticated = createAuthenticatingFetchWithRetry(fetch, {
  headers: async () => headers, shouldRetryWithHeaders: async () => undefined,
});
const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
  transports: [new JsonRpcTransportFactory({ fetchImpl: authenticated })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl: authenticated }),
});
const client = await new ClientFactory(options).createFromUrl(`${url}/v1/agent/kit-node/a2a/`);
const message = (text, place = {}) => ({
  message: { messageId: text, role: 1, parts: [{ content: { $case: "text", value: text } }], contextId: "", taskId: "", extensions: [], referenceTaskIds: [], ...place },
});
const first = await client.sendMessage(message("12 crates, please"));
assert.match(first.status.message.parts[0].content.value, /port/);
const states = [];
for await (const event of client.sendMessageStream(message("Hull", { taskId: first.id }))) states.push(event);
assert.equal(states.length, 2, JSON.stringify(states));
const done = await client.sendMessage(message("yes", { taskId: first.id }));
assert.deepEqual(done.artifacts[0].parts[0].content.value, { crates: 12, port: "Hull" });
const read = await client.getTask({ id: first.id });
assert.equal(read.history.length, 6);
await assert.rejects(client.sendMessage(message("Oslo", { taskId: first.id })), /ended/);
console.log("the A2A client in TypeScript: passed");
