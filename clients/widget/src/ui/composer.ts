/** The field for words and files. */

import { MAX_MESSAGE } from "../api.ts";
import { h, icon } from "../dom.ts";
import { excess, MAX_FILES, MAX_MEGABYTES } from "../files.ts";
import type { Translate } from "../i18n.ts";
import type { Stored } from "../storage.ts";

interface Parts {
  t: Translate;
  draft: Stored;
  /** Sends, and tells whether the message was taken. */
  say: (text: string, files: File[]) => Promise<boolean>;
  /** Nothing is written: a value may stand in the controls above. */
  empty: () => void;
  /** Tells what is wrong with files. */
  complain: (text: string) => void;
}

/** Pixels that the field grows to. */
const TALLEST = 160;

export class Composer {
  readonly element: HTMLFormElement;
  readonly field: HTMLTextAreaElement;
  private readonly send: HTMLButtonElement;
  private readonly list: HTMLElement;
  private readonly attach: HTMLButtonElement;
  private files: File[] = [];

  constructor(private readonly parts: Parts) {
    const { t, draft } = parts;
    this.field = h("textarea", {
      rows: 1,
      maxlength: MAX_MESSAGE,
      dir: "auto",
      "aria-label": t("message"),
      placeholder: t("placeholder"),
      onkeydown: (event: KeyboardEvent) => this.key(event),
      oninput: () => this.written(),
      onpaste: (event: ClipboardEvent) => this.pasted(event),
    });
    this.field.value = draft.get() ?? "";
    const chooser = h("input", {
      type: "file",
      multiple: true,
      hidden: true,
      "aria-label": t("attach"),
      tabindex: -1,
    });
    chooser.addEventListener("change", () => {
      this.take([...(chooser.files ?? [])]);
      chooser.value = "";
      this.field.focus();
    });
    this.attach = h(
      "button",
      {
        type: "button",
        class: "round",
        "aria-label": t("attach"),
        title: t("attach"),
        onclick: () => chooser.click(),
      },
      icon("clip"),
    );
    this.send = h(
      "button",
      { type: "submit", class: "round main", "aria-label": t("send"), title: t("send") },
      icon("send"),
    );
    this.list = h("ul", { class: "files", "aria-label": t("files"), hidden: true });
    const submit = (event: Event) => {
      event.preventDefault();
      void this.submit();
    };
    this.element = h(
      "form",
      { class: "composer", onsubmit: submit },
      this.list,
      h("div", { class: "row" }, this.attach, chooser, this.field, this.send),
    );
    this.written();
  }

  /** What is written and attached goes back into the field, before what is there. */
  restore(text: string, files: File[]): void {
    this.field.value = [text, this.field.value].filter(Boolean).join("\n").slice(0, MAX_MESSAGE);
    this.files = [...files, ...this.files];
    this.listFiles();
    this.written();
    this.field.focus();
  }

  /** Adds files, as far as the limits permit. */
  take(files: File[]): void {
    const { t, complain } = this.parts;
    const wanted = [...this.files, ...files];
    const wrong = excess(wanted);
    if (wrong) complain(t(wrong, { count: MAX_FILES, size: MAX_MEGABYTES }));
    else {
      complain("");
      this.files = wanted;
      this.listFiles();
    }
  }

  set busy(busy: boolean) {
    this.send.setAttribute("aria-disabled", String(busy));
  }

  /** The keyboard of a telephone that fits the answer, and can write words too. */
  set keyboard(type: string | undefined) {
    this.field.inputMode = type === "email" || type === "url" ? type : "text";
  }

  private key(event: KeyboardEvent): void {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void this.submit();
  }

  private pasted(event: ClipboardEvent): void {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.take(files);
  }

  /** The field is as tall as what is written. */
  fit(): void {
    const { style } = this.field;
    style.height = "auto";
    if (this.field.scrollHeight > 0) style.height = `${Math.min(this.field.scrollHeight + 2, TALLEST)}px`;
  }

  private written(): void {
    this.fit();
    this.parts.draft.set(this.field.value);
  }

  private async submit(): Promise<void> {
    const { t, say, empty } = this.parts;
    const text = this.field.value.trim();
    const files = this.files;
    if (this.send.getAttribute("aria-disabled") === "true") return;
    if (!text && files.length === 0) {
      empty();
      return;
    }
    const written = this.field.value;
    if (!(await say(text || t("say_files"), files))) return;
    // What was typed while an earlier message was sent stays.
    this.field.value = this.field.value.startsWith(written)
      ? this.field.value.slice(written.length)
      : this.field.value;
    this.files = this.files.filter((one) => !files.includes(one));
    this.listFiles();
    this.written();
  }

  private listFiles(): void {
    const { t } = this.parts;
    this.list.hidden = this.files.length === 0;
    this.list.replaceChildren(
      ...this.files.map((one) => {
        const remove = () => {
          this.files = this.files.filter((other) => other !== one);
          this.listFiles();
          this.field.focus();
        };
        const label = t("remove", { name: one.name });
        const button = h("button", { type: "button", "aria-label": label, onclick: remove }, icon("close"));
        return h("li", {}, h("bdi", {}, one.name), button);
      }),
    );
  }
}
