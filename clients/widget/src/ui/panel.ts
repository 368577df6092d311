/** The content of the widget: head, transcript, controls for the answer, field for words. */

import type { Conversation } from "../conversation.ts";
import { h, icon } from "../dom.ts";
import type { Translate } from "../i18n.ts";
import { linkTo } from "../link.ts";
import type { Stored } from "../storage.ts";
import { answers } from "./answers.ts";
import { Composer } from "./composer.ts";
import { Log } from "./log.ts";
import { Notice } from "./notice.ts";

interface Parts {
  t: Translate;
  conversation: Conversation;
  draft: Stored;
  /** The title is the one of the page. */
  hosted: boolean;
  /** Closes the panel; one that is part of the page cannot be closed. */
  close: (() => void) | undefined;
}

/** A new keyboard on the screen would hide what was said. */
const hasKeyboard = () => window.matchMedia("(pointer: fine)").matches;

export class Panel {
  readonly title: HTMLElement;
  readonly content: HTMLElement[];
  private readonly log: Log;
  private readonly notice: Notice;
  private readonly composer: Composer;
  private readonly progress = h("progress", { max: 1, value: 0, hidden: true });
  private readonly filled = h("span", { class: "filled" });
  private readonly answers = h("div", { class: "controls" });
  private readonly person = h("p", { class: "hint", role: "status" });
  private readonly link = h("div", { class: "link", role: "status" });
  private readonly again: HTMLElement;
  private readonly foot: HTMLElement;
  /** What the controls are for; they stay as they are while it does. */
  private asked: unknown;
  /** Focus was on a control that is gone, and goes to the next one. */
  private follows = false;

  constructor(private readonly parts: Parts) {
    const { t, conversation, draft, hosted, close } = parts;
    this.title = h(hosted ? "h1" : "h2", { id: "title" }, h("bdi", {}, t("open")));
    this.log = new Log(t);
    this.notice = new Notice({ t, conversation, edit: () => void this.edit() });
    const say = (text: string, files?: File[]) => this.say(text, files);
    const empty = () => this.answers.querySelector<HTMLFormElement>("form.line")?.requestSubmit();
    this.composer = new Composer({ t, draft, say, empty, complain: (text) => this.notice.complain(text) });
    const restart = () => this.restart();
    this.again = h("button", { type: "button", class: "quiet", onclick: restart }, t("again"));
    this.foot = h(
      "div",
      { class: "foot", hidden: true },
      h("button", { type: "button", class: "quiet", onclick: () => void this.copy() }, t("copy")),
      this.again,
      this.link,
    );
    const head = h("header", {}, h("div", { class: "titles" }, this.title, this.filled));
    if (close) {
      const label = { "aria-label": t("close"), title: t("close") };
      head.append(
        h("button", { type: "button", class: "round plain", onclick: close, ...label }, icon("close")),
      );
    }
    const below = h(
      "div",
      { class: "below" },
      this.notice.element,
      this.person,
      this.answers,
      this.composer.element,
      this.foot,
    );
    this.content = [head, this.progress, this.log.element, below];
    conversation.onchange = () => this.show();
  }

  /** Where the focus goes in a panel that was opened. */
  focus(): void {
    (hasKeyboard() ? this.composer.field : this.log.element).focus();
  }

  /** What depends on the size of the panel is done when it is seen. */
  revealed(): void {
    this.composer.fit();
    this.log.toEnd();
  }

  takeFiles(files: File[]): void {
    this.composer.take(files);
  }

  show(): void {
    const { conversation, t } = this.parts;
    const { info, form, busy, trouble, session } = conversation;
    if (info) (this.title.firstChild as HTMLElement).textContent = info.title;
    if (info && this.parts.hosted) document.title = info.title;
    const { filled, total } = form?.progress ?? { filled: 0, total: 0 };
    const text = t("progress", { filled, total });
    this.filled.textContent = total > 0 ? text : "";
    this.progress.hidden = total === 0;
    this.progress.max = Math.max(1, total);
    this.progress.value = filled;
    this.progress.setAttribute("aria-label", text);
    this.showAnswers();
    this.log.show(conversation);
    if (busy) this.holdFocus(this.notice.element);
    this.notice.show();
    this.composer.busy = busy;
    this.composer.keyboard = form?.next?.definition.type;
    this.foot.hidden = !session;
    this.again.hidden = !conversation.linked || busy;
    if (busy) return;
    this.giveFocus();
    if (trouble?.final) this.giveBack(trouble.text);
  }

  /** What the server refuses can be changed in the field. */
  private giveBack(reason: string): void {
    if (this.edit()) this.notice.complain(reason);
  }

  private showAnswers(): void {
    const { conversation, t } = this.parts;
    const { form, busy, person } = conversation;
    const wanted = busy ? "busy" : person ? "person" : (form ?? "none");
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.holdFocus(this.answers);
    this.person.textContent = person ? t("person") : "";
    const made =
      busy || person ? undefined : (this.ending() ?? answers(form, t, (text) => void this.say(text)));
    this.answers.replaceChildren(...(made ? [made] : []));
  }

  private focused(): Element | null {
    return (this.answers.getRootNode() as ShadowRoot).activeElement;
  }

  /** Focus on what goes away waits at the transcript. */
  private holdFocus(place: HTMLElement): void {
    if (!place.contains(this.focused())) return;
    this.follows = true;
    this.log.element.focus();
  }

  /** Focus that waits goes to what can be done next. */
  private giveFocus(): void {
    if (!this.follows) return;
    this.follows = false;
    if (this.focused() === this.log.element) (this.notice.button() ?? this.control() ?? this).focus();
  }

  /** The first control for the answer, unless it would bring the keyboard of a telephone. */
  private control(): HTMLElement | undefined {
    const first = this.answers.querySelector<HTMLElement>("button, select, input");
    const fits = first && (hasKeyboard() || first.tagName === "BUTTON") && !first.closest(".quick, .ending");
    return fits ? first : undefined;
  }

  private say(text: string, files?: File[]): Promise<boolean> {
    this.notice.complain("");
    return this.parts.conversation.say(text, files);
  }

  /** What is said of a form that was sent or cancelled. */
  private ending(): HTMLElement | undefined {
    const { conversation, t } = this.parts;
    const status = conversation.form?.status;
    if (status !== "submitted" && status !== "cancelled") return undefined;
    return h(
      "div",
      { class: `ending ${status}` },
      h("p", {}, t(status)),
      h("button", { type: "button", class: "btn", onclick: () => this.restart() }, t("again")),
    );
  }

  private restart(): void {
    this.link.replaceChildren();
    void this.parts.conversation.restart();
  }

  private edit(): boolean {
    const entry = this.parts.conversation.withdraw();
    if (entry) this.composer.restore(entry.text, entry.files);
    return entry !== undefined;
  }

  private async copy(): Promise<void> {
    const { conversation, t } = this.parts;
    if (!conversation.session) return;
    const address = linkTo(conversation.session);
    try {
      await navigator.clipboard.writeText(address);
      this.link.replaceChildren(t("copied"));
    } catch {
      const shown = h("input", { type: "text", readonly: true, "aria-label": t("copy_yourself") });
      shown.value = address;
      this.link.replaceChildren(t("copy_yourself"), shown);
      shown.select();
    }
  }
}
