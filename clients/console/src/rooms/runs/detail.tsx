/** One value beside the document that states it: quote, other candidates, decisions. */

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useMemo, useState } from "react";
import { api, data, type Review } from "../../api.ts";
import { t } from "../../i18n.ts";
import { at, isObject, leaves, words as placeWords } from "../../pointer.ts";
import { useCanWrite } from "../../session.tsx";
import { Button, TextField } from "../../ui/controls.tsx";
import type { Decision } from "./decide.ts";
import type { Evidence, Mark } from "../../documents/evidence.ts";
import { DocumentView, type Taken } from "../../documents/view.tsx";
import { placeKey, type Row } from "./data.ts";
import { Dot, level, weakest, words } from "./value.tsx";

/** Values of a list that are shown below it. */
const MAX_LEAVES = 400;

interface DetailProps {
  row: Row;
  pointer: string;
  byPlace: Map<string, Review>;
  correcting: boolean;
  onCorrecting: (is: boolean) => void;
  onPick: (pointer: string) => void;
  onDecide: (review: Review, decision: Decision) => Promise<boolean>;
  onQueue: (field: string) => void;
  onBack: () => void;
}

export function Detail({
  row,
  pointer,
  byPlace,
  correcting,
  onCorrecting,
  onPick,
  onDecide,
  onQueue,
  onBack,
}: DetailProps) {
  const canWrite = useCanWrite();
  const review = byPlace.get(placeKey(row.group, pointer));
  const details = useQuery({
    queryKey: ["review", review?.id, review?.revision],
    enabled: Boolean(review),
    queryFn: () =>
      data(api.GET("/v1/reviews/{review_id}", { params: { path: { review_id: review?.id ?? "" } } })),
  });
  const value = review && review.state !== "open" ? review.value : at(row.values, pointer);
  const evidence = row.evidence[pointer] ?? (details.data?.evidence as Evidence | null) ?? undefined;
  const shownEvidence = evidence ?? weakest(row.evidence, pointer);
  const candidates = (details.data?.candidates ?? []) as { value: unknown; evidence: Evidence }[];
  const others = candidates.slice(1);
  const [file, setFile] = useState<string>();
  const [taken, setTaken] = useState<Taken>();
  const [focus, setFocus] = useState<Evidence>();
  const files = useMemo(() => filesOf(row), [row]);
  useEffect(() => {
    setFile(undefined);
    setTaken(undefined);
    setFocus(undefined);
  }, [row.group, pointer]);
  const shown = file ?? focus?.file ?? shownEvidence?.file ?? files[0]?.id;
  const marks = useMemo(
    () =>
      marksOf(row, pointer, focus ?? shownEvidence, others).filter((mark) => mark.evidence.file === shown),
    [row, pointer, focus, shownEvidence, others, shown],
  );
  const canDecide = canWrite && review !== undefined;
  const take = canDecide
    ? (next: Taken) => {
        setTaken(next);
        onCorrecting(true);
      }
    : undefined;
  return (
    <aside className="detail" aria-label={t("detail.title")}>
      <div className="doc-tabs">
        <Button kind="small back" onPress={onBack}>
          ‹ {t("detail.back")}
        </Button>
        {files.map(({ id, name }) => (
          <button
            type="button"
            key={id}
            className="tab"
            aria-pressed={id === shown}
            onClick={() => setFile(id)}
            title={name}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </div>
      <div className="doc">
        {shown ? (
          <DocumentView file={shown} marks={marks} onPick={onPick} onTake={take} />
        ) : (
          <p className="pad">{t("detail.no_document")}</p>
        )}
      </div>
      <div className="evidence" data-testid="evidence">
        <div className="line-up">
          <Dot level={level(value, shownEvidence, review)} />
          <b>
            <bdi>{placeWords(pointer)}</bdi> ={" "}
            <bdi className={value == null ? "absent" : ""}>{words(value)}</bdi>
          </b>
          <span className="gap" />
          {shownEvidence?.confidence != null ? (
            <span className="pill" title={t("detail.confidence")}>
              {Math.round(shownEvidence.confidence * 100)} %
            </span>
          ) : null}
          {shownEvidence?.support ? (
            <span className="pill">{t(`support.${shownEvidence.support as "exact"}`)}</span>
          ) : null}
          {review ? (
            <span className={review.state === "open" ? "pill warn" : "pill ok"}>
              {t(`review.${review.state}`)}
            </span>
          ) : null}
        </div>
        {shownEvidence?.quote ? (
          <blockquote className="quote" dir="auto">
            “{shownEvidence.quote}”
            {shownEvidence.page ? <small> {t("detail.page", { page: shownEvidence.page })}</small> : null}
          </blockquote>
        ) : value == null ? (
          <p className="hint">{t("detail.not_found")}</p>
        ) : null}
        {(details.data?.errors ?? []).map((error) => (
          <p className="red-text" key={String(error.message)}>
            {String(error.message)}
          </p>
        ))}
        {others.map((other, index) => (
          <div className="rival" key={`${index}${JSON.stringify(other.value)}`}>
            <div>
              <b>
                <bdi>
                  {t("detail.says", { document: other.evidence.document ?? "", value: words(other.value) })}
                </bdi>
              </b>
              {other.evidence.quote ? <bdi> “{other.evidence.quote}”</bdi> : null}
            </div>
            <Button
              kind="small"
              onPress={() => {
                setFile(undefined);
                setFocus(other.evidence);
              }}
            >
              {t("detail.show")}
            </Button>
            {canDecide ? (
              <Button
                kind="small"
                onPress={() => void onDecide(review, correction(other.value, other.evidence))}
              >
                {t("detail.take", { value: words(other.value) })} {index < 8 ? <kbd>{index + 2}</kbd> : null}
              </Button>
            ) : null}
          </div>
        ))}
        {canDecide ? (
          correcting ? (
            <Correction
              key={`${pointer}${taken?.text ?? ""}${taken?.page ?? ""}`}
              value={taken ? taken.text : value}
              taken={taken}
              file={shown}
              onCancel={() => {
                setTaken(undefined);
                onCorrecting(false);
              }}
              onSubmit={(decision) => onDecide(review, decision)}
            />
          ) : (
            <div className="actions start">
              {review.state === "open" ? (
                <>
                  <Button kind="main" onPress={() => void onDecide(review, { action: "accept" })}>
                    {t("accept")} <kbd>A</kbd>
                  </Button>
                  <Button onPress={() => onCorrecting(true)}>
                    {t("correct")} <kbd>C</kbd>
                  </Button>
                  <Button onPress={() => void onDecide(review, { action: "not_stated" })}>
                    {t("mark_not_stated")} <kbd>X</kbd>
                  </Button>
                </>
              ) : (
                <Button onPress={() => void onDecide(review, { action: "reopen" })}>{t("reopen")}</Button>
              )}
            </div>
          )
        ) : canWrite ? (
          <div className="actions start">
            <span className="hint">{t("detail.not_queued")}</span>
            <Button kind="small" onPress={() => onQueue(pointer.replace(/\/\d+(?=\/|$)/g, ""))}>
              {t("detail.queue")}
            </Button>
          </div>
        ) : (
          <p className="hint">{t("detail.read_only")}</p>
        )}
        {take && !correcting ? <p className="hint">{t("detail.click_hint")}</p> : null}
        <Inner row={row} pointer={pointer} byPlace={byPlace} onPick={onPick} />
        {details.data && details.data.history.length > 0 ? (
          <details>
            <summary>{t("detail.history")}</summary>
            <ul className="history">
              {details.data.history.map((step, index) => (
                <li key={index}>
                  <bdi>{step.userName}</bdi>: {t(`action.${step.action as "accept"}`)} ·{" "}
                  <bdi>{words(step.before)}</bdi> → <bdi>{words(step.after)}</bdi>
                </li>
              ))}
            </ul>
          </details>
        ) : null}
      </div>
    </aside>
  );
}

/** The decision for a value that another document states. */
export function correction(value: unknown, evidence: Evidence): Decision {
  const isSingle = typeof value !== "object" || value === null;
  if (!isSingle || !evidence.quote) return { action: "correct", value };
  return { action: "correct", value, evidence: quoted(evidence.quote, evidence.file, evidence.page) };
}

function quoted(quote: string, file?: string, page?: number | null): NonNullable<Decision["evidence"]> {
  return { quote, ...(file ? { document: file } : {}), ...(page ? { page } : {}) };
}

interface CorrectionProps {
  value: unknown;
  taken?: Taken;
  file?: string;
  onCancel: () => void;
  onSubmit: (decision: Decision) => Promise<boolean>;
}

function Correction({ value, taken, file, onCancel, onSubmit }: CorrectionProps) {
  const isWhole = typeof value === "object" && value !== null;
  const [text, setText] = useState(
    isWhole ? JSON.stringify(value, null, 2) : value == null ? "" : String(value),
  );
  const [error, setError] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    let next: unknown = text;
    if (isWhole) {
      try {
        next = JSON.parse(text);
      } catch {
        setError(t("detail.not_json"));
        return;
      }
    }
    const evidence = taken && !isWhole ? { evidence: quoted(taken.quote, file, taken.page) } : {};
    void onSubmit({ action: "correct", value: next, ...evidence }).then((isDone) => isDone && onCancel());
  };
  return (
    <form
      onSubmit={submit}
      className="correction"
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <TextField
        label={t("detail.right_value")}
        value={text}
        onChange={setText}
        rows={isWhole ? 8 : undefined}
        mono={isWhole}
        error={error}
        autoFocus
        hint={taken ? t("detail.from_page", { quote: taken.quote }) : undefined}
      />
      <div className="actions start">
        <Button kind="main" type="submit">
          {t("save")} <kbd>↵</kbd>
        </Button>
        <Button onPress={onCancel}>{t("cancel")}</Button>
      </div>
    </form>
  );
}

/** The values of a list or an object. */
function Inner({
  row,
  pointer,
  byPlace,
  onPick,
}: Pick<DetailProps, "row" | "pointer" | "byPlace" | "onPick">) {
  const value = at(row.values, pointer);
  if (!Array.isArray(value) && !isObject(value)) return null;
  const inner = leaves(value, MAX_LEAVES, pointer);
  return (
    <ul className="leaves" aria-label={t("detail.values")}>
      {inner.map(([place, leaf]) => (
        <li key={place}>
          <button type="button" onClick={() => onPick(place)}>
            <Dot level={level(leaf, row.evidence[place], byPlace.get(placeKey(row.group, place)))} />
            <span className="leaf-name">{placeWords(place.slice(pointer.length))}</span>
            <bdi className={leaf == null ? "absent" : ""}>{words(leaf)}</bdi>
          </button>
        </li>
      ))}
      {inner.length >= MAX_LEAVES ? (
        <li className="hint">{t("detail.more_values", { count: MAX_LEAVES })}</li>
      ) : null}
    </ul>
  );
}

function filesOf(row: Row): { id: string; name: string }[] {
  return row.documents.map((document, index) => ({
    id: fileId(document.url, row, index),
    name: row.files[index] ?? document.description ?? document.url,
  }));
}

/** The file of a document: what its evidence names, else what the request named. */
function fileId(url: string, row: Row, index: number): string {
  const known = Object.values(row.evidence).find((evidence) => evidence.index === index && evidence.file);
  return known?.file ?? url;
}

function marksOf(
  row: Row,
  pointer: string,
  main: Evidence | undefined,
  others: { value: unknown; evidence: Evidence }[],
): Mark[] {
  const marks: Mark[] = main ? [{ evidence: main, kind: "main", label: placeWords(pointer), pointer }] : [];
  for (const other of others) {
    if (other.evidence !== main)
      marks.push({ evidence: other.evidence, kind: "conflict", label: words(other.value), pointer });
  }
  for (const [place, evidence] of Object.entries(row.evidence).slice(0, MAX_LEAVES)) {
    if (evidence !== main && place !== pointer)
      marks.push({ evidence, kind: "other", label: placeWords(place), pointer: place });
  }
  return marks;
}
