// The official client in Node and the Vercel AI SDK against `/openai/v1`.

import assert from "node:assert/strict";

import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { embed, generateText, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";

const baseURL = `${process.env.FORMWORK_URL}/openai/v1`;
const apiKey = process.env.FORMWORK_KEY;
const model = "lab/chat@formwork";
const messages = [{ role: "user", content: "How many crates?" }];
const TEXT = "Twelve crates.";

async function official() {
  const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 });
  const names = [];
  for await (const known of client.models.list()) names.push(known.id);
  assert(names.includes(model), names.join());
  const whole = await client.chat.completions.create({ model, messages });
  assert.equal(whole.choices[0].message.content, TEXT);
  let text = "";
  for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
    text += chunk.choices[0]?.delta?.content ?? "";
  }
  assert.equal(text, TEXT);
  const vectors = await client.embeddings.create({ model: "lab/text-embedding@formwork", input: "a" });
  assert.deepEqual(vectors.data[0].embedding, [1, 0]);
  await assert.rejects(client.chat.completions.create({ model, messages: [] }), OpenAI.BadRequestError);
}

async function vercel() {
  const provider = createOpenAICompatible({ name: "formwork", baseURL, apiKey });
  const { text } = await generateText({ model: provider(model), prompt: "How many crates?" });
  assert.equal(text, TEXT);
  let streamed = "";
  for await (const piece of streamText({ model: provider(model), prompt: "How many crates?" }).textStream) streamed += piece;
  assert.equal(streamed, TEXT);
  const { embedding } = await embed({ model: provider.textEmbeddingModel("lab/text-embedding@formwork"), value: "a" });
  assert.deepEqual(embedding, [1, 0]);
}

async function vercelTools() {
  const compatible = createOpenAICompatible({ name: "formwork", baseURL, apiKey })(model);
  // This provider speaks the Responses interface.
  const responses = createOpenAI({ baseURL, apiKey })(model);
  const count = tool({
    description: "Counts what is on the pier.",
    inputSchema: z.object({ what: z.string() }),
    execute: async ({ what }) => (what === "crates" ? "12" : "0"),
  });
  for (const used of [compatible, responses]) {
    const asked = { model: used, prompt: "How many crates?", tools: { count }, stopWhen: stepCountIs(3) };
    const whole = await generateText(asked);
    assert.equal(whole.text, TEXT);
    assert.equal(whole.steps[0].toolCalls[0].input.what, "crates");
    let streamed = "";
    for await (const piece of streamText(asked).textStream) streamed += piece;
    assert.equal(streamed, TEXT);
  }
}

for (const [name, job] of [["openai (Node)", official], ["Vercel AI SDK", vercel], ["Vercel AI SDK, tools", vercelTools]]) {
  await job();
  console.log(`${name}: passed`);
}
