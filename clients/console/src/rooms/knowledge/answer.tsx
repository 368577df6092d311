/** An answer: its sentences with their citations, and what supports them. */

import type { Schemas } from "../../api.ts";
import { slicer } from "../../documents/words.ts";
import { number, t } from "../../i18n.ts";
import { Wrong } from "../../ui/notices.tsx";
import type { Passage } from "./item.tsx";

type Generated = Schemas["GeneratedRecord"];

export interface Exchange {
  prompt: string;
  /** What has arrived of the answer. */
  text: string;
  answer?: Generated;
  error?: unknown;
  isRunning: boolean;
  isStopped?: boolean;
}

interface AnswerProps {
  exchange: Exchange;
  onShow: (passage: Passage) => void;
}

export function Answer({ exchange, onShow }: AnswerProps) {
  const { answer } = exchange;
  return (
    <article className="exchange">
      <h2 dir="auto">{exchange.prompt}</h2>
      {answer ? (
        <Checked answer={answer} onShow={onShow} />
      ) : exchange.text ? (
        <p className="answer" dir="auto">
          {exchange.text}
        </p>
      ) : null}
      {exchange.isRunning ? <p className="hint">{t("preview.waiting")}</p> : null}
      {exchange.isStopped ? <p className="hint">{t("kb.stopped")}</p> : null}
      {exchange.error ? <Wrong error={exchange.error} /> : null}
    </article>
  );
}

function Checked({ answer, onShow }: { answer: Generated; onShow: (passage: Passage) => void }) {
  const isRefused = answer.finishReason === "content_filter";
  const isUnanswered = !isRefused && answer.citations.length === 0;
  return (
    <>
      {isRefused || isUnanswered ? (
        <p className="box refusal">
          <span className="pill warn">{t(isRefused ? "kb.refused" : "kb.unanswered")}</span>{" "}
          {t(isRefused ? "kb.refused_text" : "kb.unanswered_text")}
        </p>
      ) : null}
      <p className="answer" dir="auto">
        {pieces(answer).map((piece) =>
          piece.cited === undefined ? (
            <span
              key={piece.start}
              className={piece.isSupported || isUnanswered ? undefined : "unsupported"}
              title={piece.isSupported || isUnanswered ? undefined : t("kb.unsupported")}
            >
              {piece.text}
            </span>
          ) : (
            <Citation key={piece.start} answer={answer} piece={piece} onShow={onShow} />
          ),
        )}
      </p>
      {answer.statements.some((one) => !one.supported) && !isUnanswered ? (
        <p className="hint">{t("kb.unsupported_hint")}</p>
      ) : null}
      {answer.probability != null && !isUnanswered ? (
        <p className="hint">{t("kb.probability", { share: number(Math.round(answer.probability * 100)) })}</p>
      ) : null}
      {answer.warnings.map((warning) => (
        <p className="hint" key={warning}>
          {warning}
        </p>
      ))}
      {answer.context.length > 0 ? (
        <details>
          <summary>{t("kb.passages", { count: answer.context.length })}</summary>
          <ol className="results">
            {answer.context.map((found) => (
              <li key={found.n} value={found.n}>
                <button
                  type="button"
                  onClick={() =>
                    onShow({
                      item: found.id,
                      label: found.title,
                      page: found.page,
                      text: found.text,
                      start: found.start ?? undefined,
                      end: found.end ?? undefined,
                      box: found.box ?? undefined,
                    })
                  }
                >
                  <span className="result-head">
                    <b>
                      [{found.n}] <bdi>{found.title}</bdi>
                    </b>
                    {found.page ? <small>{t("detail.page", { page: found.page })}</small> : null}
                    <small>
                      {t("kb.passage_score", { score: number(Math.round(found.score * 100) / 100) })}
                    </small>
                  </span>
                  <span className="result-text" dir="auto">
                    {found.text.slice(0, 420)}
                  </span>
                </button>
              </li>
            ))}
          </ol>
        </details>
      ) : null}
    </>
  );
}

interface Piece {
  text: string;
  start: number;
  isSupported: boolean;
  /** The number that the piece cites. */
  cited?: number;
  /** Where its sentence begins. */
  sentence: number;
}

/** The text by sentences and citations. Offsets count Unicode characters. */
function pieces(answer: Generated): Piece[] {
  const slice = slicer(answer.text);
  const length = Array.from(answer.text).length;
  const known = new Set(answer.context.map((found) => found.n));
  const found: Piece[] = [];
  const add = (start: number, end: number, isSupported: boolean) => {
    let at = start;
    for (const part of slice(start, end).split(/(\[\d+\])/)) {
      const cited = /^\[(\d+)\]$/.exec(part)?.[1];
      const isKnown = cited !== undefined && known.has(Number(cited));
      if (part)
        found.push({
          text: part,
          start: at,
          isSupported,
          sentence: start,
          ...(isKnown ? { cited: Number(cited) } : {}),
        });
      at += Array.from(part).length;
    }
  };
  let at = 0;
  for (const one of answer.statements) {
    if (one.start > at) add(at, one.start, true);
    add(one.start, one.end, one.supported);
    at = Math.max(at, one.end);
  }
  if (at < length) add(at, length, true);
  return found;
}

interface CitationProps {
  answer: Generated;
  piece: Piece;
  onShow: (passage: Passage) => void;
}

function Citation({ answer, piece, onShow }: CitationProps) {
  const source = answer.context.find((found) => found.n === piece.cited);
  const citation =
    answer.citations.find((one) => one.n === piece.cited && one.statement.start === piece.sentence) ??
    answer.citations.find((one) => one.n === piece.cited);
  if (!source) return <>{piece.text}</>;
  const page = citation?.page ?? source.page;
  const label = [source.title, page ? t("detail.page", { page }) : ""].filter(Boolean).join(", ");
  return (
    <button
      type="button"
      className="cite"
      aria-label={t("kb.citation", { n: source.n, place: label })}
      title={citation?.quote ? `${label}: “${citation.quote}”` : label}
      onClick={() =>
        onShow({
          item: source.id,
          label: source.title,
          page,
          start: citation?.start ?? source.start ?? undefined,
          end: citation?.end ?? source.end ?? undefined,
          box: citation?.box ?? source.box ?? undefined,
        })
      }
    >
      {source.n}
    </button>
  );
}
