/** The transcript: a live region, to which entries are added as they come. */

import type { Conversation, Entry } from "../conversation.ts";
import { h } from "../dom.ts";
import type { Translate } from "../i18n.ts";
import { markdown } from "../markdown.ts";

export class Log {
  readonly element: HTMLElement;
  private readonly intro: HTMLElement;
  private readonly writing: HTMLElement;
  private readonly shown = new Map<Entry, HTMLElement>();

  constructor(private readonly t: Translate) {
    this.intro = h("p", { class: "intro", dir: "auto", hidden: true });
    this.writing = h("p", { class: "writing", hidden: true });
    this.element = h(
      "div",
      { class: "log", role: "log", "aria-live": "polite", "aria-label": t("log"), tabindex: 0 },
      this.intro,
      this.writing,
    );
  }

  show(conversation: Conversation): void {
    const { entries, info, busy, restored } = conversation;
    this.intro.textContent = info?.description ?? "";
    this.intro.hidden = !info?.description;
    // What was said in an earlier visit is not read out.
    this.element.setAttribute("aria-live", restored ? "off" : "polite");
    for (const [entry, element] of this.shown) {
      if (entries.includes(entry)) continue;
      element.remove();
      this.shown.delete(entry);
    }
    let added = false;
    for (const entry of entries) added = this.place(entry) || added;
    this.writing.textContent = this.t(info ? "writing" : "loading");
    const began = busy && this.writing.hidden;
    this.writing.hidden = !busy;
    this.element.append(this.writing);
    if (added || began) this.toEnd();
  }

  toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
  }

  /** Shows the entry, and tells whether it is new. */
  private place(entry: Entry): boolean {
    const known = this.shown.get(entry);
    const element = known ?? this.bubble(entry);
    element.classList.toggle("unsent", entry.state === "unsent");
    const mark = element.querySelector(".mark");
    if (mark) mark.textContent = entry.state === "unsent" ? this.t("unsent") : "";
    if (known) return false;
    this.shown.set(entry, element);
    this.element.insertBefore(element, this.writing);
    return true;
  }

  private bubble(entry: Entry): HTMLElement {
    if (entry.by === "note") return h("p", { class: "note" }, entry.text);
    if (entry.by === "agent")
      return h("div", { class: "bubble" }, this.who("assistant"), ...markdown(entry.text));
    const files = entry.files.map(({ name }) => h("span", { class: "file" }, h("bdi", {}, name)));
    const words = h("p", { dir: "auto" }, entry.text);
    return h("div", { class: "bubble own" }, this.who("you"), words, ...files, h("span", { class: "mark" }));
  }

  /** Who says it, for those who do not see the side of the bubble. */
  private who(by: "you" | "assistant"): HTMLElement {
    return h("span", { class: "unseen" }, `${this.t(by)}: `);
  }
}
