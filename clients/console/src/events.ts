/** Server-sent events of a run. `EventSource` cannot send the key of a tab, so they are read from the response. */

import { send } from "./api.ts";

export interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
}

export async function* events(path: string, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const response = await send(path, { signal, headers: { Accept: "text/event-stream" } });
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
