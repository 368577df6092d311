/** The conversation: what was said, what the form has, and what is being sent. It knows nothing of the page. */

import {
  type Answer,
  type Api,
  Failure,
  type FormState,
  type Info,
  type Message,
  type Session,
} from "./api.ts";
import { attachment } from "./files.ts";
import { isGreeting, type Translate } from "./i18n.ts";
import type { Stored } from "./storage.ts";
import { type Trouble, trouble } from "./trouble.ts";

export interface Entry {
  by: "visitor" | "agent" | "note";
  text: string;
  files: File[];
  state: "sent" | "sending" | "unsent";
}

/** Attempts while another message of the conversation is in work, and the seconds between them. */
const ATTEMPTS = 5;
const PAUSE = 2;

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000));

export class Conversation {
  info: Info | undefined;
  entries: Entry[] = [];
  form: FormState | null = null;
  session: string | undefined;
  busy = false;
  trouble: Trouble | undefined;
  /** Whether the entries are those of an earlier visit, which nobody needs to hear again. */
  restored = false;
  /** Whether a person answers in place of the agent. */
  person = false;
  /** Whether it was begun elsewhere, by this visitor or by who sent the link. */
  linked = false;
  onchange: () => void = () => undefined;
  onsubmitted: (submission: string) => void = () => undefined;
  /** What failed, to be done again. */
  private failed: (() => Promise<void>) | undefined;
  /** The number of the last message of the session that is known here. */
  private known = 0;

  constructor(
    private readonly api: Api,
    private readonly stored: Stored,
    private readonly t: Translate,
  ) {}

  /** Goes on with the conversation of this browser, or begins one. `lost` tells that a link led to none. */
  begin(lost = false): Promise<boolean> {
    return this.attempt(async () => {
      this.info ??= await this.api.info();
      const session = this.stored.get();
      const read = session && (await this.read(session));
      if (read) {
        this.adopt(read);
        return;
      }
      this.forget();
      this.entries = [];
      if (lost || session) this.add("note", this.t("gone"));
      await this.greet();
    });
  }

  /** Takes the conversation of a link, if it is one of this form. */
  async follow(session: string): Promise<boolean> {
    let found = false;
    await this.attempt(async () => {
      this.info ??= await this.api.info();
      const read = await this.read(session);
      found = read !== undefined;
      if (!read) return;
      this.adopt(read);
      this.linked = true;
      // Who sent the link may be another person, who reads what is answered.
      this.add("note", this.t("linked"));
    });
    return found;
  }

  /** Takes what was said meanwhile: by a person in place of the agent, on another device or in another tab. */
  async refresh(): Promise<void> {
    const { session } = this;
    if (!session || this.busy || this.failed) return;
    const read = await this.read(session, this.known).catch(() => undefined);
    if (!read || this.busy || this.session !== session) return;
    const person = read.taken_over === true;
    if (read.messages.length === 0 && person === this.person) return;
    // Somebody spoke between two messages of here, whose numbers are other ones than were supposed.
    const last = this.entries.slice(-2);
    const mixed = read.messages.some(({ content }) => last.some(({ text }) => text === content));
    const whole = mixed && (await this.read(session).catch(() => undefined));
    if (this.busy || this.session !== session) return;
    if (whole) this.adopt(whole);
    else {
      this.restored = false;
      this.form = read.form;
      this.person = person;
      this.entries.push(...this.told(read.messages));
    }
    this.onchange();
  }

  /** Sends a message, after one that has failed. Tells whether it was taken to be sent. */
  async say(text: string, files: File[] = []): Promise<boolean> {
    if (this.busy) return false;
    if (this.failed && !(await this.retry())) return false;
    const entry = this.add("visitor", text, files);
    void this.attempt(() => this.deliver(entry, false));
    return true;
  }

  retry(): Promise<boolean> {
    return this.failed ? this.attempt(this.failed) : Promise.resolve(true);
  }

  /** Takes back what could not be sent, so that it can be changed. */
  withdraw(): Entry | undefined {
    const entry = this.entries.find((one) => one.state === "unsent");
    if (!entry || this.busy) return undefined;
    this.entries = this.entries.filter((one) => one !== entry);
    this.failed = undefined;
    this.trouble = undefined;
    this.onchange();
    return entry;
  }

  /** Begins anew. The earlier conversation stays with the server. */
  restart(): Promise<boolean> {
    if (this.busy) return Promise.resolve(false);
    this.forget();
    this.entries = [];
    return this.attempt(() => this.greet());
  }

  /** Does one thing after the other, and keeps what fails. */
  private async attempt(work: () => Promise<void>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.restored = false;
    this.trouble = undefined;
    this.failed = undefined;
    this.onchange();
    try {
      await work();
      this.failed = undefined;
    } catch (error) {
      this.trouble = trouble(error, this.t);
      for (const entry of this.entries) if (entry.state === "sending") entry.state = "unsent";
      this.failed ??= work;
    } finally {
      this.busy = false;
      this.onchange();
    }
    return this.trouble === undefined;
  }

  private async greet(): Promise<void> {
    this.take(await this.api.say(this.t("hello"), undefined, []));
  }

  /** Sends a message. One that was sent before may have arrived, so that the conversation is read first. */
  private async deliver(entry: Entry, again: boolean): Promise<void> {
    entry.state = "sending";
    this.onchange();
    this.failed = () => this.deliver(entry, true);
    if (again && (await this.arrived(entry))) return;
    const files = await Promise.all(entry.files.map(attachment));
    for (let left = ATTEMPTS; ; left--) {
      try {
        const answer = await this.api.say(entry.text, this.session, files);
        entry.state = "sent";
        this.take(answer);
        this.announce();
        return;
      } catch (error) {
        const status = error instanceof Failure ? error.status : undefined;
        if (status === 404 && this.session) this.lose(entry);
        else if (status === 409 && left > 0) {
          await pause(PAUSE);
          if (await this.arrived(entry)) return;
        } else throw error;
      }
    }
  }

  /** Whether the server has the message already; then the conversation is as the server has it. */
  private async arrived(entry: Entry): Promise<boolean> {
    if (!this.session) return false;
    const now = await this.read(this.session);
    if (!now) {
      this.lose(entry);
      return false;
    }
    const later = now.messages.filter(({ number }) => number > this.known);
    const found = later.some((message) => message.role === "user" && message.content === entry.text);
    if (found) {
      this.adopt(now);
      this.announce();
    } else if (later.length > 0) {
      // Another device said something meanwhile.
      this.adopt(now);
      this.entries.push(entry);
    }
    return found;
  }

  /** A session, or nothing if it is gone. */
  private async read(session: string, after?: number): Promise<Session | undefined> {
    try {
      return await this.api.session(session, after);
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return undefined;
      throw error;
    }
  }

  private adopt(read: Session): void {
    this.keep(read.session_id);
    this.form = read.form;
    this.person = read.taken_over === true;
    this.restored = true;
    this.entries = this.told(read.messages);
  }

  /** Messages of the server as entries. The greeting that begins a conversation is none. */
  private told(messages: Message[]): Entry[] {
    this.known = messages.at(-1)?.number ?? this.known;
    return messages
      .filter(({ number, role, content }) => number > 1 || role !== "user" || !isGreeting(content))
      .map(({ role, content }) => ({
        by: role === "user" ? "visitor" : "agent",
        text: content,
        files: [],
        state: "sent",
      }));
  }

  private take(answer: Answer): void {
    this.person = answer.taken_over === true;
    this.known += this.person ? 1 : 2;
    this.form = answer.form;
    this.keep(answer.session_id);
    if (answer.text) this.add("agent", answer.text);
  }

  private announce(): void {
    if (this.form?.status === "submitted" && this.form.submission_id)
      this.onsubmitted(this.form.submission_id);
  }

  private keep(session: string): void {
    this.session = session;
    this.stored.set(session);
  }

  private forget(): void {
    this.session = undefined;
    this.linked = false;
    this.person = false;
    this.known = 0;
    this.form = null;
    this.stored.set(undefined);
  }

  /** The server has the session no more: what was said stays in sight, and the message begins another one. */
  private lose(entry: Entry): void {
    this.forget();
    this.entries = this.entries.filter((one) => one !== entry);
    this.add("note", this.t("gone"));
    this.entries.push(entry);
    this.onchange();
  }

  private add(by: Entry["by"], text: string, files: File[] = []): Entry {
    const entry: Entry = { by, text, files, state: by === "visitor" ? "sending" : "sent" };
    this.entries.push(entry);
    return entry;
  }
}
