/** Files that go with a message. */

import type { Attachment } from "./api.ts";

export const MAX_FILES = 5;
export const MAX_MEGABYTES = 10;

/** What is wrong with these files together. */
export function excess(files: File[]): "too_many" | "too_large" | undefined {
  if (files.length > MAX_FILES) return "too_many";
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return size > MAX_MEGABYTES * 1_000_000 ? "too_large" : undefined;
}

/** The content as a data URL, which the server takes beyond its limit for other text. Fails where the browser cannot read the file. */
export function attachment(file: File): Promise<Attachment> {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    // The server tells the type by the content.
    const base64 = () => String(reader.result).split(",")[1] ?? "";
    reader.onload = () =>
      done({ name: file.name, content: `data:application/octet-stream;base64,${base64()}` });
    reader.onerror = () => fail(reader.error ?? new Error(file.name));
    reader.readAsDataURL(file);
  });
}
