/** The agent's text as elements: paragraphs, lists, bold, links. Everything else is text. */

import { h } from "./dom.ts";

const ITEM = /^\s*(?:[-*•]|(\d{1,9})[.)])\s+([^]*)$/;
const INLINE = /\*\*(?=\S)([^*]+?)\*\*|\[([^\][]+)\]\(([^\s()]+)\)/g;
const SCHEMES = ["http:", "https:", "mailto:"];

export function markdown(text: string): Node[] {
  return text
    .replace(/\r\n?/g, "\n")
    .split(/\n\s*\n/)
    .flatMap(block);
}

/** The paragraphs and lists of lines without an empty one among them. */
function block(text: string): Node[] {
  const made: HTMLElement[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const item = ITEM.exec(line);
    const last = made.at(-1);
    if (item) list(made, item).append(h("li", { dir: "auto" }, ...inline(item[2] ?? "")));
    else if (last?.tagName === "P") last.append(h("br"), ...inline(line));
    else made.push(h("p", { dir: "auto" }, ...inline(line)));
  }
  return made;
}

/** The list that the item belongs to: the last one, where it is of the same kind. */
function list(made: HTMLElement[], item: RegExpExecArray): HTMLElement {
  const tag = item[1] ? "ol" : "ul";
  const last = made.at(-1);
  if (last?.tagName.toLowerCase() === tag) return last;
  const next = item[1] ? h("ol", { start: Number(item[1]) }) : h("ul");
  made.push(next);
  return next;
}

function inline(text: string): (Node | string)[] {
  const made: (Node | string)[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, bold, label, address] = found;
    made.push(text.slice(at, found.index));
    at = found.index + whole.length;
    if (bold !== undefined) made.push(h("strong", {}, bold));
    else made.push(link(label ?? "", address ?? "") ?? whole);
  }
  made.push(text.slice(at));
  return made;
}

function link(label: string, address: string): HTMLElement | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!SCHEMES.includes(url.protocol)) return undefined;
  return h("a", { href: url.href, target: "_blank", rel: "noopener noreferrer" }, label);
}
