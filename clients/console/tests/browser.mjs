/** A browser, and what must hold for every page that it opens. */

import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const hasBrowser = () => existsSync(CHROMIUM);

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
}

/** A page that fails on violations of the policy, uncaught errors and requests to other servers. */
export async function open(browser, origin, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const problems = [];
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !/Failed to load resource/.test(text))
      problems.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(blob|data):/.test(url)) problems.push(`request to ${url}`);
  });
  // A route's handler that still waits for the server when the page is closed is no failure of the test.
  const close = context.close.bind(context);
  context.close = async () => {
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await close();
  };
  return { context, page, problems };
}
