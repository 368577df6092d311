/** Where a person writes in place of the agent, once the conversation is taken over. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { api, data } from "../../api.ts";
import { t, time } from "../../i18n.ts";
import { useCanWrite, useMe } from "../../session.tsx";
import { Button, TextField } from "../../ui/controls.tsx";
import { explain } from "../../ui/notices.tsx";
import type { Conversation } from "./data.ts";

/** Characters of a message: what the server takes. */
const MAX_TEXT = 32_000;

export function Composer({ namespace, session }: { namespace: string; session: Conversation }) {
  const me = useMe();
  const canWrite = useCanWrite();
  const holder = session.taken_over_by;
  if (!holder)
    return <p className="hint held">{t(canWrite ? "inbox.agent_answers" : "inbox.agent_answers_read")}</p>;
  if (holder.userEmail !== me.userEmail)
    return (
      <p className="held box" role="status">
        {t("inbox.other_answers", { name: holder.userName, time: time(holder.since) })}
      </p>
    );
  return canWrite ? <Writer namespace={namespace} id={session.id} /> : null;
}

function Writer({ namespace, id }: { namespace: string; id: string }) {
  const client = useQueryClient();
  const [text, setText] = useState("");
  const form = useRef<HTMLFormElement>(null);
  // The same message keeps its key, so that one that is sent again after a lost answer is stored once.
  const sent = useRef<{ text: string; key: string }>(undefined);
  const write = useMutation({
    mutationFn: (content: string) => {
      if (sent.current?.text !== content) sent.current = { text: content, key: randomKey() };
      const params = {
        path: { namespace, session_id: id },
        header: { "Idempotency-Key": sent.current.key },
      };
      return data(
        api.POST("/v1/agent/{namespace}/sessions/{session_id}/messages", { params, body: { content } }),
      );
    },
    onSuccess: () => {
      sent.current = undefined;
      setText("");
      form.current?.querySelector("textarea")?.focus();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["session", namespace, id] }),
  });
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (text.trim() && !write.isPending) write.mutate(text);
  };
  return (
    <form className="composer" onSubmit={submit} ref={form}>
      <TextField
        label={t("inbox.your_message")}
        rows={2}
        value={text}
        onChange={setText}
        maxLength={MAX_TEXT}
        autoFocus
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) submit(event);
        }}
      />
      <Button kind="main" type="submit" isDisabled={write.isPending || !text.trim()}>
        {t("preview.send")}
      </Button>
      <div className="line-up">
        <span className="pill vio" role="status">
          {t("inbox.you_answer")}
        </span>
        {write.isError ? (
          <span className="wrong" role="alert">
            {explain(write.error)}
          </span>
        ) : null}
      </div>
    </form>
  );
}

/** `randomUUID` is there only over TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join("-");
}
