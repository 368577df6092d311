/** Requests to the server, with the public key. */

export interface Info {
  title: string;
  description: string;
}

/** A field, as far as the widget reads it. */
export interface Definition {
  type?: string;
  format?: string;
  precision?: string;
  unit?: string;
  currencies?: string[];
}

export interface Next {
  field: string;
  path: string;
  definition: Definition;
  choices: unknown[];
  question: string;
}

export interface FormState {
  status: "filling" | "confirming" | "cancelling" | "submitted" | "cancelled";
  values: Record<string, unknown>;
  next: Next | null;
  progress: { filled: number; total: number };
  submission_id: string | null;
}

export interface Answer {
  session_id: string;
  text: string;
  form: FormState | null;
  /** A person answers in place of the agent, and the text is empty. */
  taken_over?: boolean;
}

export interface Message {
  /** Its place in the conversation, from 1. */
  number: number;
  role: string;
  content: string;
}

export interface Session {
  session_id: string;
  messages: Message[];
  form: FormState | null;
  taken_over?: boolean;
}

export interface Attachment {
  name: string;
  content: string;
}

/** Characters of a message: what the server takes. */
export const MAX_MESSAGE = 32_000;

/** Seconds until an unanswered request counts as failed. Reading documents takes its time. */
const PATIENCE = 180;

/** A failure of a request, with the sentence of the server. Its status is 0 where no answer came. */
export class Failure extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Seconds after which the server asks to be asked again. */
    readonly wait: number | undefined,
  ) {
    super(message);
  }
}

export class Api {
  constructor(
    private readonly origin: string,
    private readonly key: string,
  ) {}

  info(): Promise<Info> {
    return this.request("form");
  }

  /** A session, with the messages after the one with this number. */
  session(id: string, after = 0): Promise<Session> {
    return this.request(`sessions/${encodeURIComponent(id)}?after=${after}`);
  }

  say(message: string, session: string | undefined, files: Attachment[]): Promise<Answer> {
    return this.request("chat", { message, session_id: session, files: files.length ? files : undefined });
  }

  private async request<T>(path: string, body?: unknown): Promise<T> {
    const headers: Record<string, string> = { "X-Service-Key": this.key };
    if (body) headers["Content-Type"] = "application/json";
    let status = 0;
    try {
      const response = await fetch(`${this.origin}/v1/public/${path}`, {
        method: body ? "POST" : "GET",
        headers,
        body: body ? JSON.stringify(body) : null,
        credentials: "omit",
        cache: "no-store",
        signal: AbortSignal.timeout(PATIENCE * 1000),
      });
      if (response.ok) return (await response.json()) as T;
      status = response.status;
      const told = (await response.json().catch(() => ({}))) as { message?: unknown };
      const wait = Number.parseInt(response.headers.get("Retry-After") ?? "", 10);
      throw new Failure(
        status,
        typeof told.message === "string" ? told.message : "",
        wait >= 0 ? wait : undefined,
      );
    } catch (error) {
      throw error instanceof Failure ? error : new Failure(status, "", undefined);
    }
  }
}
