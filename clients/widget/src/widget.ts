/** The element of the page: a launcher with a panel, or a panel that is part of the page. */

import { accentVariables } from "./accent.ts";
import { Api } from "./api.ts";
import { Conversation } from "./conversation.ts";
import { h, icon } from "./dom.ts";
import { translator } from "./i18n.ts";
import { clearLink, linkedSession } from "./link.ts";
import type { Options } from "./options.ts";
import { stored } from "./storage.ts";
import controls from "./controls.css?inline";
import page from "./page.css?inline";
import style from "./style.css?inline";
import { Panel } from "./ui/panel.ts";

export const NAME = "formwork-form";

/** Screens on which the panel covers everything. */
const SMALL = "(max-width: 480px), (max-height: 420px)";

/** Milliseconds between two looks at a conversation in which a person answers. */
const LOOK = 5000;
/** Every how many looks others are looked at, and after how many without a sign of the visitor no more. */
const IDLE = 6;
const GONE = 120;

export class Widget {
  private readonly conversation: Conversation;
  private readonly panel: Panel;
  private readonly root: HTMLElement;
  private readonly launcher: HTMLButtonElement | undefined;
  private readonly dialog: HTMLDialogElement | undefined;
  private readonly small = window.matchMedia(SMALL);

  constructor(
    private readonly element: HTMLElement,
    private readonly options: Options,
  ) {
    const t = translator(options.language);
    const { session, draft } = stored(options.key);
    const inline = options.position === "inline";
    const { hosted, position, theme, language } = options;
    this.conversation = new Conversation(new Api(options.origin, options.key), session, t);
    this.conversation.onsubmitted = (submissionId) => this.tell("submitted", { submissionId });
    const close = inline ? undefined : () => this.close();
    this.panel = new Panel({ t, conversation: this.conversation, draft, hosted, close });
    this.root = h("section", {
      class: `root ${position} ${theme}`,
      lang: language,
      "aria-labelledby": "title",
    });
    if (inline) this.root.append(h("div", { class: "panel" }, ...this.panel.content));
    else {
      this.root.setAttribute("aria-label", t("open"));
      this.root.removeAttribute("aria-labelledby");
      this.dialog = this.makeDialog();
      this.launcher = this.makeLauncher(t("open"));
      this.root.append(this.launcher, this.dialog);
    }
    this.listen();
    const shadow = element.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [styleSheet(style), styleSheet(controls)];
    shadow.append(this.root);
    if (hosted) {
      document.adoptedStyleSheets.push(styleSheet(page.replaceAll("THEME", SCHEMES[theme])));
      document.documentElement.lang = language;
    }
  }

  /** After the element is in the page: its colours, and the conversation of a link or of the page. */
  start(): void {
    const { accent, opens, position } = this.options;
    if (accent !== undefined) this.paint(accent);
    this.stack();
    const linked = linkedSession();
    if (linked) void this.follow(linked);
    else if (position === "inline") void this.conversation.begin();
    else if (opens) this.open(false);
  }

  /** Opens the panel, and goes on with the conversation or begins one. */
  open(focus = true): void {
    this.reveal(focus);
    if (this.conversation.info) void this.conversation.refresh();
    else if (!this.conversation.busy) void this.conversation.begin();
  }

  /** Focus goes into the panel, unless the page opens it by itself. */
  private reveal(focus: boolean): void {
    if (this.dialog && !this.dialog.open) {
      for (const other of document.querySelectorAll(NAME))
        if (other !== this.element) other.dispatchEvent(new CustomEvent("formwork:close"));
      this.display(this.dialog);
      this.launcher?.setAttribute("aria-expanded", "true");
      this.root.classList.add("open");
    }
    this.panel.revealed();
    if (focus) this.panel.focus();
  }

  close(): void {
    if (!this.dialog?.open) return;
    const inside = this.dialog.contains(this.element.shadowRoot?.activeElement ?? null);
    this.dialog.close();
    this.root.classList.remove("open");
    this.launcher?.setAttribute("aria-expanded", "false");
    if (inside) this.launcher?.focus();
  }

  /** Goes on with the conversation of a link, if it is of this form, or of no other one. */
  private async follow(session: string): Promise<void> {
    const alone = document.querySelectorAll(NAME).length === 1;
    if (alone) this.reveal(false);
    if (await this.conversation.follow(session)) {
      clearLink();
      this.reveal(false);
    } else if (!this.conversation.trouble && (alone || this.options.position === "inline")) {
      // A link that cannot be followed for now stays in the address.
      if (alone) clearLink();
      await this.conversation.begin(alone);
    }
  }

  private display(dialog: HTMLDialogElement): void {
    if (this.small.matches) dialog.showModal();
    else dialog.open = true;
  }

  private makeDialog(): HTMLDialogElement {
    const dialog = h(
      "dialog",
      { class: "panel", id: "panel", "aria-labelledby": "title" },
      ...this.panel.content,
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    dialog.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.isComposing) return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
    const { visualViewport } = window;
    visualViewport?.addEventListener("resize", () => this.fit(dialog, visualViewport));
    this.small.addEventListener("change", () => {
      if (!dialog.open) return;
      dialog.close();
      this.display(dialog);
    });
    return dialog;
  }

  /** The keyboard of a telephone leaves the panel less room, unless the page is magnified. */
  private fit({ style, open }: HTMLDialogElement, { height, offsetTop, scale }: VisualViewport): void {
    const covered = open && this.small.matches && scale === 1 && height < window.innerHeight - 1;
    style.height = covered ? `${height}px` : "";
    style.top = covered ? `${offsetTop}px` : "";
  }

  private makeLauncher(label: string): HTMLButtonElement {
    const attributes = {
      type: "button",
      class: "launcher",
      "aria-expanded": "false",
      "aria-haspopup": "dialog",
    };
    return h("button", { ...attributes, onclick: () => this.open() }, icon("chat"), h("span", {}, label));
  }

  private listen(): void {
    this.element.addEventListener("formwork:open", () => this.open());
    this.element.addEventListener("formwork:close", () => this.close());
    window.addEventListener("hashchange", () => {
      const linked = linkedSession();
      if (linked) void this.follow(linked);
    });
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) void this.conversation.refresh();
    });
    this.watch();
    window.addEventListener("online", () => {
      if (this.conversation.trouble?.network) void this.conversation.retry();
    });
    const mark = (over: boolean) => this.root.classList.toggle("over", over);
    this.root.addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      mark(true);
    });
    this.root.addEventListener("dragleave", () => mark(false));
    this.root.addEventListener("drop", (event) => {
      mark(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      this.panel.takeFiles(files);
    });
  }

  /** Looks what a person says, while one answers; else whether one does, as long as the visitor is likely to be there. */
  private watch(): void {
    let quiet = 0;
    const { conversation } = this;
    for (const sign of ["keydown", "pointerdown"]) this.root.addEventListener(sign, () => (quiet = 0));
    setInterval(() => {
      quiet += 1;
      const seen = !document.hidden && (!this.dialog || this.dialog.open);
      const due = conversation.person || (quiet % IDLE === 0 && quiet < GONE);
      if (seen && due) void conversation.refresh();
    }, LOOK);
  }

  private paint(accent: string): void {
    const variables = accentVariables(accent, this.root);
    if (!variables) {
      console.error(`formwork: data-accent="${accent}" is not an opaque colour`);
      return;
    }
    for (const [name, value] of Object.entries(variables)) this.root.style.setProperty(name, value);
  }

  /** Launchers at the same side stand above each other. */
  private stack(): void {
    const all = [
      ...document.querySelectorAll<HTMLElement>(`${NAME}[data-position="${this.options.position}"]`),
    ];
    this.root.style.setProperty("--slot", String(all.indexOf(this.element)));
  }

  private tell(name: string, detail: unknown): void {
    this.element.dispatchEvent(
      new CustomEvent(`formwork:${name}`, { bubbles: true, composed: true, detail }),
    );
  }
}

const SCHEMES = { light: "light", dark: "dark", auto: "light dark" };

/** A style that no policy of the page forbids, and that the page's own does not reach. */
function styleSheet(text: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(text);
  return made;
}
