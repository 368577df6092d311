/** A site of somebody else: a page with the widget, a strict policy, and rules that would ruin what they reach. */

import { createServer } from "node:http";

const SHOP = `
:root { color-scheme: light dark; font: 16px/1.5 Georgia, "DejaVu Serif", serif; }
body { margin: 0; background: light-dark(#fbf7f0, #1c1a17); color: light-dark(#2b2620, #ece5da); }
header { display: flex; gap: 32px; align-items: baseline; padding: 20px 48px; border-bottom: 1px solid light-dark(#ddd2c2, #3d3830); }
header strong { font-size: 24px; }
nav { display: flex; gap: 20px; }
a { color: inherit; }
main { padding: 40px 48px; max-width: 900px; }
h1 { font-size: 40px; margin: 0 0 8px; }
.goods { display: grid; grid-template-columns: repeat(auto-fill, minmax(180px, 1fr)); gap: 20px; margin-top: 28px; }
.goods article { border: 1px solid light-dark(#ddd2c2, #3d3830); border-radius: 6px; padding: 16px; }
.goods i { display: block; height: 110px; border-radius: 4px; margin-bottom: 12px; background: light-dark(#d9c6a5, #564a37); }
.goods article:nth-child(2n) i { background: light-dark(#a9bcae, #3a4c40); }
.goods h2 { font-size: 18px; margin: 0; }
`;

const HOSTILE = `
body * { all: unset; display: none; }
main, main * { display: revert; }
* { font-size: 80px !important; color: #f0f !important; letter-spacing: 1em !important; }
button, input, textarea, select, dialog, section { display: none !important; font-size: 80px !important; }
formwork-form { display: none !important; visibility: hidden !important; opacity: 0 !important;
  transform: scale(4) !important; position: static !important; --acc: #f0f !important; --ink: #f0f !important; }
`;

const GOODS = ["City bike", "Gravel bike", "Cargo bike", "Folding bike", "Tandem", "Child seat"]
  .map((name) => `<article><i></i><h2>${name}</h2><span>from 690 €</span></article>`)
  .join("");

export class Site {
  /** `server` is the origin of the forms. */
  static async start(server) {
    const site = new Site();
    site.server = server;
    site.listener = createServer((asked, answer) => site.answer(asked, answer));
    await new Promise((done) => site.listener.listen(0, "127.0.0.1", done));
    site.listener.unref();
    site.origin = `http://localhost:${site.listener.address().port}`;
    return site;
  }

  /** The address of a page with these scripts, each an object of `data-` attributes. */
  page(scripts, { hostile = false, inside = "", language = "en" } = {}) {
    const told = { scripts: Array.isArray(scripts) ? scripts : [scripts], hostile, inside, language };
    return `${this.origin}/?${new URLSearchParams({ page: JSON.stringify(told) })}`;
  }

  answer(asked, answer) {
    const { pathname, searchParams } = new URL(asked.url, "http://host");
    if (pathname === "/style.css") {
      answer.writeHead(200, { "Content-Type": "text/css" });
      answer.end(searchParams.has("hostile") ? HOSTILE : SHOP);
      return;
    }
    const told = searchParams.get("page");
    if (!told) {
      answer.writeHead(204).end();
      return;
    }
    const policy =
      `default-src 'none'; script-src ${this.server}; connect-src ${this.server}; style-src 'self'; ` +
      "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";
    answer.writeHead(200, { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy });
    answer.end(this.html(JSON.parse(told)));
  }

  html({ scripts, hostile, inside, language }) {
    const quote = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const attributes = (script) =>
      Object.entries(script)
        .map(([name, value]) => `data-${name}="${quote(value)}"`)
        .join(" ");
    const tags = scripts.map(
      (script) => `<script src="${this.server}/widget.js" ${attributes(script)} async></script>`,
    );
    return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Harbour Cycles</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <link rel="stylesheet" href="/style.css${hostile ? "?hostile" : ""}">${tags.join("\n")}</head><body>
      <header><strong>Harbour Cycles</strong><nav aria-label="Shop"><a href="/a">Bicycles</a> <a href="/b">Repairs</a></nav></header>
      <main><h1>Repairs while you wait</h1><p>Tell us what is broken, and we find a time for it.</p>
      ${inside || `<div class="goods">${GOODS}</div>`}</main></body></html>`;
  }

  stop() {
    this.listener.close();
  }
}
