/** A run: the table of its values beside the documents that state them. */

import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { api, data, type Run } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { segments } from "../../pointer.ts";
import { usePlace } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { Button } from "../../ui/controls.tsx";
import { Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { placeKey, useColumns, useLive, useReviews, useRows, useRun } from "./data.ts";
import { type Decision, useDecide } from "./decide.ts";
import { correction, Detail } from "./detail.tsx";
import { type Filter, useGroups } from "./filters.ts";
import { RunHead } from "./head.tsx";
import { type Cell, groupAt, size, Table } from "./table.tsx";

/** The threshold for a run whose agent has no rules of review. */
const THRESHOLD = 0.8;

export function RunRoom({ namespace, sid }: { namespace: string; sid: number }) {
  const asked = useRun(namespace, sid);
  const { columns, fields, isReady } = useColumns(asked.data);
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data || !isReady) return <Loading />;
  return <Opened namespace={namespace} run={asked.data} columns={columns} fields={fields} />;
}

interface OpenedProps {
  namespace: string;
  run: Run;
  columns: ReturnType<typeof useColumns>["columns"];
  fields: Set<string>;
}

function Opened({ namespace, run, columns, fields }: OpenedProps) {
  const { sid } = run;
  const client = useQueryClient();
  const canWrite = useCanWrite();
  const { query } = usePlace();
  const rows = useRows(namespace, sid, fields, true);
  const reviews = useReviews(namespace, sid);
  const [filter, setFilter] = useState<Filter>(query.get("show") === "review" ? "review" : "all");
  const [text, setText] = useState("");
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  /** A value within a list, which is no cell of the table. */
  const [inner, setInner] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const [correcting, setCorrecting] = useState(false);
  const needle = text.trim().toLowerCase();
  // The rows of a filter stay while the last of them is decided; another filter shows what is left.
  const live = useGroups({
    namespace,
    sid,
    total: run.total,
    failed: run.failed,
    filter,
    byGroup: reviews.byGroup,
    fields,
    needle,
  });
  const kept = useRef<{ key: string; groups: number[] | number | undefined }>({ key: "", groups: undefined });
  const key = `${filter} ${needle} ${reviews.isReady} ${run.failed} ${run.total}`;
  if (kept.current.key !== key || filter === "all" || kept.current.groups === undefined || needle)
    kept.current = { key, groups: live };
  const groups = kept.current.groups;
  const changed = useThrottled(
    useCallback(() => {
      rows.renew();
      void client.invalidateQueries({ queryKey: ["reviews", namespace, sid] });
    }, [rows, client, namespace, sid]),
  );
  useLive(namespace, sid, run.state === "running", changed);
  useEffect(() => {
    if (run.state !== "running") changed();
  }, [run.state, changed]);
  const renew = useCallback(() => rows.renew(), [rows]);
  const decide = useDecide(namespace, sid, renew);

  // Whoever corrects by keyboard goes on in the table.
  const room = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!correcting && document.activeElement === document.body) {
      room.current?.querySelector<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true });
    }
  }, [correcting]);

  const group = groups === undefined ? undefined : groupAt(groups, active.row);
  const row = group === undefined ? undefined : rows.get(group);
  const pointer = inner ?? columns[active.column]?.pointer ?? "";
  const review = group === undefined ? undefined : reviews.byPlace.get(placeKey(group, pointer));
  const activate = (cell: Cell) => {
    setActive(cell);
    setInner(undefined);
    setCorrecting(false);
  };
  const open = useMemo(
    () => reviews.all.filter((known) => known.state === "open" && known.path !== ""),
    [reviews.all],
  );

  const pick = (place: string) => {
    const column = columns.findIndex(
      (known) => place === known.pointer || place.startsWith(`${known.pointer}/`),
    );
    if (column >= 0) setActive({ ...active, column });
    setInner(columns[column]?.pointer === place ? undefined : place);
    setCorrecting(false);
  };
  const next = (after?: string) => {
    if (groups === undefined) return;
    const ordered = open
      .filter((known) => known.id !== after)
      .sort((a, b) => a.group - b.group || position(columns, a.path) - position(columns, b.path));
    const here = group === undefined ? -1 : group * 10_000 + position(columns, pointer);
    const target =
      ordered.find((known) => known.group * 10_000 + position(columns, known.path) > here) ?? ordered[0];
    if (!target) {
      tell(t("runs.none_left"));
      return;
    }
    const at = typeof groups === "number" ? target.group : groups.indexOf(target.group);
    if (at < 0) return setFilter("all");
    const column = columns.findIndex(
      (known) => target.path === known.pointer || target.path.startsWith(`${known.pointer}/`),
    );
    setActive({ row: at, column: Math.max(0, column) });
    setInner(columns[column]?.pointer === target.path ? undefined : target.path);
    setCorrecting(false);
    setOpen(true);
  };
  const act = async (decision: Decision) => {
    if (!review) return;
    const isDone = await decide(review, decision);
    if (isDone && decision.action !== "reopen") next(review.id);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = event.key.toLowerCase();
    if (pressed === "n") next();
    else if (!review || !canWrite) return;
    else if (pressed === "a") void act({ action: "accept" });
    else if (pressed === "x") void act({ action: "not_stated" });
    else if (pressed === "c") {
      setOpen(true);
      setCorrecting(true);
    } else if (/^[2-9]$/.test(pressed)) void takeCandidate(review.id, Number(pressed) - 1, act);
    else return;
    event.preventDefault();
  };
  const queue = async (field: string) => {
    try {
      const rules = {
        threshold: 0,
        fields: field ? { [field]: 1 } : {},
        conflicts: false,
        errors: false,
        failures: false,
      };
      const { queued } = await data(api.POST("/v1/reviews", { body: { namespace, sid, review: rules } }));
      await client.invalidateQueries({ queryKey: ["reviews", namespace, sid] });
      tell(t("runs.queued", { count: queued }));
    } catch (error) {
      tellError(error);
    }
  };
  const queueDoubtful = async () => {
    try {
      const { queued } = await data(
        api.POST("/v1/reviews", { body: { namespace, sid, review: { threshold: THRESHOLD } } }),
      );
      await client.invalidateQueries({ queryKey: ["reviews", namespace, sid] });
      tell(t("runs.queued", { count: queued }));
    } catch (error) {
      tellError(error);
    }
  };
  const counts: Record<Filter, number> = {
    all: run.total,
    review: countGroups(open.map((known) => known.group)),
    conflicts: countGroups(
      open.filter((known) => known.reasons.includes("conflict")).map((known) => known.group),
    ),
    failed: run.failed,
  };
  return (
    <div ref={room} className={isOpen && row ? "room run open" : "room run"}>
      <RunHead namespace={namespace} run={run} canWrite={canWrite} />
      <div className="split">
        <section className="runs" aria-label={t("runs.table")}>
          <div className="filters" role="group" aria-label={t("runs.show")}>
            {(["all", "review", "conflicts", "failed"] as const).map((name) => (
              <button
                type="button"
                key={name}
                className={`chip ${name}`}
                aria-pressed={filter === name}
                onClick={() => {
                  kept.current.groups = undefined;
                  setFilter(name);
                  setActive({ row: 0, column: active.column });
                  setInner(undefined);
                }}
              >
                {t(`filter.${name}`)} {number(counts[name])}
              </button>
            ))}
            <span className="gap" />
            <SearchField
              aria-label={t("runs.find")}
              className="find"
              value={text}
              onChange={(value) => {
                setText(value);
                setActive({ row: 0, column: active.column });
              }}
            >
              <Input className="in" placeholder={t("runs.find")} />
            </SearchField>
          </div>
          {groups === undefined ? (
            <Loading />
          ) : size(groups) === 0 ? (
            <p className="pad hint">{t("runs.nothing_here")}</p>
          ) : (
            <Table
              groups={groups}
              columns={columns}
              rows={rows}
              byPlace={reviews.byPlace}
              byGroup={reviews.byGroup}
              active={active}
              onActivate={activate}
              onKey={onKey}
              onOpen={() => setOpen(true)}
            />
          )}
          <div className="legend">
            {(["sure", "look", "doubtful", "none"] as const).map((name) => (
              <span key={name}>
                <span className={`dot ${name}`} aria-hidden="true" /> {t(`level.${name}`)}
              </span>
            ))}
            <span className="keys">
              <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> {t("keys.move")} · <kbd>N</kbd>{" "}
              {t("keys.next")}
            </span>
            <span className="gap" />
            {open.length > 0 ? (
              <Button kind="main" onPress={() => next()}>
                {t("runs.next", { count: open.length })}
              </Button>
            ) : canWrite && reviews.isReady && reviews.all.length === 0 && run.successful > 0 ? (
              <Button onPress={() => void queueDoubtful()}>{t("runs.queue_doubtful")}</Button>
            ) : null}
          </div>
        </section>
        {row ? (
          row.values ? (
            <Detail
              row={row}
              pointer={pointer}
              byPlace={reviews.byPlace}
              correcting={correcting}
              onCorrecting={setCorrecting}
              onPick={pick}
              onDecide={async (known, decision) => {
                const isDone = await decide(known, decision);
                if (isDone && decision.action !== "reopen") next(known.id);
                return isDone;
              }}
              onQueue={(field) => void queue(field)}
              onBack={() => setOpen(false)}
            />
          ) : (
            <aside className="detail pad" aria-label={t("detail.title")}>
              <Button kind="small back" onPress={() => setOpen(false)}>
                ‹ {t("detail.back")}
              </Button>
              <h2>{t(`group.${row.state}`)}</h2>
              {row.error ? <p className="red-text">{row.error.message}</p> : <p>{t("runs.wait")}</p>}
              {row.error ? <p className="hint">{t(helpFor(row.error.code))}</p> : null}
            </aside>
          )
        ) : (
          <aside className="detail" aria-label={t("detail.title")}>
            {groups !== undefined && size(groups) > 0 ? (
              <Loading />
            ) : (
              <p className="pad hint">{t("detail.pick")}</p>
            )}
          </aside>
        )}
      </div>
    </div>
  );
}

function countGroups(groups: number[]): number {
  return new Set(groups).size;
}

function position(columns: { pointer: string }[], path: string): number {
  const column = columns.findIndex((known) => path === known.pointer || path.startsWith(`${known.pointer}/`));
  const line = segments(path).find((part) => /^\d+$/.test(part));
  return Math.max(0, column) + Number(line ?? 0) / 10_000;
}

/** What to do about a document that could not be read. */
function helpFor(code: string | undefined) {
  if (code === "document_encrypted") return "help.encrypted" as const;
  if (code === "document_needs_ocr") return "help.ocr" as const;
  return "help.failed" as const;
}

async function takeCandidate(
  review: string,
  index: number,
  act: (decision: Decision) => Promise<void>,
): Promise<void> {
  const details = await data(api.GET("/v1/reviews/{review_id}", { params: { path: { review_id: review } } }));
  const candidate = details.candidates[index] as { value: unknown; evidence: object } | undefined;
  if (candidate) await act(correction(candidate.value, candidate.evidence));
}

/** Calls at most twice a second, and once more at the end. */
function useThrottled(call: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(call);
  latest.current = call;
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, 500);
  }, []);
}
