/** What went wrong, and what can be done about it. */

import type { Conversation } from "../conversation.ts";
import { h } from "../dom.ts";
import type { Translate } from "../i18n.ts";
import type { Trouble } from "../trouble.ts";

interface Parts {
  t: Translate;
  conversation: Conversation;
  /** Puts what was not sent back into the field. */
  edit: () => void;
}

export class Notice {
  readonly element: HTMLElement;
  private readonly words = h("p", { role: "alert" });
  private readonly actions = h("div", { class: "quick" });
  private shown: Trouble | undefined;
  private complaint = "";
  private clock: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly parts: Parts) {
    this.element = h("div", { class: "notice unseen" }, this.words, this.actions);
  }

  /** Tells of something that is not about a request; an empty text takes it back. */
  complain(text: string): void {
    this.complaint = text;
    this.show();
  }

  /** What can be done about it first. */
  button(): HTMLElement | null {
    return this.actions.querySelector("button");
  }

  show(): void {
    const { trouble } = this.parts.conversation;
    if (trouble) this.complaint = "";
    const text = trouble?.text ?? this.complaint;
    // It stays in the page, so that what is put into it is read out.
    this.element.classList.toggle("unseen", !text);
    if (this.words.textContent !== text) this.words.textContent = text;
    if (trouble === this.shown) return;
    this.shown = trouble;
    clearInterval(this.clock);
    this.actions.replaceChildren(...(trouble ? this.offer(trouble) : []));
  }

  private offer(trouble: Trouble): HTMLElement[] {
    const { t, conversation, edit } = this.parts;
    const retry = h("button", { type: "button", class: "btn", onclick: () => again() }, t("retry"));
    const again = () => {
      if (retry.getAttribute("aria-disabled") !== "true") void conversation.retry();
    };
    if (trouble.from) this.countDown(retry, trouble.from);
    const unsent = conversation.entries.some((entry) => entry.state === "unsent");
    const change = h("button", { type: "button", class: "btn", onclick: edit }, t("edit"));
    return unsent ? [retry, change] : [retry];
  }

  /** The seconds until another attempt makes sense. They are seen, and not read out. */
  private countDown(button: HTMLElement, from: number): void {
    const left = h("span", { "aria-hidden": "true" });
    button.append(left);
    const tick = () => {
      const seconds = Math.ceil((from - Date.now()) / 1000);
      left.textContent = seconds > 0 ? ` (${seconds})` : "";
      button.setAttribute("aria-disabled", String(seconds > 0));
      if (seconds <= 0) clearInterval(this.clock);
    };
    tick();
    this.clock = setInterval(tick, 500);
  }
}
