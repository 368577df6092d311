/** What several tests of rooms need: hostile texts, pictures in both themes, documents. */

import { open } from "./browser.mjs";
import { everyLook, shot } from "./page.mjs";

export { accessible } from "./page.mjs";

export const MARKUP = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
export const RIGHT_TO_LEFT = "\u202efdp.ecalpmas \u05e9\u05dc\u05d5\u05dd";

/** A page that has a key of the server. */
export async function signedIn(browser, server, options, key = server.key) {
  const opened = await open(browser, server.origin, options);
  await opened.context.addInitScript((own) => sessionStorage.setItem("formwork.key", own), key);
  return opened;
}

/** A key that the command line makes. */
export function keyOf(server, scope) {
  return server
    .tell("keys", "create", "--scope", scope)
    .split(/\s+/)
    .find((word) => word.startsWith("fw_"));
}

/** Pictures in both themes. */
export async function shots(page, name) {
  if (!process.env.CONSOLE_SHOTS) return;
  // What moves after a click, such as notices, is not part of the picture.
  await page.mouse.move(0, 0);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await shot(page, `${name}-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Each room in both themes and three widths; `rooms` are paths by name. */
export function everywhere(browser, server, rooms, key) {
  const waited = Object.entries(rooms).map(([name, path]) => [name, [path, "header.head"]]);
  return everyLook(browser, server, Object.fromEntries(waited), key);
}

/** A PDF file, each page with these lines. */
export function pdf(...pages) {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  pages.forEach((lines, index) => {
    const text = lines.map((line, row) => `BT /F1 14 Tf 72 ${720 - row * 30} Td (${line}) Tj ET`).join("\n");
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${5 + index * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    );
  });
  let body = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const size = objects.length + 1;
  return `${body}xref\n0 ${size}\n0000000000 65535 f \n${places.join("")}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
}
