/** A first-time user asks a model, with documents and a form, and stops it. */

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, everyLook, keyOf, signedIn } from "./page.mjs";
import { Server } from "./server.mjs";

const HOSTILE = `<b onmouseover="document.title='taken'">it's</b> $(rm -rf ~) \u202eabc`;

let server;
let browser;
const files = mkdtempSync(join(tmpdir(), "console-playground-"));

before(async () => {
  server = await Server.start();
  browser = await launch();
  writeFileSync(
    join(files, "lease.txt"),
    "Lease\n\nThe lease ends on 30 June 2028. The rent is 900 pounds.\n",
  );
  await server.call("POST", "/v1/form", {
    title: "Lease <i>",
    schema: {
      rent: { type: "number", description: "Rent" },
      ends: { type: "date", description: "End of the lease" },
    },
  });
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** What a model says, piece by piece. */
const stream = (...events) =>
  events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join("");

test("a question is answered from a document, with its passages and what it took", async () => {
  const { page, context, problems } = await signedIn(browser, server, "/playground");
  await page.getByRole("heading", { name: "Ask a model" }).waitFor();
  await page.getByText("The built-in model answers only from documents").waitFor();
  await accessible(page, "playground");
  await page.locator('input[type="file"]').setInputFiles(join(files, "lease.txt"));
  await page.getByRole("list", { name: "Documents" }).getByText("lease.txt").waitFor();
  await page.getByLabel("Your question").fill("When does the lease end?");
  await page.keyboard.press("Enter");
  const log = page.getByRole("log", { name: "Questions and answers" });
  await log
    .locator(".m:not(.u)")
    .getByText(/30 June 2028/)
    .waitFor();
  await log.getByText(/tokens read/).waitFor();
  await log.getByText(/passages? it is based on/).click();
  await log.getByRole("listitem").getByText("lease.txt").waitFor();
  await accessible(page, "answered");
  assert.equal(await page.getByLabel("Your question").inputValue(), "");
  await page.getByRole("button", { name: "Begin again" }).click();
  await page.getByRole("heading", { name: "Ask a model" }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("an answer is JSON with the fields of a form, and the request is a command", async () => {
  const { page, context, problems } = await signedIn(browser, server, "/playground");
  await page.locator('input[type="file"]').setInputFiles(join(files, "lease.txt"));
  await page.getByRole("list", { name: "Documents" }).getByText("lease.txt").waitFor();
  await page.getByRole("button", { name: /Answer as/ }).click();
  await page.getByRole("option", { name: "JSON with the fields of “Lease <i>”" }).click();
  await page.getByLabel("Your question").fill(HOSTILE);
  await page.getByRole("button", { name: "As a command" }).click();
  const command = await page.getByRole("dialog").locator("code").innerText();
  // What a shell makes of it is the request.
  const { execFileSync } = await import("node:child_process");
  const sent = execFileSync("sh", ["-c", command.replace(/^curl .*\\\n.*\\\n\s*-d/, "printf %s")], {
    encoding: "utf8",
  });
  const body = JSON.parse(sent);
  assert.equal(body.prompt, HOSTILE);
  assert.equal(body.modelId, "extractive@formwork");
  assert.deepEqual(Object.keys(body.responseFormat.json_schema.schema.properties), ["rent", "ends"]);
  await accessible(page, "command");
  await page.keyboard.press("Escape");
  await page.getByLabel("Your question").fill("Read the lease.");
  await page.getByRole("button", { name: "Send" }).click();
  await page
    .locator("pre.m")
    .getByText(/"rent": 900/)
    .waitFor();
  await accessible(page, "JSON");
  assert.deepEqual(problems, []);
  await context.close();
});

test("the conversation and the settings are sent, and an answer is stopped where it is", async () => {
  const { page, context, problems } = await signedIn(browser, server, "/playground");
  const bodies = [];
  const whole = {
    text: `Hello ${HOSTILE}`,
    model: "m",
    provider: "P",
    usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 4, cost: 0.00012 },
    finishReason: "length",
    context: [],
    warnings: ["the seed was dropped"],
  };
  await page.route("**/v2/generate", (route) => {
    bodies.push(route.request().postDataJSON());
    const body = stream(["delta", { text: "Hello" }], ["done", whole]);
    return route.fulfill({ contentType: "text/event-stream", body });
  });
  await page.getByLabel("Instructions").fill("Be brief.");
  await page.getByLabel("Temperature").fill("3");
  await page.getByText("A number from 0 to 2.").waitFor();
  await page.getByLabel("Your question").fill("First");
  assert.ok(await page.getByRole("button", { name: "Send" }).isDisabled());
  await page.getByLabel("Temperature").fill("0.5");
  await page.getByLabel("Longest answer in tokens").fill("50");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("12 tokens read, 3 written").waitFor();
  await page.getByText("$0.00012").waitFor();
  await page.getByText("cut off by the limit").waitFor();
  await page.getByText("the seed was dropped").waitFor();
  await page.getByLabel("Your question").fill("Second");
  await page.keyboard.press("Enter");
  await page.getByText("12 tokens read, 3 written").nth(1).waitFor();
  assert.deepEqual(
    [bodies[1].system, bodies[1].temperature, bodies[1].maxTokens, bodies[1].stream, bodies[1].prompt],
    ["Be brief.", 0.5, 50, true, "Second"],
  );
  assert.deepEqual(bodies[1].messages, [
    { role: "user", content: "First" },
    { role: "assistant", content: whole.text },
  ]);

  // An answer that never ends is stopped, and the next question can be asked.
  await page.unroute("**/v2/generate");
  await page.route("**/v2/generate", () => undefined);
  await page.getByLabel("Your question").fill("Third");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".chat").getByText("Stopped.").waitFor();
  await page.unroute("**/v2/generate");
  await page.route("**/v2/generate", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: stream(["error", { code: "provider_failed", message: "the model is away" }]),
    }),
  );
  await page.getByLabel("Your question").fill("Fourth");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("the model is away").waitFor();
  await page.unroute("**/v2/generate");
  await page.route("**/v2/generate", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: stream(["delta", { text: "Half an" }]) }),
  );
  await page.getByLabel("Your question").fill("Fifth");
  await page.keyboard.press("Enter");
  await page.getByText(/The server does not answer/).waitFor();
  assert.notEqual(await page.title(), "taken");
  assert.deepEqual(problems, []);
  await context.close();
});

test("all models are told with their prices, and who may only read cannot ask", async () => {
  const { page, context, problems } = await signedIn(
    browser,
    server,
    "/playground",
    {},
    keyOf(server, "--scope", "read"),
  );
  await page.getByText("Your key may only read, so no model can be asked with it.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
  await page.getByRole("button", { name: "All models" }).click();
  const row = page.getByRole("dialog").getByRole("row").filter({ hasText: "extractive@formwork" });
  await row.getByText("free of charge").waitFor();
  await accessible(page, "models");
  assert.deepEqual(problems, []);
  await context.close();
});

test("models that cannot be listed are asked for again", async () => {
  const { page, context } = await signedIn(browser, server, "");
  let isDown = true;
  await page.route("**/v1/models", (route) =>
    isDown
      ? route.fulfill({ status: 500, json: { code: "internal", message: "it broke" } })
      : route.fallback(),
  );
  await page.goto(`${server.origin}/console/playground`);
  await page.getByRole("alert").getByText("it broke").waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Ask a model" }).waitFor();
  await context.close();
});

test("the playground looks right in every theme and width", async () => {
  await everyLook(browser, server, { playground: ["/playground", ".play"] });
});
