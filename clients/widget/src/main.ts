/** Puts the form of this script into the page, and gives the page a way to open it. */

import { type Options, readOptions } from "./options.ts";
import { NAME, Widget } from "./widget.ts";

interface FormworkApi {
  open: (key?: string) => void;
  close: (key?: string) => void;
}

declare global {
  interface Window {
    Formwork?: FormworkApi;
  }
}

const script = document.currentScript;

/** The form with the key, else the first one of the page. */
function tell(name: string, key: string | undefined): void {
  const all = [...document.querySelectorAll<HTMLElement>(NAME)];
  const found = key ? all.find((one) => one.dataset.key === key) : all[0];
  found?.dispatchEvent(new CustomEvent(`formwork:${name}`));
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}

function mount(options: Options): void {
  const { key, position, target } = options;
  const place = target && position === "inline" ? find(target) : document.body;
  if (!place) {
    console.error(`formwork: there is no element ${target}`);
    return;
  }
  const same = [...document.querySelectorAll<HTMLElement>(NAME)].some((one) => one.dataset.key === key);
  if (same) return;
  const element = document.createElement(NAME);
  Object.assign(element.dataset, { key, position, hosted: String(options.hosted) });
  const widget = new Widget(element, options);
  place.append(element);
  widget.start();
}

function run(): void {
  if (!(script instanceof HTMLScriptElement)) {
    console.error("formwork: the widget is a plain script, not a module");
    return;
  }
  const options = readOptions(script);
  if (typeof options === "string") {
    console.error(`formwork: ${options}`);
    return;
  }
  if (!customElements.get(NAME)) customElements.define(NAME, class extends HTMLElement {});
  window.Formwork = { open: (key) => tell("open", key), close: (key) => tell("close", key) };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => mount(options));
  else mount(options);
}

run();
