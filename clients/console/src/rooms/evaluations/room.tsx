/** An evaluation: how right each field is, and the values that are not, beside their documents. */

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, data } from "../../api.ts";
import { locate, marksOf } from "../../documents/places.ts";
import { DocumentView, useParsed } from "../../documents/view.tsx";
import { number, t } from "../../i18n.ts";
import { words as placeWords } from "../../pointer.ts";
import { href } from "../../router.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { Loading, Wrong } from "../../ui/notices.tsx";
import { Up } from "../../ui/places.tsx";
import { words } from "../runs/value.tsx";
import { type Scores, useEvaluations, useScores, useSet, useValues, type Value } from "./data.ts";
import { FieldScores, percent } from "./fields.tsx";

const TONE: Record<string, string> = {
  right: "pill ok",
  empty: "pill ok",
  wrong: "pill red",
  missing: "pill warn",
  invented: "pill red",
  dropped: "pill warn",
};

export function EvaluationRoom({ set, sid }: { set: string; sid: number }) {
  const [base, setBase] = useState<string>("");
  const [field, setField] = useState("");
  const [shown, setShown] = useState<Value>();
  const about = useSet(set);
  const compared = base ? Number(base) : undefined;
  const asked = useScores(set, sid, compared);
  const runs = useEvaluations(set);
  const values = useValues(set, sid, compared, asked.data?.state);
  const others = (runs.data?.evaluations ?? []).filter((run) => run.sid !== sid);
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  const scores = asked.data;
  const listed = (values.data?.pages ?? [])
    .flatMap((page) => page.values)
    .filter((value) => field === "" || fieldOf(value.path) === field);
  return (
    <div className="room">
      <header className="head">
        <Up to={href("forms", "evaluations", set)} label={about.data?.name ?? t("eval.title")} />
        <h1>{t("eval.number", { sid: String(sid) })}</h1>
        <span className="pill" role="status">
          {scores.state === "running"
            ? t("runs.of", { done: scores.total - scores.open, total: scores.total })
            : t(`run.${scores.state}`)}
        </span>
        <span className="gap" />
        {others.length > 0 ? (
          <Select
            bare
            label={t("eval.compare")}
            value={base}
            onChange={setBase}
            options={[
              { id: "", label: t("eval.compare_none") },
              ...others.map((run) => ({
                id: String(run.sid),
                label: t("eval.compare_with", { sid: String(run.sid) }),
                hint: `${run.namespace} · ${run.model}`,
              })),
            ]}
          />
        ) : null}
      </header>
      <div className={shown ? "sought open" : "sought"}>
        <div className="seek">
          <Summary scores={scores} />
          <FieldScores fields={scores.fields} chosen={field} onChoose={setField} />
          <section className="pad stack" aria-label={t("eval.values")}>
            <h2>{t(compared === undefined ? "eval.values" : "eval.changed_values")}</h2>
            {values.isError ? (
              <Wrong error={values.error} retry={() => void values.refetch()} />
            ) : !values.data ? (
              <Loading />
            ) : listed.length === 0 ? (
              <p className="hint">{t("eval.no_values")}</p>
            ) : (
              <ol className="results">
                {listed.map((value) => (
                  <li key={`${value.group}${value.path}`}>
                    <ValueRow
                      value={value}
                      isCompared={compared !== undefined}
                      isShown={shown?.group === value.group && shown.path === value.path}
                      onShow={() => setShown(value)}
                    />
                  </li>
                ))}
              </ol>
            )}
            {values.hasNextPage ? (
              <Button onPress={() => void values.fetchNextPage()}>{t("more")}</Button>
            ) : null}
          </section>
        </div>
        <aside className="source" aria-label={t("eval.document")}>
          {shown ? (
            <Documents key={shown.group} set={set} value={shown} onBack={() => setShown(undefined)} />
          ) : (
            <p className="pad hint">{t("eval.pick")}</p>
          )}
        </aside>
      </div>
    </div>
  );
}

/** The field of a value: its pointer without the indexes of rows. */
function fieldOf(path: string): string {
  return path.replace(/\/\+?\d+(?=\/|$)/g, "");
}

function Summary({ scores }: { scores: Scores }) {
  const { accuracy, comparison } = scores;
  return (
    <section className="pad stack" aria-label={t("eval.summary")}>
      <div className="figures">
        <div>
          <b>{accuracy ? percent(accuracy.value) : "–"}</b>
          <span>{t("eval.accuracy")}</span>
          {accuracy ? (
            <small>{t("eval.interval", { low: percent(accuracy.low), high: percent(accuracy.high) })}</small>
          ) : null}
        </div>
        <div>
          <b>{t("runs.of", { done: scores.whole, total: scores.groups })}</b>
          <span>{t("eval.whole")}</span>
        </div>
        <div>
          <b>{number(scores.failed)}</b>
          <span>{t("eval.failed")}</span>
        </div>
        <div>
          <b>{(scores.cost ?? 0) > 0 ? `$${number(scores.cost ?? 0)}` : "–"}</b>
          <span>{t("runs.cost")}</span>
        </div>
      </div>
      {comparison ? (
        <p className="box">
          <span className={comparison.is_worse ? "pill red" : "pill ok"}>
            {t(comparison.is_worse ? "eval.worse" : "eval.not_worse")}
          </span>{" "}
          {t("eval.comparison", {
            better: comparison.better,
            worse: comparison.worse,
            other: comparison.other,
          })}
          {(comparison.dropped ?? []).length > 0
            ? ` ${t("eval.dropped", { fields: (comparison.dropped ?? []).join(", ") })}`
            : ""}
        </p>
      ) : null}
    </section>
  );
}

interface ValueRowProps {
  value: Value;
  isCompared: boolean;
  isShown: boolean;
  onShow: () => void;
}

function ValueRow({ value, isCompared, isShown, onShow }: ValueRowProps) {
  const outcome = (name: string | null) =>
    name ? <span className={TONE[name] ?? "pill"}>{t(`eval.outcome.${name as "wrong"}`)}</span> : null;
  return (
    <button type="button" aria-pressed={isShown} onClick={onShow}>
      <span className="result-head">
        <b>
          <bdi>{placeWords(value.path.replaceAll("/+", "/"))}</bdi>
        </b>
        <small>{t("eval.group", { group: value.group + 1 })}</small>
      </span>
      <span className="line-up">
        {isCompared ? (
          <>
            {outcome(value.base_outcome)} <bdi>{words(value.base_value)}</bdi> →
          </>
        ) : null}
        {outcome(value.outcome)} <bdi>{words(value.value)}</bdi>
      </span>
      <span className="hint">
        {t("eval.truth")} <bdi>{words(value.truth)}</bdi>
      </span>
    </button>
  );
}

interface DocumentsProps {
  set: string;
  value: Value;
  onBack: () => void;
}

/** The documents of a group. Where the values stand is looked up in their texts. */
function Documents({ set, value, onBack }: DocumentsProps) {
  const [index, setIndex] = useState(0);
  const asked = useQuery({
    queryKey: ["set", set, "group", value.group],
    staleTime: Infinity,
    queryFn: ({ signal }) =>
      data(
        api.GET("/v1/evaluation_sets/{set_id}/groups", {
          params: { path: { set_id: set }, query: { page: value.group + 1, limit: 1 } },
          signal,
        }),
      ),
  });
  const documents = asked.data?.groups[0]?.documents ?? [];
  const file = documents[index]?.url;
  const parsed = useParsed(file);
  const marks = useMemo(() => {
    const { body = "", lines = [] } = parsed.data ?? {};
    const of = (found: unknown, kind: "main" | "conflict", label: string) => {
      const isText = typeof found === "string" || typeof found === "number";
      const place = isText ? locate(body, String(found)) : undefined;
      return place ? marksOf(place, label, kind, lines) : [];
    };
    return [
      ...of(value.truth, "main", t("eval.truth")),
      ...of(value.value, "conflict", t("eval.found_value")),
    ];
  }, [parsed.data, value]);
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  return (
    <>
      <div className="doc-tabs">
        <Button kind="small back" onPress={onBack}>
          ‹ {t("kb.back")}
        </Button>
        {documents.map((document, at) => (
          <button
            type="button"
            key={`${document.url}${at}`}
            className="tab"
            aria-pressed={at === index}
            onClick={() => setIndex(at)}
          >
            <bdi>{document.description || parsed.data?.title || document.url}</bdi>
          </button>
        ))}
      </div>
      <div className="doc">
        {file ? <DocumentView file={file} marks={marks} /> : <p className="pad">{t("detail.no_document")}</p>}
      </div>
    </>
  );
}
