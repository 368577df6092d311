/** Builds into another folder, and fails where the script of the server differs. */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const kept = new URL("../../../bins/formwork/assets/widget/", import.meta.url).pathname;
const made = mkdtempSync(join(tmpdir(), "widget-"));

/** The script, unpacked: versions of Node compress differently. */
const script = (folder) => gunzipSync(readFileSync(join(folder, "widget.js.gz")));

try {
  const env = { ...process.env, WIDGET_OUT: made };
  execFileSync("npx", ["vite", "build", "--logLevel", "warn"], { env, stdio: "inherit" });
  if (!script(kept).equals(script(made))) {
    console.error("bins/formwork/assets/widget/widget.js.gz is not what clients/widget builds");
    console.error("run: npm run build");
    process.exitCode = 1;
  }
} finally {
  rmSync(made, { recursive: true });
}
