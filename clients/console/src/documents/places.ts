/** The places of a part of a text: in the text, and on the pages that print it. */

import type { Mark } from "./evidence.ts";
import type { Rect } from "./rect.ts";
import type { Placed } from "./words.ts";

interface Part {
  start: number;
  end: number;
  page?: number | null;
  /** Its place on the page, where it is known. */
  box?: Rect;
}

/** The marks of a part: its box, or the printed lines that have some of it, or its text alone. */
export function marksOf(part: Part, label: string, kind: Mark["kind"], lines: Placed[]): Mark[] {
  const { start, end, page, box } = part;
  if (box) return [{ kind, label, evidence: { start, end, page, box } }];
  const inside = lines.filter((line) => line.start < end && line.end > start);
  if (inside.length === 0) return [{ kind, label, evidence: { start, end, page: null } }];
  return inside.map((line) => ({
    kind,
    label,
    evidence: {
      start: Math.max(start, line.start),
      end: Math.min(end, line.end),
      page: line.page,
      box: line.box,
    },
  }));
}

/** Where the text first stands in a body, in Unicode characters. */
export function locate(body: string, text: string): { start: number; end: number } | undefined {
  const at = text ? body.indexOf(text) : -1;
  if (at < 0) return undefined;
  const start = Array.from(body.slice(0, at)).length;
  return { start, end: start + Array.from(text).length };
}
