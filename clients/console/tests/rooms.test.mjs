/** A first-time user goes through the rooms, with the real server and its built-in model. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { pdf } from "./checks.mjs";
import { accessible, shot } from "./page.mjs";
import { Server } from "./server.mjs";

const invoice = (number, vendor, total) =>
  `Invoice\n\nInvoice number: ${number}\nInvoice date: 14 March 2026\nVendor name: ${vendor}\nTotal amount: ${total}\nCurrency: GBP\nPayment terms: 30 days net\n`;

let server;
let browser;
const files = mkdtempSync(join(tmpdir(), "console-files-"));

before(async () => {
  server = await Server.start();
  browser = await launch();
  writeFileSync(join(files, "harbour.txt"), invoice("INV-2041", "Harbour Works", "1656.00"));
  writeFileSync(
    join(files, "pier.html"),
    "<h1>Invoice</h1><p>Invoice number: P-77</p><p>Vendor name: Pier Ltd</p><p>Total amount: 88.50</p>",
  );
  writeFileSync(join(files, "broken.pdf"), "%PDF-1.4 nothing");
  writeFileSync(
    join(files, "sample.pdf"),
    pdf(["Invoice number: A-9", "Vendor name: Quay Stores", "Total amount: 412.00", "Currency: EUR"]),
  );
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function signedIn(options, key = server.key) {
  const opened = await open(browser, server.origin, options);
  await opened.context.addInitScript((key) => sessionStorage.setItem("formwork.key", key), key);
  await opened.page.goto(`${server.origin}/console`);
  return opened;
}

test("a person signs in with the first key, and a wrong one is refused", async () => {
  const { page, context, problems } = await open(browser, server.origin);
  await page.goto(`${server.origin}/console`);
  await page.getByRole("button", { name: "Use an API key instead" }).click();
  await accessible(page, "sign-in");
  await page.getByLabel("API key").fill("fw_wrong");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText("That was not accepted").waitFor();
  await page.getByLabel("API key").fill(server.key);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("heading", { name: "No runs yet" }).waitFor();
  await accessible(page, "no runs");
  assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0, "the key stays in the tab");
  assert.deepEqual(problems, []);
  await context.close();
});

test("an analyst makes a form of a template, talks to it, changes it and publishes it", async () => {
  const { page, context, problems } = await signedIn();
  await page.getByRole("link", { name: "Forms" }).click();
  await page.getByRole("heading", { name: "No forms yet" }).waitFor();
  await accessible(page, "no forms");
  await page.getByRole("button", { name: /^Template/ }).click();
  await page
    .getByRole("button", { name: /^Invoice/ })
    .first()
    .click();
  await page.getByRole("grid", { name: "Fields" }).waitFor();
  await accessible(page, "designer");

  await page.getByLabel("Message").fill("The invoice number is INV-5");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".took").getByText("INV-5").waitFor();
  await page.getByLabel("Message").fill("The total amount is 180.50");
  await page.keyboard.press("Enter");
  await page.locator(".took").nth(1).getByText("180.5").waitFor();

  // Another name, undone and done again.
  await page.getByLabel("Name", { exact: true }).fill("number");
  await page.getByLabel("Name", { exact: true }).press("Enter");
  await page.getByText("not saved").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("in force").waitFor();
  await page.getByRole("button", { name: "Redo" }).click();

  // Moved by keyboard: the first field becomes the second.
  await page.getByRole("row", { name: "number", exact: true }).click();
  await page.keyboard.press("Alt+ArrowDown");
  const rows = page.getByRole("grid", { name: "Fields" }).getByRole("row");
  await assert.doesNotReject(
    page.waitForFunction(() => document.querySelectorAll(".field-item")[1]?.textContent?.includes("number")),
  );
  assert.match(await rows.first().innerText(), /invoice_date/);

  // And by the mouse: the second becomes the third.
  await page
    .getByRole("row", { name: "number", exact: true })
    .dragTo(page.getByRole("row", { name: "due_date" }), { targetPosition: { x: 60, y: 48 } });
  await page.waitForFunction(() =>
    document.querySelectorAll(".field-item")[2]?.textContent?.includes("number"),
  );

  // A rule that cannot be is told at its field.
  await page.getByRole("row", { name: "number", exact: true }).click();
  await page.getByLabel("Pattern").fill("[A-");
  await page.locator(".editor .wrong").first().waitFor();
  await page.getByLabel("Pattern").fill("");
  await page.locator(".editor .wrong").first().waitFor({ state: "detached" });

  // What was lost comes back.
  await page.locator(".editor").getByRole("button", { name: "Remove", exact: true }).click();
  await page.getByText("number was removed.").waitFor();
  await page.locator(".notice").getByRole("button", { name: "Undo" }).click();
  await page.getByRole("row", { name: "number", exact: true }).waitFor();

  await page.getByRole("tab", { name: "Document" }).click();
  await page.getByLabel("Text of a sample document").fill(invoice("INV-9", "Harbour Works", "12.00"));
  await page.getByRole("button", { name: "Read it" }).click();
  await page.getByRole("list", { name: "Values of the sample" }).getByText("INV-9").waitFor();
  await page.getByText(/draft 2/).waitFor();

  await page.getByRole("button", { name: "Versions" }).click();
  await page.locator(".diff").getByText("number", { exact: true }).waitFor();
  await accessible(page, "versions");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.getByText("Version 2 is in force.").waitFor();
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("tab", { name: "TypeScript" }).click();
  assert.match(await page.locator(".code").innerText(), /workflow\/delta/);
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
  await shot(page, "designer-light");
  await context.close();
});

test("operations read files, review what is doubtful and export the table", async () => {
  const { page, context, problems } = await signedIn();
  await page.getByRole("button", { name: "New run" }).first().click();
  await accessible(page, "new run");
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(["harbour.txt", "pier.html", "broken.pdf", "sample.pdf"].map((name) => join(files, name)));
  await page.getByText("4 files").waitFor();
  await page.getByRole("button", { name: "Start with 4 records" }).click();
  const table = page.getByRole("grid", { name: "Values of the run" });
  await table.getByText("INV-2041").waitFor();
  await page.getByText("partly failed").first().waitFor();
  await accessible(page, "run");

  // The next doubtful value by keyboard, accepted, and taken back.
  const next = page.getByRole("button", { name: /^Next doubtful value/ });
  const open = async () =>
    (await next.count()) === 0 ? 0 : Number(/\((\d+)\)/.exec(await next.innerText())?.[1]);
  await next.waitFor();
  const first = await open();
  await table.focus();
  await page.keyboard.press("n");
  await page
    .getByTestId("evidence")
    .getByRole("button", { name: /^Accept/ })
    .waitFor();
  await table.focus();
  await page.keyboard.press("x");
  await page
    .getByText(/: not stated/)
    .first()
    .waitFor();
  assert.equal(await open(), first - 1);
  await page.locator(".notice", { hasText: ": not stated" }).getByRole("button", { name: "Undo" }).click();
  await page.waitForFunction(
    (count) => document.body.innerText.includes(`Next doubtful value (${count})`),
    first,
  );

  // A value of a page of a PDF: its place is marked, and a word is taken.
  await table.getByText("Quay Stores").click();
  await page.locator(".page .mark.main").waitFor();
  const review = page.getByRole("button", { name: "Review this field in the whole run" });
  if (await review.isVisible()) await review.click();
  await page.locator('.word[title="Take “Quay”"]').waitFor();
  await page.locator('.word[title="Take “Quay”"]').click();
  assert.equal(await page.getByLabel("The right value").inputValue(), "Quay");
  await page.getByLabel("The right value").press("Enter");
  await page.getByText("vendor_name: corrected").waitFor();
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute("role")),
    "grid",
    "the keyboard goes on in the table",
  );
  const namespace = decodeURIComponent(new URL(page.url()).pathname.split("/")[3]);
  const stored = await server.call("GET", `/v1/agent/${namespace}/workflow/delta?evidence=true`);
  const corrected = stored.find((record) => record.vendor_name === "Quay");
  assert.equal(corrected.evidence["/vendor_name"].quote, "Quay");

  // A web page is shown as text, with the place of the value.
  await table.getByText("Pier Ltd").click();
  await page.locator(".text-box mark.main", { hasText: "Pier Ltd" }).waitFor();

  await page.getByRole("button", { name: /^Failed/ }).click();
  await table.getByText(/damaged/).waitFor();
  await page.getByRole("button", { name: "Retry 1 failed" }).click();
  await page.getByText("partly failed").first().waitFor();
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByPlaceholder("Find in values").fill("pier");
  await table.getByText("Pier Ltd").waitFor();
  await table.getByText("INV-2041").waitFor({ state: "detached" });
  await page.getByPlaceholder("Find in values").fill("");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export" }).click();
  await page.getByRole("menuitem", { name: /^CSV/ }).click();
  assert.match(readFileSync(await (await download).path(), "utf8"), /Quay/);
  await table.getByText("A-9").click();
  await page.locator(".page .mark.main").waitFor();
  assert.deepEqual(problems, []);
  await shot(page, "run-light");

  await page.getByRole("link", { name: "Review" }).click();
  await page.getByRole("link", { name: /^Run/ }).first().waitFor();
  await accessible(page, "review");
  await shot(page, "review-light");
  await context.close();
});

test("every room can be used in the dark, narrow and in German", async () => {
  const forms = await server.call("GET", "/v1/form");
  const { agents } = await server.call("GET", "/v1/agent");
  const agent = agents.find((known) => !known.namespace.startsWith("preview-")).namespace;
  const { runs } = await server.call("GET", `/v1/agent/${agent}/workflow/delta/runs`);
  const rooms = {
    runs: "/runs",
    run: `/runs/${agent}/${runs[0].sid}`,
    review: "/review",
    forms: "/forms",
    designer: `/forms/${forms.forms[0].form_id}`,
  };
  for (const [width, colorScheme] of [
    [1440, "dark"],
    [400, "light"],
    [400, "dark"],
    [360, "light"],
    [2560, "light"],
  ]) {
    const { page, context, problems } = await signedIn({
      viewport: { width, height: 900 },
      colorScheme,
      locale: "de-DE",
    });
    for (const [name, path] of Object.entries(rooms)) {
      await page.goto(`${server.origin}/console${path}`);
      await page.locator("header.head").waitFor();
      await page.waitForTimeout(900);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${name} is ${wide} pixels wider than ${width}`);
      await accessible(page, `${name} at ${width} in ${colorScheme}`);
      await shot(page, `${name}-${width}-${colorScheme}`);
      assert.match(await page.locator("nav.nav").innerText(), /Formulare/);
    }
    assert.deepEqual(problems, [], `${width} ${colorScheme}`);
    await context.close();
  }
});

test("the colours and the language are chosen and kept", async () => {
  const { page, context } = await signedIn();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Dark", exact: true }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Deutsch" }).click();
  await page.getByRole("link", { name: "Läufe" }).waitFor();
  await page.reload();
  await page.getByRole("link", { name: "Läufe" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await context.close();
});
