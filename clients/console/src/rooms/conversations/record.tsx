/** The record that a conversation fills, and how each value came about. */

import { useEffect, useMemo, useRef, useState } from "react";
import { t } from "../../i18n.ts";
import { leaves, words as placeWords } from "../../pointer.ts";
import { Button, Panel } from "../../ui/controls.tsx";
import type { Evidence } from "../../documents/evidence.ts";
import { DocumentView } from "../../documents/view.tsx";
import { Dot, type Level, words } from "../runs/value.tsx";
import { type Conversation, evidenceOf } from "./data.ts";

/** Values that are listed. */
const MAX_LEAVES = 500;

type Source = Conversation["sources"][string];

/** The source of a value: its own, or that of what it is part of. */
function sourceOf(sources: Conversation["sources"], path: string): Source | undefined {
  for (let place = path; place !== ""; place = place.slice(0, place.lastIndexOf("/")))
    if (sources[place]) return sources[place];
  return undefined;
}

function sure(value: unknown, source: Source | undefined): Level {
  if (value === null) return "none";
  if (source?.source === "weak") return "doubtful";
  return source?.source === "implied" || source?.source === "default" ? "look" : "sure";
}

interface RecordProps {
  session: Conversation;
  chosen: string | undefined;
  onChoose: (path: string) => void;
}

export function RecordPanel({ session, chosen, onChoose }: RecordProps) {
  const { form, sources } = session;
  const [shown, setShown] = useState<{ path: string; evidence: Evidence }>();
  const values = useMemo(() => leaves(form?.values ?? {}, MAX_LEAVES), [form]);
  const open = useRef<HTMLLIElement>(null);
  useEffect(() => open.current?.scrollIntoView({ block: "nearest" }), [chosen]);
  if (!form)
    return (
      <aside className="col fields pad" aria-label={t("inbox.part_record")}>
        <h2>{t("inbox.part_record")}</h2>
        <p className="hint">{t("inbox.no_form")}</p>
      </aside>
    );
  return (
    <aside className="col fields" aria-label={t("inbox.part_record")}>
      <div className="hd">
        <h2>{t("inbox.part_record")}</h2>
        {form.complete ? <span className="pill ok">{t("inbox.complete")}</span> : null}
      </div>
      <div className="scroll record-box" tabIndex={0} role="region" aria-label={t("inbox.values")}>
        <ul className="leaves" aria-label={t("inbox.values")}>
          {values.map(([path, value]) => {
            const source = sourceOf(sources, path);
            const evidence = source && evidenceOf(source);
            return (
              <li
                key={path}
                ref={path === chosen ? open : undefined}
                className={path === chosen ? "told on" : "told"}
                aria-current={path === chosen ? "true" : undefined}
              >
                <div className="leaf">
                  <Dot level={sure(value, source)} />
                  <span className="leaf-name">{placeWords(path)}</span>
                  <bdi className={value === null ? "absent" : ""}>{words(value)}</bdi>
                  <span className="gap" />
                  {source ? <span className="pill">{t(`source.${source.source as "said"}`)}</span> : null}
                </div>
                {evidence?.quote ? (
                  <div className="quoted">
                    <blockquote className="quote" dir="auto">
                      “{evidence.quote}”
                      <small>
                        {" "}
                        <bdi>{evidence.document}</bdi>
                        {evidence.page ? ` · ${t("detail.page", { page: evidence.page })}` : ""}
                      </small>
                    </blockquote>
                    {evidence.file ? (
                      <Button
                        kind="small"
                        aria-label={t("inbox.show_value", { name: placeWords(path) })}
                        onPress={() => {
                          onChoose(path);
                          setShown({ path, evidence });
                        }}
                      >
                        {t("inbox.show")}
                      </Button>
                    ) : null}
                  </div>
                ) : null}
              </li>
            );
          })}
        </ul>
        {values.length >= MAX_LEAVES ? (
          <p className="hint">{t("detail.more_values", { count: MAX_LEAVES })}</p>
        ) : null}
        {form.errors.length > 0 ? (
          <section className="told-list">
            <h3>{t("inbox.errors")}</h3>
            <ul>
              {form.errors.map((error) => (
                <li key={error.path + error.message} className="red-text">
                  <bdi>{placeWords(error.path)}</bdi>: <bdi>{error.message}</bdi>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
        {form.missing.length > 0 ? (
          <section className="told-list">
            <h3>{t("inbox.missing")}</h3>
            <p>
              {form.missing.map((name) => (
                <span className="pill" key={name}>
                  <bdi>{placeWords(`/${name}`)}</bdi>
                </span>
              ))}
            </p>
          </section>
        ) : null}
        {form.next?.question ? (
          <p className="hint">{t("inbox.asks", { question: form.next.question })}</p>
        ) : null}
      </div>
      <Panel
        title={shown ? placeWords(shown.path) : ""}
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
        wide
      >
        {shown?.evidence.file ? (
          <div className="doc shown">
            <DocumentView
              file={shown.evidence.file}
              marks={[
                {
                  evidence: shown.evidence,
                  kind: "main",
                  label: placeWords(shown.path),
                  pointer: shown.path,
                },
              ]}
              onPick={() => undefined}
            />
          </div>
        ) : null}
      </Panel>
    </aside>
  );
}
