/** Publication of the newest draft: what changes, and the evaluation that it must pass. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, data, Failure, type Form } from "../../api.ts";
import { number, t } from "../../i18n.ts";
import { href } from "../../router.ts";
import { Button, Panel, Select, TextField } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { explain, Loading, tell } from "../../ui/notices.tsx";
import { difference, type Schema } from "./schema.ts";
import { Difference, useVersion } from "./versions.tsx";

interface PublishProps {
  form: Form;
  save: () => Promise<number>;
  isOpen: boolean;
  onClose: () => void;
}

export function Publish({ form, save, isOpen, onClose }: PublishProps) {
  return (
    <Panel title={t("publish.title")} isOpen={isOpen} onClose={onClose} wide>
      {isOpen ? <Body form={form} save={save} onClose={onClose} /> : null}
    </Panel>
  );
}

function Body({ form, save, onClose }: Omit<PublishProps, "isOpen">) {
  const client = useQueryClient();
  const saved = useMutation({ mutationFn: save });
  const { mutate } = saved;
  useEffect(() => mutate(), [mutate]);
  const version = saved.data;
  const draft = useVersion(form.form_id, version);
  const [evaluation, setEvaluation] = useState("");
  const [minimum, setMinimum] = useState("");
  const publish = useMutation({
    mutationFn: async () => {
      const body = {
        ...(evaluation ? { evaluation: Number(evaluation) } : {}),
        ...(minimum ? { minimum: Number(minimum) / 100 } : {}),
      };
      const path = { form_id: form.form_id, version: version ?? 0 };
      return data(
        api.POST("/v1/form/{form_id}/versions/{version}/publish", { params: { path }, body: body as never }),
      );
    },
    onSuccess: (next) => {
      client.setQueryData(["form", form.form_id], next);
      void client.invalidateQueries({ queryKey: ["versions", form.form_id] });
      tell(t("publish.done", { version: String(version) }));
      onClose();
    },
  });
  if (saved.isError) return <p className="wrong">{explain(saved.error)}</p>;
  if (!version || !draft.data) return <Loading />;
  const failure = publish.error;
  return (
    <div className="stack">
      <p>{t("publish.text", { version: String(version) })}</p>
      <Difference changes={difference(form.schema as Schema, draft.data.schema as Schema)} />
      {form.gate ? (
        <p className="box">
          {t("publish.gate", { minimum: number(Math.round((form.gate.minimum ?? 0) * 100)) })}
        </p>
      ) : null}
      <Evaluations form={form} version={version} chosen={evaluation} onChoose={setEvaluation} />
      {evaluation ? (
        <TextField
          label={t("publish.minimum")}
          type="number"
          value={minimum}
          onChange={setMinimum}
          hint={t("publish.minimum_hint")}
        />
      ) : null}
      {failure ? (
        <div className="wrong-box" role="alert">
          <span>
            {explain(failure)}
            {failure instanceof Failure && failure.errors.length > 0 ? (
              <ul>
                {failure.errors.map((error) => (
                  <li key={error.path + error.message}>
                    <code>{error.path}</code> {error.message}
                  </li>
                ))}
              </ul>
            ) : null}
          </span>
        </div>
      ) : null}
      <div className="actions">
        <Button onPress={onClose}>{t("cancel")}</Button>
        <Button kind="main" isDisabled={publish.isPending} onPress={() => publish.mutate()}>
          {t("publish.version", { version: String(version) })}
        </Button>
      </div>
    </div>
  );
}

interface EvaluationsProps {
  form: Form;
  version: number;
  chosen: string;
  onChoose: (evaluation: string) => void;
}

/** The evaluations of the version, and the way to start one. */
function Evaluations({ form, version, chosen, onChoose }: EvaluationsProps) {
  const client = useQueryClient();
  const [set, setSet] = useState<string>();
  const sets = useQuery({
    queryKey: ["sets"],
    queryFn: () => data(api.GET("/v1/evaluation_sets", { params: { query: { limit: 100 } } })),
  });
  const own = (sets.data?.sets ?? []).filter((known) => known.form_id === form.form_id);
  const shown = set ?? form.gate?.evaluation_set ?? own[0]?.id;
  const runs = useQuery({
    queryKey: ["evaluations", shown],
    enabled: shown !== undefined,
    refetchInterval: (query) =>
      query.state.data?.evaluations.some((run) => run.state === "running") ? 1_500 : false,
    queryFn: () =>
      data(
        api.GET("/v1/evaluation_sets/{set_id}/evaluations", {
          params: { path: { set_id: shown ?? "" }, query: { limit: 100 } },
        }),
      ),
  });
  const agents = useQuery({
    queryKey: ["agents"],
    queryFn: () => data(api.GET("/v1/agent", { params: { query: { limit: 100 } } })),
  });
  const namespace = agents.data?.agents.find((agent) => agent.form_id === form.form_id)?.namespace;
  const start = useMutation({
    mutationFn: () =>
      data(
        api.POST("/v1/evaluation_sets/{set_id}/evaluations", {
          params: { path: { set_id: shown ?? "" } },
          body: { namespace, form_version: version } as never,
        }),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: ["evaluations", shown] }),
  });
  if (own.length === 0)
    return (
      <p className="hint">
        {t("publish.no_sets")} <Link to={href("forms", "evaluations")}>{t("eval.title")}</Link>
      </p>
    );
  const of = (runs.data?.evaluations ?? []).filter(
    (run) => run.form_id === form.form_id && run.form_version === version,
  );
  const options = [
    { id: "", label: t("publish.without") },
    ...of.map((run) => ({
      id: String(run.sid),
      label: t("publish.evaluation", { sid: String(run.sid), state: t(`run.${run.state}`) }),
    })),
  ];
  return (
    <div className="box stack">
      {own.length > 1 ? (
        <Select
          label={t("publish.set")}
          value={shown ?? null}
          onChange={setSet}
          options={own.map((known) => ({ id: known.id, label: known.name }))}
        />
      ) : null}
      <Select label={t("publish.only_if")} value={chosen} onChange={onChoose} options={options} />
      {chosen && shown ? (
        <Link to={href("forms", "evaluations", shown, chosen)}>{t("eval.show_values")}</Link>
      ) : null}
      <div className="actions start">
        <Button kind="small" isDisabled={!namespace || start.isPending} onPress={() => start.mutate()}>
          {t("publish.evaluate", { version: String(version) })}
        </Button>
        {namespace ? null : <span className="hint">{t("publish.no_agent")}</span>}
      </div>
      {start.isError ? <p className="wrong">{explain(start.error)}</p> : null}
    </div>
  );
}
