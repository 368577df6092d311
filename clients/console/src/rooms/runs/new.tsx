/** A new run: files, how they belong together, and the agent or form that reads them. */

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { Radio, RadioGroup } from "react-aria-components";
import { type Agent, api, data } from "../../api.ts";
import { t } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { Button, Panel, Select } from "../../ui/controls.tsx";
import { explain } from "../../ui/notices.tsx";
import { isPreview, slug, useAgents } from "../agents.ts";
import { FileChoice } from "../../documents/choose.tsx";
import { type Grouping, grouped, upload } from "../../documents/upload.ts";

/** Below this confidence a value is queued, where the console makes the agent. */
const THRESHOLD = 0.8;

const GROUPINGS = { each: "new.each", folder: "new.by_folder", all: "new.all" } as const;

export function NewRun({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Panel title={t("new.title")} isOpen={isOpen} onClose={onClose} wide>
      {isOpen ? <Body onClose={onClose} /> : null}
    </Panel>
  );
}

function Body({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const agents = useAgents();
  const forms = useQuery({
    queryKey: ["forms", "all"],
    queryFn: () => data(api.GET("/v1/form", { params: { query: { limit: 100 } } })),
  });
  const [files, setFiles] = useState<File[]>([]);
  const [grouping, setGrouping] = useState<Grouping>("each");
  const [target, setTarget] = useState<string | null>(null);
  const [share, setShare] = useState<number>();
  const [error, setError] = useState("");
  const stop = useRef<AbortController>(undefined);
  const groups = useMemo(() => grouped(files, grouping), [files, grouping]);
  const options = useMemo(() => {
    const known = (agents.data?.agents ?? []).filter((agent) => agent.form_id && !isPreview(agent.namespace));
    const used = new Set(known.map((agent) => agent.form_id));
    return [
      ...known.map((agent) => ({
        id: `agent:${agent.namespace}`,
        label: agent.name || agent.namespace,
        hint: t("new.agent_hint", { namespace: agent.namespace }),
      })),
      ...(forms.data?.forms ?? [])
        .filter((form) => !used.has(form.form_id))
        .map((form) => ({ id: `form:${form.form_id}`, label: form.title, hint: t("new.form_hint") })),
    ];
  }, [agents.data, forms.data]);
  const chosen = target ?? (options.length === 1 ? (options[0]?.id ?? null) : null);
  const start = async () => {
    if (!chosen) return;
    const control = new AbortController();
    stop.current = control;
    setError("");
    setShare(0);
    try {
      const namespace = await agentFor(chosen, forms.data?.forms ?? []);
      const uploaded = await upload(files, setShare, control.signal);
      const body = groups.map((group) =>
        group.map((index) => ({ url: String(uploaded[index]?.id), description: uploaded[index]?.name })),
      );
      const params = { path: { namespace }, query: { async: true } };
      const run = (await data(
        api.POST("/v1/agent/{namespace}/workflow/delta", { params, body: body as never }),
      )) as { sid: number };
      void client.invalidateQueries({ queryKey: ["runs"] });
      void client.invalidateQueries({ queryKey: ["agents"] });
      onClose();
      go(href("runs", namespace, run.sid));
    } catch (failure) {
      if (!(failure instanceof DOMException)) setError(explain(failure));
      setShare(undefined);
    }
  };
  const isBusy = share !== undefined;
  return (
    <div className="stack">
      <FileChoice files={files} onChange={setFiles} isDisabled={isBusy} />
      <RadioGroup
        className="radios"
        aria-label={t("new.grouping")}
        value={grouping}
        onChange={(value) => setGrouping(value as Grouping)}
      >
        {(Object.keys(GROUPINGS) as Grouping[]).map((name) => (
          <Radio key={name} value={name} className="radio">
            {t(GROUPINGS[name])}
          </Radio>
        ))}
      </RadioGroup>
      {options.length > 0 ? (
        <Select label={t("new.reader")} value={chosen} onChange={setTarget} options={options} />
      ) : agents.isSuccess && forms.isSuccess ? (
        <p className="hint">{t("new.no_form")}</p>
      ) : null}
      {error ? (
        <p className="wrong" role="alert">
          {error}
        </p>
      ) : null}
      {isBusy ? <progress value={share} aria-label={t("new.uploading")} /> : null}
      <div className="actions">
        <Button
          onPress={() => {
            stop.current?.abort();
            if (!isBusy) onClose();
          }}
        >
          {t("cancel")}
        </Button>
        <Button kind="main" isDisabled={isBusy || files.length === 0 || !chosen} onPress={() => void start()}>
          {isBusy
            ? t("new.uploading")
            : groups.length > 0
              ? t("new.start", { count: groups.length })
              : t("new.begin")}
        </Button>
      </div>
    </div>
  );
}

/** The namespace of the chosen agent; a form without one gets an agent that queues what is doubtful. */
async function agentFor(chosen: string, forms: { form_id: string; title: string }[]): Promise<string> {
  const [kind, id = ""] = [chosen.slice(0, chosen.indexOf(":")), chosen.slice(chosen.indexOf(":") + 1)];
  if (kind === "agent") return id;
  const title = forms.find((form) => form.form_id === id)?.title ?? "form";
  const namespace = `${slug(title)}-${id.slice(-4)}`;
  const agent: Agent = (await data(
    api.POST("/v1/agent", {
      body: { namespace, name: title, form_id: id, review: { threshold: THRESHOLD } },
    }),
  )) as Agent;
  return agent.namespace;
}
