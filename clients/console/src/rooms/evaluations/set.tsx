/** An evaluation set: its groups are added, and agents are evaluated by them. */

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, data } from "../../api.ts";
import { number, t, time } from "../../i18n.ts";
import { go, href } from "../../router.ts";
import { useCanWrite } from "../../session.tsx";
import { ConfirmName } from "../../ui/confirm-name.tsx";
import { Button, Panel, Select, TextField } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { Empty, Loading, Refused, tell, tellError, Wrong } from "../../ui/notices.tsx";
import { Up } from "../../ui/places.tsx";
import { isPreview, useAgents } from "../agents.ts";
import { type Evaluation, type EvaluationSet, useEvaluations, useSet, useTitles } from "./data.ts";
import { Fill } from "./fill.tsx";

type Shown = "start" | "fill" | "remove";

export function EvaluationSetRoom({ id }: { id: string }) {
  const asked = useSet(id);
  if (asked.isError) return <Wrong error={asked.error} retry={() => void asked.refetch()} />;
  if (!asked.data) return <Loading />;
  return <Opened set={asked.data} />;
}

function Opened({ set }: { set: EvaluationSet }) {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const { titleOf } = useTitles();
  const [shown, setShown] = useState<Shown>();
  const runs = useEvaluations(set.id);
  const close = () => setShown(undefined);
  const remove = async () => {
    try {
      await data(api.DELETE("/v1/evaluation_sets/{set_id}", { params: { path: { set_id: set.id } } }));
      void client.invalidateQueries({ queryKey: ["sets"] });
      go(href("forms", "evaluations"));
      tell(t("forms.deleted", { title: set.name }));
    } catch (error) {
      tellError(error);
    }
  };
  const fill = <Button onPress={() => setShown("fill")}>{t("eval.fill")}</Button>;
  const start = (
    <Button kind="main" isDisabled={set.groups === 0} onPress={() => setShown("start")}>
      {t("eval.start")}
    </Button>
  );
  return (
    <div className="room">
      <header className="head">
        <Up to={href("forms", "evaluations")} label={t("eval.title")} />
        <h1>
          <bdi>{set.name}</bdi>
        </h1>
        <span className="pill">{t("eval.group_count", { count: set.groups })}</span>
        <Link to={href("forms", set.form_id)}>
          <bdi>{titleOf(set.form_id)}</bdi>
        </Link>
        <span className="gap" />
        {canWrite ? (
          <>
            <Button kind="quiet" onPress={() => setShown("remove")}>
              {t("remove")}
            </Button>
            {fill}
            {start}
          </>
        ) : null}
      </header>
      <div className="scroll pad">
        {runs.isError ? (
          <Wrong error={runs.error} retry={() => void runs.refetch()} />
        ) : !runs.data ? (
          <Loading />
        ) : runs.data.evaluations.length > 0 ? (
          <Evaluations set={set} runs={runs.data.evaluations} />
        ) : set.groups === 0 ? (
          <Empty title={t("eval.no_groups_title")} text={t("eval.no_groups_text")}>
            {canWrite ? fill : null}
          </Empty>
        ) : (
          <Empty title={t("eval.no_runs_title")} text={t("eval.no_runs_text")}>
            {canWrite ? start : null}
          </Empty>
        )}
      </div>
      <Panel title={t("eval.start")} isOpen={shown === "start"} onClose={close}>
        {shown === "start" ? <Start set={set} onClose={close} /> : null}
      </Panel>
      <Panel title={t("eval.fill")} isOpen={shown === "fill"} onClose={close} wide>
        {shown === "fill" ? <Fill set={set} onClose={close} /> : null}
      </Panel>
      <ConfirmName
        title={t("eval.delete_title")}
        text={t("eval.delete_text", { count: set.groups })}
        name={set.name}
        isOpen={shown === "remove"}
        onClose={close}
        onConfirm={() => void remove()}
      />
    </div>
  );
}

function Evaluations({ set, runs }: { set: EvaluationSet; runs: Evaluation[] }) {
  return (
    <div className="card flush">
      <table className="plain">
        <thead>
          <tr>
            <th>{t("eval.one")}</th>
            <th>{t("runs.agent")}</th>
            <th>{t("runs.state")}</th>
            <th className="wide-only">{t("kb.answer_model")}</th>
            <th className="end wide-only">{t("eval.version")}</th>
            <th className="end wide-only">{t("runs.cost")}</th>
            <th className="wide-only">{t("runs.started")}</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.sid}>
              <td>
                <Link to={href("forms", "evaluations", set.id, run.sid)}>
                  {t("eval.number", { sid: String(run.sid) })}
                </Link>
              </td>
              <td>
                <bdi>{run.namespace}</bdi>
              </td>
              <td>
                <span className="pill">
                  {run.state === "running"
                    ? t("runs.of", { done: run.total - run.open, total: run.total })
                    : t(`run.${run.state}`)}
                </span>
              </td>
              <td className="wide-only">
                <bdi>{run.model}</bdi>
              </td>
              <td className="end wide-only">{run.form_version}</td>
              <td className="end wide-only">{(run.cost ?? 0) > 0 ? `$${number(run.cost ?? 0)}` : "–"}</td>
              <td className="wide-only">{time(run.created_timestamp)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Start({ set, onClose }: { set: EvaluationSet; onClose: () => void }) {
  const client = useQueryClient();
  const agents = useAgents();
  const fitting = (agents.data?.agents ?? []).filter(
    (agent) => agent.form_id === set.form_id && !isPreview(agent.namespace),
  );
  const [namespace, setNamespace] = useState<string>();
  const [model, setModel] = useState("");
  const [version, setVersion] = useState("");
  const chosen = namespace ?? fitting[0]?.namespace;
  const start = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/evaluation_sets/{set_id}/evaluations", {
          params: { path: { set_id: set.id } },
          body: {
            namespace: chosen ?? "",
            ...(model.trim() ? { modelId: model.trim() } : {}),
            ...(version ? { form_version: Number(version) } : {}),
          },
        }),
      ),
    onSuccess: (run) => {
      void client.invalidateQueries({ queryKey: ["evaluations", set.id] });
      onClose();
      go(href("forms", "evaluations", set.id, run.sid));
    },
  });
  if (agents.isSuccess && fitting.length === 0) return <p>{t("eval.no_agent")}</p>;
  return (
    <div className="stack">
      <p className="hint">{t("eval.start_text", { count: set.groups })}</p>
      <Select
        label={t("runs.agent")}
        value={chosen ?? null}
        onChange={setNamespace}
        options={fitting.map((agent) => ({
          id: agent.namespace,
          label: agent.name || agent.namespace,
          hint: agent.namespace,
        }))}
      />
      <TextField
        label={t("eval.other_model")}
        hint={t("eval.other_model_hint")}
        value={model}
        onChange={setModel}
      />
      <TextField
        label={t("eval.version")}
        hint={t("eval.version_hint")}
        type="number"
        value={version}
        onChange={setVersion}
      />
      <Refused error={start.error} />
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" isDisabled={!chosen} isBusy={start.isPending} onPress={() => start.mutate()}>
          {t("eval.start")}
        </Button>
      </div>
    </div>
  );
}
