/** Knowledge bases: filled, searched, asked and deleted by somebody who sees them for the first time. */

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { accessible, everywhere, keyOf, MARKUP, pdf, RIGHT_TO_LEFT, shots, signedIn } from "./checks.mjs";
import { Server } from "./server.mjs";
import { startVendor } from "./vendor.mjs";

const files = mkdtempSync(join(tmpdir(), "console-knowledge-"));
let server;
let browser;
/** The base that the first test makes. */
let base;

before(async () => {
  server = await Server.start((await startVendor()).settings);
  browser = await launch();
  writeFileSync(
    join(files, "tariff.pdf"),
    pdf(
      ["Harbour tariff", "Berth 4 has a draught of 9.2 metres.", "The office opens at six."],
      ["Pilotage", "Pilotage is 320 EUR a ship.", "Tugs cost 410 EUR an hour."],
    ),
  );
  writeFileSync(join(files, "broken.pdf"), "%PDF-1.4 nothing");
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

async function at(path, key, options) {
  const opened = await signedIn(browser, server, options, key);
  await opened.page.goto(`${server.origin}/console${path}`);
  return opened;
}

test("a first-time user makes a knowledge base and fills it with files, a text and a page", async () => {
  const { page, context, problems } = await at("/knowledge");
  await page.getByRole("heading", { name: "No knowledge bases yet" }).waitFor();
  await accessible(page, "no bases");
  await page.getByRole("button", { name: "New knowledge base" }).last().click();
  await page.getByLabel("Name", { exact: true }).fill("Harbour rules");
  await page.getByRole("button", { name: /Search by meaning/ }).click();
  await page.getByRole("option", { name: "Text Embedding 3 small" }).click();
  await accessible(page, "new base");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Nothing to search yet" }).waitFor();
  base = decodeURIComponent(new URL(page.url()).pathname.split("/")[3]);

  await page.getByRole("button", { name: "Add", exact: true }).last().click();
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles(["tariff.pdf", "broken.pdf"].map((name) => join(files, name)));
  await accessible(page, "add files");
  await page.getByRole("button", { name: "Add 2 files" }).click();
  const row = (name) => page.getByRole("row").filter({ hasText: name });
  await row("tariff.pdf").getByText("ready").waitFor();
  await row("broken.pdf").getByText("failed", { exact: true }).waitFor();
  await row("broken.pdf")
    .getByText(/damaged/)
    .waitFor();

  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("tab", { name: "Text" }).click();
  await page.getByLabel("Title").fill("Night rules");
  await page
    .getByRole("textbox", { name: "Text", exact: true })
    .fill("# Night\n\nShips over 120 m are towed by two boats.");
  await page.getByLabel("Properties").fill("no colon");
  await page.getByRole("button", { name: "Add the text" }).click();
  await page.getByText("Write each property as name: value.").waitFor();
  await page.getByLabel("Properties").fill("year: 2026");
  await page.getByRole("button", { name: "Add the text" }).click();
  await row("Night rules").getByText("ready").waitFor();

  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("tab", { name: "Web pages" }).click();
  await page.getByLabel("Addresses of web pages").fill("harbour rules");
  await page.getByRole("button", { name: "Add the pages" }).click();
  await page.getByText("“harbour” is not an address").waitFor();
  await page.getByLabel("Addresses of web pages").fill("http://127.0.0.1:9/rules");
  await page.getByRole("button", { name: "Add the pages" }).click();
  await row("127.0.0.1").getByText("failed", { exact: true }).waitFor();
  await accessible(page, "items");

  // By state and by name.
  await page.getByRole("button", { name: /^failed 2/ }).click();
  await row("tariff.pdf").waitFor({ state: "detached" });
  await row("broken.pdf").waitFor();
  await page.getByRole("button", { name: /^All/ }).click();
  await page.getByPlaceholder("Find by name").fill("TARIFF");
  await row("broken.pdf").waitFor({ state: "detached" });
  await row("tariff.pdf").waitFor();
  await page.getByPlaceholder("Find by name").fill("");

  // Tried again, it fails again; then both go.
  await page.getByRole("button", { name: "Try again: broken.pdf" }).click();
  await row("broken.pdf").getByText("failed", { exact: true }).waitFor();
  await page.getByText("Choose broken.pdf").locator("xpath=ancestor::label").click();
  await page.getByRole("button", { name: "Remove 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await row("broken.pdf").waitFor({ state: "detached" });
  const { files: stored } = await server.call("GET", `/v1/knowledgebase/files?knowledgeId=${base}`);
  assert.deepEqual(
    stored
      .map((item) => item.name)
      .filter((name) => /pdf|Night/.test(name))
      .sort(),
    ["Night rules", "tariff.pdf"],
  );
  assert.equal(stored.find((item) => item.name === "Night rules").meta.year, 2026);

  // An item opens with its chunks, and a chunk with its place.
  await page.getByRole("button", { name: "tariff.pdf", exact: true }).click();
  await page.getByRole("list", { name: "Chunks" }).getByRole("button").last().click();
  await page.getByRole("dialog").locator(".page .mark.main").first().waitFor();
  await accessible(page, "item");
  await page.keyboard.press("Escape");
  assert.deepEqual(problems, []);
  await context.close();
});

test("a search beside each other says why a result was found and opens its place", async () => {
  const { page, context, problems } = await at(`/knowledge/${base}/search`);
  await page.getByRole("textbox", { name: "Question" }).fill("What do tugs cost?");
  await page.keyboard.press("Enter");
  const column = (name) => page.getByRole("region", { name, exact: true });
  await column("Words").getByText("Tugs cost 410 EUR").waitFor();
  await column("Meaning").getByText("Tugs cost 410 EUR").waitFor();
  const both = column("Words and meaning").locator("li").filter({ hasText: "Tugs cost 410 EUR" });
  await both.first().waitFor();
  // The parts make up the whole.
  const told = await both.first().locator(".scores p").innerText();
  const [whole, words, meaning] = told.match(/\d\.\d\d/g).map(Number);
  assert.ok(Math.abs(whole - words - meaning) < 0.02, told);
  assert.ok(words > 0 && meaning > 0, told);
  await both
    .first()
    .getByText(/Place 1 in the search by words/)
    .waitFor();
  // By meaning alone it finds what has none of the words.
  await column("Meaning").getByText("towed by two boats").waitFor();
  assert.equal(await column("Words").getByText("towed by two boats").count(), 0);

  await both.first().getByRole("button").click();
  const source = page.getByRole("complementary", { name: "Document of the result" });
  await source.locator(".page .mark.main").first().waitFor();
  await source.getByText("1 / 2").waitFor();
  await accessible(page, "search");
  await shots(page, "knowledge");

  // A text has no pages: its chunk is marked in the text.
  await column("Meaning")
    .getByRole("button", { name: /Night rules/ })
    .click();
  await source.locator(".text-box mark.main").first().waitFor();

  // The filter, and one way alone.
  await page.getByText("Filters and options").click();
  await page.getByRole("button", { name: "Add a condition" }).click();
  await page.getByLabel("Property").fill("year");
  await page.getByLabel("Value", { exact: true }).fill("2026");
  await page.getByRole("button", { name: "Words and meaning", exact: true }).click();
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await column("Meaning").getByText("1 result").waitFor();
  await column("Words").getByText("0 results").waitFor();
  assert.equal(await column("Words and meaning").count(), 0);
  // What the server refuses is told.
  await page.getByLabel("Score at least").fill("7");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await column("Words").getByRole("alert").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("an answer cites the page that states it, and a question without an answer is told as such", async () => {
  const { page, context, problems } = await at(`/knowledge/${base}/ask`);
  await page.getByRole("textbox", { name: "Question" }).fill("What do tugs cost?");
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.locator(".answer", { hasText: "Tugs cost 410 EUR an hour." }).waitFor();
  await page.getByRole("button", { name: /Source 1: tariff.pdf, page 2/ }).click();
  const source = page.getByRole("complementary", { name: "Document of the result" });
  await source.locator(".page .mark.main").waitFor();
  await source.getByText("2 / 2").waitFor();
  await accessible(page, "answer");
  await shots(page, "ask");

  await page.getByRole("textbox", { name: "Question" }).fill("Who is the king of Spain?");
  await page.keyboard.press("Enter");
  await page.getByText("no answer", { exact: true }).waitFor();
  await page.getByText("Nothing in the knowledge base supports an answer.").waitFor();
  await page.getByRole("button", { name: "Begin again" }).click();
  await page.getByRole("heading", { name: "Ask your documents" }).waitFor();

  // A failure is told, and the next question is asked all the same.
  await page.route("**/v2/generate", (route) =>
    route.fulfill({ status: 502, json: { code: "provider_failed", message: "the vendor is away" } }),
  );
  await page.getByRole("textbox", { name: "Question" }).fill("What do tugs cost?");
  await page.keyboard.press("Enter");
  await page.getByText("the vendor is away").waitFor();
  await page.unroute("**/v2/generate");
  await page.getByRole("textbox", { name: "Question" }).fill("What do tugs cost?");
  await page.keyboard.press("Enter");
  await page.locator(".answer", { hasText: "Tugs cost 410 EUR an hour." }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("hostile names and texts are shown as they are", async () => {
  const hostile = await server.call("POST", "/v1/knowledgebase", { name: `${MARKUP} ${RIGHT_TO_LEFT}` });
  await server.call("POST", `/v1/knowledgebase/${hostile.knowledgeId}/files`, {
    texts: [
      { title: `${MARKUP}${RIGHT_TO_LEFT}`, content: `# ${MARKUP}\n\nThe pier opens at six ${MARKUP}` },
    ],
  });
  const { page, context, problems } = await at("/knowledge");
  await page.getByRole("link", { name: /<img/ }).click();
  await page.getByRole("row").filter({ hasText: "ready" }).getByText("<script>").first().waitFor();
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByText("This knowledge base is searched by words.").waitFor();
  await page.getByRole("textbox", { name: "Question" }).fill(`pier opens ${MARKUP}`);
  await page.keyboard.press("Enter");
  await page.locator(".results").getByRole("button").first().click();
  await page.locator(".text-box mark.main").first().waitFor();
  await page.getByRole("link", { name: "Ask" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("When does the pier open?");
  await page.keyboard.press("Enter");
  await page.locator(".cite").first().click();
  await page.locator(".text-box mark.main").first().waitFor();
  await accessible(page, "hostile");
  assert.equal(await page.evaluate(() => window.broken), undefined);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a failed list is asked again, and a search that is not over is left", async () => {
  const { page, context, problems } = await signedIn(browser, server);
  await page.route("**/v1/knowledgebases?*", (route) =>
    route.fulfill({ status: 500, json: { code: "internal", message: "the list broke" } }),
  );
  await page.goto(`${server.origin}/console/knowledge`);
  await page.getByText("the list broke").waitFor();
  await page.unroute("**/v1/knowledgebases?*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "Harbour rules" }).waitFor();

  const asked = page.waitForEvent("requestfailed", (request) => /v1.*search$/.test(request.url()));
  await page.route("**/v1/**/search", () => undefined);
  await page.goto(`${server.origin}/console/knowledge/${base}/search`);
  await page.getByRole("textbox", { name: "Question" }).fill("tugs");
  const sent = page.waitForRequest("**/v1/**/search");
  await page.keyboard.press("Enter");
  await sent;
  await page.getByRole("link", { name: "Knowledge" }).first().click();
  await asked;
  await page.getByRole("link", { name: "Harbour rules" }).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("who may only read searches, and is offered nothing else", async () => {
  const { page, context, problems } = await at(`/knowledge/${base}`, keyOf(server, "read"));
  await page.getByText("tariff.pdf").waitFor();
  assert.equal(await page.getByRole("button", { name: /Add|Remove|Try/ }).count(), 0);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  assert.equal(await page.getByRole("link", { name: /^(Ask|Settings)$/ }).count(), 0);
  await page.getByRole("link", { name: "Search" }).click();
  await page.getByRole("textbox", { name: "Question" }).fill("What do tugs cost?");
  await page.keyboard.press("Enter");
  await page.locator(".results").getByRole("button").first().click();
  await page.locator(".text-box mark.main").first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test("the rooms of a knowledge base can be used in the dark, narrow, wide and in German", async () => {
  await everywhere(browser, server, {
    bases: "/knowledge",
    items: `/knowledge/${base}`,
    search: `/knowledge/${base}/search`,
    ask: `/knowledge/${base}/ask`,
    settings: `/knowledge/${base}/settings`,
  });
});

test("a knowledge base is renamed, and deleted by its name", async () => {
  const { page, context, problems } = await at(`/knowledge/${base}/settings`);
  await page.getByLabel("Name", { exact: true }).fill("Pier rules");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Pier rules" }).waitFor();
  await page.getByRole("button", { name: "Delete the knowledge base" }).click();
  const remove = page.getByRole("dialog").getByRole("button", { name: "Remove" });
  await page.getByLabel("Type the name to confirm").fill("Pier");
  assert.ok(await remove.isDisabled());
  await page.getByLabel("Type the name to confirm").fill("Pier rules");
  await remove.click();
  await page.getByRole("link", { name: /<img/ }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Pier rules" }).count(), 0);
  const { knowledgebases } = await server.call("GET", "/v1/knowledgebases");
  assert.ok(knowledgebases.every((known) => known.knowledgeId !== base));
  assert.deepEqual(problems, []);
  await context.close();
});
