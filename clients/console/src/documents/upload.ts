/** Files on their way to the server. */

import { Failure, key } from "../api.ts";

export interface Uploaded {
  id: number;
  name: string;
}

/** Files of one request. */
const BATCH = 10;

/** Uploads files in order; `onProgress` gets the share that is sent, 0 to 1. */
export async function upload(
  files: File[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
  /** The knowledge base that gets them. */
  knowledgeId?: string,
): Promise<Uploaded[]> {
  const total = files.reduce((sum, file) => sum + file.size, 0) || 1;
  const all: Uploaded[] = [];
  let sent = 0;
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const bytes = batch.reduce((sum, file) => sum + file.size, 0);
    const before = sent;
    all.push(
      ...(await post(batch, (part) => onProgress((before + part * bytes) / total), signal, knowledgeId)),
    );
    sent += bytes;
  }
  return all;
}

/** `fetch` does not tell how much of a body was sent. */
function post(
  files: File[],
  onProgress: (share: number) => void,
  signal: AbortSignal,
  knowledgeId?: string,
): Promise<Uploaded[]> {
  return new Promise((done, fail) => {
    const body = new FormData();
    if (knowledgeId) body.append("knowledgeId", knowledgeId);
    for (const file of files) body.append("files", file, file.name);
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/files");
    request.setRequestHeader("X-Formwork-Console", "1");
    const own = key();
    if (own !== null) request.setRequestHeader("X-Service-Key", own);
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / Math.max(1, event.total));
    request.onerror = () => fail(new Failure(0, {}));
    request.onabort = () => fail(new DOMException("", "AbortError"));
    request.onload = () =>
      request.status === 200 ? done(request.response) : fail(new Failure(request.status, request.response));
    signal.addEventListener("abort", () => request.abort());
    request.send(body);
  });
}

/** The files of what was dropped, folders with all that is in them. */
export async function dropped(transfer: DataTransfer): Promise<File[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files];
  const found: File[] = [];
  const walk = async (entry: FileSystemEntry, folder: string): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
      Object.defineProperty(file, "webkitRelativePath", { value: folder + file.name });
      if (!file.name.startsWith(".")) found.push(file);
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const inner = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
      if (inner.length === 0) return;
      for (const next of inner) await walk(next, `${folder}${entry.name}/`);
    }
  };
  for (const entry of entries) await walk(entry, "");
  return found;
}

export type Grouping = "each" | "folder" | "all";

/** The groups of files by their indexes. */
export function grouped(files: File[], grouping: Grouping): number[][] {
  if (grouping === "each") return files.map((_, index) => [index]);
  if (grouping === "all") return files.length > 0 ? [files.map((_, index) => index)] : [];
  const folders = new Map<string, number[]>();
  files.forEach((file, index) => {
    const path = file.webkitRelativePath;
    const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : `\0${index}`;
    folders.set(folder, [...(folders.get(folder) ?? []), index]);
  });
  return [...folders.values()];
}
