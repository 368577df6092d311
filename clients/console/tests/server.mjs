/** The real server with a data folder of its own. */

import { spawn, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { proxy } from "./proxy.mjs";

export const BINARY = process.env.FORMWORK_BINARY ?? "";

export class Server {
  constructor(folder, listen, settings) {
    this.folder = folder;
    this.listen = listen;
    this.settings = settings;
  }

  /** `settings` are variables of the environment. */
  static async start(settings = {}) {
    const server = new Server(mkdtempSync(join(tmpdir(), "formwork-console-")), "127.0.0.1:0", settings);
    await server.run();
    const files = process.env.CONSOLE_FILES;
    if (files) server.origin = await proxy(files, server);
    return server;
  }

  /** Starts the program, and waits for its address. */
  run() {
    const process = spawn(BINARY, ["serve", "--data-dir", this.folder, "--listen", this.listen], {
      env: {
        PATH: globalThis.process.env.PATH,
        FORMWORK_FIRST__USER_EMAIL: "ada@example.com",
        ...this.settings,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.process = process;
    return new Promise((done, fail) => {
      let told = "";
      process.stdout.on("data", (piece) => {
        told += piece;
        const address = /listening on (http:\/\/([^\s]+))/.exec(told);
        if (!address) return;
        this.upstream = address[1];
        this.origin ??= this.upstream;
        this.listen = address[2];
        this.key ??= readFileSync(join(this.folder, "first-key"), "utf8").trim();
        done();
      });
      process.on("exit", (code) => fail(new Error(`the server ended with ${code}: ${told}`)));
    });
  }

  /** Ends the program; its folder stays. */
  halt() {
    return new Promise((done) => {
      this.process.removeAllListeners("exit");
      this.process.on("exit", done);
      this.process.kill("SIGTERM");
    });
  }

  async stop() {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }

  tell(...parts) {
    const env = { PATH: process.env.PATH, FORMWORK_DATA_DIR: this.folder };
    return execFileSync(BINARY, parts, { env, encoding: "utf8" }).trim();
  }

  async call(method, path, body, key = this.key) {
    const headers = {
      "X-Service-Key": key,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const response = await fetch(this.origin + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
