/** Server-sent events. */

import { Unavailable } from "./errors.js";
import type { Call, Transport } from "./requests.js";

/** An event, such as `delta`, `done` or `group`. `text` is the piece of text of a `delta`, else empty. */
export interface Event {
  name: string;
  data: any;
  id: string | undefined;
  text: string;
}

/** The events of a response, up to its last one. The connection is closed when the loop is left. */
export async function* follow(
  transport: Transport,
  method: string,
  path: string,
  call: () => Promise<Call>,
): AsyncGenerator<Event, void, undefined> {
  const control = new AbortController();
  try {
    const response = await transport.send(method, path, await call(), control.signal);
    for await (const block of blocks(response)) {
      const event = parse(block);
      if (event?.name === "error") throw failure(event.data);
      if (event) yield event;
      if (event?.name === "done" || event?.name === "end") return;
    }
    throw new Unavailable("the stream ended without its last event", { code: "stream_broken" });
  } finally {
    control.abort();
  }
}

/** The texts between empty lines. */
async function* blocks(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true }).replaceAll("\r", "");
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      yield* parts;
    }
  } catch {
    throw new Unavailable("the stream broke", { code: "stream_broken" });
  }
}

function parse(block: string): Event | undefined {
  let name = "message";
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    const key = at < 0 ? line : line.slice(0, at);
    const value = at < 0 ? "" : line.slice(at + 1).replace(/^ /, "");
    if (key === "event") name = value;
    else if (key === "data") data.push(value);
    else if (key === "id") id = value;
  }
  if (data.length === 0) return undefined;
  const content = JSON.parse(data.join("\n"));
  return { name, id, data: content, text: name === "delta" ? String(content?.text ?? "") : "" };
}

function failure(data: any): Unavailable {
  const fields = typeof data?.error === "object" && data.error !== null ? data.error : data;
  return new Unavailable(String(fields?.message ?? "the stream ended with an error"), {
    code: String(fields?.code ?? "failed"),
  });
}
