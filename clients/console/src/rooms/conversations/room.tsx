/** A conversation: its transcript beside the record that it fills, and a person who may answer in place of the agent. */

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data, Failure } from "../../api.ts";
import { t } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite, useMe } from "../../session.tsx";
import { Button, Confirm } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { Composer } from "./composer.tsx";
import { type Conversation, TONE, useConversation } from "./data.ts";
import { Progress } from "./inbox.tsx";
import { RecordPanel } from "./record.tsx";
import { Transcript } from "./transcript.tsx";

export function ConversationRoom({ namespace, id }: { namespace: string; id: string }) {
  const asked = useConversation(namespace, id);
  const isGone = asked.error instanceof Failure && asked.error.status === 404;
  if (isGone)
    return (
      <div className="room">
        <header className="head">
          <h1>{t("nav.conversations")}</h1>
        </header>
        <Empty title={t("inbox.gone_title")} text={t("inbox.gone_text")}>
          <Link to={href("conversations")}>{t("nav.conversations")}</Link>
        </Empty>
      </div>
    );
  if (!asked.data)
    return asked.isError ? <Wrong error={asked.error} retry={() => void asked.refetch()} /> : <Loading />;
  return (
    <Opened
      namespace={namespace}
      session={asked.data}
      error={asked.error}
      retry={() => void asked.refetch()}
    />
  );
}

interface OpenedProps {
  namespace: string;
  session: Conversation;
  error: unknown;
  retry: () => void;
}

function Opened({ namespace, session, error, retry }: OpenedProps) {
  const [part, setPart] = useState<"talk" | "record">("talk");
  const [chosen, setChosen] = useState<string>();
  return (
    <div className="room">
      <Head namespace={namespace} session={session} />
      {error ? <Wrong error={error} retry={retry} /> : null}
      <div className="parts" role="group" aria-label={t("inbox.parts")}>
        {(["talk", "record"] as const).map((name) => (
          <button
            key={name}
            type="button"
            className="tab"
            aria-pressed={part === name}
            onClick={() => setPart(name)}
          >
            {t(`inbox.part_${name}`)}
          </button>
        ))}
      </div>
      <div className={`talk part-${part}`}>
        <section className="col preview" aria-label={t("inbox.part_talk")}>
          <Transcript
            session={session}
            onPick={(path) => {
              setChosen(path);
              setPart("record");
            }}
          />
          <Composer namespace={namespace} session={session} />
        </section>
        <RecordPanel session={session} chosen={chosen} onChoose={setChosen} />
      </div>
    </div>
  );
}

function Head({ namespace, session }: { namespace: string; session: Conversation }) {
  const me = useMe();
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const holder = session.taken_over_by;
  const isMine = holder?.userEmail === me.userEmail;
  const params = { path: { namespace, session_id: session.id } };
  const address = "/v1/agent/{namespace}/sessions/{session_id}/takeover" as const;
  const change = async (work: () => Promise<unknown>, text?: string) => {
    setBusy(true);
    try {
      await work();
      if (text) tell(text);
    } catch (error) {
      tellError(error);
    }
    setBusy(false);
    void client.invalidateQueries({ queryKey: ["session", namespace, session.id] });
    void client.invalidateQueries({ queryKey: ["sessions"] });
  };
  const remove = async () => {
    try {
      await data(api.DELETE("/v1/agent/{namespace}/sessions/{session_id}", { params }));
      void client.invalidateQueries({ queryKey: ["sessions"] });
      go(href("conversations"));
      tell(t("inbox.deleted"));
    } catch (error) {
      tellError(error);
    }
  };
  return (
    <header className="head">
      <span className="up">
        <Link to={href("conversations")}>{t("nav.conversations")}</Link>
      </span>
      <h1>
        <bdi className="one-line" title={session.title}>
          {session.title || t("inbox.untitled")}
        </bdi>
      </h1>
      {session.status ? (
        <span className={TONE[session.status]} role="status">
          {t(`talk.${session.status}`)}
        </span>
      ) : null}
      {session.progress ? <Progress {...session.progress} /> : null}
      <span className="hint wide-only">
        <bdi>{namespace}</bdi> · <bdi>{session.userName}</bdi>
      </span>
      <span className="gap" />
      {canWrite ? (
        <div className="actions">
          <Button onPress={() => setAsked(true)}>{t("inbox.delete")}</Button>
          {holder ? (
            <Button
              kind={isMine ? "main" : ""}
              isDisabled={isBusy}
              onPress={() => void change(() => data(api.DELETE(address, { params })), t("inbox.given_back"))}
            >
              {t("inbox.give_back")}
            </Button>
          ) : (
            <Button
              kind="main"
              isDisabled={isBusy}
              onPress={() => void change(() => data(api.POST(address, { params })))}
            >
              {t("inbox.take_over")}
            </Button>
          )}
        </div>
      ) : null}
      <Confirm
        title={t("inbox.delete_title")}
        text={t("inbox.delete_text")}
        action={t("inbox.delete")}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => void remove()}
      />
    </header>
  );
}
