/** The form as people meet it: as a conversation, and as extraction from a sample. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { api, data, Failure, type Schemas } from "../../api.ts";
import { t } from "../../i18n.ts";
import { leaves, words as placeWords } from "../../pointer.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Refused } from "../../ui/notices.tsx";
import type { Evidence } from "../../documents/evidence.ts";
import { previewName } from "../agents.ts";
import { upload } from "../../documents/upload.ts";
import { Dot, level, words } from "../runs/value.tsx";

type Conversation = NonNullable<Schemas["ConversationForm"]>;

interface PreviewProps {
  formId: string;
  title: string;
  /** Saves what is changed, and gives the version to try. */
  save: () => Promise<number>;
}

async function agentAt(formId: string, title: string, version: number): Promise<string> {
  const namespace = previewName(formId);
  const body = { form_id: formId, form_version: version };
  try {
    await data(api.PUT("/v1/agent/{namespace}", { params: { path: { namespace } }, body }));
  } catch (error) {
    if (!(error instanceof Failure) || error.status !== 404) throw error;
    const agent = { namespace, name: t("preview.agent", { title }), ...body };
    await data(api.POST("/v1/agent", { body: agent }));
  }
  return namespace;
}

export function Preview({ formId, title, save }: PreviewProps) {
  const prepare = async () => agentAt(formId, title, await save());
  return (
    <section className="col preview" aria-label={t("preview.title")}>
      <Tabs className="tabs">
        <TabList aria-label={t("preview.title")} className="tab-list">
          <Tab id="talk" className="tab">
            {t("preview.conversation")}
          </Tab>
          <Tab id="sample" className="tab">
            {t("preview.document")}
          </Tab>
        </TabList>
        <TabPanel id="talk" className="tab-panel" shouldForceMount>
          <Talk prepare={prepare} />
        </TabPanel>
        <TabPanel id="sample" className="tab-panel" shouldForceMount>
          <Sample formId={formId} prepare={prepare} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

interface Understood {
  path: string;
  value: unknown;
  kind: "set" | "removed";
}

interface Turn {
  by: "user" | "agent";
  text: string;
  understood?: Understood[];
  errors?: string[];
  warnings?: string[];
}

function changes(before: Record<string, unknown>, after: Record<string, unknown>): Understood[] {
  const [old, now] = [new Map(leaves(before, 500)), new Map(leaves(after, 500))];
  const set = [...now]
    .filter(([path, value]) => value !== null && old.get(path) !== value)
    .map(([path, value]) => ({ path, value, kind: "set" as const }));
  const removed = [...old].filter(
    ([path, value]) =>
      value !== null &&
      (now.get(path) ?? null) === null &&
      ![...now.keys()].some((other) => other.startsWith(`${path}/`)),
  );
  return [...set, ...removed.map(([path, value]) => ({ path, value, kind: "removed" as const }))];
}

function Talk({ prepare }: { prepare: () => Promise<string> }) {
  const [turns, setTurns] = useState<Turn[]>([]);
  const [form, setForm] = useState<Conversation>();
  const [session, setSession] = useState<string>();
  const [text, setText] = useState("");
  const end = useRef<HTMLDivElement>(null);
  const composer = useRef<HTMLFormElement>(null);
  const speak = useMutation({
    mutationFn: async (message: string) => {
      const namespace = await prepare();
      const body = { message, ...(session ? { session_id: session } : {}) };
      return data(
        api.POST("/v1/agent/{namespace}/chat", { params: { path: { namespace } }, body }),
      ) as Promise<Schemas["ChatAnswer"]>;
    },
    onSuccess: (answer, message) => {
      const next = answer.form ?? undefined;
      setSession(answer.session_id);
      setTurns((known) => [
        ...known,
        {
          by: "user",
          text: message,
          understood: changes(
            (form?.values ?? {}) as Record<string, unknown>,
            (next?.values ?? {}) as Record<string, unknown>,
          ),
          errors: next?.errors.map((error) => error.message) ?? [],
        },
        { by: "agent", text: answer.text ?? "", warnings: answer.warnings },
      ]);
      setForm(next);
      setText("");
      composer.current?.querySelector("input")?.focus();
    },
  });
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [turns.length, speak.isPending]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() && !speak.isPending) speak.mutate(text.trim());
  };
  const choices = form?.next?.choices ?? [];
  return (
    <>
      <div className="chat" role="log" aria-label={t("preview.conversation")} tabIndex={0}>
        {turns.length === 0 && !speak.isPending ? (
          <div className="empty">
            <h2>{t("preview.talk_title")}</h2>
            <p>{t("preview.talk_text")}</p>
            <Button onPress={() => speak.mutate(t("preview.hello"))}>{t("preview.begin")}</Button>
          </div>
        ) : null}
        {turns.map((turn, index) => (
          <Message key={index} turn={turn} />
        ))}
        {speak.isPending ? (
          <>
            <Message turn={{ by: "user", text: speak.variables }} />
            <p className="hint">{t("preview.waiting")}</p>
          </>
        ) : null}
        <Refused error={speak.error} />
        <div ref={end} />
      </div>
      {choices.length > 0 && !speak.isPending ? (
        <div className="choices">
          {choices.slice(0, 12).map((choice) => (
            <Button key={String(choice)} kind="small" onPress={() => speak.mutate(String(choice))}>
              <bdi>{String(choice)}</bdi>
            </Button>
          ))}
        </div>
      ) : null}
      <form onSubmit={submit} className="composer" ref={composer}>
        <TextField
          label={t("preview.message")}
          value={text}
          onChange={setText}
          placeholder={t("preview.write")}
        />
        <Button kind="main" type="submit" isDisabled={speak.isPending || !text.trim()}>
          {t("preview.send")}
        </Button>
        <div className="line-up">
          {form ? (
            <span className="pill">
              {t("preview.filled", { filled: form.progress.filled, total: form.progress.total })}
            </span>
          ) : null}
          {form ? (
            <span className={form.status === "submitted" ? "pill ok" : "pill"}>
              {t(`talk.${form.status as "filling"}`)}
            </span>
          ) : null}
          <span className="gap" />
          {turns.length > 0 ? (
            <Button
              kind="small"
              onPress={() => {
                setTurns([]);
                setForm(undefined);
                setSession(undefined);
                speak.reset();
              }}
            >
              {t("preview.again")}
            </Button>
          ) : null}
        </div>
      </form>
    </>
  );
}

function Message({ turn }: { turn: Turn }) {
  return (
    <>
      <div className={turn.by === "user" ? "m u" : "m"} dir="auto">
        {turn.text}
      </div>
      {turn.understood ? (
        <div className="took" aria-label={t("preview.understood")}>
          <small>{turn.understood.length > 0 ? t("preview.understood") : t("preview.nothing")}</small>
          {turn.understood.map(({ path, value, kind }) => (
            <span key={path} className={kind === "set" ? "chip-value" : "chip-value gone"}>
              <bdi>{placeWords(path)}</bdi> {kind === "set" ? "=" : "✕"} <bdi>{words(value)}</bdi>
            </span>
          ))}
          {turn.errors?.map((error) => (
            <span key={error} className="chip-value bad">
              {error}
            </span>
          ))}
        </div>
      ) : null}
      {turn.warnings?.map((warning) => (
        <p key={warning} className="hint">
          {warning}
        </p>
      ))}
    </>
  );
}

interface Pinned {
  text: string;
  file?: { id: number; name: string };
}

/** Characters of a message: what the server takes. */
const MAX_TEXT = 32_000;

function Sample({ formId, prepare }: { formId: string; prepare: () => Promise<string> }) {
  const place = `formwork.sample.${formId}`;
  const [pinned, setPinned] = useState<Pinned>(() => {
    try {
      return { text: "", ...(JSON.parse(localStorage.getItem(place) ?? "{}") as Partial<Pinned>) };
    } catch {
      return { text: "" };
    }
  });
  const input = useRef<HTMLInputElement>(null);
  const pin = (next: Pinned) => {
    setPinned(next);
    localStorage.setItem(place, JSON.stringify(next));
  };
  const read = useMutation({
    mutationFn: async (sample: Pinned) => {
      const namespace = await prepare();
      const body = {
        message: sample.text.trim() || t("preview.read_message"),
        response_format: "json" as const,
        ...(sample.file ? { urls: [String(sample.file.id)] } : {}),
      };
      const params = { path: { namespace }, query: { evidence: true } };
      return data(api.POST("/v1/agent/{namespace}/chat", { params, body })) as Promise<Schemas["ChatAnswer"]>;
    },
  });
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const [uploaded] = await upload([file], () => undefined, new AbortController().signal);
    if (!uploaded) return;
    const next = { text: "", file: { id: uploaded.id, name: uploaded.name } };
    pin(next);
    read.mutate(next);
  };
  const record = read.data?.record as Record<string, unknown> | null | undefined;
  const evidence = (read.data?.evidence ?? {}) as Record<string, Evidence>;
  return (
    <div className="sample stack">
      {pinned.file ? (
        <div className="line-up box">
          <bdi>{pinned.file.name}</bdi>
          <span className="gap" />
          <Button kind="small" onPress={() => pin({ text: "" })}>
            {t("remove")}
          </Button>
        </div>
      ) : (
        <TextField
          label={t("preview.sample")}
          rows={7}
          value={pinned.text}
          maxLength={MAX_TEXT}
          onChange={(text) => pin({ text })}
          hint={t("preview.sample_hint")}
        />
      )}
      <div className="actions start">
        <Button
          kind="main"
          isDisabled={read.isPending || !(pinned.file || pinned.text.trim())}
          onPress={() => read.mutate(pinned)}
        >
          {read.isPending ? t("preview.reading") : t("preview.read")}
        </Button>
        <Button onPress={() => input.current?.click()}>{t("preview.choose")}</Button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t("preview.choose")}
          onChange={(event) => void choose(event.target.files?.[0])}
        />
      </div>
      <Refused error={read.error} />
      {record ? (
        <ul className="leaves" aria-label={t("preview.record")}>
          {leaves(record, 500).map(([path, value]) => (
            <li key={path} title={evidence[path]?.quote}>
              <div className="leaf">
                <Dot level={level(value, evidence[path], undefined)} />
                <span className="leaf-name">{placeWords(path)}</span>
                <bdi className={value == null ? "absent" : ""}>{words(value)}</bdi>
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {read.data?.errors?.map((error) => (
        <p className="red-text" key={error.path + error.message}>
          {error.message}
        </p>
      ))}
    </div>
  );
}
