/** Files go with a message, by the button and by dropping, within the limits. */

import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Setting } from "./setting.mjs";
import { accessible, shot } from "./visit.mjs";

const folder = mkdtempSync(join(tmpdir(), "widget-files-"));
const path = (name) => join(folder, name);

let setting;
let invoice;

before(async () => {
  setting = await Setting.start();
  invoice = await setting.server.form("Invoice", {
    invoice_number: { type: "string", order: 1 },
    total_amount: { type: "number", order: 2 },
    note: { type: "string", order: 3, description: "Anything else?" },
  });
  writeFileSync(path("invoice.txt"), "Invoice\n\nInvoice number: INV-2041\nTotal amount: 1656.00\n");
  writeFileSync(path("large.bin"), Buffer.alloc(6_000_000));
  for (const index of [1, 2, 3, 4, 5, 6]) writeFileSync(path(`${index}.txt`), `note ${index}`);
});

after(() => setting?.stop());

async function asked() {
  const visited = await setting.visit({ key: invoice.key });
  await visited.visitor.open();
  await visited.visitor.hears("Please tell me the invoice number.");
  return visited;
}

async function attach(page, ...names) {
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await chosen).setFiles(names.map(path));
}

test("a document fills what it states", async () => {
  const { page, context, problems, visitor } = await asked();
  await attach(page, "invoice.txt", "1.txt");
  await page.getByRole("list", { name: "Attached files" }).getByText("invoice.txt").waitFor();
  await accessible(page, "attached");
  await shot(page, "attached");
  await visitor.presses("Remove 1.txt");
  await visitor.presses("Send");
  await visitor.hears("Anything else?");
  await visitor.log.getByText("Here are my documents.").waitFor();
  await visitor.log.locator(".own").getByText("invoice.txt").waitFor();
  assert.equal(await page.getByRole("list", { name: "Attached files" }).count(), 0);
  await visitor.says("nothing");
  await visitor.presses("Yes, send it");
  await page.getByText("Thank you! Your answers have been sent.").waitFor();
  const [{ record }] = await setting.server.submissions(invoice);
  assert.deepEqual([record.invoice_number, record.total_amount], ["INV-2041", 1656]);
  assert.deepEqual(problems, []);
  await context.close();
});

test("a file of megabytes is sent, and what cannot be read is back in the field with the reason", async () => {
  const { page, context, problems, visitor } = await asked();
  writeFileSync(path("long.txt"), `Invoice number: INV-9\n${"x ".repeat(1_000_000)}`);
  await attach(page, "long.txt");
  await visitor.says("Here it is");
  await visitor.log.getByText("total amount").waitFor({ timeout: 60_000 });
  writeFileSync(path("empty.txt"), "");
  await attach(page, "empty.txt");
  await visitor.says("And this");
  await page.getByRole("alert").getByText("This could not be accepted: the file is empty").waitFor();
  await page.getByRole("list", { name: "Attached files" }).getByText("empty.txt").waitFor();
  assert.equal(await visitor.field.inputValue(), "And this");
  assert.deepEqual(problems, []);
  await context.close();
});

test("files are dropped", async () => {
  const { page, context, visitor } = await asked();
  await visitor.log.evaluate((log) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["Invoice number: A-9"], "dropped.txt"));
    log.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await page.getByRole("list", { name: "Attached files" }).getByText("dropped.txt").waitFor();
  await context.close();
});

test("too many and too large files are told before anything is sent", async () => {
  const { page, context, visitor } = await asked();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await attach(page, "1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt");
  await page.getByRole("alert").getByText("The most for one message is 5.").waitFor();
  await attach(page, "large.bin");
  await page.getByRole("list", { name: "Attached files" }).getByText("large.bin").waitFor();
  assert.equal(await page.getByRole("alert").innerText(), "");
  writeFileSync(path("larger.bin"), Buffer.alloc(6_000_000));
  await attach(page, "larger.bin");
  await page.getByRole("alert").getByText("may have at most 10 MB").waitFor();
  assert.equal(await page.getByText("larger.bin").count(), 0);
  assert.deepEqual(requests, []);
  await visitor.presses("Remove large.bin");
  await visitor.says("INV-1");
  await visitor.hears("total amount");
  await context.close();
});

test("files of a message that failed are sent with it, or are back in the field", async () => {
  const { page, context, visitor } = await asked();
  await attach(page, "invoice.txt");
  await page.route("**/v1/public/chat", (route) => route.abort(), { times: 1 });
  await visitor.says("This is it");
  await visitor.presses("Change it");
  await page.getByRole("list", { name: "Attached files" }).getByText("invoice.txt").waitFor();
  assert.equal(await visitor.field.inputValue(), "This is it");
  await page.route("**/v1/public/chat", (route) => route.abort(), { times: 1 });
  await visitor.presses("Send");
  await visitor.presses("Try again");
  await visitor.hears("Anything else?");
  await context.close();
});
