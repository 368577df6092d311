/** Properties of an item, by which searches filter: a line for each, `name: value`. */

export const META_HINT = "year: 2026\narea: north";

/** The properties of the lines; undefined where a line has no name. */
export function parseMeta(text: string): Record<string, unknown> | undefined {
  const meta: Record<string, unknown> = {};
  for (const line of text.split("\n")) {
    if (!line.trim()) continue;
    const at = line.indexOf(":");
    const name = line.slice(0, at).trim();
    if (at < 1 || !name) return undefined;
    meta[name] = parseValue(line.slice(at + 1).trim());
  }
  return meta;
}

/** A number, yes or no, a list or an object where the text is one; else the text. */
export function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function writeMeta(meta: Record<string, unknown>): string {
  return Object.entries(meta)
    .map(([name, value]) => `${name}: ${writeValue(value)}`)
    .join("\n");
}

/** The text that is read as the value. */
function writeValue(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return parseValue(value) === value && !value.includes("\n") ? value : JSON.stringify(value);
}
