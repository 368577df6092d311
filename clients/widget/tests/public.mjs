/** A server with forms for everybody. With `WIDGET_FILES` its script is that of another folder, so that a change of the
 *  widget needs no build of the server. */

import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { Server } from "../../console/tests/server.mjs";

export class PublicServer {
  constructor(server) {
    this.server = server;
    this.origin = server.origin;
    /** The origins of the pages that may use the forms. */
    this.sites = [];
    this.count = 0;
  }

  static async start() {
    const made = new PublicServer(await Server.start());
    const files = process.env.WIDGET_FILES;
    if (files) await made.replace(files);
    return made;
  }

  /** Listens at a port of its own, and passes on all but the script. The `Host` header stays that of the page. */
  async replace(files) {
    this.front = createServer((asked, answer) => {
      if (asked.url !== "/widget.js") {
        this.pass(asked, answer);
        return;
      }
      const headers = { "Content-Type": "text/javascript; charset=utf-8", "Content-Encoding": "gzip" };
      answer.writeHead(200, { ...headers, "Cross-Origin-Resource-Policy": "cross-origin" });
      answer.end(readFileSync(join(files, "widget.js.gz")));
    });
    await new Promise((done) => this.front.listen(0, "127.0.0.1", done));
    this.front.unref();
    this.origin = `http://127.0.0.1:${this.front.address().port}`;
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

  /** A form with an agent, and its public key. */
  async form(title, schema, description = "", more = []) {
    this.count += 1;
    const namespace = `form_${this.count}`;
    const page = `form-${this.count}`;
    const { form_id } = await this.server.call("POST", "/v1/form", { title, schema });
    await this.server.call("POST", "/v1/agent", { namespace, name: namespace, description, form_id });
    const told = this.server.tell(
      ...["keys", "create", "--agent", namespace, "--page", page, "--origins", this.sites.join(","), ...more],
    );
    const key = told.split(/\s+/).find((word) => word.startsWith("fw_"));
    return { key, namespace, page };
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

  async stop() {
    this.front?.close();
    await this.server.stop();
  }
}
