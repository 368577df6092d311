/** Operations: the state of the server, webhooks, keys, members, quotas and the audit log. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { launch, open } from "./browser.mjs";
import { accessible, everywhere, keyOf, MARKUP, RIGHT_TO_LEFT, shots, signedIn } from "./checks.mjs";
import { Server } from "./server.mjs";

let server;
let browser;
let admin;
/** What the receiver of the webhook got, and what it answers. */
const received = [];
let answer = 200;
let receiver;

before(async () => {
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      received.push({ id: request.headers["webhook-id"], body: JSON.parse(body) });
      response.writeHead(answer).end();
    });
  });
  await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  server = await Server.start({ FORMWORK_FETCH_ALLOW: "127.0.0.1" });
  browser = await launch();
  admin = keyOf(server, "admin");
});

after(async () => {
  await browser?.close();
  await server?.stop();
  receiver?.close();
});

async function at(path, key = admin, options) {
  const opened = await signedIn(browser, server, options, key);
  await opened.page.goto(`${server.origin}/console${path}`);
  return opened;
}

const row = (page, text) => page.getByRole("row").filter({ hasText: text });

test("what works, waits and fails is told", async () => {
  const base = await server.call("POST", "/v1/knowledgebase", { name: "Harbour" });
  await server.call("POST", `/v1/knowledgebase/${base.knowledgeId}/files`, { urls: ["http://10.0.0.1/x"] });
  const form = await server.call("POST", "/v1/form", { title: "Invoice", schema: { a: { type: "string" } } });
  await server.call("POST", "/v1/agent", { namespace: "invoices", form_id: form.form_id });
  const { page, context, problems } = await at("/operations");
  await page.getByText("✓ database").waitFor();
  await row(page, "Harbour").getByRole("link").waitFor();
  await page.getByText("No run is working.").waitFor();
  await accessible(page, "queues");

  // A run that works, and a part that is down, as the server would tell them.
  const told = await server.call("GET", "/v1/agent/invoices/workflow/delta/runs");
  told.runs = [
    {
      sid: 7,
      state: "running",
      total: 12,
      open: 5,
      priority: "low",
      created_timestamp: "2026-11-28 10:00:00",
    },
  ];
  await page.route("**/workflow/delta/runs?*", (route) => route.fulfill({ json: told }));
  await row(page, "invoices").getByText("5 of 12").waitFor();
  await page.route("**/ready", (route) =>
    route.fulfill({
      status: 503,
      json: {
        status: "failure",
        code: "not_ready",
        message: "not ready",
        errors: [{ path: "searchIndex", message: "the index is behind" }],
      },
    }),
  );
  await page.getByText("✕ search index").waitFor();
  await page.getByText("the index is behind").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("a webhook is made, tested, fails, and its message is sent again", async () => {
  const { page, context, problems } = await at("/operations/webhooks", server.key);
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("Address").fill("http://10.9.9.9/hook");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText(/its host is not a public one/).waitFor();
  await accessible(page, "new webhook");
  await page.getByLabel("Address").fill(`http://127.0.0.1:${receiver.address().port}/hook`);
  await page.getByLabel("Description").fill(`${MARKUP}${RIGHT_TO_LEFT}`);
  await page.getByText("Item ready").click();
  await page.getByRole("button", { name: "Create" }).click();
  assert.match(await page.getByTestId("secret").innerText(), /^whsec_/);
  await accessible(page, "secret");
  await page.getByRole("button", { name: "I have kept it" }).click();
  const { webhooks } = await server.call("GET", "/v1/webhooks");
  assert.deepEqual(webhooks[0].events.includes("item.ready"), false);
  await page.getByRole("link", { name: /127\.0\.0\.1/ }).click();
  await page.getByRole("heading", { name: "Nothing was sent yet" }).waitFor();

  await page.getByRole("button", { name: "Send a test" }).click();
  const first = page.getByRole("list", { name: "Deliveries" }).getByRole("listitem").first();
  await first.getByText("delivered", { exact: true }).waitFor();
  await first.getByText("answered with 200").waitFor();
  await first.getByText("Message", { exact: true }).click();
  await first.locator("pre").getByText("webhook.test").waitFor();
  await accessible(page, "deliveries");
  await shots(page, "webhook");

  answer = 500;
  await first.getByRole("button", { name: /^Send again/ }).click();
  await first.getByText("answered with 500").waitFor();
  answer = 200;
  await first.getByRole("button", { name: /^Send again/ }).click();
  await first.getByText("delivered", { exact: true }).waitFor();
  assert.ok(received.length >= 3);
  assert.equal(new Set(received.map(({ id }) => id)).size, 1, "the same message each time");

  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a key is issued, shown once, changed, replaced and revoked", async () => {
  const { page, context, problems } = await at("/operations/keys");
  await page.getByText("in use here").waitFor();
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill(`Import ${MARKUP}`);
  await page.getByRole("button", { name: /May/ }).click();
  await page.getByRole("option", { name: "read and write" }).click();
  await page.getByText("Limits", { exact: true }).last().click();
  await page.getByLabel("Requests a minute").fill("many");
  await page.getByText("Write a number.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Issue the key" }).isDisabled());
  await page.getByLabel("Requests a minute").fill("0");
  await page.getByRole("button", { name: "Issue the key" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.getByLabel("Requests a minute").fill("50");
  await accessible(page, "new key");
  await page.getByRole("button", { name: "Issue the key" }).click();
  const secret = (await page.getByTestId("secret").innerText()).trim();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
  const me = await server.call("GET", "/v1/me", undefined, secret);
  assert.equal(me.key.scope, "write");
  assert.equal(me.key.limits.requests_per_minute, 50);
  assert.ok(new Date(me.key.expires) > Date.now());
  await page.keyboard.press("Escape");
  await page.getByTestId("secret").waitFor();
  await page.getByRole("button", { name: "I have kept it" }).click();
  assert.equal(await page.content().then((html) => html.includes(secret)), false);
  assert.equal(
    await page
      .evaluate(() => JSON.stringify([Object.values(localStorage)]))
      .then((text) => text.includes(secret)),
    false,
  );
  await accessible(page, "keys");

  const more = page.getByRole("button", { name: /^More: Import/ });
  await more.click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Import");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("cell", { name: /^Import fw_/ }).waitFor();
  assert.equal((await server.call("GET", "/v1/me", undefined, secret)).key.limits.requests_per_minute, 50);

  await more.first().click();
  await page.getByRole("menuitem", { name: "Replace" }).click();
  await page.getByRole("button", { name: /The old key stays valid for/ }).click();
  await page.getByRole("option", { name: "not at all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replace" }).click();
  const next = (await page.getByTestId("secret").innerText()).trim();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await assert.rejects(server.call("GET", "/v1/me", undefined, secret), /401/);
  await server.call("GET", "/v1/me", undefined, next);

  await row(page, next.slice(0, 8)).or(row(page, "Import")).first().waitFor();
  await more.first().click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("“Import” was revoked.").waitFor();
  await assert.rejects(server.call("GET", "/v1/me", undefined, next), /401/);
  await row(page, "Import").waitFor({ state: "detached" });
  await page.getByText("Also expired and revoked ones").click();
  await row(page, "Import").getByText("revoked").first().waitFor();
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await shots(page, "keys");
  await context.close();
});

test("a key for some knowledge bases finds only the items of its filter", async () => {
  const base = await server.call("POST", "/v1/knowledgebase", { name: "Tariffs" });
  const texts = ["north", "south"].map((area) => ({
    title: area,
    content: `Pilotage in the ${area} costs 320 EUR.`,
    meta: { area },
  }));
  await server.call("POST", `/v1/knowledgebase/${base.knowledgeId}/files`, { texts });
  const { page, context, problems } = await at("/operations/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Chat of the north");
  await page.getByText("Only these knowledge bases").click();
  await page.getByText("Tariffs", { exact: true }).click();
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByLabel("Property").fill("area");
  await page.getByLabel("Value", { exact: true }).fill("north");
  await accessible(page, "key with a filter");
  await page.getByRole("button", { name: "Issue the key" }).click();
  const secret = (await page.getByTestId("secret").innerText()).trim();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await row(page, "Chat of the north").getByText("1 knowledge base only").waitFor();
  await row(page, "Chat of the north").getByText("filtered").waitFor();
  const path = `/v1/knowledgebase/${base.knowledgeId}/search`;
  const { results } = await server.call("POST", path, { query: "pilotage", wait_for: true }, secret);
  assert.deepEqual(
    results.map((found) => found.title),
    ["north"],
  );
  await assert.rejects(server.call("GET", "/v1/form", undefined, secret), /403/);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a member is added with a password, signs in, gets another role and is removed", async () => {
  const { page, context, problems } = await at("/operations/members");
  await page.getByRole("button", { name: "New member" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Bo");
  await page.getByLabel("E-mail address").fill("bo@example.com");
  await page.getByRole("button", { name: /Role/ }).click();
  await page.getByRole("option", { name: "viewer" }).click();
  await accessible(page, "new member");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await row(page, "Bo").getByText("viewer").waitFor();
  const more = row(page, "Bo").getByRole("button", { name: "More: Bo" });
  await more.click();
  await page.getByRole("menuitem", { name: "Set the password" }).click();
  const set = page.getByRole("dialog").getByRole("button", { name: "Set the password" });
  await page.getByLabel("Password", { exact: true }).fill("short");
  assert.ok(await set.isDisabled());
  await page.getByLabel("Password", { exact: true }).fill("nine grey seals asleep");
  await set.click();
  await page.getByText("The password of Bo was changed.").waitFor();

  // Bo signs in, sees what a viewer may, and why not the rest.
  const bo = await open(browser, server.origin);
  await bo.page.goto(`${server.origin}/console/operations/keys`);
  await bo.page.getByRole("textbox", { name: "E-mail address" }).fill("bo@example.com");
  await bo.page.getByLabel("Password", { exact: true }).fill("nine grey seals asleep");
  await bo.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await bo.page.getByRole("heading", { name: "Owners see this" }).waitFor();
  await bo.page.getByText("You are signed in as viewer; the key may read.").waitFor();
  await bo.page.getByRole("link", { name: "Webhooks" }).click();
  await bo.page.getByRole("heading", { name: "No webhooks yet" }).waitFor();
  assert.equal(await bo.page.getByRole("button", { name: "New webhook" }).count(), 0);
  await accessible(bo.page, "viewer");

  await more.click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await page.getByRole("button", { name: /Role/ }).click();
  await page.getByRole("option", { name: "member" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await row(page, "Bo").getByText("member").waitFor();

  // The last owner stays one, which the server says.
  await row(page, "you").getByRole("button", { name: /^More/ }).click();
  await page.getByRole("menuitem", { name: "Change" }).click();
  await page.getByRole("button", { name: /Role/ }).click();
  await page.getByRole("option", { name: "viewer" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.keyboard.press("Escape");

  await more.click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByLabel("Type the name to confirm").fill("Bo");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row(page, "Bo").waitFor({ state: "detached" });
  // The session of who was removed ends.
  await bo.page.getByRole("link", { name: "Queues" }).click();
  await bo.page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  assert.deepEqual(problems, []);
  assert.deepEqual(bo.problems, []);
  await bo.context.close();
  await context.close();
});

test("quotas and what holds are told", async () => {
  const { page, context, problems } = await at("/operations/quotas", server.key);
  await row(page, "Uploaded files").getByText("no limit").waitFor();
  await page.getByText("read and write").waitFor();
  await page.getByText("extractive@formwork").waitFor();
  await page.route("**/v1/quotas", (route) =>
    route.fulfill({
      json: Object.fromEntries(
        ["files", "bytes", "chunks", "groups"].map((name) => [name, { used: 30, limit: 120 }]),
      ),
    }),
  );
  await page.reload();
  await row(page, "Uploaded files").getByText("120").waitFor();
  assert.equal(await page.getByRole("meter", { name: "Uploaded files" }).getAttribute("value"), "30");
  await accessible(page, "quotas");
  assert.deepEqual(problems, []);
  await context.close();
});

test("the audit log is filtered and exported", async () => {
  await server.call("POST", "/v1/form", { title: "Audited", schema: { a: { type: "string" } } });
  const { page, context, problems } = await at("/operations/audit");
  const table = page.getByRole("table");
  await table.getByText("create form").first().waitFor();
  await table.getByText("create webhook").first().waitFor();
  await shots(page, "operations");
  await page.getByRole("button", { name: /Action/ }).click();
  await page.getByRole("option", { name: "create form" }).click();
  await table.getByText("create webhook").first().waitFor({ state: "detached" });
  await table.getByText("create form").first().waitFor();
  await accessible(page, "audit");

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const lines = readFileSync(await (await download).path(), "utf8")
    .trim()
    .split("\r\n");
  assert.match(lines[0], /^time,member,email,key,operation,target/);
  assert.ok(lines.length > 1 && lines.slice(1).every((line) => line.includes(",create_form,")));

  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await page.getByText("No events.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Export as CSV" }).isDisabled());
  await page.getByLabel("To", { exact: true }).fill("");
  await page.getByLabel("Path").fill("/v1/form");
  await table.getByText("create form").first().waitFor();

  await page.route("**/v1/audit?*", (route) =>
    route.fulfill({ status: 503, json: { code: "store_damaged", message: "the file is damaged" } }),
  );
  await page.getByRole("button", { name: "Export as CSV" }).click();
  await page.getByText("the file is damaged").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("a table for spreadsheets has no formulas of strangers", async () => {
  const { page, context } = await signedIn(browser, server, {}, admin);
  await page.route("**/v1/audit?*", (route) =>
    route.fulfill({
      json: {
        events: [
          {
            id: "e",
            time: "2026-11-28T10:00:00Z",
            member: { id: "m", userName: `=HYPERLINK("http://x"),"${MARKUP}`, userEmail: "+1" },
            key: null,
            operation: "create_form",
            target: "/v1/form",
            created: { kind: "form", ids: ["a", "b"] },
            request_id: "",
            address: "127.0.0.1",
            failure: null,
          },
        ],
        meta: { next_cursor: "" },
      },
    }),
  );
  await page.goto(`${server.origin}/console/operations/audit`);
  await page.getByText("<script>").first().waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as CSV" }).click();
  const text = readFileSync(await (await download).path(), "utf8");
  assert.ok(text.includes(`"'=HYPERLINK(""http://x"")`), text);
  assert.ok(text.includes(",'+1,"), text);
  assert.equal(await page.evaluate(() => window.broken), undefined);
  await context.close();
});

test("the parts of operations can be used in the dark, narrow, wide and in German", async () => {
  const rooms = Object.fromEntries(
    ["queues", "webhooks", "keys", "members", "quotas", "audit"].map((name) => [name, `/operations/${name}`]),
  );
  await everywhere(browser, server, rooms, admin);
});
