/** The audit log: who created, changed, deleted or exported what. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { Button, Select, TextField } from "../../ui/controls.tsx";
import { Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { auditCsv, MAX_EXPORTED, readAll } from "./audit-export.ts";
import type { AuditEvent } from "./records.ts";

interface Filters {
  member: string;
  key: string;
  operation: string;
  target: string;
  from: string;
  to: string;
}

const NONE: Filters = { member: "", key: "", operation: "", target: "", from: "", to: "" };

/** The query of the filters. Days are those of the reader; the last one is included. */
function queryOf(filters: Filters): Record<string, string> {
  const { from, to, ...plain } = filters;
  const query = Object.fromEntries(Object.entries(plain).filter(([, value]) => value.trim() !== ""));
  if (from) query.from = new Date(`${from}T00:00:00`).toISOString();
  if (to) {
    const end = new Date(`${to}T00:00:00`);
    end.setDate(end.getDate() + 1);
    query.to = end.toISOString();
  }
  return query;
}

export function Audit() {
  const [filters, setFilters] = useState<Filters>(NONE);
  const query = queryOf(filters);
  const asked = useInfiniteQuery({
    queryKey: ["audit", query],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      data(
        api.GET("/v1/audit", {
          params: { query: { ...query, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) } },
          signal,
        }),
      ),
    getNextPageParam: (page) => page.meta.next_cursor || undefined,
  });
  const events = asked.data?.pages.flatMap((page) => page.events);
  return (
    <>
      <AuditFilters value={filters} onChange={setFilters} events={events ?? []} />
      <div className="line-up spaced">
        <p className="hint">{t("ops.audit_text")}</p>
        <span className="gap" />
        <Export query={query} isEmpty={events?.length === 0} />
      </div>
      {asked.isError ? (
        <Wrong error={asked.error} retry={() => void asked.refetch()} />
      ) : !events ? (
        <Loading />
      ) : events.length === 0 ? (
        <p className="hint">{t("ops.no_events")}</p>
      ) : (
        <AuditTable events={events} />
      )}
      {asked.hasNextPage ? <Button onPress={() => void asked.fetchNextPage()}>{t("more")}</Button> : null}
    </>
  );
}

interface AuditFiltersProps {
  value: Filters;
  onChange: (filters: Filters) => void;
  events: AuditEvent[];
}

function AuditFilters({ value, onChange, events }: AuditFiltersProps) {
  const members = useQuery({
    queryKey: ["members", "all"],
    queryFn: ({ signal }) => data(api.GET("/v1/members", { params: { query: { limit: 100 } }, signal })),
  });
  // Operations of the events that were seen; more come with more events.
  const known = useRef(new Set<string>());
  for (const event of events) known.current.add(event.operation);
  if (value.operation) known.current.add(value.operation);
  const set = (name: keyof Filters) => (next: string) => onChange({ ...value, [name]: next });
  return (
    <section className="card pair" aria-label={t("ops.filters")}>
      <Select
        label={t("ops.member")}
        value={value.member}
        onChange={set("member")}
        options={[
          { id: "", label: t("ops.anybody") },
          ...(members.data?.members ?? []).map((member) => ({
            id: member.id,
            label: member.userName,
            hint: member.userEmail,
          })),
        ]}
      />
      <Select
        label={t("ops.action")}
        value={value.operation}
        onChange={set("operation")}
        options={[
          { id: "", label: t("ops.anything") },
          ...[...known.current].sort().map((id) => ({ id, label: actionWords(id) })),
        ]}
      />
      <TextField label={t("ops.from")} type="date" value={value.from} onChange={set("from")} />
      <TextField label={t("ops.to")} type="date" value={value.to} onChange={set("to")} />
      <TextField label={t("ops.key")} value={value.key} onChange={set("key")} placeholder="fw_…" />
      <TextField
        label={t("ops.target")}
        value={value.target}
        onChange={set("target")}
        placeholder="/v1/form"
      />
    </section>
  );
}

/** The id of an operation in words. */
function actionWords(operation: string): string {
  return operation.replaceAll("_", " ");
}

function AuditTable({ events }: { events: AuditEvent[] }) {
  return (
    <div className="card flush">
      <table className="plain">
        <thead>
          <tr>
            <th>{t("ops.time")}</th>
            <th>{t("ops.member")}</th>
            <th>{t("ops.action")}</th>
            <th className="wide-only">{t("ops.target")}</th>
            <th className="wide-only">{t("ops.key")}</th>
            <th className="wide-only">{t("ops.address")}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <td className="when">{time(event.time)}</td>
              <td>
                <bdi>{event.member?.userName ?? t("ops.command_line")}</bdi>
              </td>
              <td>
                {actionWords(event.operation)}
                {event.failure ? (
                  <span className="pill red">{t("ops.failure", { status: String(event.failure) })}</span>
                ) : null}
                {event.created ? (
                  <p className="hint">
                    {event.created.kind} <bdi>{event.created.ids.slice(0, 3).join(", ")}</bdi>
                    {event.created.ids.length > 3 ? ` +${event.created.ids.length - 3}` : ""}
                  </p>
                ) : null}
              </td>
              <td className="wide-only">
                <bdi>{event.target}</bdi>
              </td>
              <td className="wide-only">
                <code>{event.key ?? "–"}</code>
              </td>
              <td className="wide-only">
                <bdi>{event.address}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Reads all events of the filters and gives them as a file. */
function Export({ query, isEmpty }: { query: Record<string, string>; isEmpty: boolean }) {
  const [count, setCount] = useState<number>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async () => {
    const control = new AbortController();
    stop.current = control;
    setCount(0);
    try {
      const events = await readAll(query, setCount, control.signal);
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([auditCsv(events)], { type: "text/csv" }));
      link.download = "audit.csv";
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      if (events.length >= MAX_EXPORTED) tell(t("ops.export_limit", { count: MAX_EXPORTED }));
    } catch (error) {
      if (!control.signal.aborted) tellError(error);
    }
    setCount(undefined);
  };
  return count === undefined ? (
    <Button isDisabled={isEmpty} onPress={() => void run()}>
      {t("ops.export")}
    </Button>
  ) : (
    <>
      <span role="status">{t("ops.exported", { count })}</span>
      <Button onPress={() => stop.current?.abort()}>{t("cancel")}</Button>
    </>
  );
}
