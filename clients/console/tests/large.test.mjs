/** Large and hostile content: nothing is executed, and nothing freezes. Runs of a size that no test can make are told to the
 * page in place of the server's. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { MARKUP, pdf, RIGHT_TO_LEFT } from "./checks.mjs";
import { Server } from "./server.mjs";

const TOTAL = 100_000;

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

async function signedIn() {
  const opened = await open(browser, server.origin);
  await opened.context.addInitScript((key) => sessionStorage.setItem("formwork.key", key), server.key);
  return opened;
}

/** The time in milliseconds that the page needs for something. */
async function took(work) {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

test("names with markup and text from right to left are shown as they are", async () => {
  const schema = { [MARKUP]: { type: "string", description: MARKUP }, [RIGHT_TO_LEFT]: { type: "string" } };
  const form = await server.call("POST", "/v1/form", { title: `${MARKUP} ${RIGHT_TO_LEFT}`, schema });
  const { page, context, problems } = await signedIn();
  await page.goto(`${server.origin}/console/forms`);
  await page.getByRole("link", { name: /<img/ }).waitFor();
  await page.goto(`${server.origin}/console/forms/${form.form_id}`);
  await page.getByRole("grid", { name: "Fields" }).getByText(MARKUP).first().waitFor();
  await page.getByLabel("Message").fill(MARKUP);
  await page.keyboard.press("Enter");
  await page.locator(".m.u").getByText("<script>").waitFor();
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a form of a thousand fields is edited without delay", async () => {
  const schema = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, { type: "string" }]),
  );
  const form = await server.call("POST", "/v1/form", { title: "Wide", schema });
  const { page, context } = await signedIn();
  await page.goto(`${server.origin}/console/forms/${form.form_id}`);
  await page.getByRole("row", { name: "field_0", exact: true }).waitFor();
  assert.ok((await page.locator(".field-item").count()) < 60, "only the fields in sight are in the page");
  const typing = await took(() => page.getByLabel("Asked as").pressSequentially("What is your name?"));
  assert.ok(typing < 5_000, `typing took ${typing} ms`);
  await context.close();
});

/** Answers the requests of the page about a run in place of the server. */
async function tell(page, form, total, value, evidence = { confidence: 0.95, support: "exact", quote: "x" }) {
  const run = {
    sid: 7,
    state: "succeeded",
    total,
    successful: total,
    failed: 0,
    open: 0,
    progress: 1,
    usage: { cost: 0 },
    error: null,
    budget: null,
    model: "m",
    form_id: form.form_id,
    form_version: 1,
    labels: [],
    created_timestamp: "2026-11-28 10:00:00",
  };
  const number = (url, name) => Number(new URL(url).searchParams.get(name) ?? 0);
  await page.route(/\/workflow\/delta\/runs\/7\?/, (route) => {
    const limit = number(route.request().url(), "limit");
    const first = (Math.max(1, number(route.request().url(), "page")) - 1) * limit;
    const groups = Array.from({ length: Math.min(limit, total - first) }, (_, index) => ({
      group: first + index,
      state: "succeeded",
      error: null,
      documents: [{ url: "1", description: "" }],
    }));
    return route.fulfill({ json: { ...run, groups, meta: {} } });
  });
  await page.route(/\/workflow\/delta\?/, (route) => {
    const from = number(route.request().url(), "from");
    const rows = Array.from({ length: Math.min(100, total - from) }, (_, index) => ({
      ...value(from + index),
      meta: { group: from + index, files: [`document-${from + index}.pdf`] },
      evidence: { "/a": evidence },
    }));
    return route.fulfill({ json: rows });
  });
}

test("a document of ten megabytes is shown at the place of its value", async () => {
  const form = await server.call("POST", "/v1/form", { title: "Long", schema: { a: { type: "string" } } });
  const { page, context, problems } = await signedIn();
  const line = "A line of a long report with a few words.\n";
  const before = line.repeat(120_000);
  const body = `${before}The value is FOUND here ${MARKUP}\n${line.repeat(120_000)}`;
  const start = before.length + "The value is ".length;
  await tell(page, form, 1, () => ({ a: "FOUND" }), {
    file: "1",
    index: 0,
    page: null,
    quote: "FOUND",
    start,
    end: start + 5,
    confidence: 0.9,
    support: "exact",
  });
  await page.route(/docparser/, (route) =>
    route.fulfill({
      json: [
        { url: "1", title: "", body, pageCount: null, pages: [], lines: [], language: null, metadata: null },
      ],
    }),
  );
  const shown = await took(async () => {
    await page.goto(`${server.origin}/console/runs/agent/7`);
    await page.locator("mark.main", { hasText: "FOUND" }).waitFor();
  });
  assert.ok(shown < 15_000, `the document took ${shown} ms`);
  assert.ok((await page.locator(".line").count()) < 150, "only the lines in sight are in the page");
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a run of a hundred thousand rows is scrolled, and its last row is reached by keyboard", async () => {
  const form = await server.call("POST", "/v1/form", {
    title: "Rows",
    schema: { a: { type: "string" }, b: { type: "number" } },
  });
  const { page, context, problems } = await signedIn();
  await tell(page, form, TOTAL, (row) => ({ a: `value ${row}`, b: row }));
  await page.goto(`${server.origin}/console/runs/agent/7`);
  const table = page.getByRole("grid", { name: "Values of the run" });
  await table.getByText("value 0", { exact: true }).waitFor();
  assert.equal(await table.getAttribute("aria-rowcount"), String(TOTAL + 1));
  await table.focus();
  const jump = await took(async () => {
    await page.keyboard.press("Control+End");
    await table.getByText(`value ${TOTAL - 1}`, { exact: true }).waitFor();
  });
  assert.ok(jump < 5_000, `the last row took ${jump} ms`);
  assert.ok(
    (await page.locator(".grid-body .grid-row").count()) < 80,
    "only the rows in sight are in the page",
  );
  const moves = await took(async () => {
    for (let count = 0; count < 50; count++) await page.keyboard.press("ArrowUp");
  });
  assert.ok(moves < 6_000, `fifty rows took ${moves} ms`);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a record of ten megabytes and one of five thousand columns are shown", async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`column_${index}`, { type: "string" }]),
  );
  const form = await server.call("POST", "/v1/form", {
    title: "Large",
    schema: { a: { type: "string" }, ...wide },
  });
  const { page, context, problems } = await signedIn();
  const huge = `${MARKUP}${"x".repeat(10 << 20)}`;
  await tell(page, form, 3, (row) => ({ a: row === 0 ? huge : "small" }));
  // The page asks for the columns of the form, which has fewer than a document can state.
  const columns = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [index === 0 ? "a" : `field_${index}`, { type: "string" }]),
  );
  await page.route(/\/versions\/1$/, (route) =>
    route.fulfill({
      json: {
        form_id: form.form_id,
        version: 1,
        state: "published",
        title: "Large",
        schema: columns,
        created_timestamp: "2026-11-28 10:00:00",
      },
    }),
  );
  const shown = await took(async () => {
    await page.goto(`${server.origin}/console/runs/agent/7`);
    await page.getByRole("grid", { name: "Values of the run" }).getByText("small").first().waitFor();
  });
  assert.ok(shown < 15_000, `the table took ${shown} ms`);
  assert.ok((await page.locator(".grid .cell").count()) < 200, "only the columns in sight are in the page");
  await page.getByRole("grid", { name: "Values of the run" }).focus();
  await page.keyboard.press("End");
  await page.getByRole("columnheader", { name: "field_4999" }).waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a value of a document of a thousand pages opens its page", async () => {
  const form = await server.call("POST", "/v1/form", {
    title: "Long",
    schema: { number: { type: "string", description: "Invoice number" } },
  });
  await server.call("POST", "/v1/agent", { namespace: "long", form_id: form.form_id });
  const lines = (index) => [index === 699 ? "Invoice number: A-700" : `Page ${index + 1} says nothing`];
  const body = new FormData();
  body.append(
    "files",
    new Blob([pdf(...Array.from({ length: 1_000 }, (_, index) => lines(index)))]),
    "long.pdf",
  );
  const headers = { "X-Service-Key": server.key };
  const uploaded = await fetch(`${server.origin}/v1/files`, { method: "POST", headers, body });
  const [file] = await uploaded.json();
  const run = await server.call("POST", "/v1/agent/long/workflow/delta", [[{ url: String(file.id) }]]);
  const { page, context, problems } = await signedIn();
  await page.goto(`${server.origin}/console/runs/long/${run.sid}`);
  await page.getByRole("grid", { name: "Values of the run" }).getByText("A-700").click();
  await page.locator(".page .mark.main").waitFor();
  assert.equal(await page.locator(".doc-bar .num").innerText(), "700 / 1000");
  const count = await page.evaluate(() => document.querySelectorAll("*").length);
  assert.ok(count < 1_000, `${count} elements`);
  assert.deepEqual(problems, []);
  await context.close();
});
