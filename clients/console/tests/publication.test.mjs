/** A version that must pass an evaluation before it is published. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { launch, open } from "./browser.mjs";
import { Server } from "./server.mjs";

const TEXT = "Invoice number: INV-7\nTotal amount: 12.00\n";

test("a form with a gate tells what is missing, evaluates the draft and publishes it", async (context_) => {
  const server = await Server.start();
  const browser = await launch();
  context_.after(async () => {
    await browser.close();
    await server.stop();
  });
  const schema = { invoice_number: { type: "string" }, total_amount: { type: "number" } };
  const form = await server.call("POST", "/v1/form", { title: "Invoice", schema });
  await server.call("POST", "/v1/agent", { namespace: "invoices", form_id: form.form_id });
  const body = new FormData();
  body.append("files", new Blob([TEXT]), "a.txt");
  const [file] = await (
    await fetch(`${server.origin}/v1/files`, {
      method: "POST",
      headers: { "X-Service-Key": server.key },
      body,
    })
  ).json();
  const set = await server.call("POST", "/v1/evaluation_sets", { name: "Invoices", form_id: form.form_id });
  const truth = { invoice_number: "INV-7", total_amount: 12 };
  await server.call("POST", `/v1/evaluation_sets/${set.id}/groups`, {
    groups: [{ documents: [{ url: String(file.id) }], record: truth }],
  });
  const admin = server
    .tell("keys", "create", "--scope", "admin")
    .split(/\s+/)
    .find((word) => word.startsWith("fw_"));
  await server.call("PUT", `/v1/form/${form.form_id}/gate`, { evaluation_set: set.id, minimum: 0.9 }, admin);

  const { page, context, problems } = await open(browser, server.origin);
  await context.addInitScript((key) => sessionStorage.setItem("formwork.key", key), server.key);
  await page.goto(`${server.origin}/console/forms/${form.form_id}`);
  await page.getByText("needs an evaluation").waitFor();
  await page.getByLabel("Asked as").fill("Number of the invoice");
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByText("at least 90 % right values").waitFor();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.locator(".panel .wrong-box").waitFor();
  await page.getByRole("button", { name: "Evaluate version 2" }).click();
  await page.getByRole("button", { name: /Only if it passes/ }).click();
  await page.getByRole("option", { name: /Evaluation \d+: finished/ }).waitFor();
  await page.getByRole("option", { name: /Evaluation \d+: finished/ }).click();
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await page.getByText("Version 2 is in force.").waitFor();
  assert.deepEqual(problems, []);
});
