/** A visitor's browser, and what must hold for every page with the widget. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = process.env.WIDGET_SHOTS;

/** A page that collects violations of the policy, uncaught errors, dialogs and requests to other servers. */
export async function visit(browser, address, { origins, context: given, ...options }) {
  const context =
    given ??
    (await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", ...options }));
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!origins.some((origin) => url.startsWith(origin))) problems.push(`request to ${url}`);
  });
  await page.addInitScript(() => {
    globalThis.told = [];
    document.addEventListener("formwork:submitted", (event) =>
      globalThis.told.push(event.detail.submissionId),
    );
  });
  if (address) await page.goto(address);
  return { page, context, problems };
}

/** What was sent, by the event for the site. */
export const submitted = (page) => page.evaluate(() => globalThis.told);

/** Fails where the rules of WCAG 2.2 AA are broken. The tool is put in by the browser, which no policy forbids. */
export async function accessible(page, place) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  const told = violations.map((broken) => {
    const nodes = broken.nodes
      .slice(0, 3)
      .map((node) => `${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`);
    return `${broken.id}: ${nodes.join(" | ")}`;
  });
  assert.deepEqual(told, [], place);
}

export async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

/** The widget of a page, as a visitor uses it. */
export class Visitor {
  constructor(page) {
    this.page = page;
    this.log = page.getByRole("log");
    this.field = page.getByRole("textbox", { name: "Your message" });
  }

  async open() {
    await this.page.getByRole("button", { name: "Fill in the form" }).click();
  }

  /** Waits for words of the agent. */
  async hears(words) {
    await this.log.getByText(words).last().waitFor();
  }

  async says(words) {
    await this.field.fill(words);
    await this.field.press("Enter");
  }

  async presses(name) {
    await this.page.getByRole("button", { name, exact: true }).click();
  }
}

export const REPAIR = {
  name: { type: "string", order: 1, required: true, description: "What is your name?" },
  bicycle: {
    type: "string",
    enum: ["City bike", "Cargo bike", "Other"],
    order: 2,
    description: "Which bicycle?",
  },
  parts: {
    type: "array",
    items: { type: "string", enum: ["Brakes", "Gears", "Lights"] },
    order: 3,
    description: "What is broken?",
  },
  day: { type: "date", order: 4, description: "Which day suits you?" },
  at: { type: "string", format: "time", order: 5, description: "At what time?" },
  loan: { type: "boolean", order: 6, description: "Do you need a bicycle meanwhile?" },
  price: { type: "money", currencies: ["EUR", "GBP"], order: 7, description: "What may it cost?" },
  mail: { type: "email", order: 8, description: "Your e-mail address?" },
};
