/** Where words stand: on the picture of a page, and in the text of a document. Offsets count Unicode characters. */

import type { Mark } from "./evidence.ts";
import type { Rect } from "./rect.ts";

export interface Placed {
  page: number;
  start: number;
  end: number;
  box: Rect;
}

export interface Word {
  text: string;
  start: number;
  rect: Rect;
  /** The word, or its whole line where the word stands on the page more than once. */
  quote: string;
}

/** Gives parts of a text by offsets in Unicode characters. Only texts beyond the basic plane need a list of them. */
export function slicer(text: string): (start: number, end: number) => string {
  if (!/[\ud800-\udfff]/.test(text)) return (start, end) => text.slice(start, end);
  const characters = Array.from(text);
  return (start, end) => characters.slice(start, end).join("");
}

/** The words of printed lines. Within a line their places are estimated by the number of characters. */
export function placed(body: string, lines: Placed[]): Word[] {
  const slice = slicer(body);
  const seen = new Map<string, number>();
  const words = lines.flatMap((line) => {
    const text = slice(line.start, line.end);
    const step = (line.box.x1 - line.box.x0) / Math.max(1, text.length);
    return [...text.matchAll(/\S+/g)].map((match) => {
      const word = match[0].replace(/^[*#|]+|[*|]+$/g, "");
      seen.set(word, (seen.get(word) ?? 0) + 1);
      const rect = {
        ...line.box,
        x0: line.box.x0 + match.index * step,
        x1: line.box.x0 + (match.index + match[0].length) * step,
      };
      return { text: word, start: line.start + match.index, rect, quote: text.trim() };
    });
  });
  return words
    .filter((word) => word.text)
    .map((word) => (seen.get(word.text) === 1 ? { ...word, quote: word.text } : word));
}

export interface TextLine {
  text: string;
  start: number;
  end: number;
}

/** Characters of a line in the page; a longer one is continued on the next. */
const MAX_LINE = 2_000;

export function lines(body: string): TextLine[] {
  const found: TextLine[] = [];
  let start = 0;
  for (const whole of body.split("\n")) {
    const characters = /[\ud800-\udfff]/.test(whole) ? Array.from(whole) : null;
    const length = characters ? characters.length : whole.length;
    for (let at = 0; at === 0 || at < length; at += MAX_LINE) {
      const text = characters ? characters.slice(at, at + MAX_LINE).join("") : whole.slice(at, at + MAX_LINE);
      found.push({ text, start: start + at, end: start + Math.min(length, at + MAX_LINE) });
    }
    start += length + 1;
  }
  return found;
}

export interface Part {
  text: string;
  start: number;
  mark?: Mark;
}

const ORDER = { main: 0, conflict: 1, other: 2 };

/** The parts of a line, those of values with their marks. */
export function parts(line: TextLine, marks: Mark[]): Part[] {
  const slice = slicer(line.text);
  const inside = marks
    .filter(
      ({ evidence: { start, end } }) =>
        start !== undefined && end !== undefined && start < line.end && end > line.start,
    )
    .sort((a, b) => ORDER[a.kind] - ORDER[b.kind]);
  const taken: { from: number; to: number; mark: Mark }[] = [];
  for (const mark of inside) {
    const from = Math.max(0, (mark.evidence.start ?? 0) - line.start);
    const to = Math.min(line.end, mark.evidence.end ?? 0) - line.start;
    if (taken.every((other) => to <= other.from || from >= other.to)) taken.push({ from, to, mark });
  }
  taken.sort((a, b) => a.from - b.from);
  const found: Part[] = [];
  let at = 0;
  for (const { from, to, mark } of taken) {
    if (from > at) found.push({ text: slice(at, from), start: at });
    found.push({ text: slice(from, to), start: from, mark });
    at = to;
  }
  if (at < line.end - line.start) found.push({ text: slice(at, line.end - line.start), start: at });
  return found;
}
