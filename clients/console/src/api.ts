/** Requests to the server of this page, by the cookie of the session or by the key of this tab. */

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

export type Schemas = components["schemas"];
export type Form = Schemas["FormRecord"];
export type Agent = Schemas["AgentRecord"];
export type Run = Schemas["RunRecord"];
export type Group = Schemas["RunDetails"]["groups"][number];
export type Review = Schemas["Review"];
export type ReviewDetails = Schemas["ReviewDetails"];
export type Me = Schemas["Me"];

const STORED = "formwork.key";

/** A failure of a request, with the sentence of the server. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: { path: string; message: string }[];

  constructor(status: number, body: unknown) {
    const told = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
    super(typeof told.message === "string" ? told.message : "");
    this.status = status;
    this.code = typeof told.code === "string" ? told.code : status === 0 ? "offline" : "failed";
    this.errors = Array.isArray(told.errors) ? (told.errors as Failure["errors"]) : [];
  }
}

/** The key of this tab, which goes when the tab is closed. */
export function key(): string | null {
  return sessionStorage.getItem(STORED);
}

export function setKey(next: string | null): void {
  if (next === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, next);
}

type Listener = () => void;
const ended = new Set<Listener>();

/** Calls back when the server no longer knows the caller. */
export function onEnd(listener: Listener): Listener {
  ended.add(listener);
  return () => ended.delete(listener);
}

/** A request with what identifies the caller. Fails with [`Failure`]. */
export async function send(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  request.headers.set("X-Formwork-Console", "1");
  const own = key();
  if (own !== null) request.headers.set("X-Service-Key", own);
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Failure(0, {});
  }
  if (response.ok) return response;
  const failure = new Failure(response.status, await response.json().catch(() => ({})));
  if (response.status === 401 && !request.url.endsWith("/v1/sign_in"))
    for (const listener of ended) listener();
  throw failure;
}

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: send });

/** The body of an answer; a failure was thrown before. */
export async function data<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** The path of an address of this server, whose public name may be another. */
export function own(url: string): string {
  const { pathname, search } = new URL(url, window.location.origin);
  return pathname + search;
}
