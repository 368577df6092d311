/** A visitor fills a form to the end, on a site whose rules would ruin it, and with the keyboard alone. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { accessible, REPAIR, shot, submitted } from "./visit.mjs";

let setting;
let repair;

before(async () => {
  setting = await Setting.start();
  repair = await setting.server.form("Repair", REPAIR, "Two minutes, and we know what to do.");
});

after(() => setting?.stop());

const WANTED = {
  name: "Ada Lovelace",
  bicycle: "Cargo bike",
  parts: ["Brakes", "Lights"],
  day: "2027-03-09",
  at: "10:30",
  loan: true,
  price: { amount: 120, currency: "GBP" },
  mail: "ada@example.com",
};

for (const [theme, hostile] of [
  ["light", false],
  ["dark", false],
  ["dark", true],
]) {
  const place = hostile ? `${theme}, on a site whose rules would ruin it` : theme;
  test(`a visitor fills the form by buttons, pickers and words: ${place}`, async () => {
    const { page, context, problems, visitor } = await setting.visit(
      { key: repair.key, theme },
      { look: { hostile }, colorScheme: theme },
    );
    const launcher = page.getByRole("button", { name: "Fill in the form" });
    await launcher.waitFor();
    const { fontSize, letterSpacing } = await launcher.evaluate((button) => getComputedStyle(button));
    assert.deepEqual([fontSize, letterSpacing], ["15px", "normal"], "the site's rules do not reach it");
    if (!hostile) await accessible(page, "closed");
    await visitor.open();
    const dialog = page.getByRole("dialog", { name: "Repair" });
    await dialog.waitFor();
    await visitor.hears("What is your name?");
    assert.equal(
      await visitor.log.getByText("Hello", { exact: true }).count(),
      0,
      "the greeting is not shown",
    );
    await page.getByText("Two minutes, and we know what to do.").waitFor();
    await accessible(page, "words");
    await visitor.says("My name is Ada Lovelace");

    await visitor.hears("Which bicycle?");
    await accessible(page, "choices");
    await visitor.presses("Cargo bike");
    await visitor.hears("What is broken?");
    await visitor.presses("Brakes");
    await visitor.presses("Lights");
    assert.equal(await page.getByRole("button", { name: "Lights", pressed: true }).count(), 1);
    await shot(page, hostile ? "hostile-site" : `widget-${theme}`);
    await accessible(page, "several");
    await visitor.presses("OK");
    await visitor.hears("Is there anything to add");
    assert.equal(await page.getByRole("button", { name: "Brakes" }).count(), 0, "it is in the list already");
    await visitor.presses("That is all");
    await visitor.hears("Which day suits you?");
    await page.getByLabel("Which day suits you?").and(page.locator("input[type=date]")).fill("2027-03-09");
    await accessible(page, "date");
    await visitor.presses("OK");
    await visitor.hears("At what time?");
    await page.locator("input[type=time]").fill("10:30");
    // The value is sent by the button of the message, too.
    await visitor.presses("Send");
    await visitor.hears("Do you need a bicycle meanwhile?");
    await visitor.presses("Yes");
    await visitor.hears("What may it cost?");
    await page.locator("input[inputmode=decimal]").fill("120");
    await page.getByLabel("Currency").selectOption("GBP");
    await visitor.presses("OK");
    await visitor.hears("Your e-mail address?");
    assert.equal(await visitor.field.getAttribute("inputmode"), "email");
    await page.getByText("7 of 8 answered").or(page.getByText("8 of 9 answered")).waitFor();
    await visitor.says("ada@example.com");

    await visitor.hears("Is that right?");
    await accessible(page, "confirming");
    await visitor.presses("Change something");
    await visitor.hears("What should be changed?");
    await visitor.says("the time is 10:30");
    await visitor.presses("Yes, send it");
    await page.getByText("Thank you! Your answers have been sent.").waitFor();
    await accessible(page, "submitted");
    const [submission] = await setting.server.submissions(repair);
    assert.deepEqual(submission.record ?? submission.values, WANTED);
    assert.deepEqual(await submitted(page), [submission.id]);

    await visitor.presses("Start again");
    await visitor.hears("What is your name?");
    assert.equal(await visitor.log.getByText("ada@example.com").count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });
}

test("a visitor fills the form with the keyboard alone", async () => {
  const { page, context, problems, visitor } = await setting.visit({ key: repair.key });
  const { keyboard } = page;
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent;
    });
  await page.getByRole("button", { name: "Fill in the form" }).waitFor();
  for (let left = 20; left > 0 && (await focused()) !== "Fill in the form"; left--)
    await keyboard.press("Tab");
  await keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Repair" }).waitFor();
  assert.equal(await focused(), "Your message", "focus moves into the panel");
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  assert.equal(await focused(), "Fill in the form", "focus returns");
  await keyboard.press("Space");
  await visitor.hears("What is your name?");
  await keyboard.type("Grace");
  await keyboard.press("Shift+Enter");
  await keyboard.type("Hopper");
  assert.equal(await visitor.field.inputValue(), "Grace\nHopper");
  await visitor.field.fill("");
  await keyboard.type("Grace Hopper");
  await keyboard.press("Enter");

  await visitor.hears("Which bicycle?");
  await keyboard.press("Shift+Tab");
  assert.equal(await focused(), "Attach files");
  for (let left = 6; left > 0 && (await focused()) !== "City bike"; left--) await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await visitor.hears("What is broken?");
  await page.waitForFunction(
    () => document.activeElement?.shadowRoot?.activeElement?.textContent === "Brakes",
    undefined,
    { timeout: 5000 },
  );
  await keyboard.press("Space");
  for (let left = 6; left > 0 && (await focused()) !== "OK"; left--) await keyboard.press("Tab");
  await keyboard.press("Enter");
  await visitor.hears("Is there anything to add");
  await visitor.field.focus();
  for (const words of ["that is all", "2027-03-09", "10:30", "no", "90 EUR", "grace@example.com"]) {
    const before = await visitor.log.locator(".bubble").count();
    await keyboard.type(words);
    await keyboard.press("Enter");
    await visitor.log
      .locator(".bubble")
      .nth(before + 1)
      .waitFor();
  }
  await visitor.hears("Is that right?");
  for (let left = 8; left > 0 && (await focused()) !== "Yes, send it"; left--)
    await keyboard.press("Shift+Tab");
  await keyboard.press("Enter");
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  assert.equal((await submitted(page)).length, 1);
  assert.deepEqual(problems, []);
  await context.close();
});
