/** Nothing of the form, of the agent or of the visitor is ever markup. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { shot } from "./visit.mjs";

const NAUGHTY = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  '"><svg onload=alert(1)>',
  "'><iframe src=javascript:alert(1)>",
  "<a href=javascript:alert(1)>x</a>",
  "[click](javascript:alert(1))",
  "[click](data:text/html,<script>alert(1)</script>)",
  "[click](vbscript:msgbox)",
  "[click](java\tscript:alert(1))",
  "[a](https://example.com/'onmouseover='alert(1))",
  '[a](https://example.com/"onmouseover="alert(1))',
  "![x](https://example.com/x.png)",
  "**<b onmouseover=alert(1)>x</b>**",
  "</div></section></template>",
  "<!--",
  "<style>*{display:none}</style>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
  "{{constructor.constructor('alert(1)')()}}",
  "${alert(1)}",
  "{filled} {total} {reason} {name}",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "undefined",
  "null",
  "NaN",
  "'; DROP TABLE forms; --",
  "../../../../etc/passwd",
  "%00%0d%0aX: y",
  "\u202Ereversed\u202C",
  "\u200B\u200D\uFEFF",
  "مرحبا بالعالم",
  "שלום <b>עולם</b>",
  "ﷺ".repeat(30),
  "Z̮̞̠͙͔ͅḀ̗̞͈̻̗Ḷ͙͎̯̹̞͓G̻O̭̗̮",
  "👩‍👩‍👧‍👦🏳️‍🌈",
  "\ud83d",
  "a".repeat(2000),
  "**".repeat(400),
];

let setting;

before(async () => {
  setting = await Setting.start();
});

after(() => setting?.stop());

/** Elements of the widget that no text may make. */
function intruders(page) {
  return page.evaluate(() => {
    const root = document.querySelector("formwork-form").shadowRoot;
    const bad = [...root.querySelectorAll("script, img, iframe, style, b, math, mglyph, object, embed")];
    const links = [...root.querySelectorAll("a")].filter((link) => !/^(https?|mailto):/.test(link.href));
    const handlers = [...root.querySelectorAll("*")].filter((one) =>
      one.getAttributeNames().some((name) => name.startsWith("on")),
    );
    return [...bad, ...links, ...handlers].map((one) => one.outerHTML);
  });
}

/** Answers messages as an agent would that says whatever it was told. */
async function parrot(page, form) {
  await page.route("**/v1/public/**", async (route) => {
    const headers = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*" };
    const request = route.request();
    if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers });
    if (request.url().endsWith("/form"))
      return route.fulfill({ headers, json: { title: form.title, description: form.title } });
    const { message } = request.postDataJSON();
    const next = {
      field: "x",
      path: "/x",
      definition: form.definition,
      choices: form.choices,
      question: message,
    };
    const state = { status: "filling", values: {}, next, missing: [], errors: [], complete: false };
    const json = {
      session_id: "session_1",
      text: message,
      form: { ...state, progress: { filled: 0, total: 1 }, submission_id: null },
    };
    return route.fulfill({ headers, json });
  });
}

test("hostile titles, choices, answers and replies do nothing", async () => {
  assert.equal(NAUGHTY.length, 40);
  const { page, context, problems, visitor } = await setting.at(undefined);
  await parrot(page, {
    title: NAUGHTY.join(" "),
    definition: { type: "string" },
    choices: NAUGHTY.slice(0, 8),
  });
  await page.goto(setting.site.page({ key: "fw_1", accent: 'red"><script>alert(1)</script>' }));
  await visitor.open();
  await visitor.hears("Hello");
  await shot(page, "hostile");
  for (const text of NAUGHTY) {
    const before = await visitor.log.locator(".bubble").count();
    await visitor.says(text);
    if (!text.trim().replace(/\uFEFF/g, "")) continue;
    await visitor.log
      .locator(".bubble")
      .nth(before + 1)
      .waitFor();
  }
  await page.getByRole("button", { name: NAUGHTY[1], exact: true }).click();
  await visitor.log.locator(".own").last().getByText(NAUGHTY[1], { exact: true }).waitFor();
  const last = visitor.log.locator(".own").filter({ hasText: "DROP TABLE" });
  assert.equal(await last.locator("p").innerText(), NAUGHTY[27]);
  assert.deepEqual(await intruders(page), []);
  const { width, scrollWidth } = await visitor.log.evaluate((log) => ({
    width: log.clientWidth,
    scrollWidth: log.scrollWidth,
  }));
  assert.equal(scrollWidth, width, "nothing is wider than the panel");
  assert.deepEqual(
    problems.filter((problem) => !problem.includes("is not an opaque colour")),
    [],
  );
  await context.close();
});

test("hostile values do nothing with the real agent", async () => {
  const form = await setting.server.form("<img src=x onerror=alert(1)>", {
    "<b>x</b>": { type: "string", description: "<script>alert(1)</script>?", order: 1 },
    choice: { type: "string", enum: NAUGHTY.slice(0, 4), order: 2 },
  });
  const { page, context, problems, visitor } = await setting.visit({ key: form.key });
  await visitor.open();
  await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>" }).waitFor();
  await visitor.hears("<script>alert(1)</script>?");
  await visitor.says("[x](javascript:alert(1)) <img src=x onerror=alert(1)>");
  await page.getByRole("button", { name: NAUGHTY[0], exact: true }).click();
  await visitor.presses("Yes, send it");
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  assert.deepEqual(await intruders(page), []);
  await page.reload();
  await visitor.open();
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  assert.deepEqual(await intruders(page), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test("the agent's paragraphs, lists, bold words and links are shown", async () => {
  const { page, context, problems, visitor } = await setting.at(undefined);
  await parrot(page, { title: "Plain", definition: { type: "string" }, choices: [] });
  await page.goto(setting.site.page({ key: "fw_1" }));
  await visitor.open();
  await visitor.hears("Hello");
  await visitor.field.fill(
    "One **bold** word\nand [a page](https://example.com/a?b=1) or [mail](mailto:a@example.com)\n\n- first\n- second\n\n3. three\n4. four",
  );
  await visitor.field.press("Enter");
  const bubble = visitor.log.locator(".bubble:not(.own)").last();
  await bubble.getByRole("link", { name: "a page" }).waitFor();
  const made = await bubble.evaluate((node) =>
    [...node.querySelectorAll("p, ul, ol, li, strong, a")].map((one) =>
      [one.tagName, one.getAttribute("href"), one.getAttribute("rel"), one.getAttribute("start")]
        .filter(Boolean)
        .join(" "),
    ),
  );
  assert.deepEqual(made, [
    "P",
    "STRONG",
    "A https://example.com/a?b=1 noopener noreferrer",
    "A mailto:a@example.com noopener noreferrer",
    "UL",
    "LI",
    "LI",
    "OL 3",
    "LI",
    "LI",
  ]);
  assert.deepEqual(problems, []);
  await context.close();
});

test("text from right to left stands so", async () => {
  const form = await setting.server.form("طلب إصلاح", {
    name: { type: "string", description: "ما اسمك?", order: 1 },
    bicycle: { type: "string", enum: ["دراجة", "أخرى"], order: 2 },
  });
  const { page, context, problems, visitor } = await setting.visit({ key: form.key });
  await visitor.open();
  await page.getByRole("heading", { name: "طلب إصلاح" }).waitFor();
  await visitor.hears("ما اسمك?");
  const direction = (locator) => locator.evaluate((node) => getComputedStyle(node).direction);
  assert.equal(await direction(visitor.log.getByText("ما اسمك?").last()), "rtl");
  await visitor.field.fill("عمر");
  assert.equal(await direction(visitor.field), "rtl");
  await visitor.field.press("Enter");
  assert.equal(await direction(visitor.log.locator(".own p").last()), "rtl");
  await page.getByRole("button", { name: "دراجة" }).waitFor();
  await shot(page, "right-to-left");
  await page.getByRole("button", { name: "دراجة" }).click();
  await visitor.presses("Yes, send it");
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
