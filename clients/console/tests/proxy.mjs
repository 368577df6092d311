/** The server with the console of another folder, so that a change of the console needs no build of the server. */

import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";

const TYPES = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

/** Listens at a port of its own, and passes on what is not of the console. The `Host` header stays that of the page. */
export async function proxy(files, target) {
  const server = createServer((asked, answer) => {
    const path = new URL(asked.url, "http://host").pathname;
    const own = path.startsWith("/console") ? file(files, path) : undefined;
    if (own) {
      answer.writeHead(200, own.headers).end(own.content);
      return;
    }
    const { hostname, port } = new URL(target.upstream);
    const passed = request(
      { hostname, port, path: asked.url, method: asked.method, headers: asked.headers },
      (given) => {
        answer.writeHead(given.statusCode, given.headers);
        given.pipe(answer);
      },
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  return `http://127.0.0.1:${server.address().port}`;
}

function file(files, path) {
  const kind = /\.(js|css)$/.exec(path)?.[1];
  if (!kind) {
    const content = readFileSync(join(files, "index.html"));
    return { content, headers: { "Content-Type": "text/html; charset=utf-8" } };
  }
  const packed = join(files, `app.${kind}.gz`);
  if (!existsSync(packed)) return undefined;
  const headers = { "Content-Type": TYPES[kind], "Content-Encoding": "gzip" };
  return { content: readFileSync(packed), headers };
}
