/** Pages of all kinds: two forms on one page, a form within the page, a hosted page, small screens, options. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { accessible, REPAIR, shot, submitted } from "./visit.mjs";

let setting;
let repair;
let contact;

before(async () => {
  setting = await Setting.start();
  repair = await setting.server.form("Repair", REPAIR, "Two minutes, and we know what to do.");
  contact = await setting.server.form("Contact", {
    question: { type: "string", description: "What do you want to know?" },
  });
});

after(() => setting?.stop());

test("two forms on one page do not disturb each other", async () => {
  const scripts = [
    { key: repair.key, language: "de" },
    { key: contact.key, position: "left" },
  ];
  const { page, context, problems, visitor } = await setting.visit(scripts);
  await page.getByRole("button", { name: "Formular ausfüllen" }).click();
  await page.getByText("What is your name?").waitFor();
  await page.evaluate((key) => globalThis.Formwork.open(key), contact.key);
  await page.getByRole("dialog", { name: "Contact" }).waitFor();
  await page.getByRole("dialog", { name: "Repair" }).waitFor({ state: "hidden" });
  await accessible(page, "two forms");
  await visitor.says("The opening hours");
  await visitor.presses("Yes, send it");
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  assert.deepEqual(await submitted(page), [(await setting.server.submissions(contact))[0].id]);
  await page.evaluate((key) => globalThis.Formwork.close(key), contact.key);
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal((await page.evaluate(() => Object.keys(localStorage))).length, 2);

  // The link of one of them opens that one.
  const session = await page.evaluate(
    (key) => localStorage.getItem(`formwork.${key.slice(0, 16)}`),
    contact.key,
  );
  const other = await setting.at(`${setting.site.page(scripts)}#formwork=${session}`);
  await other.page.getByRole("dialog", { name: "Contact" }).waitFor();
  await other.page.getByText("The opening hours", { exact: true }).waitFor();
  assert.deepEqual([...problems, ...other.problems], []);
  await other.context.close();
  await context.close();
});

test("launchers at one side stand above each other", async () => {
  const { page, context } = await setting.visit([{ key: repair.key }, { key: contact.key }]);
  const launchers = page.getByRole("button", { name: "Fill in the form" });
  await launchers.nth(1).waitFor();
  const [one, other] = [await launchers.nth(0).boundingBox(), await launchers.nth(1).boundingBox()];
  assert.ok(Math.abs(one.y - other.y) >= one.height, "they do not overlap");
  await context.close();
});

test("a form is part of a page", async () => {
  const inside = '<div id="here" class="place"></div>';
  const { page, context, problems, visitor } = await setting.visit(
    { key: repair.key, position: "inline", target: "#here" },
    { look: { inside } },
  );
  await visitor.hears("What is your name?");
  await page.getByRole("region", { name: "Repair" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY", "focus stays where it was");
  await visitor.says("My name is Ada");
  await visitor.presses("Cargo bike");
  await visitor.hears("What is broken?");
  await accessible(page, "inline");
  await shot(page, "inline");
  assert.deepEqual(problems, []);
  await context.close();
});

for (const theme of ["light", "dark"]) {
  test(`the hosted page has the form and nothing else: ${theme}`, async () => {
    const address = `${setting.server.origin}/f/${repair.page}`;
    const { page, context, problems, visitor } = await setting.at(address, { colorScheme: theme });
    await page.getByRole("heading", { name: "Repair", level: 1 }).waitFor();
    assert.equal(await page.title(), "Repair");
    await visitor.hears("What is your name?");
    await accessible(page, "hosted");
    await visitor.says("My name is Ada");
    await visitor.hears("Which bicycle?");
    for (const width of [360, 1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await shot(page, `hosted-${theme}-${width}`);
      const height = await page.evaluate(() => document.scrollingElement.scrollHeight);
      assert.equal(height, 900, "the page itself does not scroll");
    }
    await page.reload();
    await visitor.hears("Which bicycle?");
    assert.deepEqual(problems, []);
    await context.close();
  });
}

test("the hosted page speaks the language of the browser", async () => {
  const address = `${setting.server.origin}/f/${contact.page}`;
  const { page, context, problems } = await setting.at(address, { locale: "pl-PL" });
  await page.getByText("Dzień dobry!").waitFor();
  await page.getByRole("textbox", { name: "Wiadomość" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "pl");
  assert.deepEqual(problems, []);
  await context.close();
});

test("on a small screen the panel covers the page and keeps the focus", async () => {
  const { page, context, problems, visitor } = await setting.visit(
    { key: repair.key },
    { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true },
  );
  await visitor.open();
  await visitor.hears("What is your name?");
  const box = await page.getByRole("dialog", { name: "Repair" }).boundingBox();
  assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, 360, 640]);
  await visitor.says("My name is Ada Lovelace");
  await visitor.presses("City bike");
  await visitor.hears("What is broken?");
  await accessible(page, "small");
  await shot(page, "small");
  assert.equal(await page.evaluate(() => document.scrollingElement.scrollWidth), 360);
  for (let left = 15; left > 0; left--) {
    await page.keyboard.press("Tab");
    const inside = await page.evaluate(() =>
      ["FORMWORK-FORM", "BODY"].includes(document.activeElement.tagName),
    );
    assert.ok(inside, "what is covered is not reached");
  }
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.deepEqual(problems, []);
  await context.close();
});

test("a wide screen", async () => {
  const { page, context, visitor } = await setting.visit(
    { key: repair.key, position: "left", open: "" },
    { viewport: { width: 2560, height: 1300 } },
  );
  await visitor.hears("What is your name?");
  assert.equal(
    await page.evaluate(() => document.activeElement.tagName),
    "BODY",
    "the page opened it by itself",
  );
  await shot(page, "wide");
  await context.close();
});

for (const accent of ["#ffd400", "rebeccapurple", "oklch(70% 0.2 140)", "#000", "white"]) {
  test(`the colour ${accent} can be read on and beside`, async () => {
    for (const theme of ["light", "dark"]) {
      const { page, context, problems, visitor } = await setting.visit({ key: contact.key, theme, accent });
      await visitor.open();
      await visitor.hears("What do you want to know?");
      await visitor.says("The opening hours");
      await page.getByRole("button", { name: "Yes, send it" }).waitFor();
      await accessible(page, `${accent} ${theme}`);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });
}

test("what is no colour is refused", async () => {
  for (const accent of [
    "nothing",
    "url(x)",
    "transparent",
    "rgb(0 0 0 / 50%)",
    "red; color: blue",
    "inherit",
  ]) {
    const { page, context, problems } = await setting.visit({ key: contact.key, accent });
    const launcher = page.getByRole("button", { name: "Fill in the form" });
    const colour = await launcher.evaluate((button) => getComputedStyle(button).backgroundColor);
    assert.equal(colour, "rgb(11, 110, 110)", accent);
    assert.match(problems.join(), /is not an opaque colour/, accent);
    await context.close();
  }
});

test("a tag without its key or place says what is missing", async () => {
  for (const [script, words] of [
    [{}, /data-key is missing/],
    [{ key: repair.key, position: "inline" }, /needs data-target/],
    [{ key: repair.key, position: "inline", target: "#none" }, /no element #none/],
    [{ key: repair.key, position: "inline", target: "##" }, /no element ##/],
  ]) {
    const { page, context, problems } = await setting.visit(script);
    await page.waitForLoadState("load");
    assert.match(problems.join(), words);
    assert.equal(await page.locator("formwork-form").count(), 0);
    await context.close();
  }
});
