import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../locales/", import.meta.url);
const locales = Object.fromEntries(
  readdirSync(folder).map((name) => [name, JSON.parse(readFileSync(new URL(name, folder), "utf8"))]),
);

/** The places of a text, whatever its form by number. */
const places = (text) => [...new Set(JSON.stringify(text).match(/\{[a-z_]+\}/g) ?? [])].sort();

test("all languages have the same texts with the same places", () => {
  const { "en.json": en, ...others } = locales;
  assert.ok(Object.keys(others).length > 0);
  for (const [name, texts] of Object.entries(others)) {
    assert.deepEqual(Object.keys(texts), Object.keys(en), name);
    for (const key of Object.keys(en)) {
      assert.deepEqual(places(texts[key]), places(en[key]), `${name}: ${key}`);
      assert.equal(typeof texts[key], typeof en[key], `${name}: ${key}`);
      for (const text of Object.values(Object(texts[key]))) assert.notEqual(text, "", `${name}: ${key}`);
    }
  }
});

test("every text is used", () => {
  const source = readdirSync(new URL("../src/", import.meta.url), { recursive: true })
    .filter((name) => /\.tsx?$/.test(name) && name !== "schema.d.ts")
    .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8"))
    .join("\n");
  // Keys whose end is computed, such as t(`run.${state}`).
  const starts = [...source.matchAll(/t\(`([a-z_.]+)\$\{/g)].map((match) => match[1]);
  for (const key of Object.keys(locales["en.json"])) {
    assert.ok(source.includes(`"${key}"`) || starts.some((start) => key.startsWith(start)), key);
  }
});
