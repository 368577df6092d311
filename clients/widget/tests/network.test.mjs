/** What goes wrong on the way is told, and nothing that was typed is lost or sent twice. */

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

const CHAT = "**/v1/public/chat";
const NAME = "My name is Ada Lovelace";

/** A visitor who is asked for the name. */
async function asked(options) {
  const visited = await setting.visit({ key: repair.key }, options);
  await visited.visitor.open();
  await visited.visitor.hears("What is your name?");
  return visited;
}

/** Answers the next message with an error. */
function fail(page, status, body = {}, headers = {}) {
  return page.route(
    CHAT,
    (route) =>
      route.fulfill({
        status,
        headers: {
          "Access-Control-Allow-Origin": "*",
          "Access-Control-Expose-Headers": "Retry-After",
          ...headers,
        },
        json: body,
      }),
    { times: 1 },
  );
}

/** What the visitor said, as the server has it. */
async function sent(page) {
  const id = await page.evaluate(() => localStorage.getItem(Object.keys(localStorage)[0]));
  const { messages } = await setting.server.session(repair, id);
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

test("a visitor who is offline is told so, and it goes on with the connection", async () => {
  const { page, context, problems, visitor } = await asked();
  await context.setOffline(true);
  await visitor.says(NAME);
  await page.getByRole("alert").getByText("You are offline").waitFor();
  await visitor.log.getByText("Not sent").waitFor();
  await accessible(page, "offline");
  await shot(page, "offline");
  await context.setOffline(false);
  await visitor.hears("Which bicycle?");
  assert.equal(await visitor.log.getByText("Not sent").count(), 0);
  assert.deepEqual(await sent(page), ["Hello", NAME]);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a form that cannot be loaded is loaded by trying again, and the first message waits for it", async () => {
  for (const way of ["button", "message"]) {
    const { page, context, visitor } = await setting.visit({ key: repair.key });
    await page.route("**/v1/public/form", (route) => route.abort(), { times: 1 });
    await visitor.open();
    await page.getByRole("alert").getByText("There is no connection to the server").waitFor();
    if (way === "button") {
      await visitor.presses("Try again");
      await visitor.hears("What is your name?");
    } else {
      await visitor.says(NAME);
      await visitor.hears("Which bicycle?");
      assert.deepEqual(await sent(page), ["Hello", NAME]);
    }
    await context.close();
  }
});

test("a message whose answer was lost is not sent twice", async () => {
  const { page, context, visitor } = await asked();
  await page.route(
    CHAT,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await visitor.says(NAME);
  await page.getByRole("alert").getByText("There is no connection to the server").waitFor();
  await visitor.presses("Try again");
  await visitor.hears("Which bicycle?");
  assert.equal(
    await page.evaluate(() => document.activeElement.shadowRoot.activeElement.textContent),
    "City bike",
    "focus goes on with what can be done next",
  );
  assert.deepEqual(await sent(page), ["Hello", NAME]);
  assert.equal(await visitor.log.getByText(NAME, { exact: true }).count(), 1);
  await context.close();
});

test("a message that did not arrive is sent again, or changed", async () => {
  const { page, context, visitor } = await asked();
  await page.route(CHAT, (route) => route.abort(), { times: 1 });
  await visitor.says("My name is Ada");
  await visitor.presses("Change it");
  assert.equal(await visitor.field.inputValue(), "My name is Ada");
  assert.equal(await visitor.log.getByText("My name is Ada", { exact: true }).count(), 0);
  await page.route(CHAT, (route) => route.abort(), { times: 1 });
  await visitor.says("My name is Adele");
  await visitor.log.getByText("Not sent").waitFor();
  await visitor.says("A city bike");
  await visitor.hears("What is broken?");
  assert.deepEqual(await sent(page), ["Hello", "My name is Adele", "A city bike"]);
  await context.close();
});

test("too many messages: the time to wait is told and kept", async () => {
  const { page, context, visitor } = await asked();
  await fail(page, 429, { code: "rate_limited", message: "too many" }, { "Retry-After": "2" });
  await visitor.says(NAME);
  await page.getByRole("alert").getByText("Please try again in 2 s.").waitFor();
  const again = page.getByRole("button", { name: "Try again" });
  assert.equal(await again.getAttribute("aria-disabled"), "true");
  await again.and(page.locator("[aria-disabled=false]")).waitFor();
  await again.click();
  await visitor.hears("Which bicycle?");
  await context.close();
});

test("a message that is refused is back in the field, with the server's reason", async () => {
  const { page, context, visitor } = await asked();
  await fail(page, 400, { code: "validation_failed", message: "the message is too odd" });
  await visitor.says(NAME);
  await page.getByRole("alert").getByText("This could not be accepted: the message is too odd").waitFor();
  assert.equal(await visitor.field.inputValue(), NAME);
  await visitor.field.press("Enter");
  await visitor.hears("Which bicycle?");
  assert.equal(await page.getByRole("alert").innerText(), "");
  await context.close();
});

test("while another message is answered, it waits and reads the conversation", async () => {
  const { page, context, visitor } = await asked();
  await fail(page, 409, { code: "changed_meanwhile", message: "busy" });
  await visitor.says(NAME);
  await visitor.hears("Which bicycle?");
  assert.deepEqual(await sent(page), ["Hello", NAME]);
  await context.close();
});

test("the limit of the key is told with its time to wait", async () => {
  const limited = await setting.server.form("Limited", REPAIR, "", ["--requests-per-minute", "3"]);
  const { page, context, visitor } = await setting.visit({ key: limited.key });
  await visitor.open();
  await page
    .getByRole("alert")
    .getByText(/Please try again in \d+ s\./)
    .or(visitor.log.getByText("What is your"))
    .first()
    .waitFor();
  for (const words of [NAME, "A city bike", "Brakes", "that is all", "2027-03-09"]) {
    if ((await page.getByRole("alert").innerText()) !== "") break;
    const before = await visitor.log.locator(".bubble").count();
    await visitor.says(words);
    await visitor.log
      .locator(".bubble")
      .nth(before + 1)
      .or(page.getByRole("alert").getByText("Please"))
      .first()
      .waitFor();
  }
  await page
    .getByRole("alert")
    .getByText(/Please try again in [1-9]\d? s\./)
    .waitFor();
  assert.equal(await page.getByRole("button", { name: "Try again" }).getAttribute("aria-disabled"), "true");
  await context.close();
});

test("a site that may not use the key is told so", async () => {
  const own = setting.server.sites;
  setting.server.sites = ["https://shop.example"];
  const other = await setting.server.form("Elsewhere", REPAIR);
  setting.server.sites = own;
  const { page, context, problems, visitor } = await setting.visit({ key: other.key });
  await visitor.open();
  await page.getByRole("alert").getByText("This form is not available on this page.").waitFor();
  assert.match(problems.join(), /formwork: .*origins/);
  await context.close();
});

test("a server that fails is told in plain words, and a wrong key to the owner of the site", async () => {
  const { page, context, visitor } = await asked();
  await fail(page, 502, { code: "provider_failed", message: "upstream" });
  await visitor.says(NAME);
  await page.getByRole("alert").getByText("Something went wrong").waitFor();
  await visitor.presses("Try again");
  await visitor.hears("Which bicycle?");
  await context.close();

  const wrong = await setting.visit({ key: "fw_wrong" });
  await wrong.visitor.open();
  await wrong.page.getByRole("alert").getByText("This form is not available on this page.").waitFor();
  assert.match(wrong.problems.join(), /formwork: the API key/);
  await wrong.context.close();
});
