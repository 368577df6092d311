/** What is added to a knowledge base: files, web pages, or a text. */

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { api, data } from "../../api.ts";
import { FileChoice } from "../../documents/choose.tsx";
import { upload } from "../../documents/upload.ts";
import { t } from "../../i18n.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { explain, tell } from "../../ui/notices.tsx";
import { type Base, renew } from "./data.ts";
import { META_HINT, parseMeta } from "./meta.ts";

const WAYS = ["files", "web", "text"] as const;

interface AddProps {
  base: Base;
  onClose: () => void;
}

export function Add({ base, onClose }: AddProps) {
  return (
    <Tabs className="tabs">
      <TabList className="tab-list" aria-label={t("kb.add_title")}>
        {WAYS.map((way) => (
          <Tab key={way} id={way} className="tab">
            {t(`kb.add.${way}`)}
          </Tab>
        ))}
      </TabList>
      <TabPanel id="files" className="tab-panel">
        <Files base={base} onClose={onClose} />
      </TabPanel>
      <TabPanel id="web" className="tab-panel">
        <Web base={base} onClose={onClose} />
      </TabPanel>
      <TabPanel id="text" className="tab-panel">
        <Text base={base} onClose={onClose} />
      </TabPanel>
    </Tabs>
  );
}

function Files({ base, onClose }: AddProps) {
  const client = useQueryClient();
  const [files, setFiles] = useState<File[]>([]);
  const [share, setShare] = useState<number>();
  const [error, setError] = useState("");
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const isBusy = share !== undefined;
  const start = async () => {
    const control = new AbortController();
    stop.current = control;
    setError("");
    setShare(0);
    try {
      const added = await upload(files, setShare, control.signal, base.knowledgeId);
      tell(t("kb.added_count", { count: added.length }));
      onClose();
    } catch (failure) {
      if (!(failure instanceof DOMException)) setError(explain(failure));
      setShare(undefined);
    }
    renew(client, base.knowledgeId);
  };
  return (
    <div className="stack">
      <FileChoice files={files} onChange={setFiles} isDisabled={isBusy} />
      {error ? (
        <p className="wrong" role="alert">
          {error}
        </p>
      ) : null}
      {isBusy ? <progress value={share} aria-label={t("new.uploading")} /> : null}
      <div className="actions">
        <Button onPress={() => (isBusy ? stop.current?.abort() : onClose())}>{t("cancel")}</Button>
        <Button kind="main" isDisabled={isBusy || files.length === 0} onPress={() => void start()}>
          {isBusy ? t("new.uploading") : t("kb.add_files", { count: files.length })}
        </Button>
      </div>
    </div>
  );
}

/** Sends what is added, and closes the panel when it is stored. */
function useAdding({ base, onClose }: AddProps) {
  const client = useQueryClient();
  const [error, setError] = useState("");
  const [isBusy, setBusy] = useState(false);
  const add = async (body: object, count: number) => {
    setBusy(true);
    setError("");
    try {
      const params = { path: { knowledgeId: base.knowledgeId } };
      await data(api.POST("/v1/knowledgebase/{knowledgeId}/files", { params, body: body as never }));
      tell(t("kb.added_count", { count }));
      renew(client, base.knowledgeId);
      onClose();
    } catch (failure) {
      setError(explain(failure));
      setBusy(false);
    }
  };
  return { add, error, isBusy, setError };
}

function Web(props: AddProps) {
  const [text, setText] = useState("");
  const { add, error, isBusy, setError } = useAdding(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const urls = text.split(/\s+/).filter(Boolean);
    const wrong = urls.find((url) => !/^https?:\/\/\S+$/i.test(url));
    if (wrong) setError(t("kb.not_address", { text: wrong }));
    else if (urls.length > 0) void add({ urls }, urls.length);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label={t("kb.urls")}
        hint={t("kb.urls_hint")}
        rows={5}
        value={text}
        onChange={setText}
        error={error}
        placeholder="https://example.com/rules"
      />
      <div className="actions">
        <Button onPress={props.onClose}>{t("cancel")}</Button>
        <Button kind="main" type="submit" isDisabled={!text.trim() || isBusy}>
          {t("kb.add_web")}
        </Button>
      </div>
    </form>
  );
}

function Text(props: AddProps) {
  const [title, setTitle] = useState("");
  const [content, setContent] = useState("");
  const [meta, setMeta] = useState("");
  const { add, error, isBusy, setError } = useAdding(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = parseMeta(meta);
    if (parsed === undefined) setError(t("kb.meta_wrong"));
    else void add({ texts: [{ title: title.trim(), content, meta: parsed }] }, 1);
  };
  return (
    <form className="stack" onSubmit={submit}>
      <TextField label={t("kb.text_title")} value={title} onChange={setTitle} />
      <TextField
        label={t("kb.text_content")}
        hint={t("kb.text_hint")}
        rows={8}
        value={content}
        onChange={setContent}
      />
      <TextField
        label={t("kb.meta")}
        hint={t("kb.meta_hint")}
        rows={2}
        value={meta}
        onChange={setMeta}
        placeholder={META_HINT}
      />
      {error ? (
        <p className="wrong" role="alert">
          {error}
        </p>
      ) : null}
      <div className="actions">
        <Button onPress={props.onClose}>{t("cancel")}</Button>
        <Button kind="main" type="submit" isDisabled={!title.trim() || !content.trim() || isBusy}>
          {t("kb.add_text")}
        </Button>
      </div>
    </form>
  );
}
