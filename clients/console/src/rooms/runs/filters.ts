/** Which rows of a run are shown. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { api, data, type Review } from "../../api.ts";
import { isObject } from "../../pointer.ts";
import { PIECE } from "./data.ts";

export type Filter = "all" | "review" | "conflicts" | "failed";

/** Rows that a search finds at most. */
export const MAX_FOUND = 2_000;

interface Wanted {
  namespace: string;
  sid: number;
  total: number;
  failed: number;
  filter: Filter;
  byGroup: Map<number, Review[]>;
  fields: Set<string>;
  needle: string;
}

/** The groups that are shown, or the number of all; undefined while they are looked for. */
export function useGroups({
  namespace,
  sid,
  total,
  failed,
  filter,
  byGroup,
  fields,
  needle,
}: Wanted): number[] | number | undefined {
  const failures = useQuery({
    queryKey: ["failures", namespace, sid, failed],
    enabled: filter === "failed" && failed > 0,
    queryFn: async () => {
      const found: number[] = [];
      for (let page = 1; found.length < failed && (page - 1) * PIECE < total; page++) {
        const params = { path: { namespace, sid }, query: { page, limit: PIECE } };
        const details = await data(api.GET("/v1/agent/{namespace}/workflow/delta/runs/{sid}", { params }));
        found.push(...details.groups.filter((group) => group.state === "failed").map((group) => group.group));
      }
      return found;
    },
  });
  const found = useFound(namespace, sid, total, fields, needle);
  return useMemo(() => {
    const queued = (isWanted: (review: Review) => boolean) =>
      [...byGroup]
        .filter(([, reviews]) => reviews.some((review) => review.state === "open" && isWanted(review)))
        .map(([group]) => group)
        .sort((a, b) => a - b);
    const kept = {
      all: () => total,
      failed: () => (failed === 0 ? [] : failures.data),
      review: () => queued(() => true),
      conflicts: () => queued((review) => review.reasons.includes("conflict")),
    }[filter]();
    if (needle === "" || kept === undefined) return kept;
    const matches = new Set(found);
    return typeof kept === "number" ? found : kept.filter((group) => matches.has(group));
  }, [filter, byGroup, failures.data, found, needle, total, failed]);
}

/** The groups with a text in their values or the names of their files, as they are found. */
function useFound(
  namespace: string,
  sid: number,
  total: number,
  fields: Set<string>,
  needle: string,
): number[] {
  const [found, setFound] = useState<number[]>([]);
  useEffect(() => {
    setFound([]);
    if (needle === "") return;
    const stop = new AbortController();
    const look = async () => {
      const matches: number[] = [];
      for (let from = 0; from < total && matches.length < MAX_FOUND; from += PIECE) {
        const query = { sid, limit: PIECE, from, meta: true } as never;
        const rows = (await data(
          api.GET("/v1/agent/{namespace}/workflow/delta", {
            params: { path: { namespace }, query },
            signal: stop.signal,
          }),
        )) as Record<string, unknown>[];
        if (stop.signal.aborted) return;
        let last = -1;
        for (const row of rows) {
          const meta = row[fields.has("meta") ? "_meta" : "meta"];
          const group = isObject(meta) ? Number(meta.group) : -1;
          last = Math.max(last, group);
          const values = [...fields].map((name) => row[name]);
          if (has(values, needle) || (isObject(meta) && has(meta.files, needle))) matches.push(group);
        }
        if (rows.length === 0) break;
        from = Math.max(from, last + 1 - PIECE);
        setFound([...matches]);
      }
    };
    const timer = setTimeout(() => void look().catch(() => undefined), 250);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [namespace, sid, total, fields, needle]);
  return found;
}

function has(value: unknown, needle: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(needle);
  if (typeof value === "number") return String(value).includes(needle);
  if (Array.isArray(value)) return value.some((item) => has(item, needle));
  return isObject(value) && Object.values(value).some((item) => has(item, needle));
}
