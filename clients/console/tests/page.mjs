/** Pages of a signed-in person, and what every page of the console must fulfil. */

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { open } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const SHOTS = process.env.CONSOLE_SHOTS;

/** A page at a path of the console, with a key of the tab. */
export async function signedIn(browser, server, path = "", options = {}, key = server.key) {
  const opened = await open(browser, server.origin, options);
  await opened.context.addInitScript((own) => sessionStorage.setItem("formwork.key", own), key);
  await opened.page.goto(`${server.origin}/console${path}`);
  return opened;
}

/** A key that may only do so much. */
export function keyOf(server, ...rights) {
  const told = server.tell("keys", "create", ...rights);
  return told.split(/\s+/).find((word) => word.startsWith("fw_"));
}

/** Fails where the rules of WCAG 2.2 AA are broken. */
export async function accessible(page, place) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    }),
  );
  const told = violations.map(
    (broken) =>
      `${broken.id}: ${broken.nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(" | ")}`,
  );
  assert.deepEqual(told, [], place);
}

export async function shot(page, name) {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}

const LOOKS = [
  [1440, "light"],
  [1440, "dark"],
  [360, "light"],
  [360, "dark"],
  [2560, "light"],
];

/** Opens each room in both themes and three widths, in German where it is dark. `rooms` are path and what is waited for. */
export async function everyLook(browser, server, rooms, key) {
  for (const [width, colorScheme] of LOOKS) {
    const locale = colorScheme === "dark" ? "de-DE" : "en-GB";
    const options = { viewport: { width, height: 900 }, colorScheme, locale };
    const { page, context, problems } = await signedIn(browser, server, "", options, key);
    for (const [name, [path, wanted]] of Object.entries(rooms)) {
      await page.goto(`${server.origin}/console${path}`);
      await page.locator(wanted).first().waitFor();
      await page.waitForLoadState("networkidle");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${name} is ${wide} pixels wider than ${width}`);
      await accessible(page, `${name} at ${width} in ${colorScheme}`);
      await shot(page, `${name}-${width}-${colorScheme}`);
    }
    assert.deepEqual(problems, [], `${width} ${colorScheme}`);
    await context.close();
  }
}
