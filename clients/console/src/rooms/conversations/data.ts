/** Conversations and submissions: how they are read and followed. */

import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, data, Failure, type Schemas } from "../../api.ts";
import { isPreview, useAgents } from "../agents.ts";
import type { Evidence } from "../../documents/evidence.ts";

export type Session = Schemas["SessionRecord"];
export type Status = NonNullable<Session["status"]>;
export type Message = Schemas["SessionMessage"];
export type Submission = Schemas["SubmissionRecord"];
export type Conversation = Schemas["SessionDetails"];

export const STATUSES: Status[] = ["filling", "confirming", "cancelling", "submitted", "cancelled"];

export const TONE: Record<Status, string> = {
  filling: "pill vio",
  confirming: "pill warn",
  cancelling: "pill warn",
  submitted: "pill ok",
  cancelled: "pill",
};

/** Agents that are listed together, and rows of each. */
export const MAX_AGENTS = 25;
const OF_EACH = 20;
const OF_ONE = 50;
/** Milliseconds between two looks for new messages, and for new conversations. */
const FOLLOW = 3_000;
const RENEW = 10_000;

/** Looks again after so long, but not for what the server refuses, such as after the end of a session. */
function every(milliseconds: number) {
  return (query: { state: { error: unknown } }) => {
    const { error } = query.state;
    return error instanceof Failure && [401, 403, 404].includes(error.status) ? false : milliseconds;
  };
}

export interface Listed<T> {
  namespace: string;
  row: T;
}

/** The agents that talk, without those that only try a form. */
export function useTalking() {
  const asked = useAgents();
  return { ...asked, agents: asked.data?.agents.filter((agent) => !isPreview(agent.namespace)) };
}

interface Page<T> {
  rows: Listed<T>[];
  next: string | undefined;
}

type Read<T> = (
  namespace: string,
  query: { limit: number; cursor?: string },
  signal: AbortSignal,
) => Promise<{ rows: T[]; next: string }>;

/** The rows of one agent by pages, or the newest of all agents together. */
function useListed<T>(
  key: unknown[],
  agents: string[] | undefined,
  read: Read<T>,
  time: (row: T) => string,
): {
  rows: Listed<T>[] | undefined;
  error: unknown;
  isPast: boolean;
  more: (() => void) | undefined;
  retry: () => void;
} {
  const [only] = agents ?? [];
  const isOne = agents?.length === 1;
  const asked = useInfiniteQuery({
    queryKey: [...key, agents],
    enabled: agents !== undefined,
    initialPageParam: "",
    placeholderData: keepPreviousData,
    refetchInterval: every(RENEW),
    queryFn: async ({ pageParam, signal }): Promise<Page<T>> => {
      if (isOne && only !== undefined) {
        const query = { limit: OF_ONE, ...(pageParam ? { cursor: pageParam } : {}) };
        const { rows, next } = await read(only, query, signal);
        return { rows: rows.map((row) => ({ namespace: only, row })), next: next || undefined };
      }
      const each = (agents ?? []).map(async (namespace) => {
        const { rows } = await read(namespace, { limit: OF_EACH }, signal);
        return rows.map((row) => ({ namespace, row }));
      });
      const rows = (await Promise.all(each)).flat();
      return { rows: rows.sort((a, b) => time(b.row).localeCompare(time(a.row))), next: undefined };
    },
    getNextPageParam: (page) => page.next,
  });
  return {
    rows: asked.data?.pages.flatMap((page) => page.rows),
    error: asked.error,
    isPast: asked.isPlaceholderData,
    more: asked.hasNextPage ? () => void asked.fetchNextPage() : undefined,
    retry: () => void asked.refetch(),
  };
}

export function useSessions(agents: string[] | undefined, status: Status | "") {
  return useListed<Session>(
    ["sessions", status],
    agents,
    async (namespace, query, signal) => {
      const params = { path: { namespace }, query: { ...query, ...(status ? { status } : {}) } };
      const page = await data(api.GET("/v1/agent/{namespace}/sessions", { params, signal }));
      return { rows: page.sessions, next: page.meta.next_cursor };
    },
    (session) => session.updated_timestamp,
  );
}

export function useSubmissions(agents: string[] | undefined) {
  return useListed<Submission>(
    ["submissions"],
    agents,
    async (namespace, query, signal) => {
      const page = (await data(
        api.GET("/v1/agent/{namespace}/submissions", { params: { path: { namespace }, query }, signal }),
      )) as Schemas["SubmissionList"];
      return { rows: page.submissions, next: page.meta.next_cursor };
    },
    (submission) => submission.created_timestamp,
  );
}

/** A conversation with its messages, followed as long as it is shown: only what is new is read again. */
export function useConversation(namespace: string, id: string) {
  return useQuery({
    queryKey: ["session", namespace, id],
    refetchInterval: every(FOLLOW),
    staleTime: 0,
    // The same conversation keeps its place on the page while it is read again.
    queryFn: async ({ client, queryKey, signal }): Promise<Conversation> => {
      const known = client.getQueryData<Conversation>(queryKey);
      const last = known?.messages.at(-1)?.number;
      const params = {
        path: { namespace, session_id: id },
        query: last === undefined ? {} : { after: last },
      };
      const read = await data(api.GET("/v1/agent/{namespace}/sessions/{session_id}", { params, signal }));
      return { ...read, messages: [...(known?.messages ?? []), ...read.messages] };
    },
  });
}

/** Where a value comes from, in the words of the server. */
export function evidenceOf(change: { evidence?: Record<string, unknown> | null }): Evidence | undefined {
  return (change.evidence ?? undefined) as Evidence | undefined;
}
