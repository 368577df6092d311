/** Events of the audit log as a table for spreadsheets. */

import { api, data } from "../../api.ts";
import type { AuditEvent } from "./records.ts";

/** Events of one file. */
export const MAX_EXPORTED = 20_000;

export async function readAll(
  query: Record<string, string>,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<AuditEvent[]> {
  const all: AuditEvent[] = [];
  let cursor = "";
  do {
    const page = await data(
      api.GET("/v1/audit", {
        params: { query: { ...query, limit: 100, ...(cursor ? { cursor } : {}) } },
        signal,
      }),
    );
    all.push(...page.events);
    onCount(all.length);
    cursor = page.meta.next_cursor;
  } while (cursor && all.length < MAX_EXPORTED);
  return all;
}

const COLUMNS = [
  "time",
  "member",
  "email",
  "key",
  "operation",
  "target",
  "created_kind",
  "created_ids",
  "failure",
  "request_id",
  "address",
];

export function auditCsv(events: AuditEvent[]): string {
  const rows = events.map((event) => [
    event.time,
    event.member?.userName ?? "",
    event.member?.userEmail ?? "",
    event.key ?? "",
    event.operation,
    event.target,
    event.created?.kind ?? "",
    event.created?.ids.join(" ") ?? "",
    event.failure === null ? "" : String(event.failure),
    event.request_id,
    event.address,
  ]);
  return `${[COLUMNS, ...rows].map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

/** A spreadsheet would compute what begins like a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
