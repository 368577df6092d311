/** A conversation goes on: after a reload, by a link on another device, and anew where it is gone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { REPAIR } from "./visit.mjs";

let setting;
let repair;

before(async () => {
  setting = await Setting.start();
  repair = await setting.server.form("Repair", REPAIR);
});

after(() => setting?.stop());

const script = () => ({ key: repair.key });

test("a reload goes on with the conversation, and what was written is still there", async () => {
  const { page, context, problems, visitor } = await setting.visit(script());
  await visitor.open();
  await visitor.hears("What is your name?");
  await visitor.says("My name is Ada Lovelace");
  await visitor.hears("Which bicycle?");
  await visitor.field.fill("half a sent");
  await page.reload();
  await visitor.open();
  await visitor.hears("Which bicycle?");
  assert.equal(await visitor.field.inputValue(), "half a sent");
  assert.equal(await visitor.log.getByText("My name is Ada Lovelace", { exact: true }).count(), 1);
  assert.equal(await visitor.log.getByText("Hello", { exact: true }).count(), 0);
  assert.equal(await visitor.log.getAttribute("aria-live"), "off", "nobody hears all of it again");
  await visitor.presses("City bike");
  await visitor.hears("What is broken?");
  assert.equal(await visitor.log.getAttribute("aria-live"), "polite");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a link goes on with the conversation on another device", async () => {
  const first = await setting.visit(script(), { permissions: ["clipboard-read", "clipboard-write"] });
  await first.visitor.open();
  await first.visitor.hears("What is your name?");
  await first.visitor.says("My name is Ada Lovelace");
  await first.visitor.hears("Which bicycle?");
  await first.visitor.presses("Copy link to continue");
  await first.page.getByText("The link is copied").waitFor();
  const link = await first.page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#formwork=session_\w+$/);
  await first.context.close();

  const { page, context, problems, visitor } = await setting.at(link);
  await visitor.hears("Which bicycle?");
  await page.getByRole("dialog", { name: "Repair" }).waitFor();
  assert.doesNotMatch(page.url(), /formwork=/, "the address is that of the page again");
  await visitor.hears("Whoever has the link can read along.");
  await visitor.presses("Other");
  await visitor.hears("What is broken?");
  assert.equal(await visitor.log.getByText("My name is Ada Lovelace", { exact: true }).count(), 1);
  await page.reload();
  await visitor.open();
  await visitor.hears("What is broken?");
  assert.deepEqual(problems, []);
  await context.close();
});

test("who does not want the conversation of a link begins another one", async () => {
  const first = await setting.visit(script());
  await first.visitor.open();
  await first.visitor.hears("What is your name?");
  await first.visitor.says("My name is Mallory");
  await first.visitor.hears("Which bicycle?");
  const session = await first.page.evaluate(() => localStorage.getItem(Object.keys(localStorage)[0]));
  assert.equal(await first.page.getByRole("button", { name: "Start again" }).count(), 0);
  const { page, context, visitor } = await setting.at(`${setting.site.page(script())}#formwork=${session}`);
  await visitor.presses("Start again");
  await visitor.hears("What is your name?");
  await visitor.says("My name is Ada Lovelace");
  await visitor.hears("Which bicycle?");
  assert.equal(await page.getByText("Mallory").count(), 0);
  const { messages } = await setting.server.session(repair, session);
  assert.doesNotMatch(JSON.stringify(messages), /Lovelace/);
  await context.close();
  await first.context.close();
});

test("what was said on another device meanwhile is shown when the visitor comes back", async () => {
  const { page, context, problems, visitor } = await setting.visit(script());
  await visitor.open();
  await visitor.hears("What is your name?");
  const session = await page.evaluate(() => localStorage.getItem(Object.keys(localStorage)[0]));
  const other = await setting.at(`${setting.site.page(script())}#formwork=${session}`);
  await other.visitor.hears("What is your name?");
  await other.visitor.says("My name is Ada Lovelace");
  await other.visitor.hears("Which bicycle?");
  await other.context.close();
  await visitor.presses("Close");
  await visitor.open();
  await visitor.hears("Which bicycle?");
  await visitor.presses("City bike");
  await visitor.hears("What is broken?");
  assert.deepEqual(problems, []);
  await context.close();
});

test("without a clipboard the link is shown", async () => {
  const { page, context, visitor } = await setting.visit(script());
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("no"));
  });
  await visitor.open();
  await visitor.hears("What is your name?");
  await visitor.presses("Copy link to continue");
  assert.match(await page.getByLabel("Please copy this link").inputValue(), /#formwork=session_\w+$/);
  await context.close();
});

test("a link to nothing begins anew, and says so", async () => {
  const { context, page, problems, visitor } = await setting.at(
    `${setting.site.page(script())}#formwork=session_0123456789abcdef`,
  );
  await visitor.hears("The earlier conversation is no longer available");
  await visitor.hears("What is your name?");
  assert.doesNotMatch(page.url(), /formwork=/);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a conversation that the server forgot goes on as another one, without a word lost", async () => {
  const { page, context, problems, visitor } = await setting.visit(script());
  await visitor.open();
  await visitor.hears("What is your name?");
  await visitor.says("My name is Ada Lovelace");
  await visitor.hears("Which bicycle?");
  await setting.server.forget(repair);
  await visitor.says("My name is Grace Hopper");
  await visitor.hears("The earlier conversation is no longer available");
  await visitor.hears("Noted: name – Grace Hopper");
  assert.equal(await visitor.log.getByText("My name is Ada Lovelace", { exact: true }).count(), 1);

  await setting.server.forget(repair);
  await page.reload();
  await visitor.open();
  await visitor.hears("The earlier conversation is no longer available");
  await visitor.hears("What is your name?");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a browser without storage fills the form, too", async () => {
  const { page, context, problems, visitor } = await setting.at(undefined);
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(globalThis, name, {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      });
  });
  await page.goto(setting.site.page(script()));
  await visitor.open();
  await visitor.hears("What is your name?");
  await visitor.says("My name is Ada Lovelace");
  await visitor.hears("Which bicycle?");
  assert.deepEqual(problems, []);
  await context.close();
});
