/** Sessions by cookie: sign-in by password, two tabs, an end in the middle of work, a server that restarts. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { Server } from "./server.mjs";

const PASSWORD = "three boats at low tide";

let server;
let browser;
let admin;

before(async () => {
  server = await Server.start();
  browser = await launch();
  admin = server
    .tell("keys", "create", "--scope", "admin")
    .split(/\s+/)
    .find((word) => word.startsWith("fw_"));
  const { members } = await server.call("GET", "/v1/members", undefined, admin);
  await server.call("PUT", `/v1/members/${members[0].id}/password`, { password: PASSWORD }, admin);
  await server.call("POST", "/v1/form", {
    title: "Guest",
    schema: { name: { type: "string", required: true }, nights: { type: "integer" } },
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function signIn(page) {
  await page.getByRole("textbox", { name: "E-mail address" }).fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("a session by password lives in a cookie that scripts cannot read, and ends in all tabs", async () => {
  const { page, context, problems } = await open(browser, server.origin);
  await page.goto(`${server.origin}/console`);
  await signIn(page);
  await page.getByRole("link", { name: "Forms" }).waitFor();
  const [cookie, ...others] = await context.cookies();
  assert.deepEqual(
    [cookie.name, cookie.httpOnly, cookie.sameSite, others.length],
    ["formwork_session", true, "Strict", 0],
  );
  assert.equal(await page.evaluate(() => document.cookie), "");

  const other = await context.newPage();
  await other.goto(`${server.origin}/console/forms`);
  await other.getByRole("link", { name: "Guest" }).waitFor();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("textbox", { name: "E-mail address" }).waitFor();
  await other.getByRole("textbox", { name: "E-mail address" }).waitFor();
  assert.deepEqual(await context.cookies(), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a session that ends in the middle of work asks for a sign-in and keeps the work", async () => {
  const { page, context } = await open(browser, server.origin);
  await page.goto(`${server.origin}/console/forms`);
  await signIn(page);
  await page.getByRole("link", { name: "Guest" }).click();
  await page.getByLabel("Asked as").fill("Who are you?");
  const [{ value }] = await context.cookies();
  await server.call("DELETE", "/v1/sign_in", undefined, value);
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  await signIn(page);
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Asked as").inputValue(), "Who are you?");
  await page.getByRole("button", { name: "Save draft" }).click();
  await page.getByText("draft 2").waitFor();
  await context.close();
});

test("the page goes on after a restart of the server", async () => {
  const { page, context } = await open(browser, server.origin);
  await page.goto(`${server.origin}/console/forms`);
  await signIn(page);
  await page.getByRole("link", { name: "Guest" }).waitFor();
  await server.halt();
  await page.getByPlaceholder("Find a form").fill("Gue");
  await server.run();
  await page.getByRole("link", { name: "Guest" }).waitFor({ timeout: 30_000 });
  await context.close();
});

test("who may only read is offered nothing else", async () => {
  const key = server
    .tell("keys", "create", "--scope", "read")
    .split(/\s+/)
    .find((word) => word.startsWith("fw_"));
  const { page, context, problems } = await open(browser, server.origin);
  await context.addInitScript((own) => sessionStorage.setItem("formwork.key", own), key);
  await page.goto(`${server.origin}/console/forms`);
  await page.getByRole("link", { name: "Guest" }).waitFor();
  assert.equal(await page.getByRole("button", { name: /New form|Remove/ }).count(), 0);
  await page.getByRole("link", { name: "Guest" }).click();
  await page.getByText("You may read the form, but not try it.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Save draft|Publish|Add/ }).count(), 0);
  await page.getByRole("link", { name: "Runs" }).click();
  await page.getByRole("heading", { name: "No runs yet" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "New run" }).count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});
