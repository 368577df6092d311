/** What a run has: its groups and records, read piece by piece as the table shows them. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useReducer, useRef } from "react";
import { api, data, type Group, type Review, type Run } from "../../api.ts";
import type { Evidence } from "../../documents/evidence.ts";
import { events } from "../../events.ts";
import { isObject, join } from "../../pointer.ts";

/** Groups of a piece: the most that one request gives. */
export const PIECE = 100;
/** Pieces that stay in memory. */
const KEPT_PIECES = 40;
/** Open reviews that are read of a run; the least certain come first. */
const MAX_REVIEWS = 2_000;

export interface Row {
  group: number;
  state: Group["state"];
  error: { code?: string; message?: string } | null;
  documents: { description?: string; url: string }[];
  /** The record, once the group has one. */
  values?: Record<string, unknown>;
  evidence: Record<string, Evidence>;
  files: string[];
}

export function useRun(namespace: string, sid: number) {
  return useQuery({
    queryKey: ["run", namespace, sid],
    queryFn: () =>
      data(
        api.GET("/v1/agent/{namespace}/workflow/delta/runs/{sid}", {
          params: { path: { namespace, sid }, query: { limit: 1 } },
        }),
      ),
  });
}

type Response = Record<string, unknown>;

/** A key of the service, which has a `_` where a field has its name. */
function service(response: Response, name: string, fields: Set<string>): Record<string, unknown> {
  const found = response[fields.has(name) ? `_${name}` : name];
  return isObject(found) ? found : {};
}

async function readPiece(
  namespace: string,
  sid: number,
  piece: number,
  fields: Set<string>,
): Promise<Map<number, Row>> {
  const from = piece * PIECE;
  const path = { namespace, sid };
  const [details, responses] = await Promise.all([
    data(
      api.GET("/v1/agent/{namespace}/workflow/delta/runs/{sid}", {
        params: { path, query: { page: piece + 1, limit: PIECE } },
      }),
    ),
    data(
      api.GET("/v1/agent/{namespace}/workflow/delta", {
        params: {
          path: { namespace },
          query: { sid, limit: PIECE, from, meta: true, evidence: true } as never,
        },
      }),
    ) as Promise<Response[]>,
  ]);
  const rows = new Map<number, Row>();
  for (const group of details.groups) {
    rows.set(group.group, {
      group: group.group,
      state: group.state,
      error: group.error as Row["error"],
      documents: group.documents as Row["documents"],
      evidence: {},
      files: [],
    });
  }
  for (const response of responses) {
    const meta = service(response, "meta", fields);
    const row = rows.get(Number(meta.group));
    if (!row) continue;
    row.values = response;
    row.evidence = service(response, "evidence", fields) as Record<string, Evidence>;
    row.files = Array.isArray(meta.files) ? meta.files.map(String) : [];
  }
  return rows;
}

export interface Rows {
  get: (group: number) => Row | undefined;
  /** Reads again what is shown. */
  renew: () => void;
  /** Reads a group's piece, and gives its row. */
  load: (group: number) => Promise<Row | undefined>;
}

/** The rows of a run. A row that is not there yet is read when it is asked for. */
export function useRows(namespace: string, sid: number, fields: Set<string>, isReady: boolean): Rows {
  const pieces = useRef(
    new Map<number, { rows?: Map<number, Row>; isOld: boolean; reading?: Promise<unknown> }>(),
  );
  const [, show] = useReducer((count: number) => count + 1, 0);
  const read = useCallback(
    (piece: number) => {
      const known = pieces.current.get(piece) ?? { isOld: true };
      pieces.current.set(piece, known);
      if (!isReady || known.reading || (known.rows && !known.isOld))
        return known.reading ?? Promise.resolve();
      known.isOld = false;
      known.reading = readPiece(namespace, sid, piece, fields)
        .then((rows) => {
          known.rows = rows;
        })
        .catch(() => {
          known.isOld = true;
        })
        .finally(() => {
          known.reading = undefined;
          for (const old of pieces.current.keys()) {
            if (pieces.current.size <= KEPT_PIECES) break;
            if (old !== piece) pieces.current.delete(old);
          }
          show();
        });
      return known.reading;
    },
    [namespace, sid, fields, isReady],
  );
  return useMemo(() => {
    const find = (group: number) => pieces.current.get(Math.floor(group / PIECE))?.rows?.get(group);
    return {
      get: (group) => {
        const piece = Math.floor(group / PIECE);
        const known = pieces.current.get(piece);
        // Not during the drawing of the table.
        if (!known?.rows || known.isOld) queueMicrotask(() => void read(piece));
        return find(group);
      },
      renew: () => {
        for (const known of pieces.current.values()) known.isOld = true;
        show();
      },
      load: async (group) => {
        await read(Math.floor(group / PIECE));
        return find(group);
      },
    };
  }, [read]);
}

/** Follows a run by its events until it is over. */
export function useLive(namespace: string, sid: number, isRunning: boolean, onChange: () => void): void {
  const client = useQueryClient();
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(() => {
    if (!isRunning) return;
    const stop = new AbortController();
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          const path = `/v1/agent/${encodeURIComponent(namespace)}/workflow/delta/runs/${sid}/events`;
          for await (const event of events(path, stop.signal)) {
            if (event.name !== "progress" && event.name !== "end") continue;
            client.setQueryData(["run", namespace, sid], (known: object | undefined) =>
              known ? { ...known, ...event.data } : known,
            );
            changed.current();
            if (event.name === "end") return;
          }
        } catch {
          // The server restarts, or the connection was lost: the run goes on, and so does its stream.
        }
        await new Promise((done) => setTimeout(done, 2_000));
      }
    };
    void follow().finally(() => {
      if (!stop.signal.aborted) void client.invalidateQueries({ queryKey: ["run", namespace, sid] });
    });
    return () => stop.abort();
  }, [client, namespace, sid, isRunning]);
}

/** The reviews of a run, those of groups and values by `group` and pointer. */
export function useReviews(namespace: string, sid: number) {
  const asked = useQuery({
    queryKey: ["reviews", namespace, sid],
    queryFn: async () => {
      const all: Review[] = [];
      let cursor: string | undefined;
      do {
        const query = {
          namespace,
          sid,
          limit: 100,
          order: "confidence" as const,
          ...(cursor ? { cursor } : {}),
        };
        const page = await data(api.GET("/v1/reviews", { params: { query } }));
        all.push(...page.reviews);
        cursor = page.meta.next_cursor || undefined;
      } while (cursor && all.length < MAX_REVIEWS);
      return all;
    },
  });
  const reviews = asked.data;
  return useMemo(() => {
    const byPlace = new Map((reviews ?? []).map((review) => [placeKey(review.group, review.path), review]));
    const byGroup = new Map<number, Review[]>();
    for (const review of reviews ?? []) {
      byGroup.set(review.group, [...(byGroup.get(review.group) ?? []), review]);
    }
    return { all: reviews ?? [], byPlace, byGroup, isReady: reviews !== undefined };
  }, [reviews]);
}

export function placeKey(group: number, path: string): string {
  return `${group}${path}`;
}

export interface Column {
  pointer: string;
  label: string;
  type: string;
}

type Definitions = Record<string, { type?: string; properties?: Definitions; order?: number }>;

/** The single values of a record that the form knows, and its lists. Parts of objects are columns of their own. */
export function columns(schema: Definitions, pointer = "", label = ""): Column[] {
  return Object.entries(schema).flatMap(([name, definition]) => {
    const place = join(pointer, name);
    const words = label ? `${label}.${name}` : name;
    if (definition?.type === "object" && isObject(definition.properties)) {
      return columns(definition.properties as Definitions, place, words);
    }
    return [{ pointer: place, label: words, type: String(definition?.type ?? "string") }];
  });
}

export function useColumns(run: Run | undefined) {
  const asked = useQuery({
    queryKey: ["form", run?.form_id, "version", run?.form_version],
    enabled: Boolean(run?.form_id),
    staleTime: Infinity,
    queryFn: () =>
      data(
        api.GET("/v1/form/{form_id}/versions/{version}", {
          params: { path: { form_id: run?.form_id ?? "", version: run?.form_version ?? 1 } },
        }),
      ),
  });
  const schema = asked.data?.schema as Definitions | undefined;
  return useMemo(
    () => ({
      columns: schema ? columns(schema) : [],
      fields: new Set(Object.keys(schema ?? {})),
      isReady: schema !== undefined || asked.isError,
    }),
    [schema, asked.isError],
  );
}
