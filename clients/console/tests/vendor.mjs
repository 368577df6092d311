/** A provider of embeddings, in place of one on the network: texts are near each other by the things that they name. */

import { createServer } from "node:http";

const THINGS = [
  ["tug", "tow"],
  ["cost", "price", "fee", "eur"],
  ["berth", "quay", "draught"],
  ["night", "light"],
];

function vector(text) {
  const lower = text.toLowerCase();
  return THINGS.map((names) => (names.some((name) => lower.includes(name)) ? 1 : 0.05));
}

export async function startVendor() {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      const answer = request.url.endsWith("/embeddings")
        ? {
            object: "list",
            model: "text-embedding-3-small",
            data: [JSON.parse(body).input]
              .flat()
              .map((text, index) => ({ object: "embedding", index, embedding: vector(text) })),
            usage: { prompt_tokens: 3, total_tokens: 3 },
          }
        : { object: "list", data: [{ id: "text-embedding-3-small", object: "model" }] };
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  return { settings: { OPENAI_API_KEY: "sk-test", FORMWORK_OPENAI_BASE_URL: url } };
}
