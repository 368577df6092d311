/** The public interface of a form, by a server that has it or in front of one that has agents only. */

import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { Server } from "../../console/tests/server.mjs";

const ASSETS = new URL("../../../bins/formwork/assets/widget", import.meta.url).pathname;
const FILES = process.env.WIDGET_FILES ?? ASSETS;

const POLICY =
  "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'";

export class PublicServer {
  constructor(server) {
    this.server = server;
    this.agents = new Map();
  }

  static async start() {
    const made = new PublicServer(await Server.start());
    await made.listen();
    return made;
  }

  async listen() {
    this.front = createServer((asked, answer) => void this.answer(asked, answer));
    await new Promise((done) => this.front.listen(0, "127.0.0.1", done));
    this.front.unref();
    this.origin = `http://127.0.0.1:${this.front.address().port}`;
  }

  /** A form with an agent, and its public key. */
  async form(title, schema, description = "") {
    const namespace = `form_${this.agents.size + 1}`;
    const { form_id } = await this.server.call("POST", "/v1/form", { title, schema });
    await this.server.call("POST", "/v1/agent", { namespace, name: namespace, form_id });
    const key = `fw_${String(this.agents.size + 1).padStart(4, "0")}${"k".repeat(28)}`;
    this.agents.set(key, { namespace, title, description });
    return { key, namespace, page: namespace };
  }

  async submissions({ namespace }) {
    const { submissions } = await this.server.call("GET", `/v1/agent/${namespace}/submissions`);
    return submissions;
  }

  session({ namespace }, id) {
    return this.server.call("GET", `/v1/agent/${namespace}/sessions/${id}`);
  }

  /** Forgets the conversations, as a server does after a while. */
  async forget({ namespace }) {
    await this.server.call("DELETE", `/v1/agent/${namespace}/sessions`);
  }

  async answer(asked, answer) {
    const { pathname } = new URL(asked.url, "http://host");
    if (pathname === "/widget.js") {
      answer.writeHead(200, { "Content-Type": "text/javascript; charset=utf-8", "Content-Encoding": "gzip" });
      answer.end(readFileSync(join(FILES, "widget.js.gz")));
    } else if (pathname.startsWith("/f/")) this.page(pathname.slice(3), answer);
    else if (pathname.startsWith("/v1/public/")) await this.emulate(asked, answer);
    else this.pass(asked, answer);
  }

  page(namespace, answer) {
    const [key] = [...this.agents].find(([, agent]) => agent.namespace === namespace);
    answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": POLICY });
    answer.end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
        `<meta name="viewport" content="width=device-width, initial-scale=1"><title>Form</title></head><body>` +
        `<main id="form"></main><script src="/widget.js" data-key="${key}" data-position="inline" ` +
        `data-target="#form" data-hosted data-open></script></body></html>`,
    );
  }

  /** What the server does for a public key: a guided conversation with one agent. */
  async emulate(asked, answer) {
    const headers = {
      "Access-Control-Allow-Origin": asked.headers.origin ?? "*",
      "Access-Control-Allow-Headers": "X-Service-Key, Content-Type",
      "Access-Control-Expose-Headers": "Retry-After",
      "Content-Type": "application/json",
    };
    const tell = (status, body) => answer.writeHead(status, headers).end(JSON.stringify(body));
    if (asked.method === "OPTIONS") return tell(204, {});
    const agent = this.agents.get(asked.headers["x-service-key"]);
    if (!agent) return tell(401, { code: "invalid_key", message: "the key is not valid" });
    const pieces = [];
    for await (const piece of asked) pieces.push(piece);
    const body = pieces.length > 0 ? JSON.parse(Buffer.concat(pieces).toString()) : undefined;
    const { pathname } = new URL(asked.url, "http://host");
    if (pathname === "/v1/public/form")
      return tell(200, { title: agent.title, description: agent.description });
    const session = /sessions\/(.+)$/.exec(pathname)?.[1];
    const [status, given] = session
      ? await this.ask("GET", `/v1/agent/${agent.namespace}/sessions/${session}`)
      : await this.chat(agent, body);
    if (status !== 200) return tell(status, given);
    const { id, session_id = id, text, form, messages, status: state } = given;
    return tell(200, { session_id, text, form, messages, status: state });
  }

  async chat(agent, { message, session_id, files }) {
    const urls = [];
    for (const { name, content } of files ?? []) {
      const body = new FormData();
      body.append("files", new Blob([Buffer.from(content, "base64")]), name);
      const [status, made] = await this.ask("POST", "/v1/files", body);
      if (status !== 200) return [status, made];
      urls.push(String(made[0].id));
    }
    const body = { message, session_id, ...(urls.length > 0 ? { urls } : {}) };
    return this.ask("POST", `/v1/agent/${agent.namespace}/chat`, JSON.stringify(body));
  }

  async ask(method, path, body) {
    const headers = { "X-Service-Key": this.server.key };
    if (typeof body === "string") headers["Content-Type"] = "application/json";
    const response = await fetch(this.server.origin + path, { method, headers, body });
    return [response.status, await response.json()];
  }

  pass(asked, answer) {
    const { hostname, port } = new URL(this.server.upstream);
    const { url: path, method, headers } = asked;
    const passed = request({ hostname, port, path, method, headers }, (given) => {
      answer.writeHead(given.statusCode, given.headers);
      given.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    asked.pipe(passed);
  }

  async stop() {
    this.front.close();
    await this.server.stop();
  }
}
