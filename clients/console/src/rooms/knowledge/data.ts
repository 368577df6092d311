/** Knowledge bases with their items, as they change. */

import { type QueryClient, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, data, type Schemas } from "../../api.ts";
import { events } from "../../events.ts";

export type Base = Schemas["KnowledgeBaseRecord"];
export type Item = Schemas["KnowledgeFileRecord"];
export type ItemState = "queued" | "processing" | "ready" | "failed";

/** Items that are read to find one by its name. */
export const MAX_FOUND = 5_000;
const PAGE = 100;

export function useBases() {
  return useInfiniteQuery({
    queryKey: ["bases"],
    initialPageParam: "",
    queryFn: ({ pageParam }) =>
      data(
        api.GET("/v1/knowledgebases", {
          params: { query: { limit: 50, ...(pageParam ? { cursor: pageParam } : {}) } },
        }),
      ),
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.knowledgebases.some(isWorking)) ? 3_000 : false,
  });
}

export function isWorking(base: Base): boolean {
  return base.status.queued + base.status.processing > 0;
}

export function useBase(id: string) {
  return useQuery({
    queryKey: ["base", id],
    queryFn: ({ signal }) =>
      data(api.GET("/v1/knowledgebase/{knowledgeId}", { params: { path: { knowledgeId: id } }, signal })),
  });
}

function page(id: string, status: ItemState | "", cursor: string, limit: number, signal: AbortSignal) {
  const query = {
    knowledgeId: id,
    limit,
    ...(status ? { status } : {}),
    ...(cursor ? { cursor } : {}),
  };
  return data(api.GET("/v1/knowledgebase/files", { params: { query }, signal }));
}

/** The items of a base, newest first, page by page. */
export function useItems(id: string, status: ItemState | "", isWanted: boolean) {
  return useInfiniteQuery({
    queryKey: ["items", id, status],
    enabled: isWanted,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => page(id, status, pageParam, PAGE, signal),
    getNextPageParam: (last) => last.meta.next_cursor || undefined,
  });
}

/** The items whose name has the text. The server does not search names, so they are read. */
export function useNamed(id: string, status: ItemState | "", text: string) {
  const all = useQuery({
    queryKey: ["named", id, status],
    enabled: text !== "",
    queryFn: async ({ signal }) => {
      const found: Item[] = [];
      let cursor = "";
      do {
        const next = await page(id, status, cursor, PAGE, signal);
        found.push(...next.files);
        cursor = next.meta.next_cursor;
      } while (cursor && found.length < MAX_FOUND);
      return found;
    },
  });
  const wanted = text.toLowerCase();
  return {
    ...all,
    items: all.data?.filter((item) => `${item.name} ${item.url ?? ""}`.toLowerCase().includes(wanted)),
  };
}

/** Reads again what is shown of a base. */
export function renew(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: ["base", id] });
  void client.invalidateQueries({ queryKey: ["items", id] });
  void client.invalidateQueries({ queryKey: ["named", id] });
  void client.invalidateQueries({ queryKey: ["bases"] });
}

/** Follows the work on a base by its events until nothing is left to do. */
export function useLiveBase(base: Base | undefined): void {
  const client = useQueryClient();
  const id = base?.knowledgeId;
  const isBusy = base !== undefined && isWorking(base);
  // Work that is over before the stream begins has no events. While it goes on, its events change the lists.
  const counts = JSON.stringify(base?.status);
  useEffect(() => {
    if (!isBusy) void client.invalidateQueries({ queryKey: ["items", id] });
  }, [client, id, counts, isBusy]);
  useEffect(() => {
    if (!isBusy || id === undefined) return;
    const stop = new AbortController();
    const follow = async () => {
      while (!stop.signal.aborted) {
        try {
          const path = `/v1/knowledgebase/${encodeURIComponent(id)}/events`;
          for await (const event of events(path, stop.signal)) {
            if (event.name === "file") change(client, id, event.data as Partial<Item>);
            else if (event.name === "progress" || event.name === "end")
              client.setQueryData(["base", id], event.data);
            if (event.name === "end") return;
          }
        } catch {
          // The server restarts, or the connection was lost: the work goes on, and so does its stream.
        }
        await new Promise((done) => setTimeout(done, 2_000));
      }
    };
    void follow().finally(() => {
      if (!stop.signal.aborted) renew(client, id);
    });
    return () => stop.abort();
  }, [client, id, isBusy]);
}

type Pages = { pages: { files: Item[] }[]; pageParams: unknown[] };

/** Puts what an event tells about an item into the lists that have it. */
function change(client: QueryClient, id: string, told: Partial<Item>): void {
  const put = (item: Item) => (item.id === told.id ? { ...item, ...told } : item);
  client.setQueriesData<Item[]>({ queryKey: ["named", id] }, (known) => known?.map(put));
  client.setQueriesData<Pages>({ queryKey: ["items", id] }, (known) =>
    known
      ? { ...known, pages: known.pages.map((one) => ({ ...one, files: one.files.map(put) })) }
      : undefined,
  );
}

/** The models of a kind that can be called. */
export function useModels(kind: "text-to-text" | "text-to-embedding") {
  const asked = useQuery({
    queryKey: ["models"],
    staleTime: 60_000,
    queryFn: () => data(api.GET("/v1/models")),
  });
  return { ...asked, models: (asked.data ?? []).filter((model) => model.type === kind) };
}
