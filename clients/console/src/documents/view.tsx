/** A document: the picture of its page with the places of values, or its text. */

import { useQuery } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import { api, data, own, type Schemas } from "../api.ts";
import { t } from "../i18n.ts";
import { useCanWrite } from "../session.tsx";
import { Button } from "../ui/controls.tsx";
import { Loading, Wrong } from "../ui/notices.tsx";
import type { Mark } from "./evidence.ts";
import { lines as textLines, parts, placed, type Placed } from "./words.ts";

type Parsed = Schemas["ParsedDocument"];
/** Nothing is chosen by a mark without a pointer. */
const nothing = () => undefined;

export interface Taken {
  text: string;
  page: number | null;
  quote: string;
}

interface DocumentProps {
  file: string;
  marks: Mark[];
  onPick?: (pointer: string) => void;
  /** Takes a word; absent where nothing can be corrected. */
  onTake?: (taken: Taken) => void;
}

export function useParsed(file: string | undefined) {
  return useQuery({
    queryKey: ["parsed", file],
    enabled: Boolean(file),
    staleTime: 300_000,
    gcTime: 60_000,
    queryFn: async () => {
      const body = { urls: [file ?? ""] };
      const query = { lines: true } as never;
      const [parsed] = await data(api.POST("/v1/utilities/docparser", { params: { query }, body }));
      return parsed as Parsed & { lines?: Placed[] };
    },
  });
}

export function DocumentView({ file, marks, onPick = nothing, onTake }: DocumentProps) {
  const canDraw = useCanWrite();
  const asked = useParsed(file);
  const main = marks.find((mark) => mark.kind === "main");
  const [page, setPage] = useState(1);
  const [zoom, setZoom] = useState(1);
  const [asText, setAsText] = useState(false);
  const wanted = main?.evidence.page;
  const start = main?.evidence.start;
  useEffect(() => {
    if (wanted) setPage(wanted);
  }, [wanted, start, main?.pointer, file]);
  if (asked.isPending) return <Loading />;
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  const parsed = asked.data;
  if (parsed.error) return <p className="pad red-text">{parsed.error.message}</p>;
  const count = parsed.pages.length;
  const hasPicture = canDraw && count > 0;
  const isPicture = hasPicture && !asText && !(main && main.evidence.page === null);
  return (
    <>
      <div className="doc-bar">
        {isPicture ? (
          <>
            <Button
              kind="small"
              aria-label={t("doc.previous")}
              isDisabled={page <= 1}
              onPress={() => setPage(page - 1)}
            >
              ‹
            </Button>
            <span className="num">
              {page} / {count}
            </span>
            <Button
              kind="small"
              aria-label={t("doc.next")}
              isDisabled={page >= count}
              onPress={() => setPage(page + 1)}
            >
              ›
            </Button>
            <Button
              kind="small"
              aria-label={t("doc.smaller")}
              isDisabled={zoom <= 0.5}
              onPress={() => setZoom(zoom / 1.25)}
            >
              −
            </Button>
            <Button
              kind="small"
              aria-label={t("doc.larger")}
              isDisabled={zoom >= 3}
              onPress={() => setZoom(zoom * 1.25)}
            >
              +
            </Button>
          </>
        ) : null}
        <span className="gap" />
        {hasPicture ? (
          <Button kind="small" onPress={() => setAsText(!asText)}>
            {isPicture ? t("doc.as_text") : t("doc.as_page")}
          </Button>
        ) : null}
      </div>
      {isPicture ? (
        <PageView
          key={`${file}-${page}`}
          file={file}
          parsed={parsed}
          page={page}
          zoom={zoom}
          marks={marks}
          onPick={onPick}
          onTake={onTake}
        />
      ) : (
        <TextView body={parsed.body} marks={marks} onPick={onPick} onTake={onTake} />
      )}
    </>
  );
}

interface PageProps extends DocumentProps {
  parsed: Parsed & { lines?: Placed[] };
  page: number;
  zoom: number;
}

function PageView({ file, parsed, page, zoom, marks, onPick = nothing, onTake }: PageProps) {
  const picture = useQuery({
    queryKey: ["picture", file, page],
    staleTime: 300_000,
    queryFn: async () => {
      const body = { urls: [file], width: 1400, page, format: "webp" as const };
      const [made] = await data(api.POST("/v1/utilities/thumbnail", { body }));
      if (!made?.thumbnail) throw new Error(made?.error?.message ?? "");
      return own(made.thumbnail);
    },
  });
  const box = useRef<HTMLDivElement>(null);
  const sheet = parsed.pages.find((known) => known.number === page);
  const found = useMemo(
    () =>
      onTake
        ? placed(
            parsed.body,
            (parsed.lines ?? []).filter((line) => line.page === page),
          )
        : [],
    [parsed, page, onTake],
  );
  const main = marks.find((mark) => mark.kind === "main");
  const isLoaded = picture.isSuccess;
  useEffect(() => {
    if (isLoaded && main?.evidence.page === page) {
      box.current?.querySelector(".mark.main")?.scrollIntoView({ block: "center", inline: "nearest" });
    }
  }, [isLoaded, main, page, zoom]);
  if (picture.isPending) return <Loading />;
  if (picture.isError || !sheet)
    return <TextView body={parsed.body} marks={marks} onPick={onPick} onTake={onTake} />;
  const place = (rect: { x0: number; y0: number; x1: number; y1: number }) => ({
    left: `${(rect.x0 / sheet.width) * 100}%`,
    top: `${(rect.y0 / sheet.height) * 100}%`,
    width: `${((rect.x1 - rect.x0) / sheet.width) * 100}%`,
    height: `${((rect.y1 - rect.y0) / sheet.height) * 100}%`,
  });
  const boxed = marks.filter((mark) => mark.evidence.box && mark.evidence.page === page);
  return (
    <div className="page-box" ref={box} tabIndex={0} role="region" aria-label={t("doc.page", { page })}>
      <div
        className="page"
        style={{ width: `${zoom * 100}%`, aspectRatio: `${sheet.width} / ${sheet.height}` }}
      >
        <img src={picture.data} alt={t("doc.page", { page })} draggable={false} />
        {boxed.map((mark) => (
          <button
            type="button"
            tabIndex={-1}
            key={`${mark.kind}${mark.pointer ?? mark.label}${mark.evidence.start}`}
            className={`mark ${mark.kind}`}
            style={mark.evidence.box && place(mark.evidence.box)}
            title={mark.label}
            aria-label={mark.label}
            onClick={() => mark.pointer && onPick(mark.pointer)}
          />
        ))}
        {found.map((word) => (
          <div
            key={word.start}
            className="word"
            style={place(word.rect)}
            title={t("doc.take", { text: word.text })}
            onClick={() => onTake?.({ text: word.text, page, quote: word.quote })}
          />
        ))}
      </div>
    </div>
  );
}

interface TextProps extends Omit<DocumentProps, "file"> {
  body: string;
}

/** The text by lines, with the places of the values. */
export function TextView({ body, marks, onPick = nothing, onTake }: TextProps) {
  const box = useRef<HTMLDivElement>(null);
  const all = useMemo(() => textLines(body), [body]);
  const view = useVirtualizer({
    count: all.length,
    getScrollElement: () => box.current,
    estimateSize: () => 24,
    overscan: 20,
  });
  const main = marks.find((mark) => mark.kind === "main");
  const start = main?.evidence.start;
  useEffect(() => {
    if (start === undefined) return;
    const index = all.findIndex((line) => line.end >= start);
    if (index >= 0) view.scrollToIndex(index, { align: "center" });
  }, [start, all, view]);
  return (
    <div
      className="text-box"
      ref={box}
      tabIndex={0}
      role="region"
      aria-label={t("doc.text")}
      data-testid="text"
    >
      <div style={{ height: view.getTotalSize(), position: "relative" }}>
        {view.getVirtualItems().map((item) => {
          const line = all[item.index];
          if (!line) return null;
          const isHead = /^#{1,6} /.test(line.text);
          return (
            <div
              key={item.key}
              ref={view.measureElement}
              data-index={item.index}
              dir="auto"
              className={isHead ? "line head" : line.text.startsWith("|") ? "line row" : "line"}
              style={{ transform: `translateY(${item.start}px)` }}
              onClick={onTake ? (event) => takeWord(event, onTake) : undefined}
            >
              {parts(line, marks).map((part) =>
                part.mark ? (
                  <mark
                    key={part.start}
                    className={part.mark.kind}
                    title={part.mark.label}
                    onClick={() => part.mark?.pointer && onPick(part.mark.pointer)}
                  >
                    {part.text}
                  </mark>
                ) : (
                  part.text
                ),
              )}
              {line.text === "" ? "\u00a0" : ""}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The word under the pointer, or what is selected. */
function takeWord(event: React.MouseEvent, onTake: (taken: Taken) => void): void {
  if ((event.target as Element).closest("mark")) return;
  const chosen = window.getSelection()?.toString().trim();
  if (chosen) {
    onTake({ text: chosen, page: null, quote: chosen });
    return;
  }
  const caret = (
    document as Document & { caretRangeFromPoint?: (x: number, y: number) => Range | null }
  ).caretRangeFromPoint?.(event.clientX, event.clientY);
  const text = caret?.startContainer.textContent ?? "";
  const at = caret?.startOffset ?? 0;
  const before = /\S*$/.exec(text.slice(0, at))?.[0] ?? "";
  const after = /^\S*/.exec(text.slice(at))?.[0] ?? "";
  const word = (before + after).replace(/^[|*#]+|[|*]+$/g, "");
  if (word) onTake({ text: word, page: null, quote: word });
}
