/** Builds into another folder, and fails where the files of the server differ. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const kept = new URL("../../../bins/formwork/assets/widget/", import.meta.url).pathname;
const made = mkdtempSync(join(tmpdir(), "widget-"));

/** The content of a file, unpacked: versions of Node compress differently. */
const content = (folder, name) => {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
};

try {
  const env = { ...process.env, WIDGET_OUT: made };
  execFileSync("npx", ["vite", "build", "--emptyOutDir", "--logLevel", "warn"], { env, stdio: "inherit" });
  const names = new Set([...readdirSync(kept), ...readdirSync(made)]);
  const differ = [...names].filter((name) => {
    const both = readdirSync(kept).includes(name) && readdirSync(made).includes(name);
    return !both || !content(kept, name).equals(content(made, name));
  });
  if (differ.length > 0) {
    console.error(`bins/formwork/assets/widget is not what clients/widget builds: ${differ.join(", ")}`);
    console.error("run: npm run build");
    process.exitCode = 1;
  }
} finally {
  rmSync(made, { recursive: true });
}
