/** Compresses the built script and style, and writes the licences of what is in them. */

import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** The packages whose modules are in the bundle, by name. */
function packages(ids: Iterable<string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of ids) {
    const match = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id.replace(/^\0/, ""));
    if (match?.[1] && match[2]) found.set(match[2], match[1]);
  }
  return found;
}

function licence(folder: string): string {
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : `Licence: ${about.license}`;
  return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}

export function packed(): Plugin {
  let folder = "";
  const ids = new Set<string>();
  return {
    name: "packed",
    apply: "build",
    configResolved(config) {
      folder = config.build.outDir;
    },
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") for (const id of Object.keys(part.modules)) ids.add(id);
      }
    },
    closeBundle() {
      if (!existsSync(folder)) return;
      for (const name of readdirSync(folder)) {
        const kind = /^app-.*\.(js|css)$/.exec(name)?.[1];
        if (!kind) continue;
        const path = join(folder, name);
        // The time and the system are not in it, so the same source gives the same bytes.
        writeFileSync(join(folder, `app.${kind}.gz`), gzipSync(readFileSync(path), { level: 9 }));
        rmSync(path);
      }
      const used = [...packages(ids)].sort(([a], [b]) => (a < b ? -1 : 1));
      const rule = `\n${"-".repeat(80)}\n\n`;
      writeFileSync(join(folder, "LICENSES.txt"), used.map(([, path]) => licence(path)).join(rule));
    },
  };
}
