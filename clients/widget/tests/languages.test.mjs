/** In each language the agent greets in it and understands the words that the buttons say. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";

let setting;
let form;

before(async () => {
  setting = await Setting.start();
  form = await setting.server.form("X", {
    day: { type: "date", order: 1 },
    parts: { type: "array", items: { type: "string", enum: ["Brakes", "Gears", "Lights"] }, order: 2 },
    loan: { type: "boolean", order: 3 },
    helmet: { type: "boolean", order: 4 },
    wishes: { type: "string", order: 5 },
  });
});

after(() => setting?.stop());

const GREETINGS = {
  en: "Hello!",
  de: "Guten Tag!",
  fr: "Bonjour !",
  es: "¡Hola!",
  it: "Buongiorno!",
  nl: "Goedendag!",
  pl: "Dzień dobry!",
  pt: "Olá!",
  sv: "Hej!",
};

for (const [language, greeting] of Object.entries(GREETINGS)) {
  test(`the words of the buttons are understood: ${language}`, async () => {
    const texts = JSON.parse(readFileSync(new URL(`../locales/${language}.json`, import.meta.url), "utf8"));
    const { page, context, problems, visitor } = await setting.visit({ key: form.key, language });
    const presses = (key) => page.getByRole("button", { name: texts[key], exact: true }).click();
    const progress = (filled) =>
      page.getByText(texts.progress.replace("{filled}", filled).replace("{total}", 5)).first().waitFor();
    await page.getByRole("button", { name: texts.open, exact: true }).click();
    await visitor.hears(greeting);
    await page.locator("input[type=date]").fill("2027-03-09");
    await presses("ok");
    await page.getByRole("button", { name: "Brakes" }).waitFor();
    await presses("back");
    await page.locator("input[type=date]").fill("2027-03-10");
    await presses("ok");
    await page.getByRole("button", { name: "Brakes" }).click();
    await page.getByRole("button", { name: "Gears" }).click();
    await presses("ok");
    await progress(2);
    await presses("that_is_all");
    await presses("yes");
    await progress(3);
    await presses("no");
    await progress(4);
    await presses("skip");
    await presses("change");
    await presses("confirm");
    await page.getByText(texts.submitted, { exact: true }).waitFor();
    const [{ record }] = await setting.server.submissions(form);
    assert.deepEqual(record, {
      day: "2027-03-10",
      parts: ["Brakes", "Gears"],
      loan: true,
      helmet: false,
      wishes: null,
    });
    assert.deepEqual(problems, []);
    await context.close();
  });
}
