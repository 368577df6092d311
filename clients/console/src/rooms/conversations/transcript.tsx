/** What was said, and what was understood of it. */

import { useEffect, useRef, useState } from "react";
import { t, time } from "../../i18n.ts";
import { words as placeWords } from "../../pointer.ts";
import { Button } from "../../ui/controls.tsx";
import { words } from "../runs/value.tsx";
import { type Conversation, evidenceOf, type Message } from "./data.ts";

/** Messages in the page at first, and further ones at a time. */
const SHOWN = 100;
/** Pixels from the end within which the page follows new messages. */
const NEAR = 120;

interface TranscriptProps {
  session: Conversation;
  /** Shows a value in the record. */
  onPick: (path: string) => void;
}

export function Transcript({ session, onPick }: TranscriptProps) {
  const { messages } = session;
  const [count, setCount] = useState(SHOWN);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = messages.at(-1)?.number;
  useEffect(() => {
    const here = box.current;
    if (here && isAtEnd.current) here.scrollTop = here.scrollHeight;
  }, [last]);
  const shown = messages.slice(-count);
  const isCut = messages.length === shown.length && (messages[0]?.number ?? 1) > 1;
  return (
    <div
      className="chat"
      role="log"
      aria-label={t("inbox.part_talk")}
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: here }) => {
        isAtEnd.current = here.scrollHeight - here.scrollTop - here.clientHeight < NEAR;
      }}
    >
      {messages.length > shown.length ? (
        <Button kind="small" onPress={() => setCount(count + SHOWN)}>
          {t("inbox.earlier")}
        </Button>
      ) : null}
      {isCut ? <p className="hint">{t("inbox.cut", { count: shown.length })}</p> : null}
      {shown.map((message, index) => (
        <Said
          key={message.number}
          message={message}
          hasForm={session.form !== null}
          isAnswered={shown[index + 1]?.role === "assistant" && !shown[index + 1]?.author}
          onPick={onPick}
        />
      ))}
    </div>
  );
}

interface SaidProps {
  message: Message;
  hasForm: boolean;
  /** Whether the agent read it. */
  isAnswered: boolean;
  onPick: (path: string) => void;
}

function Said({ message, hasForm, isAnswered, onPick }: SaidProps) {
  const isUser = message.role === "user";
  const kind = isUser ? "m u" : message.author ? "m person" : "m";
  return (
    <>
      <div className={kind}>
        <small className="by">
          {isUser ? (
            t("inbox.user")
          ) : message.author ? (
            <>
              <bdi>{message.author}</bdi> · {t("inbox.person")}
            </>
          ) : (
            t("inbox.agent")
          )}{" "}
          · {time(message.timestamp)}
        </small>
        <div dir="auto">{message.content}</div>
      </div>
      {isUser && hasForm ? <Understood message={message} isAnswered={isAnswered} onPick={onPick} /> : null}
    </>
  );
}

function Understood({ message, isAnswered, onPick }: Omit<SaidProps, "hasForm">) {
  const changes = message.changes ?? [];
  if (changes.length === 0)
    return (
      <div className="took">
        <small>{isAnswered ? t("preview.nothing") : t("inbox.not_read")}</small>
      </div>
    );
  return (
    <div className="took" role="group" aria-label={t("preview.understood")}>
      <small>{t("preview.understood")}</small>
      {changes.map((change) => {
        const { path, value } = change;
        const quote = evidenceOf(change)?.quote;
        return value === null ? (
          <span key={path} className="chip-value gone">
            <bdi>{placeWords(path)}</bdi> ✕
          </span>
        ) : (
          <button
            type="button"
            key={path}
            className={
              change.source === "weak" || change.source === "implied" ? "chip-value gone" : "chip-value"
            }
            onClick={() => onPick(path)}
          >
            <bdi>{placeWords(path)}</bdi> = <bdi>{words(value)}</bdi>
            {quote ? <bdi className="from"> “{quote}”</bdi> : null}
          </button>
        );
      })}
    </div>
  );
}
