/** Questions and answers, with what each took and cost. */

import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { dollars, number, t } from "../../i18n.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import type { Answer, Turn } from "./request.ts";

interface TalkProps {
  turns: Turn[];
  isWriting: boolean;
  isReady: boolean;
  canWrite: boolean;
  text: string;
  onText: (text: string) => void;
  onAsk: (prompt: string) => void;
  onStop: () => void;
  onClear: () => void;
}

export function Talk({
  turns,
  isWriting,
  isReady,
  canWrite,
  text,
  onText,
  onAsk,
  onStop,
  onClear,
}: TalkProps) {
  const box = useRef<HTMLDivElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const last = turns.at(-1);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [turns.length, last?.text.length, last?.state]);
  const focus = () => form.current?.querySelector("textarea")?.focus();
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (text.trim() && isReady && !isWriting && canWrite) onAsk(text.trim());
  };
  return (
    <section className="col preview" aria-label={t("play.part_talk")}>
      {/* The answer is told as a whole once it is written, not piece by piece. */}
      <div
        className="chat"
        ref={box}
        tabIndex={0}
        role="log"
        aria-label={t("play.part_talk")}
        aria-busy={isWriting}
      >
        {turns.length === 0 ? (
          <div className="empty">
            <h2>{t("play.begin_title")}</h2>
            <p>{t("play.begin_text")}</p>
          </div>
        ) : null}
        {turns.map((turn, index) => (
          <Exchange key={index} turn={turn} />
        ))}
      </div>
      <span className="unseen" role="status">
        {isWriting ? t("play.writing") : last ? t(`play.state_${last.state as "done"}`) : ""}
      </span>
      {canWrite ? (
        <form className="composer" onSubmit={submit} ref={form}>
          <TextField
            label={t("play.prompt")}
            rows={2}
            value={text}
            onChange={onText}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
            }}
          />
          {isWriting ? (
            <Button
              onPress={() => {
                onStop();
                focus();
              }}
            >
              {t("play.stop")}
            </Button>
          ) : (
            <Button kind="main" type="submit" isDisabled={!isReady || !text.trim()}>
              {t("preview.send")}
            </Button>
          )}
          <div className="line-up">
            <span className="hint">{t("play.keys")}</span>
            <span className="gap" />
            {turns.length > 0 ? (
              <Button
                kind="small"
                onPress={() => {
                  onClear();
                  focus();
                }}
              >
                {t("preview.again")}
              </Button>
            ) : null}
          </div>
        </form>
      ) : (
        <p className="hint held">{t("play.read_only")}</p>
      )}
    </section>
  );
}

/** JSON with one value on each line, if the text is JSON. */
function pretty(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

function Exchange({ turn }: { turn: Turn }) {
  const json = turn.state === "done" ? pretty(turn.text) : undefined;
  return (
    <>
      <div className="m u" dir="auto">
        {turn.prompt}
      </div>
      {json ? (
        <pre className="m code" dir="ltr" tabIndex={0}>
          <code>{json}</code>
        </pre>
      ) : turn.text || turn.state === "writing" ? (
        <div className="m" dir="auto">
          {turn.text || t("play.writing")}
        </div>
      ) : null}
      {turn.state === "stopped" ? <p className="hint">{t("play.state_stopped")}</p> : null}
      {turn.error ? (
        <p className="wrong" role="alert">
          {turn.error}
        </p>
      ) : null}
      {turn.answer ? <Facts answer={turn.answer} /> : null}
    </>
  );
}

function Facts({ answer }: { answer: Answer }) {
  const { usage } = answer;
  return (
    <>
      <p className="line-up facts">
        <span className="pill">
          <bdi>
            {answer.model} · {answer.provider}
          </bdi>
        </span>
        <span className="pill">
          {t("play.tokens", { input: number(usage.inputTokens), output: number(usage.outputTokens) })}
        </span>
        {usage.cachedTokens > 0 ? (
          <span className="pill">{t("play.cached", { count: number(usage.cachedTokens) })}</span>
        ) : null}
        <span className="pill vio">{usage.cost === null ? t("play.no_price") : dollars(usage.cost)}</span>
        {answer.finishReason === "stop" ? null : (
          <span className="pill warn">{t(`finish.${answer.finishReason as "length"}`)}</span>
        )}
      </p>
      {answer.context.length > 0 ? (
        <details className="passages">
          <summary>{t("play.passages", { count: answer.context.length })}</summary>
          <ol>
            {answer.context.map((passage) => (
              <li key={passage.n} value={passage.n}>
                <bdi>{passage.title}</bdi>
                {passage.page ? ` · ${t("detail.page", { page: passage.page })}` : ""}
                <blockquote className="quote" dir="auto">
                  {passage.text}
                </blockquote>
              </li>
            ))}
          </ol>
        </details>
      ) : null}
      {answer.warnings.map((warning) => (
        <p className="hint" key={warning}>
          {warning}
        </p>
      ))}
    </>
  );
}
