/** Requests and their repetition. */

import { Conflict, FormworkError, Unavailable, errorOf } from "./errors.js";

export type Json = Record<string, any>;

export interface Call {
  json?: unknown;
  params?: Record<string, string | number | boolean | undefined>;
  headers?: Record<string, string>;
  form?: FormData;
  /** Cancels the call: it throws the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Failed attempts that follow the first one. */
export const RETRIES = 4;
/** The longest wait between two attempts in seconds. */
const LONGEST_WAIT = 30;
const RETRIED = [429, 502, 503, 504];
/** Failures of a provider that another attempt meets again. */
const LASTING = ["provider_auth", "provider_billing", "provider_invalid_request", "context_too_long", "model_refused"];
/** Operations on these paths take no Idempotency-Key: a request that may have arrived is not sent again. */
const WITHOUT_KEY = [
  ...["/v1/keys", "/v1/members", "/v1/workspaces", "/v1/sign_in", "/v1/public/chat", "/mcp"],
  ...["/openai/v1/embeddings", "/openai/v1/images", "/openai/v1/audio"],
];
const ENDINGS_WITHOUT_KEY = ["/a2a", "/ag-ui", "/test", "/replay"];

export const segment = (value: string | number): string => encodeURIComponent(String(value));
export const sleep = (seconds: number): Promise<void> => new Promise((done) => setTimeout(done, seconds * 1000));

export class Transport {
  readonly #key: string;

  constructor(
    readonly url: string,
    key: string,
    readonly timeout: number,
  ) {
    this.#key = key;
  }

  /** Sends a call until it succeeds, fails for good or has been tried often enough. With a signal the
   *  body is a stream that the caller reads; without, it has arrived. */
  async send(method: string, path: string, call: Call, signal?: AbortSignal): Promise<Response> {
    const headers = new Headers(call.headers);
    // A repetition of a POST with this key has no second effect.
    if (method === "POST" && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
    headers.set("X-Service-Key", this.#key);
    if (call.json !== undefined) headers.set("Content-Type", "application/json");
    const body = call.form ?? (call.json === undefined ? null : JSON.stringify(call.json));
    // Redirects are refused, so that the key goes to this server only.
    const request = { method, headers, body, redirect: "error" as const };
    for (let attempt = 0; ; attempt++) {
      const error = await this.#once(path, call, request, signal);
      if (error instanceof Response) return error;
      call.signal?.throwIfAborted();
      if (attempt === RETRIES || signal?.aborted || !helps(method, path, error, attempt)) throw error;
      await sleep(error.retryAfter ?? Math.min(LONGEST_WAIT, 0.25 * 2 ** attempt) * (0.5 + Math.random() / 2));
    }
  }

  async #once(path: string, call: Call, request: RequestInit, signal?: AbortSignal): Promise<Response | FormworkError> {
    try {
      const limits = [signal ?? AbortSignal.timeout(this.timeout), call.signal].filter((limit) => limit !== undefined);
      const limit = AbortSignal.any(limits);
      const response = await fetch(this.#address(path, call.params), { ...request, signal: limit });
      if (response.ok) return signal ? response : await complete(response);
      return errorOf(response.status, response.headers, parsed(await response.text()));
    } catch (failure) {
      return new Unavailable(`the server cannot be reached: ${reason(failure)}`, { code: "unreachable" });
    }
  }

  #address(path: string, params: Call["params"]): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params ?? {})) if (value !== undefined) query.set(name, String(value));
    return this.url + path + (query.size > 0 ? `?${query}` : "");
  }
}

/** The response with its whole body, so that a body that breaks off fails here. */
async function complete(response: Response): Promise<Response> {
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, { status: response.status, headers: response.headers });
}

function helps(method: string, path: string, error: FormworkError, attempt: number): boolean {
  const takesNone =
    WITHOUT_KEY.some((start) => path.startsWith(start)) || ENDINGS_WITHOUT_KEY.some((end) => path.endsWith(end));
  const once = method === "POST" && takesNone;
  // A gateway answers 502 and 504 for a request that the server may have carried out.
  if (once && [undefined, 502, 504].includes(error.status)) return false;
  if (error.status === undefined) return true;
  if (attempt > 0 && error instanceof Conflict && error.code === "request_still_running") return true;
  const inTime = (error.retryAfter ?? 0) <= LONGEST_WAIT;
  return RETRIED.includes(error.status) && inTime && !LASTING.includes(error.code);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a failed connection; its other parts may hold the request. */
function reason(failure: unknown): string {
  const cause = failure instanceof Error ? ((failure.cause ?? failure) as { code?: unknown; name?: unknown }) : {};
  return String(cause.code ?? cause.name ?? "failed");
}
