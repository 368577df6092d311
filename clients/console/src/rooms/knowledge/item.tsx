/** An item of a knowledge base: its document with marked places, its chunks, its properties. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, data } from "../../api.ts";
import { locate, marksOf } from "../../documents/places.ts";
import type { Rect } from "../../documents/rect.ts";
import { DocumentView, TextView, useParsed } from "../../documents/view.tsx";
import { slicer } from "../../documents/words.ts";
import { number, t } from "../../i18n.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, TextField } from "../../ui/controls.tsx";
import { explain, Loading, tell, Wrong } from "../../ui/notices.tsx";
import { type Item, renew } from "./data.ts";
import { META_HINT, parseMeta, writeMeta } from "./meta.ts";

/** A part of an item's text, with its place on the page where it is known. */
export interface Passage {
  item: string;
  start?: number;
  end?: number;
  page?: number | null;
  box?: Rect;
  label: string;
  /** Its text, by which it is looked for where no place is known. */
  text?: string;
}

/** Chunks that are listed. */
const MAX_CHUNKS = 200;

function useItem(id: string) {
  return useQuery({
    queryKey: ["item", id],
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      data(
        api.GET("/v1/knowledgebase/files/{id}", {
          params: { path: { id }, query: { chunks: true } },
          signal,
        }),
      ),
  });
}

interface SourcePaneProps {
  passage: Passage | undefined;
  /** Told while no passage is chosen. */
  hint: string;
  onBack: () => void;
}

/** The document of the chosen passage, beside results or answers. */
export function SourcePane({ passage, hint, onBack }: SourcePaneProps) {
  return (
    <aside className="source" aria-label={t("kb.source_title")}>
      {passage ? (
        <>
          <div className="doc-tabs">
            <Button kind="small back" onPress={onBack}>
              ‹ {t("kb.back")}
            </Button>
            <b>
              <bdi>{passage.label}</bdi>
            </b>
          </div>
          <div className="doc">
            <ItemDocument passage={passage} />
          </div>
        </>
      ) : (
        <p className="pad hint">{hint}</p>
      )}
    </aside>
  );
}

/** The document of an item, scrolled to the passage, which is marked. */
function ItemDocument({ passage }: { passage: Passage }) {
  const asked = useItem(passage.item);
  const file = asked.data?.file_id ? String(asked.data.file_id) : undefined;
  const parsed = useParsed(file);
  const content = asked.data?.content ?? "";
  // The file may have been deleted, or the item may have got another content since.
  const isSame = parsed.data !== undefined && !parsed.data.error && parsed.data.body === content;
  const marks = useMemo(() => {
    const place = placeOf(passage, content);
    const lines = isSame ? (parsed.data?.lines ?? []) : [];
    return place ? marksOf(place, passage.label, "main", lines) : [];
  }, [passage, content, isSame, parsed.data]);
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data || (file && parsed.isPending)) return <Loading />;
  if (file && isSame) return <DocumentView file={file} marks={marks} />;
  if (!content) return <p className="pad hint">{t("kb.no_content")}</p>;
  return <TextView body={content} marks={marks} />;
}

/** Where the passage stands in the text; undefined where nothing is to be marked. */
function placeOf(passage: Passage, content: string) {
  const { start, end, page, box, text } = passage;
  if (start !== undefined && end !== undefined) return { start, end, page, box };
  return text ? locate(content, text) : undefined;
}

export function ItemPanel({ item }: { item: Item }) {
  const asked = useItem(item.id);
  const [position, setPosition] = useState<number>();
  const chunks = Array.isArray(asked.data?.chunks) ? asked.data.chunks : [];
  const chunk = chunks.find((known) => known.position === position);
  const slice = useMemo(() => slicer(asked.data?.content ?? ""), [asked.data?.content]);
  return (
    <div className="stack">
      <p className="hint">
        {t(`kb.source.${item.source as "file"}`)} ·{" "}
        {t("new.kilobytes", { size: number(Math.ceil(item.bytes / 1024)) })}
        {item.language ? ` · ${item.language}` : ""}
      </p>
      {item.error ? <p className="red-text">{item.error.message}</p> : null}
      <div className="item-view">
        <div className="item-doc">
          <ItemDocument
            passage={{
              item: item.id,
              start: chunk?.start,
              end: chunk?.end,
              page: chunk?.page,
              label: item.name,
            }}
          />
        </div>
        {chunks.length > 0 ? (
          <ol className="chunks" aria-label={t("kb.chunks")}>
            {chunks.slice(0, MAX_CHUNKS).map((known) => (
              <li key={known.position}>
                <button
                  type="button"
                  aria-pressed={known.position === position}
                  onClick={() => setPosition(known.position)}
                >
                  <small>
                    {number(known.position + 1)}
                    {known.page ? ` · ${t("detail.page", { page: known.page })}` : ""}
                  </small>
                  <bdi>{slice(known.start, Math.min(known.end, known.start + 160))}</bdi>
                </button>
              </li>
            ))}
            {chunks.length > MAX_CHUNKS ? (
              <li className="hint">{t("kb.more_chunks", { count: MAX_CHUNKS })}</li>
            ) : null}
          </ol>
        ) : null}
      </div>
      <Properties item={item} />
    </div>
  );
}

function Properties({ item }: { item: Item }) {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const [text, setText] = useState(() => writeMeta(item.meta as Record<string, unknown>));
  const save = useMutation({
    mutationFn: async () => {
      const meta = parseMeta(text) ?? {};
      return data(
        api.PUT("/v1/knowledgebase/files/{id}", { params: { path: { id: item.id } }, body: { meta } }),
      );
    },
    onSuccess: () => {
      renew(client, item.knowledgeId);
      tell(t("kb.saved"));
    },
  });
  const isWrong = parseMeta(text) === undefined;
  if (!canWrite) return text ? <pre className="code">{text}</pre> : null;
  return (
    <details>
      <summary>{t("kb.meta")}</summary>
      <TextField
        label={t("kb.meta")}
        hint={t("kb.meta_hint")}
        rows={3}
        value={text}
        onChange={setText}
        error={isWrong ? t("kb.meta_wrong") : save.isError ? explain(save.error) : ""}
        placeholder={META_HINT}
      />
      <div className="actions">
        <Button isDisabled={isWrong} isBusy={save.isPending} onPress={() => save.mutate()}>
          {t("save")}
        </Button>
      </div>
    </details>
  );
}
