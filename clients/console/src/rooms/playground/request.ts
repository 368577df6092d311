/** What is asked of a model: the settings of the page as a request, and as a command. */

import type { Schemas } from "../../api.ts";

export type Model = Schemas["ModelRecord"];
export type Answer = Schemas["GeneratedRecord"];

export interface Upload {
  id: number;
  name: string;
}

export interface Settings {
  model: string;
  system: string;
  temperature: string;
  maxTokens: string;
  documents: Upload[];
  /** The form that an answer as JSON has; empty for text. */
  form: string;
}

export const EMPTY: Settings = {
  model: "",
  system: "",
  temperature: "",
  maxTokens: "",
  documents: [],
  form: "",
};

export interface Turn {
  prompt: string;
  text: string;
  /** Absent while the answer is written, and when it was stopped. */
  answer?: Answer;
  state: "writing" | "done" | "stopped" | "failed";
  error?: string;
}

/** What is wrong with a number of the settings. */
export function outside(text: string, from: number, to: number, isWhole: boolean): boolean {
  if (text.trim() === "") return false;
  const value = Number(text);
  return !(value >= from && value <= to) || (isWhole && !Number.isInteger(value));
}

export function isValid(settings: Settings): boolean {
  return (
    settings.model !== "" &&
    !outside(settings.temperature, 0, 2, false) &&
    !outside(settings.maxTokens, 1, 1_000_000, true)
  );
}

/** The body of the request. Answers that failed or were stopped before they began are no part of the conversation. */
export function bodyOf(settings: Settings, turns: Turn[], prompt: string, schema: unknown): object {
  const history = turns
    .filter((turn) => turn.text.trim() !== "")
    .flatMap((turn) => [
      { role: "user", content: turn.prompt },
      { role: "assistant", content: turn.text },
    ]);
  return {
    modelId: settings.model,
    prompt,
    ...(settings.system.trim() ? { system: settings.system } : {}),
    ...(history.length > 0 ? { messages: history } : {}),
    ...(settings.temperature.trim() ? { temperature: Number(settings.temperature) } : {}),
    ...(settings.maxTokens.trim() ? { maxTokens: Number(settings.maxTokens) } : {}),
    ...(settings.documents.length > 0 ? { urls: settings.documents.map(({ id }) => String(id)) } : {}),
    ...(schema ? { responseFormat: { type: "json_schema", json_schema: { schema } } } : {}),
  };
}

/** The request as a command of a shell, with the key in a variable. */
export function curl(body: object): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  return `curl -s ${window.location.origin}/v2/generate \\
  -H "X-Service-Key: $FORMWORK_KEY" -H 'Content-Type: application/json' \\
  -d '${json}'`;
}

/** Whether a model answers questions in text. */
export function answers(model: Model): boolean {
  return model.type.endsWith("-to-text") && !model.type.startsWith("audio");
}
