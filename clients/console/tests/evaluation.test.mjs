/** Evaluation sets: filled from a reviewed run, evaluated, compared, with the values that differ. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, everywhere, keyOf, MARKUP, shots, signedIn } from "./checks.mjs";
import { Server } from "./server.mjs";

let server;
let browser;
let form;
/** The set that the first test makes, and its evaluation. */
let set;
let evaluation;

const TEXTS = {
  "a.txt": "Invoice number: INV-7\nTotal amount: 12.00\n",
  "b.txt": "Invoice number: INV-8\nTotal amount: 99.00\nVendor name: Pier Ltd\n",
};

async function upload(name, text) {
  const body = new FormData();
  body.append("files", new Blob([text]), name);
  const headers = { "X-Service-Key": server.key };
  const [file] = await (await fetch(`${server.origin}/v1/files`, { method: "POST", headers, body })).json();
  return String(file.id);
}

before(async () => {
  server = await Server.start();
  browser = await launch();
  const schema = {
    invoice_number: { type: "string" },
    total_amount: { type: "number" },
    vendor_name: { type: "string" },
  };
  form = await server.call("POST", "/v1/form", { title: "Invoice", schema });
  await server.call("POST", "/v1/agent", {
    namespace: "invoices",
    name: "Invoices",
    form_id: form.form_id,
    review: { threshold: 1 },
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a first-time user makes a set of a reviewed run and evaluates an agent by it", async () => {
  const first = await upload("a.txt", TEXTS["a.txt"]);
  await server.call("POST", "/v1/agent/invoices/workflow/delta", [[{ url: first, description: "a.txt" }]]);
  const { runs } = await server.call("GET", "/v1/agent/invoices/workflow/delta/runs");
  const [run] = runs;
  const { page, context, problems } = await signedIn(browser, server);
  await page.goto(`${server.origin}/console/forms`);
  await page.getByRole("link", { name: "Evaluation" }).click();
  await page.getByRole("heading", { name: "No evaluation sets yet" }).waitFor();
  await accessible(page, "no sets");
  await page.getByRole("button", { name: "New evaluation set" }).last().click();
  await page.getByLabel("Name", { exact: true }).fill("Invoices of 2026");
  await page.getByRole("button", { name: /Form/ }).click();
  await page.getByRole("option", { name: "Invoice" }).click();
  await accessible(page, "new set");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "No records yet" }).waitFor();
  set = decodeURIComponent(new URL(page.url()).pathname.split("/")[4]);
  assert.ok(await page.getByRole("button", { name: "Evaluate" }).isDisabled());

  await page.getByRole("button", { name: "Add records" }).last().click();
  await page.getByRole("button", { name: /^Choose….*Run|Run.*Choose…/ }).click();
  await page.getByRole("option", { name: `Run ${run.sid}` }).click();
  await accessible(page, "fill");
  await page.getByRole("button", { name: "Take from the run" }).click();
  await page.getByRole("alert").getByText("no group of the run has reviews that are all decided").waitFor();
  const { reviews } = await server.call("GET", `/v1/reviews?sid=${run.sid}&namespace=invoices`);
  const decisions = reviews.map(({ id }) => ({ review_id: id, action: "accept" }));
  await server.call("POST", "/v1/reviews/decisions", { decisions });
  await page.getByRole("button", { name: "Take from the run" }).click();
  await page.getByText("1 record was added.").waitFor();

  // Another record, whose truth differs from what its document says, comes from a table.
  const second = await upload("b.txt", TEXTS["b.txt"]);
  await page.getByRole("button", { name: "Add records" }).click();
  const table = `documents,invoice_number,total_amount,vendor_name\n${second},INV-9,99,\n`;
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "truth.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await page.getByRole("button", { name: "Take from the table" }).click();
  await page.locator("header").getByText("2 records").waitFor();

  await page.getByRole("button", { name: "Evaluate" }).last().click();
  await page.getByRole("dialog").getByText("2 records are read again").waitFor();
  await accessible(page, "start");
  await page.getByRole("dialog").getByRole("button", { name: "Evaluate" }).click();
  await page.getByText("finished", { exact: true }).waitFor();
  evaluation = Number(new URL(page.url()).pathname.split("/")[5]);
  await page.getByText("1 of 2").waitFor();
  const values = page.getByRole("region", { name: "Values that are not right" });
  const wrong = values.locator("li").filter({ hasText: "invoice_number" });
  await wrong.getByText("INV-8").waitFor();
  await wrong.getByText("INV-9").waitFor();
  await wrong.getByText("wrong", { exact: true }).waitFor();
  await values.locator("li").filter({ hasText: "vendor_name" }).getByText("invented").waitFor();

  // A field alone, and a value in its document.
  await page.getByRole("table").getByRole("button", { name: "invoice_number" }).click();
  await values.locator("li").filter({ hasText: "vendor_name" }).waitFor({ state: "detached" });
  await wrong.getByRole("button").click();
  await page.locator(".text-box mark.conflict", { hasText: "INV-8" }).waitFor();
  await accessible(page, "evaluation");
  await shots(page, "evaluation");
  assert.deepEqual(problems, []);
  await context.close();
});

test("two evaluations are compared, value by value", async () => {
  const next = await server.call("POST", `/v1/evaluation_sets/${set}/evaluations`, { namespace: "invoices" });
  const { page, context, problems } = await signedIn(browser, server);
  await page.goto(`${server.origin}/console/forms/evaluations/${set}`);
  await page.getByRole("link", { name: `Evaluation ${next.sid}` }).click();
  await page.getByText("finished", { exact: true }).waitFor();
  await page.getByRole("button", { name: /Compare with/ }).click();
  await page.getByRole("option", { name: `Compared with ${evaluation}` }).click();
  await page.getByText("not worse").waitFor();
  await page.getByText("Better: 0. Worse: 0.").waitFor();
  await page.getByText("No values to show.").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("the publication of a version leads to its evaluation", async () => {
  const { page, context, problems } = await signedIn(browser, server);
  await page.goto(`${server.origin}/console/forms/${form.form_id}`);
  await page.getByLabel("Asked as").fill("Number of the invoice");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("button", { name: "Evaluate version 2" }).click();
  await page.getByRole("button", { name: /Only if it passes/ }).click();
  await page.getByRole("option", { name: /Evaluation \d+: finished/ }).click();
  await page.getByRole("link", { name: "Show its values" }).click();
  await page.getByRole("region", { name: "Values that are not right" }).waitFor();
  assert.match(page.url(), new RegExp(`/forms/evaluations/${set}/`));
  assert.deepEqual(problems, []);
  await context.close();
});

test("a table that is wrong is told, hostile names are shown as they are, and a reader changes nothing", async () => {
  const hostile = await server.call("POST", "/v1/evaluation_sets", { name: MARKUP, form_id: form.form_id });
  const { page, context, problems } = await signedIn(browser, server);
  await page.goto(`${server.origin}/console/forms/evaluations`);
  await page.getByRole("link", { name: /<img/ }).click();
  await page.getByRole("button", { name: "Add records" }).last().click();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: "truth.csv", mimeType: "text/csv", buffer: Buffer.from("nothing\n1\n") });
  await page.getByRole("button", { name: "Take from the table" }).click();
  await page.getByRole("dialog").getByRole("alert").first().waitFor();
  assert.equal((await server.call("GET", `/v1/evaluation_sets/${hostile.id}`)).groups, 0);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();

  const reader = await signedIn(browser, server, {}, keyOf(server, "read"));
  await reader.page.goto(`${server.origin}/console/forms/evaluations/${set}`);
  await reader.page.getByRole("link", { name: `Evaluation ${evaluation}` }).waitFor();
  assert.equal(await reader.page.getByRole("button", { name: /Add records|Evaluate|Remove/ }).count(), 0);
  assert.deepEqual(reader.problems, []);
  await reader.context.close();
});

test("the rooms of evaluation can be used in the dark, narrow, wide and in German", async () => {
  await everywhere(browser, server, {
    sets: "/forms/evaluations",
    set: `/forms/evaluations/${set}`,
    evaluation: `/forms/evaluations/${set}/${evaluation}`,
  });
});

test("a set is deleted by its name", async () => {
  const { page, context, problems } = await signedIn(browser, server);
  await page.goto(`${server.origin}/console/forms/evaluations/${set}`);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByLabel("Type the name to confirm").fill("Invoices of 2026");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("“Invoices of 2026” was removed.").waitFor();
  await page.getByRole("link", { name: "Invoices of 2026" }).waitFor({ state: "detached" });
  const { sets } = await server.call("GET", "/v1/evaluation_sets");
  assert.ok(sets.every((known) => known.id !== set));
  assert.deepEqual(problems, []);
  await context.close();
});
