/** A person of the workspace answers in place of the agent. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { accessible, REPAIR, shot } from "./visit.mjs";

let setting;
let repair;

before(async () => {
  setting = await Setting.start();
  repair = await setting.server.form("Repair", REPAIR);
});

after(() => setting?.stop());

test("a visitor talks with a person, and then with the agent again", async () => {
  const { page, context, problems, visitor } = await setting.visit({ key: repair.key });
  await visitor.open();
  await visitor.hears("What is your name?");
  const id = await page.evaluate(() => localStorage.getItem(Object.keys(localStorage)[0]));
  const place = `/v1/agent/${repair.namespace}/sessions/${id}`;
  const say = (content) => setting.server.server.call("POST", `${place}/messages`, { content });
  await setting.server.server.call("POST", `${place}/takeover`);

  await visitor.says("Is somebody there?");
  await page.getByText("A person is answering you now.").waitFor();
  assert.equal(await visitor.log.locator(".bubble").count(), 2, "an answer without words is not shown");
  assert.equal(await page.getByRole("button", { name: "Skip" }).count(), 0);
  await say("I am Ada. <b>Which</b> bicycle?");
  await visitor.hears("I am Ada. <b>Which</b> bicycle?");
  assert.equal(await visitor.log.getAttribute("aria-live"), "polite");
  await accessible(page, "person");
  await shot(page, "person");

  // What both say at once is shown once, in its order.
  await page.route("**/v1/public/chat", async (route) => {
    await say("A quick question");
    await route.continue();
  });
  await visitor.says("The blue one");
  await visitor.hears("A quick question");
  await visitor.log.locator(".bubble").nth(4).waitFor();
  const said = await visitor.log.locator(".bubble p").allInnerTexts();
  assert.deepEqual(said.slice(-4), [
    "Is somebody there?",
    "I am Ada. <b>Which</b> bicycle?",
    "A quick question",
    "The blue one",
  ]);
  await page.unroute("**/v1/public/chat");

  await setting.server.server.call("DELETE", `${place}/takeover`);
  await page.getByRole("button", { name: "Skip" }).waitFor();
  await visitor.says("My name is Grace");
  await visitor.hears("Which bicycle?");
  assert.deepEqual(problems, []);
  await context.close();
});
