/** Elements without markup: texts are texts, whatever is in them. */

type Value = string | number | boolean | undefined | ((event: never) => void);

/** An element with attributes; a function is a listener of the event that its name has after `on`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  chat: "M4 5h16v11H10l-4 4v-4H4z",
  close: "M6 6l12 12M18 6L6 18",
  clip: "M19 11l-7.5 7.5a4.5 4.5 0 0 1-6.4-6.4L13 4.3a3 3 0 0 1 4.300 4.300l-7.800 7.800a1.500 1.500 0 0 1-2.200-2.200L14 7.500",
  send: "M5 12h13M12 5l7 7-7 7",
};

export function icon(name: keyof typeof PATHS): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
