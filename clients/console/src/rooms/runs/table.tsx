/** The table of a run: one row for each group. Only the rows and columns in sight are in the page. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, memo, useEffect, useRef, useSyncExternalStore } from "react";
import type { Review } from "../../api.ts";
import { t } from "../../i18n.ts";
import { at } from "../../pointer.ts";
import { type Column, placeKey, type Row, type Rows } from "./data.ts";
import { Dot, level, weakest, words } from "./value.tsx";

export const ROW_HEIGHT = 36;
/** The columns that stay in sight: the documents, and the state. They leave room for the others on a narrow screen. */
const WIDE = { name: 190, state: 132 };
const NARROW = { name: 116, state: 0 };
const NARROW_SCREEN = "(max-width: 700px)";

export interface Cell {
  /** Position in the list of rows that are shown. */
  row: number;
  column: number;
}

interface TableProps {
  groups: number[] | number;
  columns: Column[];
  rows: Rows;
  byPlace: Map<string, Review>;
  byGroup: Map<number, Review[]>;
  active: Cell;
  onActivate: (cell: Cell) => void;
  onKey: (event: KeyboardEvent) => void;
  onOpen: () => void;
}

/** How many rows the list has: all of a run are told by their number alone. */
export function size(groups: number[] | number): number {
  return typeof groups === "number" ? groups : groups.length;
}

export function groupAt(groups: number[] | number, row: number): number | undefined {
  return typeof groups === "number" ? (row < groups ? row : undefined) : groups[row];
}

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(NARROW_SCREEN);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => window.matchMedia(NARROW_SCREEN).matches,
  );
}

function width(column: Column): number {
  if (["number", "integer", "boolean", "date"].includes(column.type)) return 130;
  return column.type === "money" ? 150 : 190;
}

export function Table({
  groups,
  columns,
  rows,
  byPlace,
  byGroup,
  active,
  onActivate,
  onKey,
  onOpen,
}: TableProps) {
  const box = useRef<HTMLDivElement>(null);
  const { name: nameWidth, state: stateWidth } = useNarrow() ? NARROW : WIDE;
  const down = useVirtualizer({
    count: size(groups),
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: ROW_HEIGHT,
    scrollPaddingStart: ROW_HEIGHT,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => width(columns[index] as Column),
    overscan: 3,
    scrollMargin: nameWidth,
    scrollPaddingStart: nameWidth,
    scrollPaddingEnd: stateWidth,
  });
  useEffect(() => across.measure(), [across, columns]);
  const { row, column } = active;
  useEffect(() => {
    if (row < size(groups)) down.scrollToIndex(row);
    if (column < columns.length) across.scrollToIndex(column);
  }, [row, column, down, across, groups, columns.length]);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, Cell> = {
      ArrowUp: { row: row - 1, column },
      ArrowDown: { row: row + 1, column },
      ArrowLeft: { row, column: column - 1 },
      ArrowRight: { row, column: column + 1 },
      PageUp: { row: row - 15, column },
      PageDown: { row: row + 15, column },
      Home: { row: event.ctrlKey ? 0 : row, column: 0 },
      End: { row: event.ctrlKey ? size(groups) - 1 : row, column: columns.length - 1 },
    };
    const next = steps[event.key];
    if (next) {
      event.preventDefault();
      const clamp = (value: number, count: number) => Math.max(0, Math.min(count - 1, value));
      onActivate({ row: clamp(next.row, size(groups)), column: clamp(next.column, columns.length) });
    } else if (event.key === "Enter") onOpen();
    else onKey(event);
  };
  const shown = across.getVirtualItems();
  const start = (shown[0]?.start ?? nameWidth) - nameWidth;
  const rest = across.getTotalSize() - (shown.at(-1)?.end ?? nameWidth) + nameWidth;
  const total = nameWidth + across.getTotalSize() + stateWidth;
  return (
    <div
      ref={box}
      className="grid"
      role="grid"
      tabIndex={0}
      aria-label={t("runs.table")}
      aria-rowcount={size(groups) + 1}
      aria-colcount={columns.length + 2}
      aria-activedescendant={`cell-${row}-${column}`}
      onKeyDown={move}
    >
      <div role="rowgroup" className="grid-head" style={{ width: total }}>
        <div role="row" aria-rowindex={1} className="grid-row">
          <div role="columnheader" aria-colindex={1} className="cell name" style={{ width: nameWidth }}>
            {t("runs.group")}
          </div>
          <div role="presentation" style={{ width: start }} />
          {shown.map((item) => (
            <div
              role="columnheader"
              aria-colindex={item.index + 2}
              key={item.key}
              className="cell"
              style={{ width: item.size }}
              title={columns[item.index]?.label}
            >
              <bdi>{columns[item.index]?.label}</bdi>
            </div>
          ))}
          <div role="presentation" style={{ width: rest }} />
          <div
            role="columnheader"
            aria-colindex={columns.length + 2}
            className={stateWidth ? "cell state" : "cell state none"}
            style={{ width: stateWidth }}
          >
            {t("runs.state")}
          </div>
        </div>
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: down.getTotalSize(), width: total }}>
        {down.getVirtualItems().map((line) => {
          const group = groupAt(groups, line.index) ?? 0;
          const found = rows.get(group);
          const isActive = line.index === row;
          return (
            <div
              role="row"
              aria-rowindex={line.index + 2}
              aria-selected={isActive}
              key={line.key}
              className={isActive ? "grid-row on" : "grid-row"}
              style={{ transform: `translateY(${line.start - ROW_HEIGHT}px)` }}
            >
              <div
                role="rowheader"
                aria-colindex={1}
                className="cell name"
                style={{ width: nameWidth }}
                onClick={() => onActivate({ row: line.index, column: 0 })}
              >
                <span className="num">{group + 1}</span> <bdi>{found ? name(found) : ""}</bdi>
              </div>
              <div role="presentation" style={{ width: start }} />
              {found?.values || !found ? (
                shown.map((item) => {
                  const at = columns[item.index] as Column;
                  const isCell = isActive && item.index === column;
                  return (
                    <ValueCell
                      key={item.key}
                      id={`cell-${line.index}-${item.index}`}
                      row={found}
                      column={at}
                      index={item.index}
                      width={item.size}
                      review={found && byPlace.get(placeKey(group, at.pointer))}
                      isActive={isCell}
                      onPress={() => {
                        onActivate({ row: line.index, column: item.index });
                        onOpen();
                      }}
                    />
                  );
                })
              ) : (
                <div
                  role="gridcell"
                  aria-colindex={2}
                  id={isActive ? `cell-${line.index}-${column}` : undefined}
                  className={isActive ? "cell why sel" : "cell why"}
                  style={{ insetInlineStart: nameWidth }}
                  onClick={() => onActivate({ row: line.index, column: 0 })}
                >
                  {found.error ? (
                    <span className="red-text">{found.error.message}</span>
                  ) : (
                    t(`group.${found.state}`)
                  )}
                </div>
              )}
              <div
                role="presentation"
                className="rest"
                style={found?.values || !found ? { width: rest } : { flex: 1 }}
              />
              <div
                role="gridcell"
                aria-colindex={columns.length + 2}
                className={stateWidth ? "cell state" : "cell state none"}
                style={{ width: stateWidth }}
              >
                {found ? <State row={found} reviews={byGroup.get(group) ?? []} /> : null}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface ValueProps {
  id: string;
  row: Row | undefined;
  column: Column;
  index: number;
  width: number;
  review: Review | undefined;
  isActive: boolean;
  onPress: () => void;
}

const ValueCell = memo(
  function ValueCell({ id, row, column, index, width, review, isActive, onPress }: ValueProps) {
    const value = row?.values ? at(row.values, column.pointer) : undefined;
    const evidence = row && weakest(row.evidence, column.pointer);
    const isText = value !== null && value !== undefined;
    return (
      <div
        role="gridcell"
        id={id}
        aria-colindex={index + 2}
        className={isActive ? "cell sel" : "cell"}
        style={{ width }}
        onClick={onPress}
      >
        {row ? (
          <>
            <Dot level={level(value, evidence, review)} />
            <bdi className={isText ? "" : "absent"}>{words(value)}</bdi>
          </>
        ) : (
          <span className="bone" />
        )}
      </div>
    );
  },
  (a, b) =>
    a.row === b.row &&
    a.review === b.review &&
    a.isActive === b.isActive &&
    a.width === b.width &&
    a.column === b.column &&
    a.id === b.id,
);

function State({ row, reviews }: { row: Row; reviews: Review[] }) {
  const open = reviews.filter((review) => review.state === "open" && review.path !== "");
  if (row.state === "failed") return <span className="pill red">{t("group.failed")}</span>;
  if (row.state !== "succeeded") return <span className="pill">{t(`group.${row.state}`)}</span>;
  if (open.some((review) => review.reasons.includes("conflict")))
    return <span className="pill red">{t("runs.conflict")}</span>;
  if (open.length > 0) return <span className="pill warn">{t("runs.to_review")}</span>;
  return (
    <span className="done" role="img" aria-label={t("runs.done")}>
      ✓
    </span>
  );
}

/** What a group is called: its documents. */
export function name(row: Row): string {
  const described = row.documents.map((document) => document.description || "").filter(Boolean);
  return (
    (row.files.length > 0 ? row.files : described).join(", ") || row.documents.map((d) => d.url).join(", ")
  );
}
