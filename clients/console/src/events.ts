/** Server-sent events. `EventSource` cannot send the key of a tab, so they are read from the response. */

import { send } from "./api.ts";

export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
}

/** The events of an answer; with a body that is sent as JSON, of an answer to it. */
export async function* events(
  path: string,
  signal: AbortSignal,
  body?: unknown,
): AsyncGenerator<StreamEvent> {
  const sent =
    body === undefined
      ? {}
      : { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await send(path, {
    ...sent,
    signal,
    headers: { ...sent.headers, Accept: "text/event-stream" },
  });
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
