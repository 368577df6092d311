import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../locales/", import.meta.url);
const locales = Object.fromEntries(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]),
);

const places = (text) => [...new Set(text.match(/\{[a-z_]+\}/g) ?? [])].sort();

test("all languages have the same texts with the same places", () => {
  const { "en.json": en, ...others } = locales;
  assert.equal(Object.keys(others).length, 8);
  for (const [name, texts] of Object.entries(others)) {
    assert.deepEqual(Object.keys(texts), Object.keys(en), name);
    for (const [key, text] of Object.entries(texts)) {
      assert.deepEqual(places(text), places(en[key]), `${name}: ${key}`);
      assert.ok(text, `${name}: ${key}`);
    }
  }
});

test("each language begins with a greeting of its own", () => {
  const greetings = Object.values(locales).map(({ hello }) => hello);
  assert.equal(new Set(greetings).size, greetings.length);
});

test("every text is used", () => {
  const source = readdirSync(new URL("../src/", import.meta.url), { recursive: true })
    .filter((name) => /\.ts$/.test(name))
    .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8"))
    .join("\n");
  for (const key of Object.keys(locales["en.json"]))
    assert.ok(source.includes(`"${key}"`) || source.includes(`.${key} `), key);
});
