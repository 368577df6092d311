/** Server-sent events. `EventSource` cannot send the key of a tab, so they are read from the response. */

import { send } from "./api.ts";

export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
}

/** The events of a path; with a body, those of the answer to it. */
export async function* events(path: string, signal: AbortSignal, body?: object): AsyncGenerator<StreamEvent> {
  const headers = { Accept: "text/event-stream", ...(body ? { "Content-Type": "application/json" } : {}) };
  const posted = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const response = await send(path, { signal, headers, ...posted });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value.replaceAll("\r", "");
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const of = (name: string) =>
        lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trim());
      const content = of("data").join("\n");
      if (content) yield { name: of("event")[0] ?? "message", data: JSON.parse(content) };
    }
  }
}
