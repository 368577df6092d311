/** Compresses the built script. Nothing of others may be in it, since its licence would have to go with it. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Bytes of the compressed script. */
const MOST = 20_000;

export function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        const foreign =
          part.type === "chunk" && Object.keys(part.modules).find((id) => id.includes("node_modules"));
        if (foreign) this.error(`the widget has no packages of others, but ${foreign}`);
      }
    },
    closeBundle(error) {
      if (error) return;
      const path = join(folder, "widget.js");
      // The time and the system are not in it, so the same source gives the same bytes.
      const bytes = gzipSync(readFileSync(path), { level: 9 });
      if (bytes.length > MOST) throw new Error(`the widget has ${bytes.length} bytes, more than ${MOST}`);
      writeFileSync(`${path}.gz`, bytes);
      rmSync(path);
    },
  };
}
