/** A form on the web: published from the designer, filled on the page of the server, and taken off again. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, keyOf, signedIn } from "./page.mjs";
import { Server } from "./server.mjs";

let server;
let browser;
let form;

before(async () => {
  server = await Server.start();
  browser = await launch();
  form = await server.call("POST", "/v1/form", {
    title: "Crate order",
    schema: { crates: { type: "integer", description: "How many crates?", required: true } },
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The part of "Use it" for web pages. */
async function webPages(key) {
  const opened = await signedIn(browser, server, `/forms/${form.form_id}`, {}, key);
  await opened.page.getByRole("button", { name: "Use it" }).click();
  await opened.page.getByRole("tab", { name: "Web page" }).click();
  return opened;
}

test("an owner publishes a form, a visitor fills it, and it is taken off", async () => {
  const { page, context, problems } = await webPages(keyOf(server, "--scope", "admin"));
  await page.getByLabel("Web sites").fill("shop.example");
  await page.getByRole("button", { name: "Publish on the web" }).click();
  await page.getByText("must be the origin of web pages").waitFor();
  assert.equal(await page.getByLabel("Name of the page on this server").inputValue(), "crate-order");
  await page.getByLabel("Web sites").fill("https://shop.example\nhttps://www.shop.example");
  await page.getByRole("button", { name: "Publish on the web" }).click();
  await page.getByText("The form is on the web.").waitFor();
  const code = await page.locator(".code", { hasText: "widget.js" }).innerText();
  assert.match(code, /^<script src="http:\/\/[^"]+\/widget\.js" data-key="fw_[\w-]{43}" async><\/script>$/);
  await page.getByText("For the pages of https://shop.example, https://www.shop.example.").waitFor();
  await accessible(page, "web pages");

  const visitor = await browser.newPage({ locale: "en-GB" });
  await visitor.goto(`${server.origin}/f/crate-order`);
  await visitor.getByText("How many crates?").first().waitFor();
  await visitor.getByRole("textbox").last().fill("12");
  await visitor.keyboard.press("Enter");
  await visitor.getByRole("button", { name: /Yes/ }).click();
  await visitor.getByRole("button", { name: "Start again" }).first().waitFor();
  const kept = await server.call("GET", "/v1/agent/crate-order/submissions");
  assert.deepEqual(kept.submissions[0].record, { crates: 12 });

  await page.getByRole("button", { name: "Take off the web" }).click();
  await page.getByRole("dialog").last().getByRole("button", { name: "Take off the web" }).click();
  await page.getByText("The form is off the web.").waitFor();
  assert.equal((await visitor.goto(`${server.origin}/f/crate-order`)).status(), 404);
  assert.deepEqual(problems, []);
  await context.close();
});

test("who owns nothing is told who publishes", async () => {
  const { page, context, problems } = await webPages();
  await page.getByText("Owners of the workspace publish forms on the web.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Publish on the web" }).count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});
