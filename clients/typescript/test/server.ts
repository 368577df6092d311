/** A real server for the tests. FORMWORK_BINARY is the path of its program. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Server {
  url: string;
  key: string;
  stop: () => Promise<void>;
}

export async function start(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), "formwork-"));
  const settings = ["--listen", "127.0.0.1:0", "--data-dir", join(folder, "data")];
  const program = process.env["FORMWORK_BINARY"] ?? "formwork";
  const child = spawn(program, settings, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const last = async () => String((await lines.next()).value).split(" ").at(-1) ?? "";
  const [url, key] = [await last(), await last()];
  const stop = async () => {
    child.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true });
  };
  return { url, key, stop };
}
