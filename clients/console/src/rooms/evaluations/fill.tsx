/** Groups for an evaluation set: the reviewed groups of a run, or a table with documents and true values. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { FileChoice } from "../../documents/choose.tsx";
import { upload } from "../../documents/upload.ts";
import { t, time } from "../../i18n.ts";
import { Button, Select } from "../../ui/controls.tsx";
import { tell, Wrong } from "../../ui/notices.tsx";
import { isPreview, useAgents } from "../agents.ts";
import type { EvaluationSet } from "./data.ts";

interface FillProps {
  set: EvaluationSet;
  onClose: () => void;
}

export function Fill({ set, onClose }: FillProps) {
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: async (body: object) => {
      const params = { path: { set_id: set.id } };
      return data(api.POST("/v1/evaluation_sets/{set_id}/groups", { params, body: body as never }));
    },
    onSuccess: (next) => {
      client.setQueryData(["set", set.id], next);
      void client.invalidateQueries({ queryKey: ["sets"] });
      tell(t("eval.filled", { count: next.groups - set.groups }));
      onClose();
    },
  });
  return (
    <div className="stack">
      {add.isError ? <Wrong error={add.error} /> : null}
      <FromRun set={set} isBusy={add.isPending} onAdd={(body) => add.mutate(body)} />
      <FromTable isBusy={add.isPending} onAdd={(body) => add.mutateAsync(body)} />
    </div>
  );
}

interface FromRunProps {
  set: EvaluationSet;
  isBusy: boolean;
  onAdd: (body: object) => void;
}

function FromRun({ set, isBusy, onAdd }: FromRunProps) {
  const agents = useAgents();
  const fitting = (agents.data?.agents ?? []).filter(
    (agent) => agent.form_id === set.form_id && !isPreview(agent.namespace),
  );
  const [agent, setAgent] = useState<string>();
  const [run, setRun] = useState<string | null>(null);
  const namespace = agent ?? fitting[0]?.namespace;
  const runs = useQuery({
    queryKey: ["runs", "of", namespace],
    enabled: namespace !== undefined,
    queryFn: ({ signal }) =>
      data(
        api.GET("/v1/agent/{namespace}/workflow/delta/runs", {
          params: { path: { namespace: namespace ?? "" }, query: { limit: 50 } },
          signal,
        }),
      ),
  });
  const over = (runs.data?.runs ?? []).filter((known) => known.state !== "running" && !known.evaluation_set);
  return (
    <section className="box stack" aria-label={t("eval.from_run")}>
      <h3>{t("eval.from_run")}</h3>
      <p className="hint">{t("eval.from_run_hint")}</p>
      {agents.isSuccess && fitting.length === 0 ? (
        <p>{t("eval.no_agent")}</p>
      ) : (
        <>
          {fitting.length > 1 ? (
            <Select
              label={t("runs.agent")}
              value={namespace ?? null}
              onChange={(next) => {
                setAgent(next);
                setRun(null);
              }}
              options={fitting.map((known) => ({
                id: known.namespace,
                label: known.name || known.namespace,
              }))}
            />
          ) : null}
          <Select
            label={t("runs.one")}
            value={run}
            onChange={setRun}
            options={over.map((known) => ({
              id: String(known.sid),
              label: t("runs.run", { sid: String(known.sid) }),
              hint: time(known.created_timestamp),
            }))}
          />
          <div className="actions">
            <Button
              isDisabled={!run || isBusy}
              onPress={() => onAdd({ namespace: namespace ?? "", sid: Number(run) })}
            >
              {t("eval.take_run")}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

function FromTable({ isBusy, onAdd }: { isBusy: boolean; onAdd: (body: object) => Promise<unknown> }) {
  const [files, setFiles] = useState<File[]>([]);
  const send = useMutation({
    mutationFn: async (file: File) => {
      const [uploaded] = await upload([file], () => undefined, new AbortController().signal);
      await onAdd({ file: String(uploaded?.id) }).catch(() => undefined);
    },
  });
  const [file] = files;
  return (
    <section className="box stack" aria-label={t("eval.from_table")}>
      <h3>{t("eval.from_table")}</h3>
      <p className="hint">{t("eval.from_table_hint")}</p>
      <FileChoice files={files} onChange={(next) => setFiles(next.slice(-1))} isDisabled={isBusy} />
      {send.isError ? <Wrong error={send.error} /> : null}
      <div className="actions">
        <Button
          isDisabled={!file || isBusy}
          isBusy={send.isPending}
          onPress={() => file && send.mutate(file)}
        >
          {t("eval.take_table")}
        </Button>
      </div>
    </section>
  );
}
