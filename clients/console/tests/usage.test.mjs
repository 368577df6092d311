/** What models did, by day, model and key. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, everyLook, keyOf, signedIn } from "./page.mjs";
import { Server } from "./server.mjs";

let server;
let browser;

before(async () => {
  server = await Server.start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const sums = (requests, input, output, cost, unpriced = 0) => ({
  requests,
  inputTokens: input,
  outputTokens: output,
  cachedTokens: 5,
  reasoningTokens: 0,
  cost,
  unpricedRequests: unpriced,
});

const day = (ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);

/** A workspace that uses two models with two keys, one of which has a name with markup. */
async function busy(page) {
  const asked = [];
  await page.route("**/v1/usage?**", (route) => {
    const query = new URL(route.request().url()).searchParams;
    asked.push(Object.fromEntries(query));
    const model = query.get("model");
    const days = {
      "a@openai": [{ day: day(2), ...sums(2, 100, 20, 0.5) }],
      "b@mistral": [{ day: day(1), ...sums(4, 900, 80, 1.5) }],
    };
    const usage = {
      day: model ? days[model] : Object.values(days).flat(),
      model: [
        { model: "b@mistral", ...sums(4, 900, 80, 1.5) },
        { model: "a@openai", ...sums(2, 100, 20, 0.5) },
      ],
      key: [
        { key: "fw_aaaaaaaa", name: "<script>alert(1)</script>", ...sums(5, 950, 90, 1.8) },
        { key: "", name: "", ...sums(1, 50, 10, null, 1) },
      ],
    }[query.get("by")];
    const total = sums(6, 1000, 100, 2, 1);
    return route.fulfill({ json: { usage, total, from: query.get("from"), to: query.get("to") } });
  });
  return asked;
}

test("a workspace that used no model is told so, beside its quotas", async () => {
  const { page, context, problems } = await signedIn(browser, server, "/usage");
  await page.getByRole("heading", { name: "No model was used in this time" }).waitFor();
  await page.getByRole("heading", { name: "What the workspace stores" }).waitFor();
  await page.getByText(/Files/).first().waitFor();
  await accessible(page, "no usage");
  assert.deepEqual(problems, []);
  await context.close();
});

test("what a model really did is counted", async () => {
  await server.call("POST", "/v1/agent", {
    namespace: "inv",
    form_id: (await server.call("POST", "/v1/form", { title: "F", schema: { total: { type: "number" } } }))
      .form_id,
  });
  const body = { message: "Total: 5", response_format: "json" };
  await server.call("POST", "/v1/agent/inv/chat", body);
  const { page, context, problems } = await signedIn(browser, server, "/usage");
  for (let tries = 0; tries < 20; tries++) {
    if ((await server.call("GET", "/v1/usage")).total.requests > 0) break;
    await page.waitForTimeout(250);
  }
  await page.reload();
  await page.getByRole("cell", { name: "extractive@formwork" }).waitFor();
  await page.getByRole("img", { name: /Tokens by day/ }).waitFor();
  await accessible(page, "usage");
  assert.deepEqual(problems, []);
  await context.close();
});

test("cost is shown by day, model and key, filtered, and as a table", async () => {
  const { page, context, problems } = await signedIn(browser, server, "");
  const asked = await busy(page);
  await page.goto(`${server.origin}/console/usage`);
  const chart = page.getByRole("img", { name: /Cost by day/ });
  await chart.waitFor();
  await page.locator("rect.series-1[x]").first().waitFor();
  assert.match(await chart.getAttribute("aria-label"), /\$1\.5/);
  await page.getByText("The price of 1 call is not known").waitFor();
  await page.getByRole("cell", { name: "<script>alert(1)</script> (fw_aaaaaaaa)" }).waitFor();
  await page.getByRole("cell", { name: "The service itself" }).waitFor();
  await page.getByText("As a table").click();
  const table = page.getByRole("region", { name: "By day" });
  assert.match(await table.getByRole("row").nth(1).innerText(), /\$0\.5/);
  assert.equal(await table.getByRole("row").count(), 3);
  await accessible(page, "cost");

  await page.getByRole("button", { name: /^Model|Model$/ }).click();
  await page.getByRole("option", { name: "a@openai" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".chart rect[x]").length === 1);
  await page.getByRole("button", { name: /Time/ }).click();
  await page.getByRole("option", { name: "Last 90 days" }).click();
  await page.waitForFunction(() => document.querySelector(".chart > svg g:nth-of-type(60)"));
  const last = asked.filter((query) => query.by === "day").at(-1);
  assert.deepEqual([last.from, last.to, last.model], [day(89), day(0), "a@openai"]);
  await page.getByRole("button", { name: /What is measured/ }).click();
  await page.getByRole("option", { name: "Calls" }).click();
  await page.getByRole("img", { name: /Calls by day/ }).waitFor();

  // A time of one's own, and one that cannot be.
  await page.getByRole("button", { name: /Time/ }).click();
  await page.getByRole("option", { name: "Other time…" }).click();
  await page.getByLabel("From", { exact: true }).fill("2999-01-01");
  await page.getByText("Choose a first and a last day").waitFor();
  assert.ok(!asked.some((query) => query.from === "2999-01-01"));
  await page.getByLabel("From", { exact: true }).fill(day(3));
  await page.getByText("Choose a first and a last day").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
  await context.close();
});

test("who may only read sees the usage, and a failed request can be repeated", async () => {
  const { page, context } = await signedIn(
    browser,
    server,
    "",
    {},
    keyOf(server, "--scope", "read", "--requests-per-minute", "500"),
  );
  let isDown = true;
  await page.route("**/v1/usage?**", (route) =>
    isDown
      ? route.fulfill({ status: 500, json: { code: "internal", message: "it broke" } })
      : route.fallback(),
  );
  await page.goto(`${server.origin}/console/usage`);
  await page.getByRole("alert").getByText("it broke").waitFor();
  isDown = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("cell", { name: "extractive@formwork" }).waitFor();
  await page.getByText("Limits of your key").waitFor();
  await context.close();
});

test("usage looks right in every theme and width", async () => {
  await everyLook(browser, server, { usage: ["/usage", ".chart"] });
});
